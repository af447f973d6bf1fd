"""Marks of the shown tree of a model that its full tree has too, so that pruning stays as it is."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from ...model.readable import readable
from ...model.tree_model import TreeModel
from ...tree.lazy_arrays import changed
from ...tree.tree import Tree


def marked_in_place(model: TreeModel, tree: Tree, node: int) -> TreeModel | None:
    """The model with the marks of a tree that is like its own; None where its full tree has no such node.

    Parameters
    ----------
    model : TreeModel
    tree : Tree
        The tree of the model, with another mark at ``node``.
    node : int
    """
    mark = (tree.marks or {}).get(node)
    if mark is not None and mark.value is not None:
        return None  # what a leaf predicts changes the losses that pruning found
    if model.tree is model.full_tree or model.tree.n_nodes == model.full_tree.n_nodes:
        shown = full = readable(tree)
    else:
        at = _same_node(model.full_tree, model.tree, node)
        if at is None:
            return None
        others = {t: m for t, m in (model.full_tree.marks or {}).items() if t != at}
        marks = others | ({} if mark is None else {at: mark})
        shown, full = readable(tree), readable(changed(model.full_tree, marks=marks or None))
    return replace(model, full_tree=full, tree=shown)


def _same_node(full: Tree, pruned: Tree, node: int) -> int | None:
    """The node of the full tree that a node of a pruned one is; None where a branch was raised."""
    at = 0
    for t, child in pairwise(pruned.path(node).tolist()):
        if full.is_leaf[at] or full.splits.feature[at] != pruned.splits.feature[t]:
            return None
        at = int(full.first_child[at]) + child - int(pruned.first_child[t])
    return at if np.array_equal(full.moments[at], pruned.moments[node]) else None
