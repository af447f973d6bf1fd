"""The CHAID package of the Python package index, when it is installed: a tree from a data frame, without prediction."""

from __future__ import annotations

import importlib.util

NAME = "CHAID (PyPI)"


def available() -> bool:
    """Whether the package is here."""
    return importlib.util.find_spec("CHAID") is not None


def grow(frame, kinds: dict[str, str], response: str, max_depth: int):
    """A tree; ``kinds`` is "nominal" or "ordinal" for each column, whose values are whole numbers."""
    from CHAID import Tree

    tree = Tree.from_pandas_df(frame, kinds, response, max_depth=max_depth, min_child_node_size=50)
    tree.build_tree()
    return tree
