"""How the trees of one fit are grown: the full tree, and those without a fold or a holdout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..errors import RowsLostError
from ..growing.grow import grow
from ..growing.recipe import Recipe
from ..learning.learning_set import LearningSet
from ..tree.lazy_arrays import changed
from ..tree.node_moments import moments_at
from ..tree.tree import Tree
from .best_first import LeafLimit
from .leaf_limit import grow_within


@dataclass(frozen=True, eq=False)
class Growth:
    """A recipe, what is done to each grown tree before it is pruned, and what trees record of their origin.

    Attributes
    ----------
    recipe : Recipe
    made_by : dict
    finishing : callable, optional
        Tree -> Tree, such as a limit of leaves; None = the tree stays as grown.
    smoothing : {"laplace"}, float or None
        Of the probabilities of leaves, by the root of each tree (``Response.smoothed``).
    forced : callable, optional
        (tree, growth, learning set, rows to keep) -> the tree with splits that it must begin with.
    """

    recipe: Recipe
    made_by: dict
    finishing: Callable[[Tree], Tree] | None = None
    smoothing: str | float | None = None
    forced: Callable[[Tree, Growth, LearningSet, np.ndarray | None], Tree] | None = None

    def tree(self, learning: LearningSet, keep: np.ndarray | None = None) -> Tree:
        """The full tree from all rows, or from those to keep (bool, shape (n,))."""
        within = self._within_limit(learning, keep)
        if within is not None:
            return within
        try:
            tree = grow(learning.source(self.recipe, keep), self.recipe, self.made_by)
        except RowsLostError:
            learning.resampling.prepare()
            return self.tree(learning, keep)
        if self.forced is not None:
            tree = changed(self.forced(tree, self, learning, keep), made_by=self.made_by)
        return self._smoothed(tree if self.finishing is None else self.finishing(tree))

    def ordered_tree(self, learning: LearningSet, keep: np.ndarray | None = None) -> Tree:
        """The full tree, whose values are in the order that the recipe requires; those of folds are not."""
        tree, signs = self.tree(learning, keep), self.recipe.constraints.monotonic
        return changed(tree, monotonic=np.array([signs, learning.gaps], dtype=np.int32)) if signs else tree

    def _smoothed(self, tree: Tree) -> Tree:
        """The tree with the probabilities that its leaves predict."""
        if self.smoothing is None:
            return tree
        root = moments_at(tree, np.arange(1))[0]
        return changed(tree, response=tree.response.smoothed(root, int(tree.rows[0]), self.smoothing))

    def trees(self, learning: LearningSet, keeps: list[np.ndarray]) -> list[Tree]:
        """The full tree from each choice of rows (bool, shape (n,)), side by side where the source can."""
        within = self._within_limit(learning, keeps[0]) if keeps else None
        if within is not None:
            return [within, *(self.tree(learning, keep) for keep in keeps[1:])]
        # a function of the user's own is called node by node, and splits are forced in one tree after the other
        by_level = self.recipe.termination.stop is not None or self.forced is not None
        grown = None if by_level else learning.source(self.recipe).finish_each(self.recipe, keeps)
        if grown is None:
            return [self.tree(learning, keep) for keep in keeps]
        trees = [changed(tree, made_by=self.made_by) for tree in grown]
        return [self._smoothed(tree if self.finishing is None else self.finishing(tree)) for tree in trees]

    def _within_limit(self, learning: LearningSet, keep: np.ndarray | None) -> Tree | None:
        """The tree of a limit of leaves, grown without what the limit cannot reach; None where that is not possible."""
        limited = isinstance(self.finishing, LeafLimit) and self.forced is None
        if not limited or not isinstance(learning, LearningSet):
            return None
        found = grow_within(learning, self.recipe, self.finishing, keep)
        return None if found is None else self._smoothed(changed(found, made_by=self.made_by))

    def of_folds(self, learning: LearningSet, rank_cuts: bool, min_risk: float = 0.0) -> Growth:
        """The same for trees of folds: without what no held-out row needs, with cuts by rank if requested.

        Runners-up go, and surrogates where no value is missing: they are found once, for the tree itself. rpart has
        them in its folds, where they route levels that a fold has not seen. In binary trees what is below nodes of
        no more than ``min_risk`` goes too, unless a limit of leaves must choose among all splits.
        """
        recipe = self.recipe
        is_binary = recipe.has_kernel_search and recipe.branching.search == "binary"
        min_risk = min_risk if is_binary and self.finishing is None else 0.0
        has_surrogates = learning.has_missing
        if recipe.missing.rpart_quirk:
            has_surrogates = has_surrogates or any(not feature.type.has_cuts for feature in learning.schema)
        rank_cuts = rank_cuts and self.forced is None  # conditions are about values
        missing = recipe.missing if has_surrogates else replace(recipe.missing, max_surrogates=0)
        recipe = replace(
            recipe, rank_cuts=rank_cuts, short_cuts=(), max_competitors=0, missing=missing, min_risk=min_risk
        )
        return replace(self, recipe=recipe)
