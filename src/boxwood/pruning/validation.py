"""Evaluates a whole sequence of pruned trees on held-out rows at once, without refits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import singledispatch

import numpy as np

from .. import _kernel
from .._messages import Setting
from ..errors import ParameterError
from ..statistics.exact_sums import repeated_sums, rounded
from ..statistics.responses.classes import Classes
from ..statistics.responses.means import Means
from ..statistics.responses.response import Response
from ..statistics.responses.several import Several
from ..tree.one_response import of_response
from ..tree.tree import Tree
from .losses import HeldOutLosses, checked_loss, class_losses, losses_of_classes


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
        How many rows of equal end, response and weight each entry combines; None = one each.
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


def heldout_losses(
    tree: Tree, collapses_at: np.ndarray, betas: np.ndarray, rows: HeldOutRows, loss: str | None = None
) -> HeldOutLosses:
    """Losses of held-out rows in every tree T(beta) of a nested family, without making or applying these trees.

    In T(beta) a row ends in the highest node on its path with ``collapses_at <= beta``, else where it ends in the full
    tree. So each node on the path accounts for a range of betas; ranges are summed by the changes at their ends. The
    cost is O(n + T * K) for K classes, and O(T + n * min(depth, S)) for numbers.

    Parameters
    ----------
    tree : Tree
        Grown without these rows.
    collapses_at : shape (T,)
        Never above the parent's, 0 at leaves, as a path of this package holds it.
    betas : shape (S,)
        Rising, not negative.
    rows : HeldOutRows
    loss : str, optional
        See ``Response.losses``; by default that of what is predicted. The Poisson deviance is
        infinite where events came although the node's rate is 0.

    Returns
    -------
    HeldOutLosses
        The order in which the rows come changes no bit of it.

    Raises
    ------
    ParameterError
        The betas do not rise, the family is not nested, or the response has no such loss.
    """
    return losses_by(tree, (np.asarray(collapses_at), np.asarray(betas)), rows, (loss,))[0]


def losses_by(
    tree: Tree, family: tuple[np.ndarray, np.ndarray], rows: HeldOutRows, losses: tuple, weights_count: bool = False
) -> list[HeldOutLosses]:
    """The same by several losses; ``family`` is (collapses_at, betas).

    With ``weights_count``, a weight of 3 is three rows in standard errors, as in rpart.
    """
    ends, betas = family
    if np.isnan(betas).any() or (betas[1:] < betas[:-1]).any():
        raise ParameterError("betas must rise; sort them.")
    if ends.shape != (tree.n_nodes,) or (ends[1:] > ends[tree.parent[1:]]).any():
        raise ParameterError(
            Setting("collapses_at"), f" must hold a number for each of the {tree.n_nodes} nodes, not above its "
            "parent's.",
        )  # fmt: skip
    return losses_of_each([(tree, family, rows)], losses, weights_count)[0]


def losses_of_each(cases: list[tuple], losses: tuple, weights_count: bool = False) -> list[list[HeldOutLosses]]:
    """The same of several trees grown alike, each with its nested family and rows; all families have as many betas."""
    response = cases[0][0].response
    names = [checked_loss(loss, response) for loss in losses]
    trees, families, held = zip(*cases, strict=True)
    rows = [_weighed(some, weights_count) for some in held]
    return _of_each(response, list(trees), families, rows, (names, weights_count))


@singledispatch
def _of_each(response: Response, trees: list[Tree], families: tuple, rows: list[tuple], how: tuple[list[str], bool]):
    """Losses of numbers, by tree and then by name of the loss; ``how``: those names, and whether weights are counts."""
    sums = [_sums_of_numbers(response, *case) for case in zip(trees, families, rows, strict=True)]
    return [[HeldOutLosses(found[None], mass, np.ones(1))] for found, mass in zip(sums, _masses(rows), strict=True)]


@singledispatch
def _sums_of_numbers(response: Response, tree: Tree, family: tuple, rows: tuple[np.ndarray, ...]) -> np.ndarray:
    """Sums of the losses of numbers, shape (4, S); rows climb their tree."""
    sums = RangeSums(len(family[1]))
    climb(tree, family, rows, sums)
    return sums.result()


@_sums_of_numbers.register
def _(response: Means, tree: Tree, family: tuple, rows: tuple[np.ndarray, ...]) -> np.ndarray:
    ends, betas = family
    predicted = np.ascontiguousarray(tree.value, dtype=np.float64)
    changes = _kernel.squared_error_changes(tree.parent, *_floats(ends, betas), rows, predicted)
    found = np.maximum(np.cumsum(changes.reshape(3, -1)[:, :-1], axis=1), 0.0)
    return np.concatenate([found, np.full((1, len(betas)), np.nan)])


@_of_each.register
def _(response: Several, trees: list[Tree], families: tuple, rows: list[tuple], how: tuple[list[str], bool]):
    """Losses of several responses, each by its weight, row by row."""
    found = []
    for tree, family, some, mass in zip(trees, families, rows, _masses(rows), strict=True):
        of_tree = []
        for name in how[0]:
            sums = RangeSums(len(family[1]))
            climb(tree, family, some, sums, name)
            of_tree.append(HeldOutLosses(sums.result()[None], mass, np.ones(1)))
        found.append(of_tree)
    return found


@_of_each.register
def _(response: Classes, trees: list[Tree], families: tuple, rows: list[tuple], how: tuple[list[str], bool]):
    """Losses of classes; rows of each class are a stratum where classes weigh differently."""
    (names, weights_count), k = how, len(response.labels)
    has_priors = any(factor != 1.0 for factor in response.factors)
    strata = k if (has_priors or response.class_weights) and not weights_count else 1

    def losses(at: np.ndarray, of_class: np.ndarray) -> np.ndarray:
        return np.array([losses_of_classes(trees, name, at, of_class) for name in names])

    given = [(tree.parent, *_floats(*family), some) for tree, family, some in zip(trees, families, rows, strict=True)]
    changes = _kernel.class_loss_changes(given, losses, k, strata).reshape(len(trees), len(names), strata, 4, -1)
    sums = np.maximum(np.cumsum(changes[..., :-1], axis=-1), 0.0)
    scale = np.asarray(response.class_weights) if response.class_weights and strata > 1 else np.ones(strata)
    balanced = trees[0].made_by.get("parameters", {}).get("class_weight") == "balanced"
    fixed, masses = strata > 1 and (has_priors or balanced), _masses(rows, strata)
    return [[HeldOutLosses(of, mass, scale, fixed) for of in each] for each, mass in zip(sums, masses, strict=True)]


def _weighed(rows: HeldOutRows, weights_count: bool) -> tuple[np.ndarray, ...]:
    """Node, response and weight of the rows, and what weighs the squares of their losses."""
    if rows.count is not None and (rows.weight == 1.0).all():
        weight = square = rows.count.astype(np.float64)
    else:
        rows = rows.one_by_one()
        weight = np.asarray(rows.weight, dtype=np.float64)
        square = weight if weights_count else weight**2
    return rows.node.astype(np.int64, copy=False), np.asarray(rows.y, np.float64), weight, square


def _masses(rows: list[tuple], strata: int = 1) -> np.ndarray:
    """Sums of the weights of the rows of each tree and of their squares, by class where strata are many.

    Shape (trees, strata, 2); the same in any order of the rows.
    """
    _, y, weight, square = (np.concatenate(values) for values in zip(*rows, strict=True))
    group = np.repeat(np.arange(len(rows)) * strata, [len(some[0]) for some in rows])
    group = group + y.astype(np.int64) if strata > 1 else group
    sums = [_exact_sums(values, group, len(rows) * strata) for values in (weight, square)]
    return np.stack(sums, axis=1).reshape(len(rows), strata, 2)


def _exact_sums(values: np.ndarray, group: np.ndarray, groups: int) -> np.ndarray:
    if (values == np.floor(values)).all():
        return np.bincount(group, values, groups)
    sizes, values = np.bincount(group, minlength=groups), values[np.argsort(group, kind="stable")]
    return np.array([math.fsum(part.tolist()) for part in np.split(values, np.cumsum(sizes)[:-1])])


def _floats(*arrays: np.ndarray) -> list[np.ndarray]:
    return [np.ascontiguousarray(values, dtype=np.float64) for values in arrays]


def climb(
    tree: Tree, family: tuple[np.ndarray, np.ndarray], rows: tuple[np.ndarray, ...], sums: RangeSums,
    name: str | None = None,
) -> None:  # fmt: skip
    """The same for any response: all rows go up their paths at once, from node to node that answers."""
    collapses_at, betas = family
    begin = np.searchsorted(betas, collapses_at, side="left")
    end = begin[tree.parent]
    end[0] = len(betas)
    above = _answering_above(tree, begin < end)
    at, y, weight, square = in_canonical_order(*rows)
    start = np.zeros(len(at), dtype=np.int64)
    while len(at):
        loss, of_root = (losses_at(tree, nodes, y, name) for nodes in (at, np.zeros_like(at)))
        sums.add((start, end[at]), (weight, square), loss, of_root)
        at = above[at]
        going = at >= 0
        at, y, weight, square = at[going], y[going], weight[going], square[going]
        start = begin[at]


def tree_losses(
    tree: Tree, rows: HeldOutRows, losses: tuple = (None,), weights_count: bool = False
) -> list[HeldOutLosses]:
    """Losses of held-out rows in one tree, as a family of one, by each of some losses."""
    return losses_by(tree, (np.where(tree.is_leaf, 0.0, np.inf), np.zeros(1)), rows, losses, weights_count)


def _answering_above(tree: Tree, answers: np.ndarray) -> np.ndarray:
    """The next node on the path to the root that accounts for some beta, int64, shape (T,); -1 if there is none."""
    above, flags = tree.parent.tolist(), answers.tolist()
    for t, up in enumerate(above):
        if up >= 0 and not flags[up]:
            above[t] = above[up]
    return np.array(above, dtype=np.int64)


def in_canonical_order(node: np.ndarray, y: np.ndarray, *weights: np.ndarray) -> tuple[np.ndarray, ...]:
    """Nodes, responses and weights sorted by these, because the sum of floats depends on their order."""
    order = np.lexsort((weights[0], *np.atleast_2d(y.T), node))
    return node[order], y[order], *(weight[order] for weight in weights)


def losses_at(tree: Tree, at: np.ndarray, y: np.ndarray, loss: str | None = None) -> np.ndarray:
    """Loss of each row if it ends in the node ``at``, shape (n,)."""
    response = tree.response
    return _at(response, tree, at, y, loss)


@singledispatch
def _at(response: Response, tree: Tree, at: np.ndarray, y: np.ndarray, loss: str | None) -> np.ndarray:
    return response.row_losses(y, tree.value[at])


@_at.register
def _(response: Several, tree: Tree, at: np.ndarray, y: np.ndarray, loss: str | None) -> np.ndarray:
    each = enumerate(response.weights)
    return sum(weight * losses_at(of_response(tree, r), at, y[:, r], loss) for r, weight in each)


@_at.register
def _(response: Classes, tree: Tree, at: np.ndarray, y: np.ndarray, loss: str | None) -> np.ndarray:
    return class_losses(tree, checked_loss(loss, response))[at, y.astype(np.int64)]


class RangeSums:
    """Sums over rows of what each adds to a range of positions, kept as changes at the ends of the ranges."""

    def __init__(self, size: int):
        self.size = size
        self.changes = np.zeros((5, size + 1))

    def add(self, span: tuple, weights: tuple, loss: np.ndarray, of_root: np.ndarray) -> None:
        """Add each row's losses to the positions ``start <= s < end`` of its span, also whether they are infinite."""
        (start, end), (weight, square) = span, weights
        endless = ~np.isfinite(loss)
        loss, of_root = (np.where(np.isfinite(values), values, 0.0) for values in (loss, of_root))
        amounts = (weight * loss, square * loss, square * loss**2, square * loss * of_root, endless)
        for i, amount in enumerate(amounts):
            self.changes[i] += np.bincount(start, amount, self.size + 1) - np.bincount(end, amount, self.size + 1)

    def result(self) -> np.ndarray:
        """The sums at each position, shape (4, S): see :class:`boxwood.pruning.losses.HeldOutLosses`."""
        *sums, endless = np.cumsum(self.changes[:, :-1], axis=1)
        return np.where(endless > 0.5, np.inf, np.maximum(sums, 0.0))
