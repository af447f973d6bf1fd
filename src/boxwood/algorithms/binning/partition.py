"""Which bin each value of a column is in, as splits: one of all values, and one for each special value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...data.columns.schema import Feature
from ...tree.split import SplitTable
from ...views.condition import split_condition
from ...views.kinds import VALUE_WORDS
from ...views.words import plain


@dataclass(frozen=True, eq=False)
class ColumnPartition:
    """Which bin each value of a column is in.

    Attributes
    ----------
    feature : Feature
    splits : SplitTable
        The first split has a branch for each bin of values, and each other one a branch 0 for one special value.
    """

    feature: Feature
    splits: SplitTable

    @property
    def n_values(self) -> int:
        """Number of bins of values."""
        return int(self.splits.index_of(0).max(initial=-1)) + 1

    @property
    def n_bins(self) -> int:
        """Number of all bins, that of missing values included, which is the last."""
        return self.n_values + len(self.splits)

    def bins_of(self, values: np.ndarray, low: np.ndarray | None) -> np.ndarray:
        """The bin of each row, int64; -1 = a level without a row in the fit."""
        kind = self.feature.type
        found = np.where(kind.missing(values), self.n_bins - 1, -1).astype(np.int64)
        known = kind.known(values)
        given = values[known], None if low is None else low[known]
        bins = self._branch(0, *given)
        for s in range(1, len(self.splits)):
            bins = np.where(self._branch(s, *given) == 0, self.n_values + s - 1, bins)
        found[known] = bins
        return found

    def _branch(self, s: int, values: np.ndarray, low: np.ndarray | None) -> np.ndarray:
        own = slice(self.splits.breaks_start[s], self.splits.breaks_start[s + 1])
        breaks = self.splits.breaks[own], self.splits.breaks_low[own]
        return self.splits.index_of(s)[self.feature.type.positions(values, low, *breaks)]

    def words(self, max_levels: int | None = None) -> list[str]:
        """The condition of each bin as text."""
        name = plain(self.feature.name)
        values = [split_condition(self.feature, self.splits, 0, b, max_levels) for b in range(self.n_values)]
        return [*values, *self._special_words(name), f"{name} is missing"]

    def _special_words(self, name: str) -> list[str]:
        """The conditions of the special values, each written as the value itself."""
        found = []
        for s in range(1, len(self.splits)):
            if self.feature.levels:
                found.append(split_condition(self.feature, self.splits, s, 0))
            else:
                end = int(self.splits.breaks_start[s + 1]) - 1
                value, low = float(self.splits.breaks[end]), float(self.splits.breaks_low[end])
                found.append(f"{name} = {VALUE_WORDS.of(self.feature).value(self.feature, value, low)}")
        return found


def joined(tables: list[SplitTable]) -> SplitTable:
    """Several splits of one column as one table."""
    breaks = [list(zip(t.breaks.tolist(), t.breaks_low.tolist(), strict=True)) for t in tables]
    return SplitTable.of([0] * len(tables), breaks, [t.index_of(0).tolist() for t in tables])
