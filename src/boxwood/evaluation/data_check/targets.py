"""The target of a check: what a column alone shows of it, for classes and for numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..._messages import Column, DroppedColumn, Message, remedy
from ...data.columns.schema import NOMINAL, NUMERIC, Feature
from ...data.frames.target import read_classes, read_numbers
from .column_values import ColumnValues
from .finding import Finding
from .follow_up import follow_up

#: What a column shows of the target counts only if chance would show as much with a probability below e^-20.
_SURE = 20.0
#: From here on an AUC is printed as 1.000; R² of a copy is closer, as rounding errors are small.
_AUC, _R2 = 0.9995, 0.9999
#: Both classes need so many rows with a value before their ranks are compared.
_ROWS = 10


@dataclass(frozen=True, eq=False)
class CheckedTarget(ABC):
    """The target as a column, and what other columns show of it."""

    column: ColumnValues

    @property
    def name(self) -> str:
        """The name of the target."""
        return self.column.name

    def findings(self, column: ColumnValues) -> Iterator[Finding]:
        """A column that is a copy or a consequence of the target."""
        found = self.leak(column)
        if found is not None:
            amount, what = found
            message = Message(
                column.column, " alone ", what, ": it may be a copy or a consequence of the target. If it is not known "
                "when you predict, ", remedy("leave it out: ", DroppedColumn(column.name)), ".",
            )  # fmt: skip
            yield Finding("leak", column.name, amount, message)

    @abstractmethod
    def leak(self, column: ColumnValues) -> tuple[float, Message] | None:
        """How well a column alone gives the target, and the words for it; None if not nearly fully."""


@dataclass(frozen=True, eq=False)
class CheckedClasses(CheckedTarget):
    """Classes, by their codes."""

    @property
    def labels(self) -> tuple:
        """The labels of the classes."""
        return self.column.feature.levels

    @classmethod
    def of(cls, y, name: str) -> CheckedClasses:
        """The classes of y."""
        return cls.of_codes(*read_classes(y), name)

    @classmethod
    def of_codes(cls, labels: tuple, codes: np.ndarray, name: str) -> CheckedClasses:
        """Classes by their positions among the labels, shape (n,)."""
        counts = np.bincount(codes, minlength=len(labels))
        feature = Feature(name, NOMINAL, labels)
        return cls(ColumnValues(feature, np.arange(len(labels)), codes.astype(np.int64), counts))

    def findings(self, column: ColumnValues) -> Iterator[Finding]:
        yield from super().findings(column)
        if column.feature.type.has_cuts:
            yield from follow_up(column, self.column, self.labels)

    def leak(self, column: ColumnValues) -> tuple[float, Message] | None:
        k, ordered = len(self.labels), column.feature.type.has_cuts
        n, size = column.n, len(column.values) + 1
        p = self.column.counts[self.column.counts > 0] / n
        information = -n * float(p @ np.log(p))
        if information - (k * np.log(n) if ordered else size * np.log(k)) < _SURE:
            return None
        least, most = np.full(size, k), np.full(size, -1)
        np.minimum.at(least, column.group, self.column.group)
        np.maximum.at(most, column.group, self.column.group)
        if bool((least >= most).all()) and (not ordered or _changes(least, most) < k):
            return 1.0, Message("determines the class of ", Column(self.name))
        area = self._auc(column, ordered) if k == 2 else 0.0
        if area < _AUC:
            return None
        return area, Message("separates the classes of ", Column(self.name), f" (AUC {area:.3f})")

    def _auc(self, column: ColumnValues, ordered: bool) -> float:
        """Area under the ROC curve by the order of the values, or of the rates of levels, 0.5 or more."""
        others, cases = np.ascontiguousarray(column.by_class(self.column.group, 2).T, dtype=np.float64)
        if ordered:
            others, cases = others[:-1], cases[:-1]
        else:
            order = np.argsort(cases / np.maximum(others + cases, 1.0), kind="stable")
            others, cases = others[order], cases[order]
        if min(others.sum(), cases.sum()) < _ROWS:
            return 0.0
        area = float(cases @ (np.cumsum(others) - 0.5 * others)) / (cases.sum() * others.sum())
        return max(area, 1.0 - area)


def _changes(least: np.ndarray, most: np.ndarray) -> int:
    """How often the class changes along values that each have one class, missing ones at the end that suits them."""
    classes = least[:-1]
    between = int(np.count_nonzero(np.diff(classes)))
    no_missing = most[-1] < 0 or not len(classes) or least[-1] in (classes[0], classes[-1])
    return between + (not no_missing)


@dataclass(frozen=True, eq=False)
class CheckedNumbers(CheckedTarget):
    """Numbers."""

    y: np.ndarray

    @classmethod
    def of(cls, y, name: str) -> CheckedNumbers:
        """The numbers of y."""
        return cls.of_numbers(read_numbers(y), name)

    @classmethod
    def of_numbers(cls, numbers: np.ndarray, name: str) -> CheckedNumbers:
        """Finite numbers, float64, shape (n,)."""
        return cls(ColumnValues.of(Feature(name, NUMERIC), numbers), numbers)

    def leak(self, column: ColumnValues) -> tuple[float, Message] | None:
        size = len(column.values)
        known = column.group < size
        group, y = column.group[known], self.y[known]
        n = len(y)
        total = float(((y - y.mean()) ** 2).sum()) if n else 0.0
        if size < 2 or total == 0.0 or n < 2 * _ROWS:
            return None
        counts = column.counts
        means = np.bincount(group, weights=y, minlength=size) / counts
        within = float(((y - means[group]) ** 2).sum())
        found = 1.0 - within / total * (n - 1) / (n - size) if n >= 2 * size else 0.0
        ordered = column.feature.type.has_cuts
        if ordered:
            found = max(found, _correlation(column.values[group], y) ** 2)
        if found >= _R2:
            return found, Message("gives ", Column(self.name), f" (R² {found:.3f})")
        least, most = _ends(group, y, size)
        order = np.argsort(least, kind="stable")
        is_monotone = ordered and np.abs(np.diff(order)).max() == 1
        information = -float(counts @ np.log(counts / n)) - (0.0 if is_monotone else size * np.log(size))
        if information >= _SURE and bool((most[order][:-1] < least[order][1:]).all()):
            return 1.0 - within / total, Message("has values that are intervals of ", Column(self.name))
        return None


def _correlation(x: np.ndarray, y: np.ndarray) -> float:
    """Pearson's correlation; 0 where x does not vary or is not finite."""
    x = x.astype(np.float64)
    x, y = x - x.mean(), y - y.mean()
    scale = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / scale if 0.0 < scale < np.inf else 0.0


def _ends(group: np.ndarray, y: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest y of each value of a column, shape (D,) each."""
    least, most = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(least, group, y)
    np.maximum.at(most, group, y)
    return least, most
