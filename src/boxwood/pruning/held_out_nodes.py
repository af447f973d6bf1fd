"""Held-out loss of each node as a leaf, and how many held-out rows reach it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..tree.tree import Tree
from .validation import HeldOutRows, in_canonical_order, losses_at

#: Losses this close, as a share of the larger one, are equal.
EQUAL = 1e-9


@dataclass(frozen=True, eq=False)
class HeldOutNodes:
    """Held-out rows by node, shape (T,) each.

    Attributes
    ----------
    loss : float64
        Sum of weight * loss of the rows that reach the node, if the node predicts its own value for all of them.
    stays : float64
        The part of ``loss`` of rows that end at the node itself, although it splits.
    weight : float64
        Sum of the weights of the rows that reach the node.
    """

    loss: np.ndarray
    stays: np.ndarray
    weight: np.ndarray


def held_out_nodes(tree: Tree, rows: HeldOutRows, of_loss: str | None = None) -> HeldOutNodes:
    """The held-out loss of every node as a leaf; costs O(n * depth), in any order of the rows.

    Parameters
    ----------
    tree : Tree
        Grown without these rows.
    rows : HeldOutRows
    of_loss : str, optional
        See ``Response.losses``; by default that of what is predicted.
    """
    rows = rows.one_by_one()
    at, y, weight = in_canonical_order(np.asarray(rows.node), np.asarray(rows.y), np.asarray(rows.weight, np.float64))
    own = np.bincount(at, weight * losses_at(tree, at, y, of_loss), tree.n_nodes)
    loss, reaching = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
    while len(at):
        loss += np.bincount(at, weight * losses_at(tree, at, y, of_loss), tree.n_nodes)
        reaching += np.bincount(at, weight, tree.n_nodes)
        at = tree.parent[at].astype(np.int64)
        going = at >= 0
        at, y, weight = at[going], y[going], weight[going]
    return HeldOutNodes(loss, np.where(tree.is_leaf, 0.0, own), reaching)


def is_lower(new: float, old: float) -> bool:
    """Whether a loss is lower than another by more than rounding."""
    return new < old - EQUAL * abs(old)
