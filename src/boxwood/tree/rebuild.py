"""Pruned copies of a tree: selected nodes become leaves, nodes below are removed, the rest is renumbered."""

from __future__ import annotations

import numpy as np

from .._messages import Setting
from ..errors import ParameterError
from .marks import renumbered
from .node_moments import moments_at
from .split import take_ragged
from .tree import STAYS, Tree


def keep_nodes(tree: Tree, is_leaf_now: np.ndarray) -> Tree:
    """A new tree in which the flagged nodes are leaves and everything below them is removed.

    Costs O(T log depth) and never recurses. The moments, rows and order of the kept nodes stay as they are; surrogates
    and competitors of the new leaves go.

    Parameters
    ----------
    tree : Tree
    is_leaf_now : bool, shape (T,)
        Nodes that become leaves; flags on leaves and below other flagged nodes change nothing.

    Returns
    -------
    Tree

    Raises
    ------
    ParameterError
        The flags are not one truth value per node.
    """
    flags = np.asarray(is_leaf_now)
    if flags.dtype != bool or flags.shape != (tree.n_nodes,):
        raise ParameterError(
            Setting("is_leaf_now"), f" must hold one truth value for each of the {tree.n_nodes} nodes."
        )
    old = np.flatnonzero(~_below(tree, flags))
    return take_nodes(tree, old, flags[old] | tree.is_leaf[old])


def take_nodes(tree: Tree, old: np.ndarray, leaf: np.ndarray) -> Tree:
    """A new tree whose node i is node ``old[i]`` of the tree, as a leaf or with its split.

    Parameters
    ----------
    tree : Tree
    old : int64, shape (T',)
        In the level order of the new tree: the children of its inner nodes, in order, are the nodes 1 to T' - 1. What
        is below a node need not have been there before (a branch lifted into the place of its parent).
    leaf : bool, shape (T',)
    """
    n_children = np.where(leaf, 0, tree.n_children[old]).astype(np.int32)
    first_child = np.where(leaf, -1, 1 + np.cumsum(n_children) - n_children).astype(np.int32)
    parent = np.concatenate([[-1], np.repeat(np.arange(len(old)), n_children)]).astype(np.int32)
    split_at = np.where(leaf, -1, old)
    surrogate_start, surrogate_at = take_ragged(tree.surrogate_start, split_at)
    competitor_start, competitor_at = take_ragged(tree.competitor_start, split_at)
    return Tree(
        schema=tree.schema,
        response=tree.response,
        parent=parent,
        first_child=first_child,
        n_children=n_children,
        splits=tree.splits.take(split_at),
        missing=np.where(leaf, STAYS, tree.missing[old]).astype(np.int32),
        heuristic=tree.heuristic[old] & ~leaf,
        moments=moments_at(tree, old),
        rows=tree.rows[old],
        score=np.where(leaf, np.nan, tree.score[old]),
        surrogate_start=surrogate_start,
        surrogates=tree.surrogates.take(surrogate_at),
        agreement=tree.agreement[surrogate_at],
        adjusted=tree.adjusted[surrogate_at],
        competitor_start=competitor_start,
        competitors=tree.competitors.take(competitor_at),
        competitor_score=tree.competitor_score[competitor_at],
        made_by=tree.made_by,
        log_p=None if tree.log_p is None else np.where(leaf, np.nan, tree.log_p[old]),
        weight_squares=None if tree.weight_squares is None else tree.weight_squares[old],
        marks=renumbered(tree.marks, old, leaf, tree.is_leaf[old]),
        monotonic=tree.monotonic,
    )


def _below(tree: Tree, flags: np.ndarray) -> np.ndarray:
    """Whether some proper ancestor of each node is flagged, bool, shape (T,)."""
    below = flags[tree.parent]
    below[0] = False
    for up in tree.binary_lifting():
        below |= below[up]
    return below
