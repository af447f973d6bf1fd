"""The settings that a tree was made with, and its class of interest."""

from __future__ import annotations

import numpy as np

from ..data.frames.class_labels import of_interest
from .node_moments import moments_at
from .tree import Tree


def setting_of(tree: Tree, name: str) -> object:
    """A setting of the fit, or None where it is not known."""
    settings = tree.made_by.get("parameters")
    return settings.get(name) if isinstance(settings, dict) else None


def class_of_interest(tree: Tree) -> object:
    """The label that the fit stored; else the rarer of two classes at the root; None where there is none."""
    return of_interest(
        setting_of(tree, "target_class"), tree.response.labels, lambda: moments_at(tree, np.arange(1))[0]
    )
