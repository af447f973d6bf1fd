"""The basic algorithm, level by level: ask for the best splits, send the rows down, until no node is split."""

from __future__ import annotations

from ..sources.protocol import Source
from ..sources.recipe import Recipe
from ..tree.builder import Builder
from ..tree.held import as_kind
from ..tree.tree import Tree
from .termination import open_nodes


def grow(source: Source, recipe: Recipe, made_by: dict) -> Tree:
    """Grow a tree by a recipe from the rows that a source holds.

    Parameters
    ----------
    source : Source
        Answers the two questions about a level; a source that can finish the whole tree at once is asked to.
    recipe : Recipe
    made_by : dict
        What the tree should say of its origin: algorithm, parameters, measure, version.

    Returns
    -------
    Tree
    """
    whole = source.finish(recipe)
    if whole is not None:
        return as_kind(whole, type(whole), made_by=made_by)
    builder = Builder(source.schema, source.response)
    level = source.root(recipe)
    while len(level.rows):
        is_open = open_nodes(level, recipe, source.response)  # 3. termination
        found = source.best_splits(level, is_open)  # 1. how many branches, 2. by which criterion
        builder.add(level.moments, level.rows, found)  # each node is at once a leaf: 4. base hypothesis
        level = source.route(level, found)  # rows go where their branch leads
    return source.complete(builder.freeze(made_by))
