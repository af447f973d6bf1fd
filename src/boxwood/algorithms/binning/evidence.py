"""Weight of evidence and information value from the events and non-events of each bin."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

#: What both cells of a bin are raised by if one of them is empty, in rows (of mean weight).
EMPTY = 0.5


@dataclass(frozen=True)
class Totals:
    """Weight of all events and non-events, and the mean weight of a row."""

    events: float
    others: float
    row: float = 1.0

    def woe_and_iv(self, events: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Weight of evidence and information value of bins, by their weights of events and of non-events.

        WoE = ln((others / all others) / (events / all events)): positive where events are rarer than in all rows.
        IV = (others / all others - events / all events) WoE. If a bin has no event or no non-event, half a row is
        added to both of its cells. A bin without rows has 0.

        References
        ----------
        Siddiqi: Credit Risk Scorecards, 2006, chapter 6.

        Examples
        --------
        >>> import numpy as np
        >>> from boxwood.algorithms.binning.evidence import Totals
        >>> woe, iv = Totals(20.0, 80.0).woe_and_iv(np.array([15.0, 5.0]), np.array([30.0, 50.0]))
        >>> woe.round(4).tolist(), iv.round(4).tolist()
        ([-0.6931, 0.9163], [0.2599, 0.3436])
        """
        added = np.where((events > 0) & (others > 0), 0.0, EMPTY * self.row)
        of_events, of_others = (events + added) / self.events, (others + added) / self.others
        woe = np.log(of_others) - np.log(of_events)
        empty = (events == 0) & (others == 0)
        return np.where(empty, 0.0, woe), np.where(empty, 0.0, (of_others - of_events) * woe)


@dataclass(frozen=True)
class PointScale:
    """How weights of evidence become points.

    Attributes
    ----------
    double : float
        Points to double the odds.
    base : float
        Score at the base odds.
    odds : float
        Base odds, non-events to events.
    """

    double: float
    base: float
    odds: float

    def points(self, woe: np.ndarray) -> np.ndarray:
        """Points of bins, whole numbers."""
        return np.rint(self.double / log(2.0) * woe) + 0.0  # not -0

    def start(self, totals: Totals) -> float:
        """The score of a row whose bins have no evidence, to which the points are added; a whole number."""
        return float(np.rint(self.base + self.double / log(2.0) * log(totals.others / totals.events / self.odds)))
