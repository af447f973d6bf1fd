"""Nodes that were signed, overruled or forced, which pruning must not remove."""

from __future__ import annotations

from .._messages import Setting, remedy
from ..errors import ParameterError
from ..tree.lazy_arrays import changed
from ..tree.marks import loosened
from ..tree.tree import Tree


def held(tree: Tree, node: int = 0) -> list[int]:
    """The nodes that were signed, overruled or forced, at a node and below it, ascending."""
    stays = [t for t, mark in sorted((tree.marks or {}).items()) if mark.stays]
    return [t for t in stays if node in tree.path(t)]


def as_free(tree: Tree, free: bool = True) -> Tree:
    """The tree whose nodes can all be pruned away; if not ``free``, all but those that :func:`held` names."""
    return changed(tree, marks=loosened(tree.marks, holds=not free)) if tree.marks else tree


def refuse_removed(full: Tree, pruned: Tree) -> None:
    """Refuse a pruned tree without a node that was signed, overruled or forced.

    Raises
    ------
    ParameterError
    """
    if len(held(pruned)) < len(held(full)):
        raise ParameterError(
            "pruning would remove a node that was signed, overruled or forced by the fit; ",
            remedy("prune less, or use ", Setting("force"), "."),
        )  # fmt: skip
