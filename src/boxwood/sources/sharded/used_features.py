"""The memory of a path: nominal features that were tested once may not be tested again below (ID3 step 6)."""

from __future__ import annotations

from ...data.schema import NOMINAL, ORDINAL, Schema
from ...growing.branching import Multiway
from ...growing.in_order import InOrder
from ...growing.protocol import LevelSplits
from ...growing.recipe import Recipe
from ...tree.tree import Tree

UsedFeatures = dict[int, frozenset[int]]


def used_below(
    recipe: Recipe, schema: Schema, level: tuple[Tree, int, LevelSplits], used: UsedFeatures
) -> UsedFeatures:
    """Features that the children of a level's nodes may not test, by number of the child.

    Parameters
    ----------
    recipe : Recipe
    schema : Schema
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
        if _is_used(recipe, schema, j):
            tested = tested | {j}
        if tested:
            start = int(tree.first_child[node])
            out |= dict.fromkeys(range(start, start + int(tree.n_children[node])), tested)
    return out


def _is_used(recipe: Recipe, schema: Schema, j: int) -> bool:
    """Whether a feature that was tested may not be tested again."""
    branching, kind = recipe.branching, schema[j].kind
    if not isinstance(branching, Multiway) or not (branching.once or isinstance(recipe.criterion, InOrder)):
        return False
    if kind == ORDINAL:
        return branching.ordinal_levels
    return kind == NOMINAL and not (branching.grouping and len(schema[j].levels) > 2)
