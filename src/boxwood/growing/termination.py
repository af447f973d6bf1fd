"""Choice 3 of a recipe at work: which nodes of a level may still be split."""

from __future__ import annotations

import numpy as np

from ..sources.protocol import Level
from ..sources.recipe import Recipe
from ..statistics.response import CLASSES, MEAN, Response

#: Weights this close to a limit keep it (SPECS 0.8).
ROUNDING = 1e-9


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
    >>> from boxwood.sources.protocol import Level
    >>> from boxwood.sources.recipe import ImpurityDecrease, Recipe
    >>> from boxwood.statistics.response import Response
    >>> level = Level(np.array([[3.0, 0.0], [2.0, 2.0]]), np.array([3, 4]), depth=1)
    >>> response = Response("classes", labels=("no", "yes"), factors=(1.0, 1.0))
    >>> open_nodes(level, Recipe(ImpurityDecrease("gini")), response)
    array([False,  True])
    """
    limit = recipe.termination
    if limit.max_depth is not None and level.depth >= limit.max_depth:
        return np.zeros(len(level.rows), dtype=bool)
    large = level.rows >= limit.min_samples_split
    if limit.min_branch_weight > 0.0:  # two branches of this weight must be possible (SPECS 4.1)
        large &= response.weight(level.moments) >= 2.0 * limit.min_branch_weight - ROUNDING
    if recipe.least_risk > 0.0:
        large &= response.risk(level.moments, recipe.criterion.measure) > recipe.least_risk * (1.0 - ROUNDING)
    return large & _mixed(level.moments, response)


def _mixed(moments: np.ndarray, response: Response) -> np.ndarray:
    """Whether y differs within each node, shape (L,)."""
    if response.kind == CLASSES:
        return np.count_nonzero(moments, axis=1) > 1
    if response.kind == MEAN:
        return np.ones(len(moments), dtype=bool)  # a tiny sum of squares may underflow: the source sees rows
    return moments[:, 2] > 0  # so it is with equal and nearly equal rates; without events there is one rate
