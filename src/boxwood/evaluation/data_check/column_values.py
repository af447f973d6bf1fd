"""The distinct values of a column with their rows: what every check of a column reads, made in one pass."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..._messages import Column
from ...data.columns.schema import Feature


@dataclass(frozen=True, eq=False)
class ColumnValues:
    """The distinct values of a column.

    Attributes
    ----------
    feature : Feature
    values : ndarray, shape (D,), ascending
        The numbers, or codes of levels, that occur.
    group : int64, shape (n,)
        Position of each row's value; D where it is missing.
    counts : int64, shape (D,)
        Rows of each value.
    """

    feature: Feature
    values: np.ndarray
    group: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, feature: Feature, column: np.ndarray) -> ColumnValues:
        """The distinct values of a column as :class:`.Columns` holds it."""
        known = feature.type.known(column)
        values, group, counts = np.unique(column[known], return_inverse=True, return_counts=True)
        everywhere = np.full(len(column), len(values), dtype=np.int64)
        everywhere[known] = group
        return cls(feature, values, everywhere, counts)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.group)

    @cached_property
    def missing(self) -> int:
        """Rows without a value."""
        return self.n - int(self.counts.sum())

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.feature.name

    @property
    def column(self) -> Column:
        """The column at the beginning of a sentence."""
        return Column(self.name, "Column")

    def original(self, i: int) -> Any:
        """The value at a position as it came."""
        value = self.feature.type.original(self.values[i].item(), self.feature.levels)
        return int(value) if self.feature.integer and isinstance(value, float) and value.is_integer() else value

    def by_class(self, codes: np.ndarray, k: int) -> np.ndarray:
        """Rows of each value, and of the missing one, in each of k classes, int64, shape (D + 1, k)."""
        size = len(self.values) + 1
        return np.bincount(self.group * k + codes, minlength=size * k).reshape(size, k)
