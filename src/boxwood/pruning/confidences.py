"""The trees of several confidences of error-based pruning; they need not be nested."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..tree.tree import Tree
from .cost_complexity import risk_of
from .nested import Ends
from .validation import HeldOutLosses, PredictedClasses, confusion_at, tree_losses


@dataclass(frozen=True, eq=False)
class ConfidenceFamily:
    """Trees of one tree, one for each confidence.

    Attributes
    ----------
    tree : Tree
        From which all are made.
    values : float64, shape (S,)
        Confidences, falling: from the one that prunes least to the one that prunes most.
    prune_at : callable
        Confidence -> Tree.
    """

    tree: Tree
    values: np.ndarray
    prune_at: Callable[[float], Tree]

    @cached_property
    def trees(self) -> dict[float, Tree]:
        """The tree of each confidence."""
        return {value: self.prune_at(value) for value in self.values.tolist()}

    @property
    def n_leaves(self) -> np.ndarray:
        """Leaves of each tree, int64, shape (S,)."""
        return np.array([tree.n_leaves for tree in self.trees.values()])

    @property
    def risks(self) -> np.ndarray:
        """Errors of each tree on the training set, shape (S,)."""
        return np.array([float(risk_of(tree, "error")[tree.is_leaf].sum()) for tree in self.trees.values()])

    def cut(self, row: int) -> Tree:
        """The tree of a row."""
        return self.trees[float(self.values[row])]

    def losses(self, points: np.ndarray, ends: Ends) -> HeldOutLosses:
        """Losses of held-out rows in the trees of some confidences."""
        parts = [tree_losses(self.trees[point], ends(self.trees[point])) for point in points.tolist()]
        totals, squares = (np.array([getattr(part, name)[0] for part in parts]) for name in ("totals", "squares"))
        return HeldOutLosses(totals, squares, parts[0].weight)

    def confusions(self, ends: Ends) -> Callable[[float], np.ndarray]:
        """Weights of held-out rows, actual by predicted class, in the tree of a confidence, shape (K, K)."""

        def confusion(point: float) -> np.ndarray:
            tree = self.trees[point]
            return confusion_at(PredictedClasses.of(tree), tree.is_leaf, ends(tree))

        return confusion
