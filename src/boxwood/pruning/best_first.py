"""The tree of best-first growth: make the split that lowers impurity most until there are enough leaves."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from .._messages import must_be
from ..errors import ParameterError
from ..tree.rebuild import keep_nodes
from ..tree.tree import Tree
from .ties import equalize_ties


@dataclass(frozen=True)
class LeafLimit:
    """A limit of leaves for grown trees: :func:`best_first` with ``most`` leaves."""

    most: int

    def __call__(self, tree: Tree) -> Tree:
        """The tree of best-first growth."""
        return best_first(tree, self.most)


def best_first(tree: Tree, max_leaf_nodes: int) -> Tree:
    """The part of a fully grown tree that best-first growth with a limit of leaves would have grown.

    Splits do not depend on the order in which nodes are opened, so the limit can be applied afterwards: beginning with
    the root, the open node whose split lowers the total impurity most (weight of the node times its score) is split
    next. Decreases within rounding are a tie, which the lower node number wins. A split into more branches than the
    limit allows is not made; the next best is tried.

    Parameters
    ----------
    tree : Tree
    max_leaf_nodes : int
        At least 1.

    Raises
    ------
    ParameterError
        ``max_leaf_nodes`` is below 1.
    """
    if not max_leaf_nodes >= 1:
        raise ParameterError(must_be("max_leaf_nodes", "1 or larger", max_leaf_nodes))
    closed = np.ones(tree.n_nodes, dtype=bool)
    urgency = _urgency(tree).tolist()
    first, count = tree.first_child.tolist(), tree.n_children.tolist()
    n_leaves = 1
    waiting = [(urgency[0], 0)] if count[0] else []
    while waiting and n_leaves < max_leaf_nodes:
        _, t = heappop(waiting)
        if n_leaves + count[t] - 1 > max_leaf_nodes:
            continue
        closed[t] = False
        n_leaves += count[t] - 1
        for child in range(first[t], first[t] + count[t]):
            if count[child]:
                heappush(waiting, (urgency[child], child))
    return keep_nodes(tree, closed)


def _urgency(tree: Tree) -> np.ndarray:
    """Minus the total decrease of impurity by each split, ties made equal, shape (T,); 0 at leaves."""
    decrease = np.where(tree.is_leaf, 0.0, tree.weight * tree.score)
    return equalize_ties(-decrease, 1e-12 * max(1.0, float(np.abs(decrease).max())))
