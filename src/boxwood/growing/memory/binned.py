"""Growth over bins: numeric columns are first cut into a few bins; splits are converted back to thresholds."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from ...data.columns.columns import Columns
from ...tree.split import SplitTable
from ...tree.tree import Tree
from ..protocol import Level, LevelSplits, Source
from ..recipe import Recipe
from .source import EncodedColumns

#: Columns are cut into at most so many bins, whatever is requested: a table of bins then holds all cuts. To find those
#: of more bins takes longer than to grow from every value.
MOST_BINS = 255

#: The splits of a tree.
_TABLES = ("splits", "surrogates", "competitors")


class BinnedColumns(EncodedColumns):
    """Columns coded once, those of many values by the numbers of their bins.

    A numeric column of more than ``max_bins`` distinct values is cut into at most so many bins of about equal numbers
    of rows. Where the cuts lie depends on nothing but how often each value occurs. Whole numbers beyond 2**53 are kept.

    Parameters
    ----------
    columns : Columns
    threads : int
    max_bins : int
        2 to 65,280; more than MOST_BINS count as so many.
    """

    def __init__(self, columns: Columns, threads: int, max_bins: int):
        super().__init__(columns, threads)
        self._max_bins = min(max_bins, MOST_BINS)

    @cached_property
    def cuts(self) -> dict[int, np.ndarray]:
        """Feature that is binned -> the threshold behind each of its bins, float64.

        A threshold is the shortest number between the greatest value of its bin and the least value of the next; behind
        the last bin, the greatest value.
        """
        return self.codes.thresholds()

    @cached_property
    def binned(self) -> Columns:
        """The columns, with the number of its bin for each value that has one."""
        columns, bins = self._columns, self.codes.bins()
        values = [columns.values[j] if j not in bins else bins[j].astype(np.float64) for j in range(len(self.schema))]
        for j in bins:
            values[j][bins[j] < 0] = np.nan
        return Columns(self.schema, self.n, tuple(values), tuple(columns.low), {})

    @property
    def ranked(self) -> Columns:
        """The columns of bins."""
        return self.binned


class BinnedSource:
    """A source over bins that answers in thresholds of the values; with cuts by rank, in ranks of bins.

    Parameters
    ----------
    source : Source
        Over ``encoded.binned``.
    encoded : BinnedColumns
    """

    def __init__(self, source: Source, encoded: BinnedColumns):
        self.schema, self.response = source.schema, source.response
        self._source, self._encoded = source, encoded
        self._by_rank = False

    @property
    def above(self):
        """What the source of bins takes over from the root of another tree."""
        return self._source.above

    @above.setter
    def above(self, above) -> None:
        self._source.above = above

    def of_root(self, recipe: Recipe):
        """What a tree that is grown from some of these rows needs of all of them."""
        return self._source.of_root(recipe)

    def root(self, recipe: Recipe) -> Level:
        """One node with all rows; starts the growth of a tree by this recipe."""
        self._by_rank = recipe.rank_cuts
        return self._source.root(recipe)

    def best_splits(self, level: Level, is_open: np.ndarray) -> LevelSplits:
        """The best admissible split of every open node of the current level."""
        found = self._source.best_splits(level, is_open)
        if self._by_rank:
            return found
        return replace(found, **{name: as_thresholds(getattr(found, name), self._encoded.cuts) for name in _TABLES})

    def route(self, level: Level, found: LevelSplits) -> Level:
        """Send the rows of the split nodes down."""
        return self._source.route(level, found)

    def finish(self, recipe: Recipe) -> Tree | None:
        """None: this source grows trees level by level."""
        return self._source.finish(recipe)

    def finish_each(self, recipe: Recipe, keeps: list[np.ndarray]) -> list[Tree] | None:
        """None: as above."""
        return self._source.finish_each(recipe, keeps)

    def complete(self, top: Tree) -> Tree:
        """The tree that the loop grew, with what the source put aside."""
        return self._source.complete(top)


def bins_of(values: np.ndarray, thresholds: np.ndarray) -> np.ndarray:
    """The number of the bin of each value, float64, shape (n,), NaN = missing; ``thresholds``: behind each bin."""
    bins = np.searchsorted(thresholds[:-1], values, side="left").astype(np.float64)
    bins[np.isnan(values)] = np.nan
    return bins


def as_thresholds(splits: SplitTable, thresholds: dict[int, np.ndarray]) -> SplitTable:
    """Splits of numbers of bins as splits of the values: a cut at c is the threshold behind bin floor(c)."""
    if not len(splits.breaks) or not thresholds:
        return splits
    breaks = splits.breaks.copy()
    feature = np.repeat(splits.feature, np.diff(splits.breaks_start))
    for j, behind in thresholds.items():
        at = (feature == j) & np.isfinite(breaks)
        breaks[at] = behind[np.floor(breaks[at]).astype(np.int64)]
    return replace(splits, breaks=breaks)


def in_bins(tree: Tree, thresholds: dict[int, np.ndarray]) -> Tree:
    """A tree of thresholds as one of numbers of bins: the inverse of :func:`in_thresholds`."""
    tables = {}
    for name in _TABLES:
        splits = getattr(tree, name)
        breaks, feature = splits.breaks.copy(), np.repeat(splits.feature, np.diff(splits.breaks_start))
        for j, behind in thresholds.items():
            at = feature == j
            breaks[at] = np.searchsorted(behind, breaks[at], side="left")
        tables[name] = replace(splits, breaks=breaks)
    return replace(tree, **tables)


def in_thresholds(tree: Tree, thresholds: dict[int, np.ndarray]) -> Tree:
    """A tree of numbers of bins as one of thresholds of the values; see :func:`as_thresholds`."""
    return replace(tree, **{name: as_thresholds(getattr(tree, name), thresholds) for name in _TABLES})
