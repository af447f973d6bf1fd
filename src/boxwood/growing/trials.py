"""The partitions of a node by one feature: cuts of ordered values, one branch per level, two sets of levels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..statistics.responses.response import Response
from .tables import CodedFeature, FeatureTable


@dataclass(frozen=True, eq=False)
class NodeTable:
    """The table of a feature at a node, from which a branching makes its partitions.

    Attributes
    ----------
    feature : CodedFeature
    table : FeatureTable
    moments_of : callable
        Sums of the table (..., S) -> moments (..., M).
    total : float
        Weight of all samples of the node.
    response : Response
    """

    feature: CodedFeature
    table: FeatureTable
    moments_of: Callable[[np.ndarray], np.ndarray]
    total: float
    response: Response

    @property
    def moments(self) -> np.ndarray:
        """Moments of the samples with each value, shape (V, M)."""
        return self.moments_of(self.table.sums)

    @property
    def values(self) -> tuple:
        """The values that occur, rising: numbers, or levels in their order."""
        codes = self.table.codes.tolist()
        if self.feature.keys:
            return tuple(self.feature.keys[code][0] for code in codes)
        return tuple(self.feature.feature.levels[code] for code in codes)


@dataclass(frozen=True, eq=False)
class Trials:
    """C partitions of the known samples of a node into B branches.

    Attributes
    ----------
    sums : shape (C, B, S)
    rows : int64, shape (C, B)
    branch : callable
        Partition c -> branch of each value of the table, int64, shape (V,).
    kind : {"cut", "levels", "sets", "groups", "one level", "proposed"}
        Ordered values cut in two; one branch a level, absent ones too; two sets of levels; groups of levels; one level
        and the rest; by a function of the user's own, where partitions may have fewer branches than B.
    heuristic : bool
        Not every partition of this kind is among them.
    """

    sums: np.ndarray
    rows: np.ndarray
    branch: Callable[[int], np.ndarray]
    kind: str
    heuristic: bool = False

    def take(self, kept: np.ndarray) -> Trials:
        """Some of the partitions (positions)."""
        return Trials(self.sums[kept], self.rows[kept], lambda c: self.branch(kept[c]), self.kind, self.heuristic)


def cuts(table: FeatureTable) -> Trials:
    """Between every two neighbouring values, from low to high; branch 0 is below."""
    return _in_order(table, np.arange(len(table.codes)), "cut")


def separable_cuts(node: NodeTable, value_tolerance: float) -> Trials:
    """The cuts between values that differ by more than a tolerance."""
    apart = node.feature.apart(node.table.codes, value_tolerance)
    return cuts(node.table).take(np.flatnonzero(apart))


def levels(table: FeatureTable, n_levels: int) -> Trials:
    """The one partition that gives every level a branch, whether it occurs here or not."""
    sums = np.zeros((1, n_levels, table.sums.shape[1]), dtype=table.sums.dtype)
    rows = np.zeros((1, n_levels), dtype=np.int64)
    sums[0, table.codes], rows[0, table.codes] = table.sums, table.rows
    return Trials(sums, rows, lambda c: table.codes, "levels")


def single_levels(table: FeatureTable) -> Trials:
    """Each level that occurs against the rest; branch 0 is the level."""
    sums = np.stack((table.sums, table.known - table.sums), axis=1)
    rows = np.stack((table.rows, table.rows.sum() - table.rows), axis=1)
    return Trials(sums, rows, lambda c: (np.arange(len(table.codes)) != c).astype(np.int64), "one level")


def sets(table: FeatureTable, place: np.ndarray, exhaustive_levels: int, ordering_is_exact: bool) -> Trials:
    """Two sets of levels (docs/rpart.md).

    Parameters
    ----------
    table : FeatureTable
    place : float64, shape (V,)
        The place of each level in the order of the response, see ``Response.place``.
    exhaustive_levels : int
        Up to so many levels every pair of sets is tried where the order of levels is not known to be enough.
    ordering_is_exact : bool
        The best sets are neighbours in that order: two classes or a number, and a criterion that is the decrease of a
        concave impurity (Breiman et al. 1984, theorem 4.5), as long as the best cut has enough rows on both sides.
    """
    if ordering_is_exact or len(table.codes) > exhaustive_levels:
        return _in_order(table, np.argsort(place, kind="stable"), "sets", heuristic=not ordering_is_exact)
    return _every_set(table)


def _in_order(table: FeatureTable, order: np.ndarray, kind: str, heuristic: bool = False) -> Trials:
    """The first 1, 2, ... values of an order against the rest."""
    below, n_below = np.cumsum(table.sums[order], axis=0), np.cumsum(table.rows[order])
    sums = np.stack((below[:-1], below[-1:] - below[:-1]), axis=1)
    rows = np.stack((n_below[:-1], n_below[-1:] - n_below[:-1]), axis=1)
    rank = np.argsort(order)
    return Trials(sums, rows, lambda c: (rank > c).astype(np.int64), kind, heuristic)


def _every_set(table: FeatureTable) -> Trials:
    """All partitions of the levels in two, the last one fixed on branch 1, neighbours one level apart (Gray code)."""
    size = len(table.codes)
    number = np.arange(1, 2 ** max(size - 1, 0))
    gray = number ^ (number >> 1)
    first = (gray[:, None] >> np.arange(size)) & 1
    low, n_low = first.astype(table.sums.dtype) @ table.sums, first @ table.rows
    sums = np.stack((low, table.known - low), axis=1)
    rows = np.stack((n_low, table.rows.sum() - n_low), axis=1)
    return Trials(sums, rows, lambda c: 1 - first[c], "sets")
