"""Choosing how far to prune: the weakest-link family of the full tree, judged by cross-validation or cut at a given alpha."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import ParameterError
from ..growing.grow import grow
from ..pruning.best_first import best_first
from ..pruning.cost_complexity import CostComplexityPath, leaves_and_risks, risk_of, weakest_links
from ..pruning.rpart_table import rpart_complexity
from ..pruning.ties import settle_ties
from ..pruning.validation import HeldOutLosses, HeldOutRows, choose, grid, heldout_losses
from ..sources.recipe import Recipe
from ..statistics.response import CLASSES, MEAN
from ..tree.descend import land
from ..tree.tree import Tree
from .folds import content_folds
from .learning_set import LearningSet

log = logging.getLogger("boxwood")

RULES = ("min", "1se", "none")


@dataclass(frozen=True, eq=False)
class CostComplexity:
    """Weakest-link pruning (Breiman et al. 1984, chapter 3) as a choice for ``pruning=``.

    Parameters
    ----------
    rule : {"min", "1se", "none"}
        Which tree of the family to take after cross-validation: the smallest one within rounding of the least
        held-out loss; the smallest one within one standard error of it; the one that ``cp`` alone gives.
    folds : int or array-like of int, shape (n,), or None
        Number of folds, drawn from the data's content; or the fold of each row; None = no cross-validation (rule
        "none").
    cp : float
        Nothing below this alpha is considered, as a share of the root's risk (rpart's ``cp``).
    risk : str or None
        Risk whose decrease is weighed against leaves: "error", "gini", "entropy", "variance", "poisson"; None = the
        criterion's.
    style : {"exact", "rpart"}
        Exact weakest links, or rpart's one-pass complexity.

    Examples
    --------
    >>> from boxwood import CARTClassifier, CostComplexity
    >>> rpart_like = CARTClassifier(min_samples_split=20, min_samples_leaf=7, ccp_risk="error",
    ...                             pruning=CostComplexity(rule="none", folds=None, cp=0.01))
    """

    rule: str = "min"
    folds: Any = 10
    cp: float = 0.0
    risk: str | None = None
    style: str = "exact"

    def __post_init__(self):
        if self.rule not in RULES:
            raise ParameterError(f"rule must be one of {', '.join(map(repr, RULES))}; got {self.rule!r}.")
        if self.style not in ("exact", "rpart"):
            raise ParameterError(f"style must be 'exact' or 'rpart'; got {self.style!r}.")
        if not (isinstance(self.cp, (int, float)) and 0.0 <= self.cp < np.inf):
            raise ParameterError(f"cp must be a number of at least 0; got {self.cp!r}.")
        if not isinstance(self.risk, (str, type(None))):
            raise ParameterError(f"risk must be None or a name such as 'error' or 'variance'; got {self.risk!r}.")
        if self.folds is None and self.rule != "none":
            raise ParameterError(f"rule={self.rule!r} needs folds; give a number of folds or use rule='none'.")
        if isinstance(self.folds, (int, np.integer)) and self.folds < 2:
            raise ParameterError(f"folds must be at least 2; got {self.folds!r}.")

    def __repr__(self) -> str:
        folds = self.folds if isinstance(self.folds, (int, type(None))) else "array"
        return f"CostComplexity(rule={self.rule!r}, folds={folds}, cp={self.cp}, risk={self.risk!r}, style={self.style!r})"


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


def family(tree: Tree, pruner: CostComplexity, least: float | None = None) -> CostComplexityPath:
    """The nested family of a tree, from ``cp`` upwards, or from the alpha ``least``."""
    risk = risk_of(tree, pruner.risk)
    if least is None:
        least = pruner.cp * float(risk[0])
    if pruner.style == "exact":
        path = weakest_links(tree, risk)
        collapses_at = path.collapses_at
        if least == 0.0:
            return path
    else:
        collapses_at = settle_ties(rpart_complexity(tree, risk, least), 1e-13 * float(risk[0]))
    collapses_at = np.maximum(collapses_at, least)
    collapses_at[tree.is_leaf] = 0.0
    alphas = np.unique(np.append(collapses_at[~tree.is_leaf], least))
    n_leaves, risks = leaves_and_risks(tree, risk, collapses_at, alphas)
    return CostComplexityPath(alphas, n_leaves, risks, collapses_at, float(risk[0]))


@dataclass(frozen=True, eq=False)
class Growth:
    """How trees are grown here: a recipe, the limit of leaves, and what the trees say of their origin."""

    recipe: Recipe
    made_by: dict
    max_leaf_nodes: int | None = None

    def tree(self, learning: LearningSet, keep: np.ndarray | None = None) -> Tree:
        """The full tree from all rows, or from those to keep."""
        tree = grow(learning.source(keep), self.recipe, self.made_by)
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
    growth = replace(growth, recipe=replace(growth.recipe, rank_cuts=pruner.style == "exact"))
    held_out = [_fold(learning, growth, pruner, fold, f, path.alphas) for f in range(int(fold.max()) + 1)]
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


def _folds(learning: LearningSet, folds, salt: int | None) -> tuple[np.ndarray | None, str]:
    """The fold of each row of positive weight, or None and the reason."""
    if isinstance(folds, (int, np.integer)):
        fold = content_folds(learning, int(folds), salt)
        note = f"too few distinct rows for {folds}-fold cross-validation: the tree is not pruned."
        return fold, "" if fold is not None else note
    given = np.asarray(folds)
    if given.shape != (learning.n_given,):
        raise ParameterError(f"folds must hold one number for each of the {learning.n_given} rows; got shape {given.shape}.")
    return np.unique(given[learning.rows], return_inverse=True)[1].astype(np.int32), ""


@dataclass(frozen=True, eq=False)
class _HeldOut:
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


def _fold(learning: LearningSet, growth: Growth, pruner: CostComplexity, fold: np.ndarray, f: int, alphas: np.ndarray) -> _HeldOut:
    """Grow without fold ``f``, then let its rows judge the trees between the alphas of the full tree."""
    keep = fold != f
    tree = growth.tree(learning, keep)
    weight = learning.weight
    share = float(weight[keep].sum() / weight.sum())
    like_rpart = pruner.style == "rpart"  # it prunes the trees of folds at the alpha of the full tree
    path = family(tree, pruner, float(alphas[0]) * share if like_rpart else None)
    held_out = np.flatnonzero(~keep).astype(np.uint32)
    if growth.recipe.rank_cuts:
        node = learning.encoded.land(tree, held_out, learning.threads)
    else:
        tree_to_land = _open_below(tree) if like_rpart else tree
        node = land(tree_to_land, learning.columns.take(held_out), threads=learning.threads).node
    rows = HeldOutRows(node.astype(np.int64), _response_of(learning, ~keep), weight[~keep])
    losses = heldout_losses(tree, path.collapses_at, grid(alphas) * share, rows)
    log.info("fold %d: %d leaves from %d rows", f + 1, tree.n_leaves, int(keep.sum()))
    return _HeldOut(tree, path.collapses_at, share, rows, losses)


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
