"""What must be known of all rows before they are encoded: plain data that merge in any order."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...data.streams.survey import ColumnSummary, Reading
from ...statistics.exact_sums import exact_sums, rounded
from ...statistics.fixed_point import NOTHING, RateScale, Reach, rate_terms
from ...statistics.responses.means import check_range
from .layout import Layout


@dataclass(eq=False)
class TargetRange:
    """The range of a numeric response.

    Attributes
    ----------
    least, most : float
        Of all rows.
    kept_least, kept_most : float
        Of the rows of positive weight.
    """

    least: float = np.inf
    most: float = -np.inf
    kept_least: float = np.inf
    kept_most: float = -np.inf

    def add(self, y: np.ndarray, keep: np.ndarray | slice) -> None:
        """Look at some rows."""
        self.least, self.most = min(self.least, float(y.min())), max(self.most, float(y.max()))
        kept = y[keep]
        if len(kept):
            self.kept_least = min(self.kept_least, float(kept.min()))
            self.kept_most = max(self.kept_most, float(kept.max()))

    def check(self) -> None:
        """Refuse numbers that spread too widely or too little."""
        check_range(self.least, self.most)

    def merge(self, other: TargetRange) -> None:
        """Add the contents of another one."""
        self.least, self.most = min(self.least, other.least), max(self.most, other.most)
        self.kept_least = min(self.kept_least, other.kept_least)
        self.kept_most = max(self.kept_most, other.kept_most)


@dataclass(eq=False)
class Counts:
    """What must be known of events d and exposures t, in rows of positive weight.

    Attributes
    ----------
    exposure, events, log : Reach
        Of t, d and t psi(d / t).
    power : float
        Of the deviance (:func:`boxwood.statistics.fixed_point.rate_terms`).
    """

    exposure: Reach = NOTHING
    events: Reach = NOTHING
    log: Reach = NOTHING
    power: float = 1.0

    def add(self, exposure: np.ndarray, events: np.ndarray) -> None:
        """Look at some rows."""
        self.merge(Counts(*map(Reach.of, rate_terms(exposure, events, self.power))))

    def merge(self, other: Counts) -> None:
        """Add the contents of another one."""
        self.exposure = self.exposure.merged(other.exposure)
        self.events, self.log = self.events.merged(other.events), self.log.merged(other.log)

    @property
    def scale(self) -> RateScale:
        """How they become whole numbers."""
        return RateScale.of((self.exposure, self.events, self.log), self.power)


@dataclass(eq=False)
class Labels:
    """The classes of a response, with their weight.

    Attributes
    ----------
    column : ColumnSummary
    weights : dict
        Label -> exact sum of its rows' weights (:mod:`boxwood.statistics.exact_sums`); empty without weights.
    """

    column: ColumnSummary
    weights: dict = field(default_factory=dict)

    def add(self, codes: np.ndarray, weight: np.ndarray | None) -> None:
        """Look at some rows: positions of their labels in ``column.counts``, and weights if there are some."""
        if weight is None:
            return
        sums = exact_sums(weight, codes, len(self.column.counts))
        for label, total in zip(self.column.counts, sums, strict=True):
            self.weights[label] = self.weights.get(label, 0) + total

    def merge(self, other: Labels) -> None:
        """Add the contents of another one."""
        self.column.merge(other.column)
        for label, total in other.weights.items():
            self.weights[label] = self.weights.get(label, 0) + total

    def labels(self) -> tuple:
        """Labels that occur, in order."""
        return tuple(label for label in self.column.levels() if self.column.counts.get(label, 0))

    def mass(self) -> np.ndarray:
        """Sum of weights of each label, float64, shape (K,)."""
        if not self.weights:
            return np.array([float(self.column.counts[label]) for label in self.labels()])
        return np.array([rounded(self.weights[label]) for label in self.labels()])


@dataclass(eq=False)
class Survey:
    """The survey of a learning set, or of some rows of it.

    Attributes
    ----------
    layout : Layout
    columns : list of ColumnSummary
        Of the features.
    response : Labels, TargetRange or Counts
    rows : int
        Rows seen.
    kept : int
        Rows of positive weight.
    """

    layout: Layout
    columns: list[ColumnSummary]
    response: Labels | TargetRange | Counts
    rows: int = 0
    kept: int = 0

    @classmethod
    def of(cls, layout: Layout) -> Survey:
        """An empty one."""
        columns = [ColumnSummary(name, how) for name, how in zip(layout.features, layout.readings, strict=True)]
        if layout.task == "classification":
            return cls(layout, columns, Labels(ColumnSummary(layout.target, Reading(True))))
        return cls(layout, columns, Counts(power=layout.power) if layout.power else TargetRange())

    def merge(self, other: Survey) -> None:
        """Add the survey of other rows.

        Raises
        ------
        DataError, DataTypeError
            The same column holds different things in the two.
        """
        for one, another in zip(self.columns, other.columns, strict=True):
            one.merge(another)
        self.response.merge(other.response)
        self.rows += other.rows
        self.kept += other.kept
