"""A nested sequence of pruned trees: each node collapses at one value of a parameter, by any rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from ..tree.rebuild import keep_nodes
from ..tree.tree import Tree
from .confusions import PredictedClasses, confusions_at, joined_rows
from .losses import HeldOutLosses
from .validation import HeldOutRows, losses_by, losses_of_each

#: So many cells of confusions are counted at once.
_CELLS = 1 << 17
#: Rows that are sent down a tree, as where they end.
Ends = Callable[[Tree], HeldOutRows]


@dataclass(frozen=True, eq=False)
class NestedFamily:
    """The trees that one parameter cuts from a tree; a larger value never gives a larger tree.

    Attributes
    ----------
    tree : Tree
        From which all are cut.
    values : float64, shape (S,)
        Rising; one for each different tree.
    n_leaves : int64, shape (S,)
    risks : float64, shape (S,)
        Risk on the training set.
    collapses_at : float64, shape (T,)
        In the tree at a value, the nodes with ``collapses_at <= value`` are leaves. Never above the parent's, and not
        above the first value at leaves.
    """

    tree: Tree
    values: np.ndarray
    n_leaves: np.ndarray
    risks: np.ndarray
    collapses_at: np.ndarray

    def cut(self, row: int) -> Tree:
        """The tree of a row."""
        return keep_nodes(self.tree, self.collapses_at <= self.values[row])

    def losses(self, points: np.ndarray, ends: Ends, losses: tuple, weights_count: bool = False) -> list[HeldOutLosses]:
        """Held-out rows in the trees at some rising values of the parameter, by each of some losses."""
        return losses_by(self.tree, (self.collapses_at, points), ends(self.tree), losses, weights_count)

    def confusions(self, ends: Ends) -> Callable[[float], np.ndarray]:
        """Weights of held-out rows, actual by predicted class, in the tree at a value, shape (K, K)."""
        found = confusions_in_families([(self, self.values, ends)])
        return lambda point: found([point])[0]


def losses_in_families(cases: list[tuple], losses: tuple, weights_count: bool) -> list[list[HeldOutLosses]]:
    """Held-out losses of the trees of folds, (family, points, ends) of each; at once where all are nested families."""
    if not all(isinstance(family, NestedFamily) for family, _, _ in cases):
        return [family.losses(points, ends, losses, weights_count) for family, points, ends in cases]
    nested = [(family.tree, (family.collapses_at, points), ends(family.tree)) for family, points, ends in cases]
    return losses_of_each(nested, losses, weights_count)


def confusions_in_families(cases: list[tuple]) -> Callable[[list[float]], Iterable[np.ndarray]]:
    """Confusions of the same in the trees at a value for each fold.

    What is returned does not hold the trees, which take much more memory than what the classes need of them.
    """
    trees = [family.tree for family, _, _ in cases]
    are_few = len(trees) == 1 or len(trees) * len(trees[0].response.labels) ** 2 <= _CELLS
    if not (are_few and all(isinstance(family, NestedFamily) for family, _, _ in cases)):
        each = [family.confusions(ends) for family, _, ends in cases]
        return lambda points: [one(point) for one, point in zip(each, points, strict=True)]
    predicted, sizes = PredictedClasses.of(trees), [tree.n_nodes for tree in trees]
    collapses_at = np.concatenate([family.collapses_at for family, _, _ in cases])
    rows, of_fold = joined_rows([ends(family.tree) for family, _, ends in cases], sizes)
    return lambda points: confusions_at(predicted, collapses_at <= np.repeat(points, sizes), rows, of_fold, len(points))
