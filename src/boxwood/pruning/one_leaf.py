"""One leaf fewer at a time: collapse the twig whose loss raises the risk least, down to the root."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np

from .._messages import must_be
from ..errors import ParameterError, check_one_of
from ..tree.rebuild import keep_nodes
from ..tree.tree import Tree
from .cost_complexity import ROUNDING, checked_risk
from .nested import NestedFamily
from .selection import choose
from .ties import equalize_ties

_TIES = ("level", "depth")


@dataclass(frozen=True, eq=False)
class OneLeafPath:
    """The sequence G(0), G(1), ... G(S - 1): the full tree, one twig fewer at each step, the root alone.

    A list of trees in its use: ``len(path)``, ``path[i]`` and iteration create the trees when they are needed.

    Attributes
    ----------
    tree : Tree
        G(0).
    nodes : int64, shape (S - 1,)
        The node that becomes a leaf at step 1, 2, ...
    n_leaves : int64, shape (S,)
    risks : float64, shape (S,)
    collapses_at : int64, shape (T,)
        The step at which each node becomes a leaf; 0 at leaves.
    """

    tree: Tree
    nodes: np.ndarray
    n_leaves: np.ndarray
    risks: np.ndarray
    collapses_at: np.ndarray

    def __len__(self) -> int:
        return len(self.n_leaves)

    def __getitem__(self, step: int) -> Tree:
        """G(step); steps below 0 count from the end.

        Raises
        ------
        IndexError
            There is no such step.
        """
        return keep_nodes(self.tree, self.collapses_at <= range(len(self))[step])

    def __iter__(self) -> Iterator[Tree]:
        return (self[step] for step in range(len(self)))

    def best_for(self, alpha: float) -> int:
        """The step with the least risk + alpha * leaves; the smaller tree when costs are equal within rounding.

        Raises
        ------
        ParameterError
            Alpha is negative or not finite.
        """
        if not 0.0 <= alpha < np.inf:
            raise ParameterError(must_be("alpha", "a finite number, 0 or larger", alpha))
        return choose(np.arange(len(self)), self.risks + alpha * self.n_leaves)

    def step_for(self, n_leaves: int) -> int:
        """The first step whose tree has at most so many leaves.

        Raises
        ------
        ParameterError
            Even the last tree has more leaves.
        """
        small = np.flatnonzero(self.n_leaves <= n_leaves)
        if len(small) == 0:
            raise ParameterError(must_be("n_leaves", f"at least {int(self.n_leaves[-1])}", n_leaves))
        return int(small[0])

    def best_by_validation(self, losses: np.ndarray) -> int:
        """The step with the least validation loss; the smaller tree when losses are equal within rounding.

        Parameters
        ----------
        losses : float64, shape (S,)
            Loss of each tree of the sequence on rows it was not grown from;
            :func:`~boxwood.pruning.validation.heldout_losses` gives them all at once for ``collapses_at`` and
            ``betas = range(S)``.

        Raises
        ------
        ParameterError
            There is not one loss per tree.
        """
        return choose(np.arange(len(self)), losses)


def one_leaf_fewer(tree: Tree, risk: np.ndarray, ties: str = "level") -> OneLeafPath:
    """The one-leaf-removed sequence: each tree has the least risk among those made by removing one leaf from the last.

    Removing a leaf means here that a twig, a node whose children are all leaves, becomes a leaf itself (the other
    reading, to lift the sibling of a removed leaf to its parent's place, is not meant). In a binary tree this costs one
    leaf a step, at a twig of K branches K - 1. It looks one step ahead only: unlike in weakest-link pruning, a tree of
    the sequence need not be best for any alpha, and a tie can change the risks of later trees. Costs O(T log T).

    Parameters
    ----------
    tree : Tree
    risk : float64, shape (T,)
        Risk of each node as a leaf (:func:`~boxwood.pruning.cost_complexity.risk_of`), finite.
    ties : {"level", "depth"}
        Among twigs whose increase of risk is equal within rounding, take the one with the lowest node number (level
        by level from the root), or the first in depth-first order.

    Raises
    ------
    ParameterError
        The risks are not one finite number per node, or ``ties`` is unknown.
    """
    check_one_of("ties", ties, _TIES)
    risk = checked_risk(tree, risk)
    increase = np.where(tree.is_leaf, 0.0, risk)
    increase -= np.bincount(tree.parent[1:], risk[1:], tree.n_nodes)
    turn = np.arange(tree.n_nodes) if ties == "level" else _depth_first(tree)
    order = _order_of_collapse(tree, equalize_ties(increase, ROUNDING * abs(float(risk[0]))), turn)
    collapses_at = np.zeros(tree.n_nodes, dtype=np.int64)
    collapses_at[order] = np.arange(1, len(order) + 1)
    n_leaves = tree.n_leaves - np.cumsum(np.append(0, tree.n_children[order] - 1))
    risks = np.cumsum(np.append(risk[tree.is_leaf].sum(), increase[order]))
    risks[-1] = risk[0]
    return OneLeafPath(tree, order, n_leaves, risks, collapses_at)


def by_step(path: OneLeafPath) -> NestedFamily:
    """The sequence as a family whose parameter is the step."""
    steps = np.arange(len(path), dtype=np.float64)
    return NestedFamily(path.tree, steps, path.n_leaves, path.risks, path.collapses_at.astype(np.float64))


def by_leaves(path: OneLeafPath) -> NestedFamily:
    """The sequence as a family whose parameter is minus the number of leaves allowed."""
    before = np.append(path.n_leaves[0], path.n_leaves)[path.collapses_at].astype(np.float64)
    # A step is taken when the tree before it has more leaves than are allowed.
    collapses_at = np.where(path.collapses_at > 0, 1.0 - before, -np.inf)
    return NestedFamily(path.tree, -path.n_leaves.astype(np.float64), path.n_leaves, path.risks, collapses_at)


def by_lambda(path: OneLeafPath) -> NestedFamily:
    """The trees of the sequence that have the least risk + lambda * leaves for some lambda, as a family of lambda.

    They are the corners of the lower convex hull of risk over leaves; between two of them lambda is the slope.
    """
    steps = [path.best_for(0.0)]
    values = [0.0]
    while steps[-1] < len(path) - 1:
        here = steps[-1]
        saved = (path.n_leaves[here] - path.n_leaves[here + 1 :]).astype(np.float64)
        slope = np.full(len(saved), np.inf)
        np.divide(path.risks[here + 1 :] - path.risks[here], saved, out=slope, where=saved > 0)
        if not np.isfinite(slope.min()):
            break
        least = slope.min() + ROUNDING * abs(float(path.risks[-1]))
        steps.append(here + 1 + int(np.flatnonzero(slope <= least)[-1]))
        values.append(max(float(slope.min()), values[-1]))
    values, steps = np.array(values), np.array(steps)
    # A node is pruned away from the first corner on that lies at its step or behind it.
    corner = np.searchsorted(steps, path.collapses_at, side="left")
    collapses_at = np.append(values, np.inf)[corner]
    collapses_at[path.collapses_at == 0] = 0.0
    return NestedFamily(path.tree, values, path.n_leaves[steps], path.risks[steps], collapses_at)


def _depth_first(tree: Tree) -> np.ndarray:
    """Place of each node in depth-first order, shape (T,): node, then its branches in order."""
    parent = tree.parent.tolist()
    size = [1] * tree.n_nodes
    for t in range(tree.n_nodes - 1, 0, -1):
        size[parent[t]] += size[t]
    place, taken = [0] * tree.n_nodes, [1] * tree.n_nodes
    for t in range(1, tree.n_nodes):
        up = parent[t]
        place[t] = place[up] + taken[up]
        taken[up] += size[t]
    return np.array(place)


def _order_of_collapse(tree: Tree, increase: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Inner nodes in the order in which they collapse, equal increases by turn.

    The increase of a node does not depend on what collapsed before, because its children are leaves when it is tried.
    """
    parent, rise = tree.parent.tolist(), list(zip(increase.tolist(), turn.tolist(), strict=True))
    unpruned = np.bincount(tree.parent[1:], ~tree.is_leaf[1:], tree.n_nodes).astype(np.int64).tolist()
    twigs = [(*rise[t], t) for t in np.flatnonzero(~tree.is_leaf).tolist() if not unpruned[t]]
    heapify(twigs)
    order = []
    while twigs:
        *_, t = heappop(twigs)
        order.append(t)
        above = parent[t]
        if above < 0:
            break
        unpruned[above] -= 1
        if not unpruned[above]:
            heappush(twigs, (*rise[above], above))
    return np.array(order, dtype=np.int64)
