"""A table of thresholds: hits, misses and costs when a class is predicted from a probability on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._messages import must_be
from ..data.columns.distinct import distinct
from ..errors import ParameterError
from ..views.aligned import aligned
from ..views.figures import number, percent
from ..views.table import frame_of
from ..views.words import amount, level
from .ranking import Ranking

#: A printed table has at most so many rows; the best is always among them.
_MOST = 20


@dataclass(frozen=True, eq=False)
class Thresholds:
    """Every threshold that separates rows: a class is predicted if its probability is at least the threshold.

    Attributes
    ----------
    label : object
        The class.
    threshold : float64, shape (S + 1,)
        In descending order. The first is infinite: the class is never predicted.
    hits, false_alarms, misses, rejections : float64, shape (S + 1,)
        Weights of true positives, false positives, false negatives and true negatives at each threshold.
    costs : (float, float)
        Cost of a miss (false negative) and of a false alarm (false positive).

    Examples
    --------
    >>> from boxwood import CARTClassifier, datasets
    >>> X, new = datasets.load("titanic"), datasets.load("titanic_new")
    >>> y, y_new = X.pop("survived"), new.pop("survived")
    >>> table = CARTClassifier(max_depth=2, pruning=None).fit(X, y).evaluate(new, y_new).thresholds(costs=(3, 1))
    >>> print(table)
    Thresholds for yes (cost of a miss 3, of a false alarm 1)
      threshold  flagged  hits  false alarms  misses  precision  recall  specificity   cost
      none         0.0 %     0             0      84              0.000        1.000  1.260
      0.9393      26.0 %    47             5      37      0.904   0.560        0.957  0.580
      0.5476      28.5 %    49             8      35      0.860   0.583        0.931  0.565
      0.5056      47.5 %    65            30      19      0.684   0.774        0.741  0.435  < least cost
      0.1693     100.0 %    84           116       0      0.420   1.000        0.000  0.580
    >>> round(table.best, 4)
    0.5056
    """

    label: object
    threshold: np.ndarray
    hits: np.ndarray
    false_alarms: np.ndarray
    misses: np.ndarray
    rejections: np.ndarray
    costs: tuple[float, float]

    @property
    def cost(self) -> np.ndarray:
        """Mean cost of a row (per unit of weight) at each threshold, shape (S + 1,)."""
        total = self.hits[0] + self.false_alarms[0] + self.misses[0] + self.rejections[0]
        return (self.costs[0] * self.misses + self.costs[1] * self.false_alarms) / total

    @property
    def best(self) -> float:
        """The threshold of least cost, the highest of equal ones; infinite if it is best never to predict the class."""
        return float(self.threshold[self._at])

    @property
    def _at(self) -> int:
        return int(np.argmin(self.cost.round(12)))

    def to_records(self) -> dict[str, list[Any]]:
        """The table as columns: threshold, the four weights, flagged, precision, recall, specificity, cost."""
        flagged = self.hits + self.false_alarms
        total = flagged[0] + self.misses[0] + self.rejections[0]
        columns = {
            "threshold": self.threshold,
            "hits": self.hits,
            "false_alarms": self.false_alarms,
            "misses": self.misses,
            "rejections": self.rejections,
            "flagged": flagged / total,
            "precision": np.divide(self.hits, flagged, out=np.full(len(flagged), np.nan), where=flagged > 0),
            "recall": _share(self.hits, self.misses),
            "specificity": _share(self.rejections, self.false_alarms),
            "cost": self.cost,
        }
        return {name: values.tolist() for name, values in columns.items()}

    def to_frame(self, backend: str | None = None) -> Any:
        """The table as a data frame, one row per threshold, with the columns of :meth:`to_records`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.
        """
        return frame_of(self.to_records(), backend)

    def to_text(self) -> str:
        """The table as text: at most 20 thresholds, with a mark at the one of least cost."""
        records = self.to_records()
        shown = np.arange(len(self.threshold))
        if len(shown) > _MOST:
            shown = distinct(np.append(np.linspace(0, len(shown) - 1, _MOST - 1).round().astype(int), self._at))
        head = ["threshold", "flagged", "hits", "false alarms", "misses", "precision", "recall", "specificity", "cost"]
        rows = []
        for i in shown.tolist():
            limit = _limit(self.threshold, i)
            counts = [amount(records[name][i]) for name in ("hits", "false_alarms", "misses")]
            shares = [number(records[name][i]) for name in ("precision", "recall", "specificity")]
            mark = "  < least cost" if i == self._at else ""
            rows.append([limit, percent(records["flagged"][i]), *counts, *shares, number(self.cost[i]) + mark])
        width = max(len(row[-1].split("  ")[0]) for row in [head, *rows])
        for row in [head, *rows]:
            cost, _, mark = row[-1].partition("  ")
            row[-1] = cost.rjust(width) + ("  " + mark if mark else "")
        missed, alarm = self.costs
        lines = [f"Thresholds for {level(self.label)} (cost of a miss {missed:g}, of a false alarm {alarm:g})"]
        lines += [f"  {line}" for line in aligned([head, *rows], (0, len(head) - 1))]
        if len(shown) < len(self.threshold):
            lines.append(f"{len(shown)} of {len(self.threshold)} thresholds; to_frame(), or --json, has all.")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.to_text()


def thresholds(ranked: Ranking, costs: Any = (1.0, 1.0)) -> Thresholds:
    """The table for a class.

    Parameters
    ----------
    ranked : Ranking
    costs : pair of numbers
        Of a miss and of a false alarm.

    Raises
    ------
    ParameterError
        Costs that are not a pair of numbers of at least 0, not both 0.
    """
    start = np.zeros(1)
    hits = np.concatenate((start, np.cumsum(ranked.cases)))
    alarms = np.concatenate((start, np.cumsum(ranked.others)))
    limit = np.concatenate(([np.inf], ranked.score))
    return Thresholds(
        ranked.label, limit, hits, alarms, hits[-1] - hits, alarms[-1] - alarms, checked_costs(costs)
    )  # fmt: skip


def _limit(limits: np.ndarray, i: int) -> str:
    """A threshold in four digits, rounded down so that it still separates the same rows; else all its digits."""
    value = float(limits[i])
    if math.isinf(value):
        return "none"
    step = 10.0 ** (math.floor(math.log10(value)) - 3) if value > 0 else 1.0
    short = f"{math.floor(value / step) * step:.4g}"
    below = float(limits[i + 1]) if i + 1 < len(limits) else -math.inf
    return short if below < float(short) <= value else repr(value)


def checked_costs(costs: Any) -> tuple[float, float]:
    """A pair of costs."""
    try:
        missed, alarm = (float(cost) for cost in costs)
    except (TypeError, ValueError):
        missed = alarm = np.nan
    if not (np.isfinite([missed, alarm]).all() and min(missed, alarm) >= 0 and max(missed, alarm) > 0):
        allowed = "two numbers of at least 0, not both 0: of a miss and of a false alarm"
        raise ParameterError(must_be("costs", allowed, costs))
    return missed, alarm


def _share(part: np.ndarray, rest: np.ndarray) -> np.ndarray:
    whole = part + rest
    return np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0)
