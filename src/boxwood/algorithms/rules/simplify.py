"""Simplifies rules: conditions are dropped if that does not raise the estimated error rate (Quinlan 1993, 5.1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ... import _kernel
from ...data.columns.columns import Columns
from ...pruning.error_based import Pessimism
from .rule import RuleCondition, RulePath

#: Rates that differ by less are equal.
_EQUAL = 1e-12


@dataclass(frozen=True, eq=False)
class Cases:
    """Training rows as rules see them.

    Attributes
    ----------
    codes : int32, shape (n,)
        Class numbers.
    weight : int64, shape (n,)
        Whole multiples of ``unit``.
    unit : float
    n_classes : int
    """

    codes: np.ndarray
    weight: np.ndarray
    unit: float
    n_classes: int

    @cached_property
    def total(self) -> float:
        """Weight of all rows."""
        return float(self.weight.sum()) * self.unit

    def error_rate(self, k: int) -> float:
        """Share of the rows of other classes, estimated with a correction for small numbers."""
        of_class = float(self.weight[self.codes == k].sum()) * self.unit
        return 1.0 - (of_class + 1.0) / (self.total + 3.0)

    def weights(self, rows: np.ndarray) -> tuple[float, ...]:
        """Weight of each class among some rows (positions)."""
        count = np.zeros(self.n_classes, dtype=np.int64)
        np.add.at(count, self.codes[rows], self.weight[rows])
        return tuple((count * self.unit).tolist())


@dataclass(frozen=True)
class Simplified:
    """A rule that was kept: conditions, class number, weight covered, weight of errors, estimated error rate, rows."""

    conditions: tuple[RuleCondition, ...]
    code: int
    weight: float
    errors: float
    rate: float
    rows: np.ndarray = field(compare=False, repr=False)


def simplified(found: list[RulePath], columns: Columns, cases: Cases, rule: Pessimism) -> list[Simplified | None]:
    """Each path's rule with the conditions that pay; None where it is no better than its class on the whole.

    A condition goes when the rule without it has an estimated error rate, or a rate on the training rows, that is not
    larger; of several the one that leaves the smallest estimate, the first on ties.
    """
    settings = rule.for_kernel() | {"unit": cases.unit}
    whole = [cases.error_rate(k) for k in range(cases.n_classes)]
    failing = _Failing(columns, max((len(path.numbers) for path in found), default=0))
    rules: list[Simplified | None] = [None] * len(found)
    for i in sorted(range(len(found)), key=lambda i: found[i].numbers):
        path, code = found[i], found[i].code
        kept, rows, weight, errors, rate = _kernel.simplified_rule(
            failing.bits(path), (cases.codes, cases.weight), code, whole[code], settings
        )
        if len(kept) and rate < whole[code] - _EQUAL:
            conditions = tuple(sorted(path.conditions[k] for k in kept.tolist()))
            rules[i] = Simplified(conditions, code, weight * cases.unit, errors * cases.unit, rate, rows)
    return rules


class _Failing:
    """Which rows fail the conditions of a path, a bit for each row; paths that begin alike share these."""

    def __init__(self, columns: Columns, longest: int):
        # Rows of a matrix lie apart in memory; every column is read many times.
        values = tuple(map(np.ascontiguousarray, columns.values))
        self._columns, self._numbers = Columns(columns.schema, columns.n, values, columns.low, {}), ()
        self._bytes = np.zeros((longest, -(-columns.n // 64) * 8), dtype=np.uint8)

    def bits(self, path: RulePath) -> np.ndarray:
        """Of each condition of the path, uint64, shape (conditions, words); row i is bit i % 64 of word i // 64."""
        alike = [a == b for a, b in zip(path.numbers, self._numbers, strict=False)]
        shared = alike.index(False) if False in alike else len(alike)
        for k in range(shared, len(path.numbers)):
            packed = np.packbits(~path.conditions[k].holds(self._columns), bitorder="little")
            self._bytes[k, : len(packed)] = packed
        self._numbers = path.numbers
        return self._bytes[: len(path.numbers)].view("<u8").astype(np.uint64, copy=False)
