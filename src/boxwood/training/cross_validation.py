"""Cross-validated pruning: the trees of folds, grown from the same codes, judge the family of the full tree."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

import numpy as np

from ..data.schema import NOMINAL
from ..errors import ParameterError
from ..growing.grow import grow
from ..pruning.best_first import best_first
from ..pruning.cost_complexity import CostComplexityPath
from ..pruning.validation import HeldOutLosses, HeldOutRows, choose, grid, heldout_losses
from ..sources.recipe import Recipe
from ..statistics.response import CLASSES, MEAN
from ..tree.descend import land
from ..tree.tree import Tree
from .folds import content_folds
from .learning_set import LearningSet
from .pruner import CostComplexity, family

log = logging.getLogger("boxwood")


@dataclass(frozen=True, eq=False)
class Pruned:
    """What pruning found.

    Attributes
    ----------
    path : CostComplexityPath
        Of the full tree, in units of weight.
    alpha : float
        The alpha chosen, in the units of the path.
    losses : HeldOutLosses or None
        For each row of the path, when folds were drawn.
    confusion : int or float array of shape (K, K), or None
        Weights of held-out rows, true class by class said, at the alpha chosen.
    notes : tuple of str
        Sentences for people.
    """

    path: CostComplexityPath
    alpha: float
    losses: HeldOutLosses | None = None
    confusion: np.ndarray | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Growth:
    """How trees are grown here: a recipe, the limit of leaves, and what the trees say of their origin."""

    recipe: Recipe
    made_by: dict
    max_leaf_nodes: int | None = None

    def tree(self, learning: LearningSet, keep: np.ndarray | None = None) -> Tree:
        """The full tree from all rows, or from those to keep."""
        tree = grow(learning.source(self.recipe, keep), self.recipe, self.made_by)
        return tree if self.max_leaf_nodes is None else best_first(tree, self.max_leaf_nodes)


def prune(learning: LearningSet, growth: Growth, full: Tree, pruner: CostComplexity, salt: int | None = None) -> Pruned:
    """The family of the full tree and the alpha chosen."""
    path = family(full, pruner)
    least = float(path.alphas[0])
    if pruner.folds is None:
        return Pruned(path, least)
    fold, note = _folds(learning, pruner.folds, salt)
    if fold is None:
        return Pruned(path, least, notes=(note,))
    judge = FoldJudge(learning, replace(growth, recipe=_of_folds(learning, growth.recipe, pruner)), pruner, path.alphas)
    held_out = []
    for f in range(int(fold.max()) + 1):
        held_out.append(judge.fold(fold != f))
        log.info("fold %d of %d: %d leaves", f + 1, int(fold.max()) + 1, held_out[f].tree.n_leaves)
    losses = held_out[0].losses
    for other in held_out[1:]:
        losses = losses + other.losses
    row = 0
    if pruner.rule != "none":
        row = choose(path.alphas, losses.mean(), losses.standard_error(), pruner.rule)
    confusion = None
    if learning.response.kind == CLASSES:
        k = len(learning.response.labels)
        confusion = sum(h.confusion(float(grid(path.alphas)[row]), k) for h in held_out)
    return Pruned(path, float(path.alphas[row]), losses, confusion)


def _of_folds(learning: LearningSet, recipe: Recipe, pruner: CostComplexity) -> Recipe:
    """The recipe without what no held-out row can ask for: runners-up, and surrogates where nothing can be missing."""
    columns = learning.columns
    asks = any(f.kind == NOMINAL or columns.missing(j).any() for j, f in enumerate(columns.schema))
    missing = recipe.missing if asks else replace(recipe.missing, max_surrogates=0)
    return replace(recipe, rank_cuts=pruner.style == "exact", max_competitors=0, missing=missing)


def _folds(learning: LearningSet, folds, salt: int | None) -> tuple[np.ndarray | None, str]:
    """The fold of each row of positive weight, or None and the reason."""
    if isinstance(folds, (int, np.integer)):
        fold = content_folds(learning, int(folds), salt)
        note = f"too few distinct rows for {folds}-fold cross-validation: the tree is not pruned."
        return fold, "" if fold is not None else note
    given = np.asarray(folds)
    if given.shape != (learning.n_given,):
        raise ParameterError(
            f"folds must hold one number for each of the {learning.n_given} rows; got shape {given.shape}."
        )
    if given.dtype.kind not in "iub":
        raise ParameterError(f"folds must hold whole numbers; got values of type {given.dtype}.")
    names, fold = np.unique(given[learning.rows], return_inverse=True)
    if len(names) < 2:
        raise ParameterError(f"folds must name at least 2 folds; all rows are in fold {names[0]}.")
    return fold.astype(np.int32), ""


@dataclass(frozen=True, eq=False)
class HeldOutFold:
    """One fold: its tree, its family, and the rows it was not grown from."""

    tree: Tree
    collapses_at: np.ndarray
    share: float
    rows: HeldOutRows
    losses: HeldOutLosses

    def confusion(self, beta: float, k: int) -> np.ndarray:
        """Weights by true class and class said in the fold's tree at ``beta``."""
        stop = _stops_at(self.tree, self.collapses_at <= beta * self.share)
        said = self.tree.value[stop[self.rows.node]]
        return np.bincount(self.rows.y * k + said, self.rows.weight, k * k).reshape(k, k)


def _stops_at(tree: Tree, closed: np.ndarray) -> np.ndarray:
    """The highest closed node on the way to each node, itself if there is none above; int32, shape (T,)."""
    parent = np.maximum(tree.parent, 0)
    stop = np.where(closed[parent], parent, np.arange(tree.n_nodes, dtype=np.int32))
    while True:
        above = stop[stop]
        if np.array_equal(above, stop):
            return stop
        stop = above


@dataclass(frozen=True, eq=False)
class FoldJudge:
    """Grows the trees of folds and lets the rows left out judge every tree of the family.

    Attributes
    ----------
    learning : LearningSet
    growth : Growth
    pruner : CostComplexity
    alphas : float64, shape (S,)
        Of the full tree's family.
    """

    learning: LearningSet
    growth: Growth
    pruner: CostComplexity
    alphas: np.ndarray

    def fold(self, keep: np.ndarray) -> HeldOutFold:
        """Grow from the rows to keep (bool, shape (n,)), judge by the others."""
        learning = self.learning
        tree = self.growth.tree(learning, keep)
        weight = learning.weight
        share = float(weight[keep].sum() / weight.sum())
        # rpart prunes the trees of folds at the alpha of the full tree
        least = float(self.alphas[0]) * share if self.pruner.style == "rpart" else None
        collapses_at = family(tree, self.pruner, least).collapses_at
        rows = HeldOutRows(self._ends(tree, ~keep), _response_of(learning, ~keep), weight[~keep])
        losses = heldout_losses(tree, collapses_at, grid(self.alphas) * share, rows)
        return HeldOutFold(tree, collapses_at, share, rows, losses)

    def _ends(self, tree: Tree, held_out: np.ndarray) -> np.ndarray:
        """Node in which each held-out row ends, int64."""
        rows = np.flatnonzero(held_out).astype(np.uint32)
        if self.growth.recipe.rank_cuts:
            return self.learning.encoded.land(tree, rows, self.learning.threads).astype(np.int64)
        columns = self.learning.columns.take(rows)
        return land(_open_below(tree), columns, threads=self.learning.threads).node.astype(np.int64)


def _open_below(tree: Tree) -> Tree:
    """The same tree with rpart's cuts, "x < cut": a held-out value can lie right on one."""
    lower = [replace(table, breaks=np.nextafter(table.breaks, -np.inf)) for table in (tree.splits, tree.surrogates)]
    return replace(tree, splits=lower[0], surrogates=lower[1])


def _response_of(learning: LearningSet, rows: np.ndarray) -> np.ndarray:
    """y of some rows back from exact numbers: class codes, quantities, or (exposure, events)."""
    exact = learning.exact
    if exact.kind == CLASSES:
        return exact.codes[rows]
    if exact.kind == MEAN:
        return exact.values()[rows]
    return np.column_stack((exact.high[rows] * exact.scale, exact.low[rows] * exact.low_scale))
