"""Leaves of few rows: counted in one line, with the parameter that avoids them."""

from __future__ import annotations

import numpy as np

from .._messages import Message, Setting, remedy
from ..statistics.responses.registry import CLASSES
from ..tree.tree import Tree
from .confidence import LEAF_VALUES, node_intervals

#: Leaves of fewer rows are small: rpart grows none by default.
SMALL = 7


def is_small(tree: Tree) -> np.ndarray:
    """Whether each node is a leaf of few rows, but of some, shape (T,).

    None is in a tree that does not know its rows.
    """
    known = tree.made_by.get("moments") != LEAF_VALUES
    return tree.is_leaf & (tree.rows > 0) & (tree.rows < SMALL) & known


def small_leaves_words(tree: Tree) -> Message:
    """How many leaves are small, and what avoids them; nothing where none is.

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> from boxwood.views.small_leaves import small_leaves_words
    >>> small_leaves_words(CARTClassifier(pruning=None).fit([[1]] * 20 + [[2]] * 2, ["no"] * 20 + ["yes"] * 2).tree_)
    '1 of 2 leaves holds fewer than 7 rows; min_samples_leaf=7 avoids them'
    """
    count = int(np.count_nonzero(is_small(tree)))
    if not count:
        return Message()
    return Message(f"{_which(count, tree.n_leaves)} fewer than {SMALL} rows", _remedy(tree))


def _which(count: int, leaves: int) -> str:
    """So many of all leaves, and the verb."""
    if count < leaves:
        return f"{count} of {leaves} leaves {'holds' if count == 1 else 'hold'}"
    return {1: "the only leaf holds", 2: "both leaves hold"}.get(count, f"all {count} leaves hold")


def _remedy(tree: Tree) -> Message:
    """The parameter of the algorithm that avoids small leaves; none where a table is too small for two other leaves."""
    if tree.rows[0] < 2 * SMALL:
        return Message()
    found = tree.made_by.get("parameters")
    known = found if isinstance(found, dict) else {}
    if "min_samples_leaf" in known or "termination" in known:
        return Message("; ", remedy(Setting("min_samples_leaf", SMALL), " avoids them"))
    if "min_branch_weight" in known:
        return Message("; ", remedy(Setting("min_branch_weight", SMALL), " leaves fewer"))
    return Message()


def small_intervals(tree: Tree, nodes: np.ndarray | None = None) -> dict[int, tuple[float, float]]:
    """Where the probability of the predicted class lies (95 %), of each small leaf; empty where numbers are predicted.

    Parameters
    ----------
    tree : Tree
    nodes : int, shape (m,), optional
        Other nodes than the small leaves.

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> from boxwood.views.small_leaves import small_intervals
    >>> tree = CARTClassifier(pruning=None).fit([[1]] * 20 + [[2]] * 2, ["no"] * 20 + ["yes"] * 2).tree_
    >>> [round(end, 3) for end in small_intervals(tree)[2]]
    [0.342, 1.0]
    """
    nodes = np.flatnonzero(is_small(tree)) if nodes is None else nodes
    if tree.response.kind != CLASSES or not len(nodes):
        return {}
    predicted = tree.value[nodes].astype(np.int64)
    low, high = (ends[np.arange(len(nodes)), predicted] for ends in node_intervals(tree, nodes))
    known = ~np.isnan(low)
    pairs = zip(nodes[known].tolist(), low[known].tolist(), high[known].tolist(), strict=True)
    return {t: (least, most) for t, least, most in pairs}
