"""Features tested on the path that may not be tested again (ID3 step 6)."""

from __future__ import annotations

from collections.abc import Callable

from ...tree.tree import Tree
from ..protocol import LevelSplits

UsedFeatures = dict[int, frozenset[int]]


def used_below(
    tests_once: Callable[[int], bool], level: tuple[Tree, int, LevelSplits], used: UsedFeatures
) -> UsedFeatures:
    """Features that the children of a level's nodes may not test, by number of the child.

    Parameters
    ----------
    tests_once : callable
        Whether a feature that was tested may not be tested again.
    level : (Tree, int, LevelSplits)
        The tree with the level's children, the number of the level's first node, and the level's splits.
    used : dict of int to frozenset
        The same for the nodes of the level.
    """
    tree, first, found = level
    out: UsedFeatures = {}
    for node, j in enumerate(found.splits.feature.tolist(), start=first):
        if j < 0:
            continue
        tested = used.get(node, frozenset())
        if tests_once(j):
            tested = tested | {j}
        if tested:
            start = int(tree.first_child[node])
            out |= dict.fromkeys(range(start, start + int(tree.n_children[node])), tested)
    return out
