"""The basic algorithm, level by level: find the best splits, route the rows, until no node is split."""

from __future__ import annotations

import numpy as np

from ..statistics.responses.response import Response
from ..tree.builder import Builder
from ..tree.lazy_arrays import as_kind
from ..tree.tree import Tree
from .protocol import Level, Source
from .recipe import Recipe
from .termination import SLIGHT, NodeStats


def grow(source: Source, recipe: Recipe, made_by: dict) -> Tree:
    """Grow a tree by a recipe from the rows that a source holds.

    Parameters
    ----------
    source : Source
        Answers the two questions about a level; a source that can grow the whole tree at once does so, unless the
        termination has a function of the user's own.
    recipe : Recipe
    made_by : dict
        The origin that the tree records: algorithm, parameters, measure, version.

    Returns
    -------
    Tree
    """
    whole = None if recipe.termination.stop is not None else source.finish(recipe)
    if whole is not None:
        return as_kind(whole, type(whole), made_by=made_by)
    builder = Builder(source.schema, source.response)
    level = source.root(recipe)
    while len(level.rows):
        is_open = open_nodes(level, recipe, source.response)  # 3. termination
        found = source.best_splits(level, is_open)  # 1. how many branches, 2. by which criterion
        builder.add(level.moments, level.rows, found)  # 4. base hypothesis: each node can be a leaf
        level = source.route(level, found)  # the rows go to their branches
    return source.complete(builder.freeze(made_by))


def open_nodes(level: Level, recipe: Recipe, response: Response) -> np.ndarray:
    """Nodes that are large enough, not too deep and not pure; whether a good split exists is the source's answer.

    Parameters
    ----------
    level : Level
        L nodes.
    recipe : Recipe
    response : Response

    Returns
    -------
    ndarray of shape (L,), bool

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.growing.protocol import Level
    >>> from boxwood.growing.impurity_decrease import ImpurityDecrease
    >>> from boxwood.growing.recipe import Recipe
    >>> from boxwood.statistics.responses.classes import Classes
    >>> level = Level(np.array([[3.0, 0.0], [2.0, 2.0]]), np.array([3, 4]), depth=1)
    >>> response = Classes(labels=("no", "yes"), factors=(1.0, 1.0))
    >>> open_nodes(level, Recipe(ImpurityDecrease("gini")), response)
    array([False,  True])
    """
    large = recipe.termination.may_split(level.depth, level.rows, response.weight(level.moments))
    if recipe.min_risk > 0.0:
        large &= response.searched().risk(level.moments, recipe.criterion.measure) > recipe.min_risk * (1.0 - SLIGHT)
    large &= response.is_mixed(level.moments)
    if recipe.termination.stop is not None:
        impurity = response.impurity(level.moments, recipe.criterion.importance_measure(response.kind))
        for t in np.flatnonzero(large).tolist():
            large[t] = not recipe.termination.stops(_stats(level, response, impurity, t))
    return large


def _stats(level: Level, response: Response, impurity: np.ndarray, t: int) -> NodeStats:
    """Node ``t`` of a level as users see it."""
    moments = level.moments[t].copy()
    return NodeStats(
        level.depth, int(level.rows[t]), float(response.weight(moments[None])[0]), moments, float(impurity[t])
    )
