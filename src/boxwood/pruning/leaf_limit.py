"""Growth under a limit of leaves: only the splits that best-first growth can reach, with the same result.

Best-first growth with a limit of k leaves makes k - 1 splits. Let t be the least decrease of impurity among them: it
makes no split of a lower decrease, and none below such a split. A tree in which lower decreases make no split therefore
holds every split that best-first growth makes. The floor is estimated from a sample of the rows. It may be any number:
if the tree grown with it has k - 1 splits to make, all of them above the floor, the result is proved; else the floor is
lowered, and in the end the whole tree is grown. Where chance is taken off the decreases of nominal features before
features are compared, the floor may keep out the feature that ranks first, but only in favour of a nominal one whose
decrease less chance is below the floor: it, too, must be above.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ..growing.grow import grow
from ..growing.recipe import Recipe
from ..learning.learning_set import LearningSet
from ..tree.tree import Tree
from .best_first import LeafLimit, best_first

#: Rows of the sample at least, and for each leaf; and the most steps from one of its rows to the next.
_SAMPLE, _ROWS_PER_LEAF, _MOST_STEPS = 20_000, 500, 16
#: What the best split of a node of a sample gains by chance: so many times its impurity, divided by the sample's rows.
_BY_CHANCE = 12.0
#: Floors tried, each half of the one before.
_TRIED = 3
#: How far the splits made must be above the floor, as a share of it, so that no rounding makes one a tie with another.
_MARGIN = 1e-3
#: The lowest floor, as a share of the root's unit of decrease.
_LOWEST = 1e-6


def grow_within(learning: LearningSet, recipe: Recipe, limit: LeafLimit, keep: np.ndarray | None) -> Tree | None:
    """The tree that best-first growth with a limit of leaves grows, from all rows or those to keep.

    None where the whole tree must be grown: from few rows, by recipes that rank splits by more than their decrease, and
    where no floor was found.
    """
    kept = np.arange(learning.n) if keep is None else np.flatnonzero(keep)
    step = min(_MOST_STEPS, len(kept) // max(_SAMPLE, _ROWS_PER_LEAF * limit.most))
    if step < 3 or not _ranks_by_decrease(learning, recipe):
        return None
    floor = _estimated_floor(learning, recipe, limit, kept[::step], step)
    for _ in range(_TRIED):
        if floor <= max(_LOWEST, recipe.termination.min_impurity_decrease):
            return None
        limited = replace(recipe, termination=replace(recipe.termination, min_impurity_decrease=floor))
        found = limit(grow(learning.source(limited, keep), limited, {}))
        if found.n_leaves == limit.most and _is_above(found, floor, recipe):
            return found
        floor /= 2
    return None


def _ranks_by_decrease(learning: LearningSet, recipe: Recipe) -> bool:
    """Whether the kernel grows by the recipe, and ranks splits by their decrease, less chance of a known size."""
    known = recipe.search == "binary" and recipe.termination.stop is None
    return (
        known
        and recipe.max_competitors == 0
        and not recipe.draws.is_random
        and recipe.criterion.min_share < 0
        and not recipe.criterion.feature_costs
        and (not recipe.branching.correct_levels or not _misses_levels(learning))
    )


def _misses_levels(learning: LearningSet) -> bool:
    """Whether a value of a nominal feature is missing, so that chance depends on which rows of a node have one."""
    nominal = (j for j, feature in enumerate(learning.schema) if not feature.type.has_cuts)
    return any(learning.columns.values[j].min(initial=0) < 0 for j in nominal)


def _estimated_floor(learning: LearningSet, recipe: Recipe, limit: LeafLimit, rows: np.ndarray, step: int) -> float:
    """The least decrease of a few more splits than the limit allows, in a sample; 0 where there are not so many."""
    given = recipe.termination
    depth = math.ceil(math.log2(limit.most)) + 4
    termination = replace(
        given,
        max_depth=depth if given.max_depth is None else min(depth, given.max_depth),
        min_samples_split=max(2, given.min_samples_split // step),
        min_samples_leaf=max(1, given.min_samples_leaf // step),
    )
    recipe = replace(recipe, termination=termination, missing=replace(recipe.missing, max_surrogates=0))
    sample = np.zeros(learning.n, dtype=bool)
    sample[rows] = True
    tree = best_first(grow(learning.source(recipe, sample), recipe, {}), limit.most + limit.most // 4 + 1)
    if not tree.n_leaves >= limit.most > 1:
        return 0.0
    decreases, impurity = _decreases(tree), tree.impurity()[~tree.is_leaf]
    least = decreases.argmin()
    return float(max(decreases[least] - _BY_CHANCE * impurity[least] / len(rows), decreases[least] / 4))


def _is_above(tree: Tree, floor: float, recipe: Recipe) -> bool:
    """Whether all decreases of a tree are above a floor, also less chance, and the floor above all rounding."""
    unit = tree.response.unit_of_scores(tree.moments[0])
    decreases = _decreases(tree)
    if recipe.branching.correct_levels:
        decreases -= _by_chance(tree)
    return floor > _LOWEST * unit and float(decreases.min()) > floor * (1.0 + _MARGIN)


def _decreases(tree: Tree) -> np.ndarray:
    """Decreases of all splits as shares of the root's weight: what the kernel compares with a floor."""
    return (tree.weight * tree.score)[~tree.is_leaf] / tree.weight[0]


def _by_chance(tree: Tree) -> np.ndarray:
    """At most what the kernel takes off the decreases of all splits: as if all levels were present in each node."""
    inner = ~tree.is_leaf
    levels = np.array([0 if feature.type.has_cuts else len(feature.levels) for feature in tree.schema])
    groups = np.maximum(levels[tree.splits.feature[inner]] - 2, 0)
    impurity = (tree.weight * tree.impurity())[inner] / tree.weight[0]
    return groups * (2.0 / np.pi) * impurity / tree.rows[inner]
