"""The confidence interval of a prediction: of each class probability, the mean or the rate."""

from __future__ import annotations

import numpy as np

from ..statistics.intervals import mean_interval, rate_interval, wilson
from ..statistics.response import CLASSES, MEAN
from ..tree.tree import Tree

#: What ``made_by["moments"]`` says of a tree whose nodes hold values of leaves, not training set.
LEAF_VALUES = "leaf values"


def node_intervals(tree: Tree, nodes: np.ndarray, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Intervals at a level of confidence; weights count as numbers of rows.

    Wilson's interval of the share of each class (priors move its ends as they move the share, the other classes being
    mixed as they are here; smoothing does not enter), Student's of a mean, the exact one of a rate of Poisson counts.

    Parameters
    ----------
    tree : Tree
    nodes : int, shape (m,)
    level : float
        Between 0 and 1.

    Returns
    -------
    low, high : float64, shape (m, K) for classes, else (m,)
        NaN for empty nodes, for means of a weight of 1 or less, and in trees that do not know their rows.
    """
    moments = tree.moments[nodes]
    if tree.response.kind == CLASSES:
        low, high = _of_shares(np.asarray(tree.response.factors), moments, level)
    elif tree.response.kind == MEAN:
        low, high = mean_interval(moments, level)
    else:
        low, high = rate_interval(moments[:, 2], moments[:, 1], level)
    unknown = (tree.rows[nodes] == 0) | (tree.made_by.get("moments") == LEAF_VALUES)
    return tuple(np.where(unknown.reshape(-1, *[1] * (end.ndim - 1)), np.nan, end) for end in (low, high))


def _of_shares(factors: np.ndarray, moments: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Wilson's interval of every class, moved by the priors; shape (m, K)."""
    weight = moments.sum(axis=1, keepdims=True)
    shares = np.divide(moments, weight, out=np.zeros_like(moments), where=weight > 0)
    others = weight - moments
    altered = (moments * factors).sum(axis=1, keepdims=True) - moments * factors
    rest = np.divide(altered, others, out=np.ones_like(moments), where=others > 0)
    ends = wilson(shares, np.broadcast_to(weight, moments.shape), level)
    with np.errstate(invalid="ignore"):  # a class of prior 0 that no other class stands beside
        low, high = (factors * p / (factors * p + rest * (1.0 - p)) for p in ends)
    return low, high
