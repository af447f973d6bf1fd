"""Where training rows ended: leaves, and inner nodes where rows with a missing value stayed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..statistics.overflow import may_overflow
from ..tree.tree import STAYS, Tree

#: A smaller part of a node's weight is rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Leaves:
    """The leaves of a tree, from left to right as the tree is printed.

    Attributes
    ----------
    node : int64, shape (E,)
        Leaves, and inner nodes at which rows stayed.
    rows : int64, shape (E,)
        Of training, that ended there; parts of rows are counted as rows.
    weight : float64, shape (E,)
        Of these rows, class weights left out.
    moments : float64, shape (E, M)
        Of the rows that ended there: of a leaf its own, of an inner node what its children do not hold.
    """

    node: np.ndarray
    rows: np.ndarray
    weight: np.ndarray
    moments: np.ndarray


def leaves_of(tree: Tree) -> Leaves:
    """Where training rows ended."""
    rest = _stayed(tree)
    stays = np.array(sorted(rest), dtype=np.int64)
    node = np.concatenate([tree.leaves, stays])
    moments = np.concatenate(
        [tree.moments[tree.leaves], np.array([rest[t] for t in stays]).reshape(-1, tree.moments.shape[1])]
    )
    first, count = tree.first_child[stays], tree.n_children[stays]
    below = np.array([tree.rows[f : f + c].sum() for f, c in zip(first, count, strict=True)], dtype=np.int64)
    rows = np.concatenate([tree.rows[tree.leaves], tree.rows[stays] - below])
    order = np.argsort(_places(tree)[node], kind="stable")
    return Leaves(node[order], rows[order], tree.response.row_weight(moments)[order], moments[order])


def _places(tree: Tree) -> np.ndarray:
    """The place of each node when the tree is printed: a node before the nodes below it, branches in order."""
    size = np.ones(tree.n_nodes, dtype=np.int64)
    for t in range(tree.n_nodes - 1, 0, -1):
        size[tree.parent[t]] += size[t]
    place = np.zeros(tree.n_nodes, dtype=np.int64)
    following: dict[int, int] = {0: 1}
    for t in range(1, tree.n_nodes):
        above = int(tree.parent[t])
        place[t] = following[above]
        following[above] += size[t]
        following[t] = place[t] + 1
    return place


@may_overflow  # sums of squares beyond float64 are infinite
def _stayed(tree: Tree) -> dict[int, np.ndarray]:
    """Moments of the rows that stayed at inner nodes, by node."""
    found = {}
    for t in np.flatnonzero(~tree.is_leaf & (tree.missing == STAYS)).tolist():
        children = tree.moments[int(tree.first_child[t]) : int(tree.first_child[t]) + int(tree.n_children[t])]
        whole = tree.moments[t]
        rest = tree.response.rest(whole, children)
        if float(tree.response.weight(rest[None])[0]) > _ROUNDING * float(tree.weight[t]):
            found[t] = rest
    return found
