"""Actual by predicted classes of held-out rows in pruned trees, counted without making these trees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..tree.side_by_side import figures_of_all
from ..tree.tree import Tree
from .validation import HeldOutRows


@dataclass(frozen=True, eq=False)
class PredictedClasses:
    """The classes that the nodes of some trees predict.

    Attributes
    ----------
    parent : int32, shape (T,)
        That of a root is itself.
    label : int64, shape (T,)
        Number of the predicted class.
    n_classes : int
    """

    parent: np.ndarray
    label: np.ndarray
    n_classes: int

    @classmethod
    def of(cls, trees: list[Tree]) -> PredictedClasses:
        """Those of some trees, one after the other; they do not keep them in memory."""
        sizes = [tree.n_nodes for tree in trees]
        roots = np.repeat(np.cumsum([0, *sizes[:-1]]), sizes).astype(np.int32)
        parent = np.maximum(np.concatenate([tree.parent for tree in trees]), 0) + roots
        label = figures_of_all(trees, "value", lambda tree: tree.value)
        return cls(parent, label, len(trees[0].response.labels))


def confusions_at(
    predicted: PredictedClasses, closed: np.ndarray, rows: HeldOutRows, tree: np.ndarray | int = 0, trees: int = 1
) -> np.ndarray:
    """Weights of held-out rows, actual by predicted class, when some nodes answer for all below them; (trees, K, K).

    Parameters
    ----------
    predicted : PredictedClasses
    closed : bool, shape (T,)
    rows : HeldOutRows
    tree : int, shape (n,)
        Which of the trees each row goes down.
    trees : int
    """
    k = predicted.n_classes
    codes = predicted.label[_stops_at(predicted.parent, closed)[rows.node]]
    return rows.total((tree * k + rows.y) * k + codes, trees * k * k).reshape(trees, k, k)


def _stops_at(parent: np.ndarray, closed: np.ndarray) -> np.ndarray:
    """The highest closed node on the path to each node, itself if there is none above; int32, shape (T,)."""
    stop = np.where(closed[parent], parent, np.arange(len(parent), dtype=np.int32))
    while True:
        above = stop[stop]
        if (above == stop).all():
            return stop
        stop = above


def joined_rows(held: list[HeldOutRows], sizes: list[int]) -> tuple[HeldOutRows, np.ndarray]:
    """The rows of several trees of so many nodes, which are numbered one after the other; and the tree of each."""
    tree = np.repeat(np.arange(len(held)), [len(rows.node) for rows in held])
    node, y, weight = (np.concatenate([getattr(rows, name) for rows in held]) for name in ("node", "y", "weight"))
    count = None if held[0].count is None else np.concatenate([rows.count for rows in held])
    return HeldOutRows(node + np.cumsum([0, *sizes])[tree], y, weight, count), tree
