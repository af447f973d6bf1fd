"""The confidence interval of a prediction: of each class probability, the mean or the rate."""

from __future__ import annotations

import numpy as np

from ..statistics.intervals import wilson
from ..statistics.responses.registry import CLASSES
from ..tree.tree import Tree

#: The value of ``made_by["moments"]`` for a tree whose nodes hold values of leaves, not training set.
LEAF_VALUES = "leaf values"


def node_intervals(tree: Tree, nodes: np.ndarray, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Intervals at a level of confidence; weights of rows count by the effective number of rows, class weights do not.

    Of each class, Wilson's interval of its share of the rows. Class weights and priors move the ends as they move the
    share, the other classes being mixed as they are here; the ends reach to a smoothed probability. Of a mean,
    Student's; of a rate of Poisson counts, the exact one; by a gamma or Tweedie deviance, Student's of its logarithm.

    Parameters
    ----------
    tree : Tree
    nodes : int, shape (m,)
    level : float
        Between 0 and 1.

    Returns
    -------
    low, high : float64, shape (m, K) for classes, else (m,)
        NaN for empty nodes, for means of one row or less, and in trees that do not know their rows.
    """
    response = tree.response
    if response.kind == CLASSES:
        low, high = _of_weighted(tree, nodes, level)
        if any(response.smoothing):
            predicted = tree.probability[nodes]
            low, high = np.minimum(low, predicted), np.maximum(high, predicted)
    else:
        weight, moments = tree.row_weight[nodes], tree.moments[nodes]
        scale = np.divide(tree.effective_rows[nodes], weight, out=np.ones_like(weight), where=weight > 0)
        low, high = response.interval(moments, scale, level)
    return _where_known(tree, nodes, low, high)


def row_intervals(tree: Tree, nodes: np.ndarray, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Wilson's interval of the share of the rows of each class, as :func:`node_intervals` without class weights."""
    return _where_known(tree, nodes, *_of_rows(tree, nodes, level))


def _where_known(tree: Tree, nodes: np.ndarray, *ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """NaN instead of the ends of nodes without rows, of leaves overruled, and of trees that do not know their rows."""
    unknown = (tree.rows[nodes] == 0) | (tree.made_by.get("moments") == LEAF_VALUES)
    decided = [t for t, mark in (tree.marks or {}).items() if mark.value is not None]
    unknown = unknown | np.isin(nodes, decided) if decided else unknown
    return tuple(np.where(unknown.reshape(-1, *[1] * (end.ndim - 1)), np.nan, end) for end in ends)


def _of_rows(tree: Tree, nodes: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Wilson's interval of every class by the effective number of rows; shape (m, K)."""
    counts, weight = tree.counts[nodes], tree.row_weight[nodes, None]
    shares = np.divide(counts, weight, out=np.zeros_like(counts), where=weight > 0)
    return wilson(shares, np.broadcast_to(tree.effective_rows[nodes, None], counts.shape), level)


def _of_weighted(tree: Tree, nodes: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """The same, moved by class weights and priors."""
    response, counts = tree.response, tree.counts[nodes]
    factors = np.asarray(response.factors) * np.asarray(response.class_weights or (1.0,))
    others = tree.row_weight[nodes, None] - counts
    altered = (counts * factors).sum(axis=1, keepdims=True) - counts * factors
    rest = np.divide(altered, others, out=np.ones_like(counts), where=others > 0)
    with np.errstate(invalid="ignore"):  # a class of prior 0 without any other class
        low, high = (factors * p / (factors * p + rest * (1.0 - p)) for p in _of_rows(tree, nodes, level))
    return low, high
