"""What nodes predict by: their own moments, or those of leaves that share a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .leaf_order import pools_of
from .marks import overruled
from .node_moments import moments_at, of_moments


def predicting_moments(tree: Any, nodes: np.ndarray) -> np.ndarray:
    """The moments by which some nodes predict, shape (n, M): their own, or those of leaves that share a value."""
    moments = moments_at(tree, tree.moments_node[nodes])
    if tree.monotonic is not None:
        pools = pools_of(tree)
        row = pools.of_node[nodes]
        moments[row >= 0] = pools.moments[row[row >= 0]]
    return moments


def of_predictions(tree: Any, find: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """What a function finds of the moments by which all nodes predict; shape (T,)."""
    if tree.monotonic is None:
        return overruled(tree.marks, of_moments(tree, find, tree.moments_node))
    return overruled(tree.marks, find(predicting_moments(tree, np.arange(tree.n_nodes))))


def probability_at(tree: Any, nodes: np.ndarray) -> np.ndarray:
    """Class probabilities of some nodes, shape (n, K)."""
    probability = tree.response.probability(predicting_moments(tree, nodes))
    if tree.response.empty == "class":
        empty = np.flatnonzero(tree.rows[nodes] == 0)
        probability[empty] = np.arange(probability.shape[1]) == tree.value[nodes[empty], None]
    return overruled(tree.marks, probability, nodes)
