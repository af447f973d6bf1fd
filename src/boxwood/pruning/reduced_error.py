"""Reduced error pruning: from the leaves up, a node becomes a leaf where that does not raise the held-out loss."""

from __future__ import annotations

import numpy as np

from ..tree.tree import Tree
from .held_out_nodes import HeldOutNodes, is_lower

TIES = ("prune", "keep")


def reduced_error(tree: Tree, nodes: HeldOutNodes, ties: str = "prune") -> np.ndarray:
    """Which nodes become leaves so that the loss of the held-out rows is least (Quinlan 1987).

    From the leaves to the root, the loss of a node as a leaf is compared with the loss of the best tree below it. With
    ``ties="prune"`` (Quinlan's rule: not worse) the result is the smallest of the pruned trees with the least loss;
    with ``ties="keep"`` (the textbook's rule: prune only if strictly better) it is the largest.

    Parameters
    ----------
    tree : Tree
    nodes : HeldOutNodes
    ties : {"prune", "keep"}
        Losses within 1e-9 of each other are equal.

    Returns
    -------
    bool, shape (T,)
        Nodes that become leaves; what lies below such a node need not be flagged.
    """
    closed = np.zeros(tree.n_nodes, dtype=bool)
    best, stays = nodes.loss.tolist(), nodes.stays.tolist()
    inner = np.flatnonzero(~tree.is_leaf)[::-1]
    first, count = tree.first_child[inner].tolist(), tree.n_children[inner].tolist()
    for t, child, branches in zip(inner.tolist(), first, count, strict=True):
        below = stays[t] + sum(best[child : child + branches])
        closed[t] = is_lower(best[t], below) if ties == "keep" else not is_lower(below, best[t])
        if not closed[t]:
            best[t] = below
    return closed
