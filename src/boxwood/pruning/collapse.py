"""Splits without benefit on the training rows: no fewer errors, or the same prediction in every branch."""

from __future__ import annotations

import numpy as np

from .._messages import must_be
from ..errors import ParameterError
from ..tree.rebuild import keep_nodes
from ..tree.tree import Tree


def collapse_errors(tree: Tree, slack: float = 1e-3) -> Tree:
    """C4.5's collapse: a branch that makes at least as many training errors as a leaf in its place becomes that leaf.

    From the leaves to the root, a node becomes a leaf when the errors of its collapsed branch are at least its own
    less ``slack`` (docs/c45.md). This never makes the tree worse on the rows it was grown from.

    Parameters
    ----------
    tree : Tree
        Of classes.
    slack : float
        In units of weight, not negative.

    Raises
    ------
    ParameterError
        The tree predicts a number, or the slack is negative.
    """
    tree.response.need_classes("collapsing counts wrong classes, but this tree predicts a number.")
    if not 0.0 <= slack < np.inf:
        raise ParameterError(must_be("slack", "a number of at least 0", slack))
    # Empty leaves, as most of many branches are, have no errors.
    filled = np.flatnonzero((tree.rows > 0) | ~tree.is_leaf)
    parent = np.searchsorted(filled, tree.parent[filled])
    moments, inner = tree.moments[filled], ~tree.is_leaf[filled]
    predicted = tree.response.value(moments).astype(np.int64)
    errors = (tree.weight[filled] - moments[np.arange(len(filled)), predicted]).tolist()
    below = _errors_of_staying(moments, parent, inner, predicted).tolist()
    closed = np.zeros(tree.n_nodes, dtype=bool)
    for i, (up, is_inner) in reversed(list(enumerate(zip(parent.tolist(), inner.tolist(), strict=True)))):
        if is_inner:
            if below[i] >= errors[i] - slack:
                closed[filled[i]] = True
            else:
                errors[i] = below[i]
        if i:
            below[up] += errors[i]
    return keep_nodes(tree, closed) if closed.any() else tree


def _errors_of_staying(moments: np.ndarray, parent: np.ndarray, inner: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """Weight of the rows that stay at each inner node and are wrong there, float64, shape (T,)."""
    below = np.zeros_like(moments)
    np.add.at(below, parent[1:], moments[1:])
    rest = np.where(inner[:, None], moments - below, 0.0)
    rest[np.arange(len(moments)), predicted] = 0.0
    return np.maximum(rest, 0.0).sum(axis=1)


def collapse_same_decision(tree: Tree) -> Tree:
    """Every node below which all leaves predict its own class becomes a leaf: predicted classes do not change.

    Rows that stay at an inner node get its prediction, so it counts too. Only probabilities become coarser.

    Parameters
    ----------
    tree : Tree
        Of classes.

    Raises
    ------
    ParameterError
        The tree predicts a number.
    """
    tree.response.need_classes(
        "leaves that predict the same class collapse, but this tree predicts a number; for a numeric target or a "
        "rate use CostComplexity or ReducedError."
    )
    predicted, parent = tree.value.tolist(), tree.parent.tolist()
    same = np.ones(tree.n_nodes, dtype=bool)
    for t in range(tree.n_nodes - 1, 0, -1):
        same[parent[t]] &= bool(same[t]) and predicted[t] == predicted[parent[t]]
    return keep_nodes(tree, same)
