"""Leaves of few rows: counted in one line, with the parameter that avoids them."""

from __future__ import annotations

import numpy as np

from ..statistics.response import CLASSES
from ..tree.tree import Tree
from .confidence import node_intervals
from .words import share

#: Leaves of fewer rows are small: rpart grows none by default.
SMALL = 7


def is_small(tree: Tree) -> np.ndarray:
    """Whether each node is a leaf of few rows, but of some, shape (T,)."""
    return tree.is_leaf & (tree.rows > 0) & (tree.rows < SMALL)


def small_leaves_words(tree: Tree) -> str:
    """How many leaves are small, and what avoids them; nothing where none is.

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> from boxwood.views.small_leaves import small_leaves_words
    >>> small_leaves_words(CARTClassifier(pruning=None).fit([[1], [2]], ["no", "yes"]).tree_)
    '2 of 2 leaves hold fewer than 7 rows; min_samples_leaf=7 avoids them'
    """
    count = int(np.count_nonzero(is_small(tree)))
    if not count:
        return ""
    return f"{count} of {tree.n_leaves} leaves hold{'s' * (count == 1)} fewer than {SMALL} rows{_remedy(tree)}"


def _remedy(tree: Tree) -> str:
    """The parameter of the algorithm that avoids small leaves."""
    known = tree.made_by.get("parameters") or {}
    if "min_samples_leaf" in known or "termination" in known:
        return f"; min_samples_leaf={SMALL} avoids them"
    return f"; min_branch_weight={SMALL} leaves fewer" if "min_branch_weight" in known else ""


def interval_words(tree: Tree, node: int, confidence: float = 0.95) -> str:
    """Where the probability of the predicted class of a small leaf lies; nothing for other nodes and for numbers.

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> from boxwood.views.small_leaves import interval_words
    >>> interval_words(CARTClassifier(pruning=None).fit([[1], [2]], ["no", "yes"]).tree_, 1)
    '0.207 to 1'
    """
    if tree.response.kind != CLASSES or not is_small(tree)[node]:
        return ""
    low, high = (ends[0, int(tree.value[node])] for ends in node_intervals(tree, np.array([node]), confidence))
    return "" if np.isnan(low) else f"{share(float(low))} to {share(float(high))}"
