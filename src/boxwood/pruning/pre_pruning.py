"""Pre-pruning on a validation set: from the root down, splits that do not help there are cancelled."""

from __future__ import annotations

import numpy as np

from ..tree.tree import Tree
from .held_out_nodes import HeldOutNodes, is_lower

TIES = ("prune", "keep")
UNREACHED = ("leaf", "grow")


def pre_pruned(tree: Tree, nodes: HeldOutNodes, ties: str = "prune", unreached: str = "leaf") -> np.ndarray:
    """Which nodes would have stayed leaves if each split had been checked on a validation set before it was made.

    The held-out rows that reach a node compare it as a leaf with this one split
    with its children as leaves. The split of a node depends only on its own rows, so checking a fully grown tree
    from the root down gives the same tree as checking while it grows (lecture note S0).

    Parameters
    ----------
    tree : Tree
        Fully grown.
    nodes : HeldOutNodes
    ties : {"prune", "keep"}
        What to do with a split that neither helps nor harms: cancel it (the textbook: no gain, no split), or keep it
        (the note: it is cancelled when it makes things worse). Losses within 1e-9 of each other are equal.
    unreached : {"leaf", "grow"}
        What to do with a node that no held-out row reaches.

    Returns
    -------
    bool, shape (T,)
        Nodes that become leaves; nodes below them are neither checked nor flagged.
    """
    loss, stays = nodes.loss, nodes.stays
    split = stays + np.bincount(tree.parent[1:], loss[1:], tree.n_nodes)
    cancelled = np.zeros(tree.n_nodes, dtype=bool)
    for t in np.flatnonzero(~tree.is_leaf).tolist():
        if nodes.weight[t] == 0.0:
            cancelled[t] = unreached == "leaf"
        else:
            cancelled[t] = is_lower(loss[t], split[t]) if ties == "keep" else not is_lower(split[t], loss[t])
    return cancelled
