"""Limits of the means below a node: those of the other sides of the splits above it that have an order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..statistics.responses.response import Response
from ..tree.leaf_order import ordered_levels
from ..tree.node_moments import moments_at
from ..tree.split import SplitTable
from ..tree.tree import Tree

#: Of a node below no such split: least and greatest.
NO_LIMITS = (-np.inf, np.inf)


def limits_below(
    limits: np.ndarray,
    signs: Sequence[int],
    splits: SplitTable,
    n_children: np.ndarray,
    response: Response,
    moments: np.ndarray,
) -> np.ndarray:
    """The limits of the children of nodes, twin of ``Rules::hand_on`` (kernel/search/rules.hpp).

    Parameters
    ----------
    limits : float64, shape (L, 2)
        Of the nodes.
    signs : sequence of int
        The order of each feature; empty: none has one.
    splits : SplitTable
        Of the nodes.
    n_children : int, shape (L,)
    response : Response
    moments : float64, shape (C, M)
        Of all children, in order.

    Returns
    -------
    float64, shape (C, 2)

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.growing.value_limits import NO_LIMITS, limits_below
    >>> from boxwood.statistics.responses.means import Means
    >>> from boxwood.tree.split import SplitTable
    >>> split = SplitTable.of([0], [((1.5, 0.0),)], [(0, 1)])
    >>> moments = np.array([[4.0, 3.0, 0.0], [5.0, 7.0, 2.0]])  # of 4 rows with the mean 3, and 5 with the mean 7
    >>> limits_below(np.array([NO_LIMITS]), (1,), split, np.array([2]), Means(), moments).tolist()
    [[-inf, 7.0], [3.0, inf]]
    """
    below = np.repeat(limits, n_children, axis=0)
    if not signs:
        return below
    first, means = np.cumsum(n_children) - n_children, ordered_levels(response.searched(), moments)[1]
    for t in np.flatnonzero(splits.feature >= 0).tolist():
        sign = signs[splits.feature[t]]
        if sign != 0:
            smaller, larger = first[t] + splits.index_of(t)[::sign]
            below[smaller, 1], below[larger, 0] = np.clip(means[[larger, smaller]], *limits[t])
    return below


def limits_at(
    tree: Tree, node: int, signs: Sequence[int], above: tuple[float, float] = NO_LIMITS
) -> tuple[float, float]:
    """The limits of a node of a tree whose root has those ``above``."""
    for t, child in pairwise(tree.path(node).tolist()):
        children = tree.first_child[t] + np.arange(tree.n_children[t])
        moments, split = moments_at(tree, tree.moments_node[children]), tree.splits.take(np.array([t]))
        found = limits_below(np.array([above]), signs, split, tree.n_children[[t]], tree.response, moments)
        above = tuple(found[child - tree.first_child[t]].tolist())
    return above
