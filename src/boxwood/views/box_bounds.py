"""Lower bounds of what it takes to move one row into each box of a tree: for all nodes at once, without their boxes.

A branch narrows the box of its parent in one feature. What the box of a node costs is therefore what that of its parent
costs, with the part of this feature replaced; both are sums along paths, formed for all nodes by pointer doubling.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..tree.split import SplitTable
from ..tree.tree import Tree

#: Part of a sum of costs by which rounding may have raised it.
_ROUNDING = 1e-9
#: From here on a whole number or its cut may have a low part, which is not compared.
_EXACT = 2.0**52


@dataclass(frozen=True, eq=False)
class RowFacts:
    """One row and what may change in it, by feature: arrays of shape (p,).

    Attributes
    ----------
    value : float64
        A number or the code of a level; NaN = not known.
    fixed : bool
    lowest, highest : float64
        Limits of a changed number or code.
    scale : float64
        How much of a change costs 1.
    levels : dict of int to bool array
        Which levels of a nominal feature are allowed; all where there is no entry.
    """

    value: np.ndarray
    fixed: np.ndarray
    lowest: np.ndarray
    highest: np.ndarray
    scale: np.ndarray
    levels: dict[int, np.ndarray]


@dataclass(frozen=True, eq=False)
class Bounds:
    """What each node's box costs at least, and which boxes the row cannot reach; arrays of shape (T,).

    Attributes
    ----------
    changes : int64
        Features that must change.
    distance : float64
        Sum of the costs.
    closed : bool
        No allowed change leads into the box.
    optional : bool
        A missing value on the path is left to surrogates; it may be filled in as well.
    """

    changes: np.ndarray
    distance: np.ndarray
    closed: np.ndarray
    optional: np.ndarray


@dataclass(frozen=True, eq=False)
class BoxBounds:
    """The boxes of all T nodes, each in the feature that the node's parent tests.

    Attributes
    ----------
    splits : SplitTable of T rows
        Of the tree.
    parent, feature : int64, shape (T,)
        The parent and the feature it tests; 0 at the root.
    branch : int64, shape (T,)
        The branch of the parent that leads to the node.
    nominal : bool, shape (T,)
        Whether that feature is nominal.
    above : int32, shape (T,)
        The next node up the path whose parent tests the same feature; 0 = none.
    ancestors : tuple of int32 arrays of shape (T,)
        The 1st, 2nd, 4th ... ancestor of each node.
    first, last : float64, shape (T,)
        No number or code outside belongs to the box.
    first_step, last_step : float64, shape (T,)
        The same; of whole numbers and codes the lowest and the highest.
    leaves, has_surrogates : bool, shape (T,)
        Some node on the path sends a missing value elsewhere, or a share of it; some node tries surrogates first.
    split, child : int32, shape (I,)
        For each listed position of the tree's splits the split, and the node that it leads to.
    key : int64, shape (I,)
        Split and position in one number, rising.
    """

    splits: SplitTable
    parent: np.ndarray
    feature: np.ndarray
    branch: np.ndarray
    nominal: np.ndarray
    above: np.ndarray
    ancestors: tuple[np.ndarray, ...]
    first: np.ndarray
    last: np.ndarray
    first_step: np.ndarray
    last_step: np.ndarray
    leaves: np.ndarray
    has_surrogates: np.ndarray
    split: np.ndarray
    child: np.ndarray
    key: np.ndarray

    def of(self, row: RowFacts, fills: bool) -> Bounds:
        """Bounds for one row; ``fills`` = missing values that are left to surrogates are filled in."""
        value = row.value[self.feature]
        unknown = np.isnan(value)
        outside, empty, cost = self._numbers(row, value)
        if self.nominal.any():
            outside = np.where(self.nominal, self._other_branch(row), outside)
            empty = np.where(self.nominal, self._no_level(row), empty)
            cost[self.nominal] = 1.0
        filled = self.leaves | self.has_surrogates if fills else self.leaves & ~self.has_surrogates
        changed = np.where(unknown, filled, outside)
        parts = np.zeros((len(value), 4))
        parts[:, 0] = changed
        parts[:, 1] = np.where(changed, np.where(unknown, 1.0, cost), 0.0)
        parts[:, 2] = changed & (empty | row.fixed[self.feature])
        parts[:, 3] = unknown & self.has_surrogates
        parts[0] = 0.0
        total = parts - parts[self.above]
        for up in self.ancestors:
            total += total[up]
        distance = total[:, 1] - _ROUNDING * (1.0 + total[:, 1])
        return Bounds(
            np.rint(total[:, 0]).astype(np.int64),
            np.where(np.isfinite(distance), distance, 0.0),
            total[:, 2] > 0.5,
            total[:, 3] > 0.5,
        )

    def _numbers(self, row: RowFacts, value: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Whether a number or code is outside, whether nothing inside is allowed, and what the nearest costs."""
        outside = (value < self.first) | (value > self.last)
        low = np.maximum(self.first_step, row.lowest[self.feature])
        high = np.minimum(self.last_step, row.highest[self.feature])
        with np.errstate(invalid="ignore", over="ignore"):
            below = value < low
            distance, end = np.where(below, low - value, value - high), np.where(below, low, high)
            # Low parts of huge whole numbers are left out; they are smaller than what is subtracted here.
            cost = (distance - 2.0**-50 * (np.abs(value) + np.abs(end))) / row.scale[self.feature]
        cost = np.where(np.isfinite(cost), np.maximum(cost, 0.0), 0.0)
        return outside, low > high, np.where(np.isinf(value), 1.0, cost)

    def _other_branch(self, row: RowFacts) -> np.ndarray:
        """Whether the row's level of a nominal feature takes another branch at some node of the path."""
        table = self.splits
        is_code = np.abs(row.value) < 2.0**31  # not of numbers that are missing, infinite or far
        code = np.where(is_code, row.value, -1.0).astype(np.int64)[table.feature]
        key = np.arange(len(table)) * _width(table) + code
        at = np.searchsorted(self.key, key)
        is_listed = at < len(self.key)
        is_listed[is_listed] = self.key[at[is_listed]] == key[is_listed]
        taken = np.full(len(table), -1)
        taken[is_listed] = table.index[at[is_listed]]
        return _along(np.logical_or, self.nominal & (taken[self.parent] != self.branch), self.above)

    def _no_level(self, row: RowFacts) -> np.ndarray:
        """Whether some branch of the path takes none of the allowed levels of a nominal feature."""
        table = self.splits
        allowed = np.ones(len(self.split), dtype=bool)
        for j, levels in row.levels.items():
            tests_it = np.flatnonzero(table.feature[self.split] == j)
            allowed[tests_it] = levels[table.position[tests_it]]
        found = np.bincount(self.child[allowed], minlength=len(table))
        return _along(np.logical_or, self.nominal & (found == 0), self.above)


def box_bounds(tree: Tree) -> BoxBounds:
    """The boxes of a tree, computed once and kept with the tree."""
    kept = vars(tree).get("_box_bounds")
    if kept is None:
        kept = vars(tree)["_box_bounds"] = _made(tree)
    return kept


def _made(tree: Tree) -> BoxBounds:
    table, nodes = tree.splits, np.arange(tree.n_nodes)
    parent = np.maximum(tree.parent, 0).astype(np.int64)
    feature = np.maximum(table.feature, 0).astype(np.int64)[parent]
    above = _same_feature_above(tree)
    split = np.repeat(nodes, np.diff(table.index_start)).astype(np.int32)
    child = tree.first_child[split] + table.index
    low, high = (_along(*ends, above) for ends in zip((np.maximum, np.minimum), _ends(tree, child, split), strict=True))
    huge = np.zeros(len(tree.schema), dtype=bool)
    huge[np.repeat(table.feature, np.diff(table.breaks_start))[np.abs(table.breaks) >= _EXACT]] = True
    has_cuts = np.array([f.type.has_cuts for f in tree.schema], dtype=bool)
    whole = np.array([f.integer or bool(f.levels) for f in tree.schema], dtype=bool)
    beyond = np.where(huge[feature] | np.isneginf(low), low, np.nextafter(low, np.inf))
    last = np.where(huge[feature], np.nextafter(high, np.inf), high)
    steps = (whole & ~huge)[feature]
    branch, has_surrogates = nodes - tree.first_child[parent], np.diff(tree.surrogate_start) > 0
    leaves, has_surrogates = tree.missing[parent] != branch, has_surrogates[parent]
    return BoxBounds(
        table, parent, feature, branch, ~has_cuts[feature], above, tuple(tree.binary_lifting()),
        beyond, last, np.where(steps, np.floor(low) + 1.0, beyond), np.where(steps, np.floor(high), last),
        _along(np.logical_or, leaves, above), _along(np.logical_or, has_surrogates, above),
        split, child, split.astype(np.int64) * _width(table) + table.position,
    )  # fmt: skip


def _width(table: SplitTable) -> int:
    """Larger than any position of a split by more than 1, so that position -1 of the next split is none of them."""
    return int(table.n_positions.max(initial=0)) + 2


def _same_feature_above(tree: Tree) -> np.ndarray:
    """For each node the next one up the path whose parent tests the same feature; 0 = none."""
    feature, first_child, n_children = (a.tolist() for a in (tree.splits.feature, tree.first_child, tree.n_children))
    above, last, waiting = [0] * tree.n_nodes, {}, [0]
    # Depth first; ~node marks the path back, where the feature's last node is again what it was above this one.
    tested = [-1 if p < 0 else feature[p] for p in tree.parent.tolist()]
    while waiting:
        node = waiting.pop()
        if node < 0:
            last[tested[~node]] = above[~node]
            continue
        above[node] = last.get(tested[node], 0)
        if n_children[node]:
            last[tested[node]] = node
            waiting.append(~node)
            waiting.extend(range(first_child[node], first_child[node] + n_children[node]))
    return np.array(above, dtype=np.int32)


def _ends(tree: Tree, child: np.ndarray, split: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What each branch leaves out below, and the highest it takes: the hull of its intervals, empty if it has none."""
    table = tree.splits
    breaks, at = np.append(table.breaks, 0.0), table.breaks_start[split] + table.position
    low = np.where(table.position == 0, -np.inf, breaks.take(at - 1, mode="clip"))
    high = np.where(at >= table.breaks_start[split + 1], np.inf, breaks.take(at, mode="clip"))
    lowest, highest = np.full(tree.n_nodes, np.inf), np.full(tree.n_nodes, -np.inf)
    np.minimum.at(lowest, child, low)
    np.maximum.at(highest, child, high)
    return lowest, highest


def _along(best: np.ufunc, values: np.ndarray, above: np.ndarray) -> np.ndarray:
    """The best of the values of a node and of those above it that have the same feature."""
    while above.any():
        values = np.where(above > 0, best(values, values[above]), values)
        above = above[above]
    return values
