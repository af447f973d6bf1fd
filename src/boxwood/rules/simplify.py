"""Simplifies rules: conditions are dropped if that does not raise the estimated error rate (Quinlan 1993, 5.1)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..pruning.error_based import Pessimism
from .rule import RuleCondition

#: Rates that differ by less are equal.
_EQUAL = 1e-12


@dataclass(frozen=True, eq=False)
class Cases:
    """Training rows as rules see them.

    Attributes
    ----------
    holds : dict of Condition to bool array of shape (n,)
    codes : int32, shape (n,)
        Class numbers.
    weight : int64, shape (n,)
        Whole multiples of ``unit``.
    unit : float
    n_classes : int
    """

    holds: dict[RuleCondition, np.ndarray]
    codes: np.ndarray
    weight: np.ndarray
    unit: float
    n_classes: int

    @property
    def total(self) -> float:
        """Weight of all rows."""
        return float(self.weight.sum()) * self.unit

    def of_class(self, k: int) -> float:
        """Weight of the rows of a class."""
        return float(self.weight[self.codes == k].sum()) * self.unit

    def weights(self, rows: np.ndarray) -> tuple[float, ...]:
        """Weight of each class among some rows (positions)."""
        count = np.zeros(self.n_classes, dtype=np.int64)
        np.add.at(count, self.codes[rows], self.weight[rows])
        return tuple((count * self.unit).tolist())

    def covered(self, conditions: tuple[RuleCondition, ...]) -> np.ndarray:
        """Rows for which all conditions hold, bool, shape (n,)."""
        out = np.ones(len(self.codes), dtype=bool)
        for condition in conditions:
            out &= self.holds[condition]
        return out


@dataclass(frozen=True)
class Simplified:
    """A rule that was kept: conditions, class number, weight covered, weight of errors, estimated error rate, rows."""

    conditions: tuple[RuleCondition, ...]
    code: int
    weight: float
    errors: float
    rate: float
    rows: np.ndarray = field(compare=False, repr=False)


def simplified(conditions: tuple[RuleCondition, ...], code: int, cases: Cases, rule: Pessimism) -> Simplified | None:
    """The rule with the conditions that pay; None when it is no better than its class on the whole.

    A condition goes when the rule without it has an estimated error rate, or a rate on the training rows, that is not
    larger; of several the one that leaves the smallest estimate, the first on ties.
    """
    kept = list(dict.fromkeys(conditions))
    whole = 1.0 - (cases.of_class(code) + 1.0) / (cases.total + 3.0)
    wrong = cases.codes != code
    failing = np.array([~cases.holds[c] for c in kept]).reshape(len(kept), len(wrong))
    n_failing = failing.sum(axis=0)
    while True:
        weight, errors = _without_each(failing, n_failing, wrong, cases)
        rates = np.full(len(weight), whole)
        some = weight > 0
        rates[some] = rule.limits(weight[some], errors[some]) / weight[some]
        actual = np.divide(errors, weight, out=np.zeros(len(weight)), where=some)
        may_go = (rates[1:] <= rates[0] + _EQUAL) | (actual[1:] <= actual[0] + _EQUAL)
        if not may_go.any():
            break
        gone = int(np.argmin(np.where(may_go, rates[1:], np.inf)))
        n_failing = n_failing - failing[gone]
        failing = np.delete(failing, gone, axis=0)
        del kept[gone]
    if not kept or rates[0] >= whole - _EQUAL:
        return None
    rows = np.flatnonzero(n_failing == 0).astype(np.int32)
    return Simplified(tuple(sorted(kept)), code, float(weight[0]), float(errors[0]), float(rates[0]), rows)


def _without_each(failing: np.ndarray, n_failing: np.ndarray, wrong: np.ndarray, cases: Cases):
    """Weight and errors of the rule as it is (place 0) and without each of its conditions (places 1 and on)."""
    size = len(failing)
    place = np.where(n_failing == 0, 0, size + 1)
    once = n_failing == 1
    if size:
        place[once] = 1 + np.argmax(failing[:, once], axis=0)
    weight, errors = np.zeros(size + 2, dtype=np.int64), np.zeros(size + 2, dtype=np.int64)
    np.add.at(weight, place, cases.weight)
    np.add.at(errors, place[wrong], cases.weight[wrong])
    weight, errors = weight[: size + 1], errors[: size + 1]
    weight[1:] += weight[0]
    errors[1:] += errors[0]
    return weight * cases.unit, errors * cases.unit
