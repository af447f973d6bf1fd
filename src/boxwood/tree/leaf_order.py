"""Leaves whose values must not fall along some features: their boxes, and the means of leaves that share a value."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np

from .. import _kernel
from ..data.columns.distinct import distinct
from ..statistics.responses.classes import Classes
from ..statistics.responses.response import Response
from .node_moments import moments_at
from .split import SplitTable

#: What rows that reach a node need of a feature: anything, a value, or a gap (kernel/prune/leaf_order.hpp).
_ANY, _KNOWN, _GAP = range(3)


class NodeBoxes:
    """The boxes of all nodes of a tree in the features that it tests, in cells between neighbouring thresholds.

    Parameters
    ----------
    tree : Tree
    signs : int, shape (p,)
        The order of each feature: 1 = what is predicted may only rise with it, -1 = only fall, 0 = neither is required.
    gaps : bool, shape (p,)
        Whether rows that lack a value of the feature are compared too.

    Attributes
    ----------
    used : int64, shape (k,)
        The features that the tree tests, rising; arrays of boxes have one column for each.
    low, high : int32, shape (T, k)
        The first cell of each node's box, and the one after the last.
    levels : uint64, shape (T, W)
        A bit for each level of the nominal features, from the word ``first_word`` of the feature on.
    need : uint8, shape (T, k)
        Whether rows need a value of the feature, or a gap, to reach the node.
    """

    def __init__(self, tree: Any, signs: np.ndarray, gaps: np.ndarray):
        table = self._table = tree.splits
        self._tree, self.used = tree, distinct(table.feature[table.feature >= 0])
        self.signs, self.gaps = np.asarray(signs)[self.used], np.asarray(gaps)[self.used]
        k, shape = len(self.used), (tree.n_nodes, len(self.used))
        at = np.full(len(tree.schema) + 1, -1)
        at[self.used] = np.arange(k)
        self.column = at[table.feature].astype(np.int32)
        self._rank, n_cuts = _ranks(self.column.repeat(np.diff(table.breaks_start)), table, k)
        words = [0 if tree.schema[j].type.has_cuts else len(tree.schema[j].levels) // 64 + 1 for j in self.used]
        self.first_word = np.cumsum([0, *words]).astype(np.int32)
        self.low, self.high = np.zeros(shape, dtype=np.int32), np.zeros(shape, dtype=np.int32)
        self.high[0] = n_cuts + 1
        self.levels = np.zeros((tree.n_nodes, self.first_word[-1]), dtype=np.uint64)
        for c in np.flatnonzero(words).tolist():
            bits = np.arange(64 * words[c]).reshape(-1, 64) < len(tree.schema[self.used[c]].levels)
            self.levels[0, self.first_word[c] : self.first_word[c + 1]] = _packed(bits)
        self.need = np.full(shape, _ANY, dtype=np.uint8)
        heaviest = np.zeros(tree.n_nodes)
        np.maximum.at(heaviest, tree.parent[1:], tree.weight[1:])
        self._heaviest = tree.weight >= heaviest[tree.parent]
        self._descend(*self._branches())

    def for_kernel(self) -> dict[str, np.ndarray]:
        """The arrays that the kernel reads."""
        tree = self._tree
        links = {name: np.ascontiguousarray(getattr(tree, name)) for name in ("parent", "first_child", "n_children")}
        return links | {
            "feature": self.column, "low": self.low.ravel(), "high": self.high.ravel(), "levels": self.levels.ravel(),
            "first_word": self.first_word, "need": self.need.ravel(), "sign": self.signs.astype(np.int32),
            "gaps": self.gaps.astype(np.uint8),
        }  # fmt: skip

    def _branches(self) -> tuple[np.ndarray, ...]:
        """Of each node, what its parent's split lets through: first cell, one after the last, words of levels."""
        tree, table, n = self._tree, self._table, self._tree.n_nodes
        split = np.repeat(np.arange(n), np.diff(table.index_start))
        child = tree.first_child[split] + table.index
        low, high = np.full(n, np.iinfo(np.int32).max), np.zeros(n, dtype=np.int64)
        levels = np.zeros_like(self.levels)
        column, position = self.column[split], table.position
        at, last = table.breaks_start[split] + position, position == np.diff(table.breaks_start)[split]
        rank = np.append(self._rank, 0)
        np.minimum.at(low, child, np.where(position == 0, 0, rank.take(at - 1, mode="clip") + 1))
        np.maximum.at(high, child, np.where(last, self.high[0, column], rank.take(at, mode="clip") + 1))
        nominal = np.flatnonzero(self.first_word[column] < self.first_word[column + 1])
        if len(nominal):
            place = position[nominal]
            bit = np.uint64(1) << (place % 64).astype(np.uint64)
            np.bitwise_or.at(levels, (child[nominal], self.first_word[column[nominal]] + place // 64), bit)
            for c in distinct(column[nominal]).tolist():
                self._unlisted(levels, c)
        return low, high, levels

    def _unlisted(self, levels: np.ndarray, c: int) -> None:
        """Levels that a split does not list follow its missing values or the heaviest branch: to any, if unclear."""
        tree, words = self._tree, slice(self.first_word[c], self.first_word[c + 1])
        for t in np.flatnonzero(self.column == c).tolist():
            children = np.arange(tree.first_child[t], tree.first_child[t] + tree.n_children[t])
            others = self.levels[0, words] & ~np.bitwise_or.reduce(levels[children, words], axis=0)
            decided = tree.surrogate_start[t] == tree.surrogate_start[t + 1]
            to = children[[tree.missing[t]]] if decided and self._heaviest[children[tree.missing[t]]] else children
            levels[to, words] |= others

    def _descend(self, low: np.ndarray, high: np.ndarray, levels: np.ndarray) -> None:
        """What each node has of its parent, narrowed by the parent's split, level by level."""
        tree = self._tree
        ends = np.searchsorted(tree.depth, np.arange(1, tree.max_depth + 2))
        for first, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
            nodes = np.arange(first, end)
            above = tree.parent[nodes]
            column, branch = self.column[above], nodes - tree.first_child[above]
            for own in (self.low, self.high, self.levels, self.need):
                own[nodes] = own[above]
            self.low[nodes, column] = np.maximum(self.low[nodes, column], low[nodes])
            self.high[nodes, column] = np.minimum(self.high[nodes, column], high[nodes])
            nominal = self.first_word[column] < self.first_word[column + 1]
            for t, c in zip(nodes[nominal].tolist(), column[nominal].tolist(), strict=True):
                words = slice(self.first_word[c], self.first_word[c + 1])
                self.levels[t, words] &= levels[t, words]
            has_surrogates = tree.surrogate_start[above + 1] > tree.surrogate_start[above]
            comes = (tree.missing[above] == branch) | (tree.missing[above] < 0) | has_surrogates
            comes |= nominal & self._heaviest[nodes]  # of levels that were not seen
            empty = np.where(nominal, ~levels[nodes].any(axis=1), low[nodes] >= high[nodes])
            step = np.where(~comes, _KNOWN, np.where(empty, _GAP, _ANY)).astype(np.uint8)
            before = self.need[nodes, column]
            self.need[nodes, column] = np.where(step == _ANY, before, step)
            never = nodes[(before != _ANY) & (step != _ANY) & (before != step)]
            self.low[never] = self.high[never] = 0


def _packed(bits: np.ndarray) -> np.ndarray:
    """Rows of 64 truth values as words, the first value in the lowest bit."""
    return (bits.astype(np.uint64) << np.arange(64, dtype=np.uint64)).sum(axis=1)


def _ranks(column: np.ndarray, table: SplitTable, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The place of each break among the different ones of its feature, rising, and how many these are."""
    order = np.lexsort((table.breaks_low, table.breaks, column))
    of, breaks, lows = column[order], table.breaks[order], table.breaks_low[order]
    differs = np.ones(len(order), dtype=np.int64)
    differs[1:] = (of[1:] != of[:-1]) | (breaks[1:] != breaks[:-1]) | (lows[1:] != lows[:-1])
    count = np.bincount(of, differs, k).astype(np.int64)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.cumsum(differs) - 1 - (np.cumsum(count) - count)[of]
    return rank, count


@singledispatch
def ordered_levels(response: Response, moments: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What nodes weigh against each other, and the number that has an order: the mean, or events per exposure."""
    total, weight = response.amounts(moments)
    return weight, total / weight


@ordered_levels.register
def _of_classes(response: Classes, moments: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return response.mass(moments, "error"), response.probability(moments)[:, 1]


def pools_of(tree: Any) -> Pools:
    """The leaves of a tree that share a value, found once and kept with the tree."""
    kept = vars(tree).get("_pools")
    if kept is None:
        kept = vars(tree)["_pools"] = Pools(tree)
    return kept


def own_levels(tree: Any) -> tuple[np.ndarray, np.ndarray]:
    """The same of all nodes of a tree by their own rows; empty leaves weigh nothing."""
    weight, level = ordered_levels(tree.response, moments_at(tree, tree.moments_node))
    return np.where(tree.rows > 0, weight, 0.0), level


class Pools:
    """Leaves of a tree that share a value because theirs are not in order, and the moments of their rows together.

    The values of all leaves are the isotonic regression of the leaves' own ones over the order of their boxes: of all
    values for these leaves that are in order, those with the least squares, Gini, log loss or deviance.

    Parameters
    ----------
    tree : Tree
        With an order.

    Attributes
    ----------
    block : int64, shape (T,)
        The block of each leaf, named by one of its leaves; every other node is its own.
    of_node : int64, shape (T,)
        The row of ``moments`` that each node predicts by, -1 = its own moments.
    moments : float64, shape (B, M)
    """

    def __init__(self, tree: Any):
        boxes = NodeBoxes(tree, tree.monotonic[0], tree.monotonic[1])
        weight, level = (np.ascontiguousarray(part, dtype=np.float64) for part in own_levels(tree))
        self.block = _kernel.isotonic_blocks(boxes.for_kernel(), weight, level).astype(np.int64)
        names, self.of_node, size = np.unique(self.block, return_inverse=True, return_counts=True)
        shared = np.flatnonzero(size > 1)
        row = np.full(len(names), -1)
        row[shared] = np.arange(len(shared))
        self.of_node = row[self.of_node]
        order = np.argsort(self.of_node, kind="stable")
        order = order[np.searchsorted(self.of_node[order], 0) :]
        parts = np.split(moments_at(tree, order), np.cumsum(size[shared])[:-1]) if len(shared) else []
        found = [tree.response.union(part) for part in parts]
        self.moments = np.array(found, dtype=np.float64).reshape(len(parts), tree.response.width)
