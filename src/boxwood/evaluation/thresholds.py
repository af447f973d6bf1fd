"""A table of thresholds: hits, misses and costs when a class is predicted from a probability on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._typing import Axes
from ..data.columns.distinct import distinct
from ..errors import check_one_of
from ..pictures.chart import Chart, Series, chart_scene
from ..pictures.chart_axes import chart_axes
from ..pictures.options import THEMES
from ..pictures.svg import scene_svg
from ..views.aligned import aligned
from ..views.costs import Costs, all_costs
from ..views.figures import number, percent
from ..views.table import frame_of
from ..views.words import amount, level, with_error
from .ranking import Ranking

_Costs = tuple[float, float]
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
    saved, spent : float64, shape (S + 1,)
        What the hits would have cost as misses, and what the false alarms cost.
    se : float64, shape (S + 1,)
        Standard error of the profit; NaN on the training set.
    costs : (float, float)
        Cost of a miss (false negative) and of a false alarm (false positive).
    amount_costs : (float, float) or None
        What is added to them per unit of the amount of a row; None without amounts.

    Examples
    --------
    >>> from boxwood import CARTClassifier, datasets
    >>> X, new = datasets.load("titanic"), datasets.load("titanic_new")
    >>> y, y_new = X.pop("survived"), new.pop("survived")
    >>> table = CARTClassifier(max_depth=2, pruning=None).fit(X, y).evaluate(new, y_new).thresholds(costs=(3, 1))
    >>> print(table)
    Thresholds for yes (cost of a miss 3, of a false alarm 1)
      threshold  flagged  hits  false alarms  misses  precision  recall  specificity   cost  profit
      none         0.0 %     0             0      84              0.000        1.000  1.260       0
      0.9393      26.0 %    47             5      37      0.904   0.560        0.957  0.580     136
      0.5476      28.5 %    49             8      35      0.860   0.583        0.931  0.565     139
      0.5056      47.5 %    65            30      19      0.684   0.774        0.741  0.435     165  < least cost
      0.1693     100.0 %    84           116       0      0.420   1.000        0.000  0.580     136
    Best threshold 0.5056: profit 165 ± 22 compared with predicting yes for no row.
    >>> round(table.best, 4)
    0.5056
    """

    label: object
    threshold: np.ndarray
    hits: np.ndarray
    false_alarms: np.ndarray
    misses: np.ndarray
    rejections: np.ndarray
    saved: np.ndarray
    spent: np.ndarray
    se: np.ndarray
    costs: tuple[float, float]
    amount_costs: tuple[float, float] | None = None

    @property
    def cost(self) -> np.ndarray:
        """Mean cost of a row (per unit of weight) at each threshold, shape (S + 1,)."""
        total = self.hits[0] + self.false_alarms[0] + self.misses[0] + self.rejections[0]
        return (self.saved[-1] - self.saved + self.spent) / total

    @property
    def profit(self) -> np.ndarray:
        """What the rows cost if the class is never predicted, less what they cost at each threshold, shape (S + 1,)."""
        return self.saved - self.spent

    @property
    def best(self) -> float:
        """The threshold of least cost, the highest of equal ones; infinite if it is best never to predict the class."""
        return float(self.threshold[self._at])

    @property
    def _at(self) -> int:
        return int(np.argmin(self.cost.round(12)))

    def to_records(self) -> dict[str, list[Any]]:
        """The table as columns: threshold, weights, flagged, precision, recall, specificity, cost, profit, its se."""
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
            "profit": self.profit,
            "profit_se": self.se,
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
        head = ["threshold", "flagged", "hits", "false alarms", "misses", "precision", "recall", "specificity", "cost",
                "profit"]  # fmt: skip
        rows = []
        for i in shown.tolist():
            limit = _limit(self.threshold, i)
            counts = [amount(records[name][i]) for name in ("hits", "false_alarms", "misses")]
            shares = [number(records[name][i]) for name in ("precision", "recall", "specificity")]
            mark = "< least cost" if i == self._at else ""
            rows.append([limit, percent(records["flagged"][i]), *counts, *shares, number(self.cost[i]),
                         amount(self.profit[i]), mark])  # fmt: skip
        lines = [f"Thresholds for {level(self.label)} ({Costs(self.costs, self.amount_costs)})"]
        lines += [f"  {line}" for line in aligned([[*head, ""], *rows], (0, len(head)))]
        if len(shown) < len(self.threshold):
            lines.append(f"{len(shown)} of {len(self.threshold)} thresholds; to_frame(), or --json, has all.")
        profit, se = float(self.profit[self._at]), float(self.se[self._at])
        most = amount(profit) if np.isnan(se) else with_error(profit, se)
        best = _limit(self.threshold, self._at)
        lines.append(f"Best threshold {best}: profit {most} compared with predicting {level(self.label)} for no row.")
        return "\n".join(lines)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the profit over the share of rows that are flagged with matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on; default: a new figure.

        Raises
        ------
        NotAvailableError
            matplotlib is not installed.
        """
        return chart_axes(profit_chart(self), ax)

    def to_svg(self, theme: str = "auto") -> str:
        """Draw the profit over the share of rows that are flagged as SVG, without matplotlib.

        Parameters
        ----------
        theme : {"auto", "light", "dark"}
            "auto" follows the light or dark mode of the viewer's system.

        Raises
        ------
        ParameterError
            There is no such theme.
        """
        check_one_of("theme", theme, THEMES)
        return scene_svg(chart_scene(profit_chart(self), f"profit by threshold for {level(self.label)}"), theme)

    def __str__(self) -> str:
        return self.to_text()


def thresholds(ranked: Ranking, costs: Any = None, amount_costs: Any = None) -> Thresholds:
    """The table for a class; ``amount_costs`` are read if the rows have amounts.

    Raises
    ------
    ParameterError
        Costs that are not a pair of numbers of at least 0, not both 0; amounts without costs, or costs of amounts
        without amounts.
    """
    rows = ranked.rows
    price = all_costs(costs, amount_costs, rows.amount is not None)
    miss, alarm = price.of_rows(len(rows.weight), rows.amount)
    each = np.where(ranked.positive, miss, -alarm)
    hits, alarms, saved, spent, first, second = (
        np.concatenate((np.zeros(1), np.cumsum(np.bincount(ranked.group, values, len(ranked.score)))))
        for values in (rows.weight * ranked.positive, rows.weight * ~ranked.positive,
                       rows.weight * ranked.positive * miss, rows.weight * ~ranked.positive * alarm,
                       rows.square * each, rows.square * each**2)
    )  # fmt: skip
    mean = (saved - spent) / rows.weight.sum()
    variance = second - 2.0 * mean * first + mean**2 * rows.square.sum()
    limit = np.concatenate(([np.inf], ranked.score))
    return Thresholds(
        ranked.label, limit, hits, alarms, hits[-1] - hits, alarms[-1] - alarms, saved, spent,
        np.sqrt(np.maximum(variance, 0.0)), price.of_row, price.of_amount,
    )  # fmt: skip


def profit_chart(found: Thresholds) -> Chart:
    """The profit over the share of rows that are flagged, and a dot at the most."""
    flagged = found.hits + found.false_alarms
    share = 100.0 * flagged / (flagged[0] + found.misses[0] + found.rejections[0])
    best = np.array([int(np.argmin(found.cost.round(12)))])
    lines = (
        Series(share, found.profit, "profit"),
        Series(share[best], found.profit[best], "best threshold", line="", marks=True),
    )
    return Chart("% of cases flagged, ranked by score", f"profit of flagging {level(found.label)}", lines)


def _limit(limits: np.ndarray, i: int) -> str:
    """A threshold in four digits, rounded down so that it still separates the same rows; else all its digits."""
    value = float(limits[i])
    if math.isinf(value):
        return "none"
    step = 10.0 ** (math.floor(math.log10(value)) - 3) if value > 0 else 1.0
    short = f"{math.floor(value / step) * step:.4g}"
    below = float(limits[i + 1]) if i + 1 < len(limits) else -math.inf
    return short if below < float(short) <= value else repr(value)


def _share(part: np.ndarray, rest: np.ndarray) -> np.ndarray:
    whole = part + rest
    return np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0)
