"""Which nodes of a tree a picture shows: the heaviest are expanded first, folded ones are counted."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

from ..tree.tree import Tree
from .options import PictureOptions


@dataclass(frozen=True)
class Shown:
    """The nodes that are drawn, in level order; positions are their places in this list.

    Attributes
    ----------
    nodes : list of int
        Node numbers, rising.
    parent : list of int
        Position of each one's parent; -1 at the root.
    folded : list of int
        How many nodes are folded away below each.
    """

    nodes: list[int]
    parent: list[int]
    folded: list[int]

    @property
    def n_ends(self) -> int:
        """Number of leaves and folded nodes."""
        return len(self.nodes) - len(set(self.parent)) + 1


def shown_nodes(tree: Tree, options: PictureOptions) -> Shown:
    """Open nodes, those with most weight first, as far as ``max_depth``, ``max_leaves`` and ``min_share`` allow.

    A node whose children would be too many for ``max_leaves`` stays folded; lighter ones with fewer children may still
    be opened. Of equal weights the lower number goes first.
    """
    weight = tree.row_weight
    share = weight / weight[0] if weight[0] > 0 else np.ones(tree.n_nodes)
    may = (tree.n_children > 0) & (share >= options.min_share)
    if options.max_depth is not None:
        may &= tree.depth < options.max_depth
    limit = np.inf if options.max_leaves is None else options.max_leaves
    opened, ends, waiting = np.zeros(tree.n_nodes, dtype=bool), 1, [(-float(weight[0]), 0)]
    while waiting:
        _, node = heapq.heappop(waiting)
        count = int(tree.n_children[node])
        if not may[node] or ends + count - 1 > limit:
            continue
        opened[node], ends = True, ends + count - 1
        first = int(tree.first_child[node])
        for child in range(first, first + count):
            heapq.heappush(waiting, (-float(weight[child]), child))
    drawn = np.concatenate([[True], opened[tree.parent[1:]]])
    nodes = np.flatnonzero(drawn)
    position = np.cumsum(drawn) - 1
    parent = np.where(nodes > 0, position[np.maximum(tree.parent[nodes], 0)], -1)
    below = np.where(opened[nodes], 0, _nodes_below(tree)[nodes])
    return Shown(nodes.tolist(), parent.tolist(), below.tolist())


def _nodes_below(tree: Tree) -> np.ndarray:
    """How many nodes are below each node, int64, shape (T,)."""
    below, parent = [0] * tree.n_nodes, tree.parent.tolist()
    for node in range(tree.n_nodes - 1, 0, -1):
        below[parent[node]] += below[node] + 1
    return np.array(below, dtype=np.int64)
