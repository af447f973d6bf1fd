"""Grows one node again: along its path, listing every candidate split of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ..tree.split import SplitTable
from ..tree.tree import Tree
from .below import Place, RootedSource
from .protocol import LevelSplits, Source
from .recipe import Recipe


@dataclass(frozen=True, eq=False)
class Replayed:
    """What growth found at a node.

    Attributes
    ----------
    moments : float64, shape (M,)
    rows : int
    splits : SplitTable
        The candidates in order of rank, best first; empty when there is none.
    score : float64, shape (C,)
        Of each, by the criterion of growth.
    """

    moments: np.ndarray
    rows: int
    splits: SplitTable
    score: np.ndarray


def replay(source: Source, recipe: Recipe, tree: Tree, node: int) -> Replayed | None:
    """Request from a source again the splits on the path to a node, and for all candidates of the node itself.

    Only the nodes of the path are opened, so this costs one search per level. What depends on the path (features used
    up, shares of rows, the root's impurity) is as it was in growth.

    Parameters
    ----------
    source : Source
        With the rows of the fit.
    recipe : Recipe
        Of the fit.
    tree : Tree
    node : int

    Returns
    -------
    Replayed or None
        None when growth takes another path: other rows, or a tree that was rebuilt after growth.
    """
    level = source.root(replace(recipe, max_competitors=len(tree.schema)))
    at = 0
    for t, child in pairwise(tree.path(node).tolist()):
        found = source.best_splits(level, _only(at, len(level.rows)))
        if not same_split(found.splits, at, tree.splits, t):
            return None
        level = source.route(level, found)
        at = child - int(tree.first_child[t])
        if at >= len(level.rows):
            return None
    if int(level.rows[at]) == 0:
        return Replayed(level.moments[at], 0, SplitTable.empty(0), np.zeros(0))
    found = source.best_splits(level, _only(at, len(level.rows)))
    return Replayed(level.moments[at], int(level.rows[at]), *_candidates(found, at))


def alone(place: Place, source: RootedSource, recipe: Recipe, features: int) -> Replayed:
    """All candidates of the rows of a source, which are those of a node."""
    source.above = place.above
    level = source.root(replace(place.recipe(recipe), max_competitors=features))
    found = source.best_splits(level, _only(0, 1))
    return Replayed(level.moments[0], int(level.rows[0]), *_candidates(found, 0))


def _only(at: int, size: int) -> np.ndarray:
    """True for one node of a level."""
    return np.arange(size) == at


def _candidates(found: LevelSplits, at: int) -> tuple[SplitTable, np.ndarray]:
    """The best split of a node and its runners-up as one table, with their scores."""
    if found.splits.feature[at] < 0:
        return SplitTable.empty(0), np.zeros(0)
    others = np.arange(found.competitor_start[at], found.competitor_start[at + 1])
    score = np.append(found.score[at], found.competitor_score[others])
    return joined(found.splits.take(np.array([at])), found.competitors.take(others)), score


def joined(first: SplitTable, second: SplitTable) -> SplitTable:
    """Two tables one after the other."""
    both = [(table, s) for table in (first, second) for s in range(len(table))]
    return SplitTable.of(
        [int(table.feature[s]) for table, s in both],
        [tuple(zip(_breaks(table, s), _lows(table, s), strict=True)) for table, s in both],
        [table.index_of(s).tolist() for table, s in both],
    )


def _breaks(table: SplitTable, s: int) -> list[float]:
    return table.breaks_of(s).tolist()


def _lows(table: SplitTable, s: int) -> list[float]:
    return table.breaks_low[table.breaks_start[s] : table.breaks_start[s + 1]].tolist()


def same_split(one: SplitTable, s: int, other: SplitTable, t: int) -> bool:
    """Whether two splits make the same test of the same feature."""
    return (
        one.feature[s] == other.feature[t]
        and _breaks(one, s) == _breaks(other, t)
        and _lows(one, s) == _lows(other, t)
        and np.array_equal(one.index_of(s), other.index_of(t))
    )
