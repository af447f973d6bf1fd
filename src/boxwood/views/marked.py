"""What people decided about a node, in words: its name, that it was overruled or signed, and the last edit."""

from __future__ import annotations

from ..tree.marks import Mark
from ..tree.tree import Tree
from .words import plain

#: The sign before them, and what it means.
SIGN = "†"
FOOTNOTE = f"{SIGN} decided by a person"

_EDITED = {
    "forced": "forced split",
    "split": "split by hand",
    "prune": "pruned by hand",
    "grow": "grown by hand",
    "missing": "missing values by hand",
    "merge": "branches merged by hand",
}


def mark_words(tree: Tree, node: int) -> list[str]:
    """What was decided about a node; nothing where nobody touched it.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from boxwood import CARTRegressor
    >>> from boxwood.tree.marks import Mark
    >>> from boxwood.views.marked import mark_words
    >>> tree = CARTRegressor(pruning=None).fit([[1], [2]], [0, 1]).tree_
    >>> mark_words(replace(tree, marks={1: Mark(name="青年", value=3.0)}), 1)
    ['青年', 'overruled']
    """
    mark = (tree.marks or {}).get(node, Mark())
    found = [plain(mark.name)] if mark.name else []
    found += ["overruled"] if mark.value is not None else []
    found += [f"signed by {plain(mark.signed)}"] if mark.signed else []
    return found + ([_EDITED.get(mark.edited, plain(mark.edited))] if mark.edited else [])
