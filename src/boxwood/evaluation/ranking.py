"""How well scores rank the rows of one class before the others: AUC, KS, average precision, lift, and curves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..errors import ParameterError
from .figure import Figure
from .rows import EvaluatedRows, taken, target_code


@dataclass(frozen=True, eq=False)
class Ranking:
    """The rows of an evaluation, sorted by the predicted probability of a class, the highest first.

    Attributes
    ----------
    rows : EvaluatedRows
        The rows.
    positive : bool, shape (n,)
        Whether each row is of the class.
    label : object
        The class.
    group : int64, shape (n,)
        Position of the score of each row among the S distinct scores.
    score : float64, shape (S,)
        The distinct probabilities of the class, in descending order.
    cases, others : float64, shape (S,)
        Weight of the rows of the class and of the other rows at each score.
    """

    rows: EvaluatedRows
    positive: np.ndarray
    label: object
    group: np.ndarray
    score: np.ndarray
    cases: np.ndarray
    others: np.ndarray

    @property
    def defined(self) -> bool:
        """Whether there are rows of the class and other rows."""
        return bool(self.cases.sum() > 0 and self.others.sum() > 0)

    @cached_property
    def found(self) -> np.ndarray:
        """Share of the class at or above each score (true positive rate), shape (S,)."""
        return np.cumsum(self.cases) / self.cases.sum()

    @cached_property
    def alarms(self) -> np.ndarray:
        """Share of the rest at or above each score (false positive rate), shape (S,)."""
        return np.cumsum(self.others) / self.others.sum()

    @property
    def share(self) -> float:
        """Share of the total weight that belongs to the class."""
        return float(self.cases.sum() / (self.cases.sum() + self.others.sum()))

    @property
    def rarer(self) -> np.ndarray:
        """1 over the share of the rarer rows, of the class or not, at these rows; 0 at the others; shape (n,)."""
        share = self.share
        return self.positive / share if share <= 0.5 else ~self.positive / (1.0 - share)

    def auc(self) -> tuple[float, np.ndarray]:
        """Area under the ROC curve and the influence of each row (DeLong's placements), shape (n,)."""
        # How much of the rest each score beats, half of it where scores are equal; and of the class.
        beats = 1.0 - self.alarms + 0.5 * self.others / self.others.sum()
        beaten = self.found - 0.5 * self.cases / self.cases.sum()
        area = float(self.cases @ beats / self.cases.sum())
        influence = np.where(self.positive, (beats[self.group] - area) / self.share,
                             (beaten[self.group] - area) / (1.0 - self.share))  # fmt: skip
        return area, influence

    def ks(self) -> tuple[float, np.ndarray]:
        """Largest distance between the two rates, and the influence of each row on it at that score."""
        apart = self.found - self.alarms
        at = int(np.argmax(apart))
        above = self.group <= at
        influence = np.where(self.positive, (above - self.found[at]) / self.share,
                             -(above - self.alarms[at]) / (1.0 - self.share))  # fmt: skip
        return float(apart[at]), influence

    def lift(self, top: float) -> tuple[float, np.ndarray]:
        """Share of the class among the rows of highest score, over its share in all; equal scores count in part."""
        each = self.cases + self.others
        total = float(each.sum())
        before = np.concatenate(([0.0], np.cumsum(each)[:-1]))
        part = np.clip((top * total - before) / each, 0.0, 1.0)
        at = int(np.flatnonzero(part > 0)[-1])
        rate = float(self.cases[at] / each[at])
        lift = float(part @ self.cases) / total / (top * self.share)
        inside = part[self.group]
        drawn = inside * self.positive - top * lift * self.share - rate * (inside - top)
        influence = (drawn - lift * top * (self.positive - self.share)) / (top * self.share)
        return lift, influence

    def average_precision(self) -> tuple[float, np.ndarray]:
        """Mean precision over the class, each row at its own score, and the influence of each row."""
        above_cases, above = np.cumsum(self.cases), np.cumsum(self.cases + self.others)
        precision = above_cases / above
        total = float(self.cases.sum())
        value = float(self.cases @ precision / total)
        # A row is in the precision of its own score and of all lower ones; pull: what it adds there, rows of the class
        # and others apart.
        pull = np.cumsum((self.cases * precision / above)[::-1])[::-1]
        push = np.cumsum((self.cases / above)[::-1])[::-1]
        weight = float(self.rows.weight.sum())
        influence = (self.positive * push[self.group] - pull[self.group]) * weight / total
        influence += self.positive * (precision[self.group] - value) * weight / total
        return value, influence


def ranking(rows: EvaluatedRows, k: int) -> Ranking:
    """The rows of class ``k`` and all others by the probability of that class."""
    positive = rows.truth == k
    score, group = np.unique(-rows.probability[:, k], return_inverse=True)
    cases, others = (np.bincount(group, rows.weight * which, len(score)) for which in (positive, ~positive))
    return Ranking(rows, positive, rows.labels[k], group, -score, cases, others)


def defined_ranking(rows: EvaluatedRows, k: int | None, response_name: str) -> Ranking:
    """The ranking by a class, for curves and tables.

    Raises
    ------
    ParameterError
        The response is numeric, no class is named, or all rows or none are of this class.
    """
    if not rows.labels:
        raise ParameterError(f"thresholds and curves are of classes; {response_name!r} is numeric.")
    if rows.probability is None:
        raise ParameterError("thresholds and curves need probabilities, of which none were kept; evaluate new rows.")
    found = ranking(rows, target_code(rows.labels, None) if k is None else k)
    if not found.defined:
        raise ParameterError(
            f"class {found.label!r} cannot be ranked: all evaluated rows are of this class, or none; evaluate "
            "rows of it and others."
        )
    return found


def ranked(rows: EvaluatedRows, k: int, names: tuple[str, ...]) -> list[Figure]:
    """AUC, Gini, KS, lift and average precision of a class by name; the mean over the folds, if there are some.

    Scores of different folds are of different models, which are not compared. NaN where no fold has rows of the class
    and others.
    """
    parts = _defined(rows, k)
    return [_figure(rows, rows.labels[k], name, parts) for name in names]


def auc(rows: EvaluatedRows, classes: tuple[int, ...]) -> tuple[float, np.ndarray]:
    """Mean AUC of classes, each against all others, and the influence of each row; of classes that have rows."""
    found = [_averaged(rows, _defined(rows, k), "auc") for k in classes]
    found = [(area, influence) for area, influence in found if not math.isnan(area)]
    if not found:
        return math.nan, np.zeros(len(rows.truth))
    return float(np.mean([area for area, _ in found])), np.mean([influence for _, influence in found], axis=0)


def _defined(rows: EvaluatedRows, k: int) -> list[tuple[np.ndarray, Ranking]]:
    """The rows of each fold, or all, with their ranking, where there are rows of the class and others."""
    parts = [(at, ranking(taken(rows, at), k)) for at in rows.parts]
    return [(at, one) for at, one in parts if one.defined]


def _figure(rows: EvaluatedRows, label: object, name: str, parts: list[tuple[np.ndarray, Ranking]]) -> Figure:
    if not parts:
        return Figure(name, math.nan, math.nan, math.nan, label)
    share = float(np.mean([one.share for _, one in parts]))
    baseline = {"auc": 0.5, "gini": 0.0, "ks": 0.0, "lift_10": 1.0}.get(name, share)
    value, influence = _averaged(rows, parts, name)
    return Figure(name, value, rows.standard_error(influence), baseline, label)


def _averaged(rows: EvaluatedRows, parts: list[tuple[np.ndarray, Ranking]], name: str) -> tuple[float, np.ndarray]:
    """The mean of a figure over parts of the rows, and the influence of each row on it.

    What the rarer rows add, of the class or the others, is compared with the mean over the parts: a fold with one such
    row has no spread of its own, but folds with few of them differ.
    """
    measured = [_measured(one, name) for _, one in parts]
    mean = float(np.mean([value for value, _ in measured])) if measured else math.nan
    return rows.averaged(
        [
            (at, value, influence + (value - mean) * one.rarer)
            for (at, one), (value, influence) in zip(parts, measured, strict=True)
        ]
    )


def _measured(one: Ranking, name: str) -> tuple[float, np.ndarray]:
    if name == "gini":
        area, influence = one.auc()
        return 2.0 * area - 1.0, 2.0 * influence
    return one.lift(0.1) if name == "lift_10" else getattr(one, name)()
