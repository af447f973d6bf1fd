"""Evaluates a whole sequence of pruned trees on held-out rows at once, without refits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import _kernel
from ..errors import ParameterError
from ..statistics.exact_sums import repeated_sums, rounded
from ..statistics.overflow import may_overflow
from ..statistics.response import CLASSES, MEAN, RATE
from ..tree.tree import Tree


@dataclass(frozen=True, eq=False)
class HeldOutRows:
    """Rows a tree was not grown from.

    Attributes
    ----------
    node : int64, shape (n,)
        Node of the full tree in which each row ends: a leaf, or an inner node for a row that stays there.
    y : shape (n,), or (n, 2) for rates
        Class numbers, numeric targets, or exposure and events.
    weight : float64, shape (n,)
    count : int64, shape (n,), or None
        How many rows end, say and weigh the same and stand here as one; None = each stands for itself.
    """

    node: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    count: np.ndarray | None = None

    def one_by_one(self) -> HeldOutRows:
        """The same with each row for itself."""
        if self.count is None:
            return self
        return HeldOutRows(*(np.repeat(values, self.count, axis=0) for values in (self.node, self.y, self.weight)))

    def total(self, groups: np.ndarray | None = None, k: int = 1) -> np.ndarray:
        """Sum of the weights of each of k groups, float64, shape (k,): exact sums, rounded once."""
        if (self.weight == 1.0).all():
            groups = np.zeros(len(self.weight), dtype=np.int64) if groups is None else groups
            return np.bincount(groups, self.count, k).astype(np.float64)
        count = np.ones(len(self.weight), dtype=np.int64) if self.count is None else self.count
        return np.array([rounded(total) for total in repeated_sums(self.weight, count, groups, k)])


@dataclass(frozen=True, eq=False)
class HeldOutLosses:
    """Held-out losses of each tree of a family; those of several folds are added with ``+``.

    Attributes
    ----------
    totals, squares : float64, shape (S,)
        Sums of weight * loss and of weight * loss squared over the rows.
    weight : float
        Sum of the weights of the rows.
    """

    totals: np.ndarray
    squares: np.ndarray
    weight: float

    def __add__(self, other: HeldOutLosses) -> HeldOutLosses:
        return HeldOutLosses(self.totals + other.totals, self.squares + other.squares, self.weight + other.weight)

    def mean(self, unit: float | None = None) -> np.ndarray:
        """Totals divided by ``unit``, shape (S,): by the sum of weights if None; rpart's xerror by the root's risk."""
        return self.totals / (self.weight if unit is None else unit)

    @may_overflow  # unknown where squares of losses are beyond float64
    def standard_error(self, unit: float | None = None) -> np.ndarray:
        """Standard error of :meth:`mean`, shape (S,), infinite where that is; rpart's xstd by the root's risk."""
        finite = np.isfinite(self.totals)
        totals = np.where(finite, self.totals, 0.0)
        spread = np.maximum(np.where(finite, self.squares, 0.0) - totals**2 / self.weight, 0.0)
        return np.where(finite, np.sqrt(spread), np.inf) / (self.weight if unit is None else unit)

    @may_overflow
    def spread(self, row: int) -> float:
        """Variance of the losses of one tree over the square of their mean; 0 where they are all 0, or infinite."""
        total = float(self.totals[row])
        if total == 0.0:
            return 0.0
        spread = float(self.squares[row]) / total * (self.weight / total) - 1.0
        return max(spread, 0.0) if np.isfinite(spread) else np.inf


def heldout_losses(tree: Tree, collapses_at: np.ndarray, betas: np.ndarray, rows: HeldOutRows) -> HeldOutLosses:
    """Losses of held-out rows in every tree T(beta) of a nested family, without making or applying these trees.

    In T(beta) a row ends in the highest node on its path with ``collapses_at <= beta``, else where it ends in the full
    tree. So each node on the path accounts for a range of betas; ranges are summed by the changes at their ends. A node
    that accounts for no beta of the grid is skipped: the cost is O(T + n * min(depth, S)).

    The loss of a row is, by kind of response: the cost of the predicted class times the prior factor of the true class;
    the squared error; the Poisson deviance. It is infinite where events came although the node's rate is 0.

    Parameters
    ----------
    tree : Tree
        Grown without these rows.
    collapses_at : shape (T,)
        Never above the parent's, 0 at leaves, as a path of this package holds it.
    betas : shape (S,)
        Rising, not negative.
    rows : HeldOutRows

    Returns
    -------
    HeldOutLosses
        The order in which the rows come changes no bit of it.

    Raises
    ------
    ParameterError
        The betas do not rise, or the family is not nested.
    """
    betas, ends = np.asarray(betas), np.asarray(collapses_at)
    if np.isnan(betas).any() or (betas[1:] < betas[:-1]).any():
        raise ParameterError("betas must rise; sort them.")
    if ends.shape != (tree.n_nodes,) or (ends[1:] > ends[tree.parent[1:]]).any():
        raise ParameterError(
            f"collapses_at must hold a number for each of the {tree.n_nodes} nodes, not above its parent's."
        )
    sums = _RangeSums(len(betas))
    if tree.response.kind == RATE:
        _climb(tree, ends, betas, rows, sums)
    else:
        sums.changes[:2] = _changes(tree, ends, betas, rows).reshape(2, -1)
    return sums.result(float(rows.total()[0]))


def _changes(tree: Tree, collapses_at: np.ndarray, betas: np.ndarray, rows: HeldOutRows) -> np.ndarray:
    """What :class:`_RangeSums` gathers for classes and numeric targets, by the kernel."""
    response = tree.response
    table = response.cost_matrix() * np.asarray(response.factors)[:, None] if response.kind == CLASSES else None
    rows = rows.one_by_one()
    numbers = (np.asarray(v, np.float64) for v in (rows.y, rows.weight))
    given = (rows.node.astype(np.int64, copy=False), *numbers)
    said = np.ascontiguousarray(tree.value, dtype=np.float64)
    collapses_at, betas = (np.ascontiguousarray(v, dtype=np.float64) for v in (collapses_at, betas))
    return _kernel.loss_changes(tree.parent, collapses_at, betas, given, said, None if table is None else table.ravel())


def _climb(tree: Tree, collapses_at: np.ndarray, betas: np.ndarray, rows: HeldOutRows, sums: _RangeSums) -> None:
    """The same for any response: all rows go up their way at once, from node to node that answers."""
    begin = np.searchsorted(betas, collapses_at, side="left")
    end = begin[tree.parent]
    end[0] = len(betas)
    above = _answering_above(tree, begin < end)
    at, y, weight = in_canonical_order(rows)
    start = np.zeros(len(at), dtype=np.int64)
    while len(at):
        sums.add(start, end[at], weight, losses_at(tree, at, y))
        at = above[at]
        going = at >= 0
        at, y, weight = at[going], y[going], weight[going]
        start = begin[at]


def tree_losses(tree: Tree, rows: HeldOutRows) -> HeldOutLosses:
    """Losses of held-out rows in one tree, as a family of one."""
    return heldout_losses(tree, np.where(tree.is_leaf, 0.0, np.inf), np.zeros(1), rows)


@dataclass(frozen=True, eq=False)
class PredictedClasses:
    """The classes that the nodes of a tree predict.

    Attributes
    ----------
    parent : int32, shape (T,)
    label : int64, shape (T,)
        Number of the predicted class.
    n_classes : int
    """

    parent: np.ndarray
    label: np.ndarray
    n_classes: int

    @classmethod
    def of(cls, tree: Tree) -> PredictedClasses:
        """Those of a tree; they do not keep it in memory."""
        return cls(tree.parent.copy(), tree.value, len(tree.response.labels))


def confusion_at(predicted: PredictedClasses, closed: np.ndarray, rows: HeldOutRows) -> np.ndarray:
    """Weights of held-out rows, actual by predicted class, when some nodes answer for all below them; shape (K, K).

    Parameters
    ----------
    predicted : PredictedClasses
    closed : bool, shape (T,)
    rows : HeldOutRows
    """
    k = predicted.n_classes
    said = predicted.label[_stops_at(predicted.parent, closed)[rows.node]]
    return rows.total(rows.y * k + said, k * k).reshape(k, k)


def _stops_at(parent: np.ndarray, closed: np.ndarray) -> np.ndarray:
    """The highest closed node on the path to each node, itself if there is none above; int32, shape (T,)."""
    parent = np.maximum(parent, 0)
    stop = np.where(closed[parent], parent, np.arange(len(parent), dtype=np.int32))
    while True:
        above = stop[stop]
        if np.array_equal(above, stop):
            return stop
        stop = above


def _answering_above(tree: Tree, answers: np.ndarray) -> np.ndarray:
    """The next node on the path to the root that accounts for some beta, int64, shape (T,); -1 if there is none."""
    above, flags = tree.parent.tolist(), answers.tolist()
    for t, up in enumerate(above):
        if up >= 0 and not flags[up]:
            above[t] = above[up]
    return np.array(above, dtype=np.int64)


def in_canonical_order(rows: HeldOutRows) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes, responses and weights sorted by these three, because the sum of floats depends on their order."""
    rows = rows.one_by_one()
    node, y = np.asarray(rows.node), np.asarray(rows.y)
    weight = np.asarray(rows.weight, dtype=np.float64)
    order = np.lexsort((weight, *np.atleast_2d(y.T), node))
    return node[order], y[order], weight[order]


def losses_at(tree: Tree, at: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Loss of each row if it ends in the node ``at``, shape (n,)."""
    response = tree.response
    said = tree.value[at]
    if response.kind == CLASSES:
        return response.cost_matrix()[y, said] * np.asarray(response.factors)[y]
    if response.kind == MEAN:
        return (y - said) ** 2
    exposure, events = y[:, 0], y[:, 1]
    expected = said * exposure
    with np.errstate(divide="ignore"):
        logs = np.log(np.where(events > 0, events, 1.0)) - np.log(np.where(events > 0, expected, 1.0))
    return 2.0 * np.where(events > 0, np.maximum(events * logs - (events - expected), 0.0), expected)


class _RangeSums:
    """Sums over rows of what each adds to a range of positions, kept as changes at the ends of the ranges."""

    def __init__(self, size: int):
        self.size = size
        self.changes = np.zeros((3, size + 1))

    def add(self, start: np.ndarray, end: np.ndarray, weight: np.ndarray, loss: np.ndarray) -> None:
        """Add each row's loss, its square and whether it is infinite to the positions ``start <= s < end``."""
        endless = ~np.isfinite(loss)
        loss = np.where(endless, 0.0, loss)
        for i, amount in enumerate((weight * loss, weight * loss**2, endless)):
            self.changes[i] += np.bincount(start, amount, self.size + 1) - np.bincount(end, amount, self.size + 1)

    def result(self, weight: float) -> HeldOutLosses:
        """The sums at each position."""
        totals, squares, endless = np.cumsum(self.changes[:, :-1], axis=1)
        endless = endless > 0.5
        totals, squares = (np.where(endless, np.inf, np.maximum(sums, 0.0)) for sums in (totals, squares))
        return HeldOutLosses(totals, squares, weight)
