"""Sibling leaves that share a value because of an order of predictions, as one leaf."""

from __future__ import annotations

import numpy as np

from .leaf_order import pools_of
from .rebuild import keep_nodes
from .tree import Tree


def join_leaves(tree: Tree) -> Tree:
    """The tree in which a node is a leaf if all leaves below it share a value; what people decided stays."""
    if tree.monotonic is None or tree.n_nodes == 1:
        return tree
    block, marked = pools_of(tree).block.copy(), tree.marks or ()
    block[list(marked)] = -1
    for parent in np.flatnonzero(~tree.is_leaf)[::-1].tolist():
        below = block[tree.first_child[parent] : tree.first_child[parent] + tree.n_children[parent]]
        block[parent] = below[0] if parent not in marked and (below == below[0]).all() else -1
    joined = ~tree.is_leaf & (block >= 0)
    return keep_nodes(tree, joined) if joined.any() else tree
