"""The class of interest of a tree."""

from __future__ import annotations

from ..data.class_labels import of_interest
from .tree import Tree


def class_of_interest(tree: Tree) -> object:
    """The label that the fit stored; else the rarer of two classes at the root; None where there is none."""
    settings = tree.made_by.get("parameters")
    stored = settings.get("target_class") if isinstance(settings, dict) else None
    return of_interest(stored, tree.response.labels, lambda: tree.moments[0])
