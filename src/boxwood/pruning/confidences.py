"""The trees of several confidences of error-based pruning; they need not be nested."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..tree.tree import Tree
from .confusions import PredictedClasses, confusions_at
from .cost_complexity import risk_of
from .losses import HeldOutLosses
from .nested import Ends
from .validation import tree_losses


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

    def losses(self, points: np.ndarray, ends: Ends, losses: tuple, weights_count: bool = False) -> list[HeldOutLosses]:
        """Losses of held-out rows in the trees of some confidences, by each of some losses."""
        trees = [self.trees[point] for point in points.tolist()]
        found = [tree_losses(tree, ends(tree), losses, weights_count) for tree in trees]
        return [
            replace(parts[0], sums=np.concatenate([part.sums for part in parts], axis=2))
            for parts in zip(*found, strict=True)
        ]

    def confusions(self, ends: Ends) -> Callable[[float], np.ndarray]:
        """Weights of held-out rows, actual by predicted class, in the tree of a confidence, shape (K, K)."""

        def confusion(point: float) -> np.ndarray:
            tree = self.trees[point]
            return confusions_at(PredictedClasses.of([tree]), tree.is_leaf, ends(tree))[0]

        return confusion
