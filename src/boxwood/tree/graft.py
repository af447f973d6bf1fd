"""Separately grown trees put in place of leaves of another tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .builder import join_splits
from .marks import joined
from .rebuild import take_nodes
from .split import offsets
from .tree import Tree


def graft(top: Tree, below: dict[int, Tree]) -> Tree:
    """A tree whose leaves ``below`` are continued by the trees given for them, renumbered in level order.

    Parameters
    ----------
    top : Tree
    below : dict of int to Tree
        Leaf of ``top`` -> the tree of its rows, whose root is that leaf: same schema, same response.
    """
    if not below:
        return top
    trees = [top, *below.values()]
    first = np.cumsum([0] + [tree.n_nodes for tree in trees])
    number = np.arange(first[-1])
    number[list(below)] = first[1:-1]
    marks = joined([tree.marks for tree in trees], first.tolist(), list(below))
    forest = replace(_side_by_side(trees, first), marks=marks)
    levels = [number[:1]]
    while len(levels[-1]):
        at = levels[-1]
        size = forest.n_children[at].astype(np.int64)
        start = np.repeat(forest.first_child[at] - (np.cumsum(size) - size), size)
        levels.append(number[start + np.arange(size.sum())])
    old = np.concatenate(levels)
    return take_nodes(forest, old, forest.n_children[old] == 0)


def _log_p(tree: Tree) -> np.ndarray:
    """NaN for splits that no test chose."""
    return np.full(tree.n_nodes, np.nan) if tree.log_p is None else tree.log_p


def _side_by_side(trees: Sequence[Tree], first: np.ndarray) -> Tree:
    """The nodes of several trees in one set of arrays, children found by their new numbers; not itself a tree."""

    def joined(name: str) -> np.ndarray:
        return np.concatenate([getattr(tree, name) for tree in trees])

    def starts(name: str) -> np.ndarray:
        sizes = np.concatenate([np.diff(getattr(tree, name)) for tree in trees])
        return offsets(sizes)

    children = [np.where(t.first_child >= 0, t.first_child + at, -1) for t, at in zip(trees, first[:-1], strict=True)]
    plain = ("parent", "n_children", "missing", "heuristic", "moments", "rows", "score")
    ragged = ("agreement", "adjusted", "competitor_score")
    return replace(
        trees[0],
        first_child=np.concatenate(children).astype(np.int32),
        **{name: joined(name) for name in (*plain, *ragged)},
        **{name: join_splits([getattr(t, name) for t in trees]) for name in ("splits", "surrogates", "competitors")},
        **{name: starts(name) for name in ("surrogate_start", "competitor_start")},
        log_p=None if all(t.log_p is None for t in trees) else np.concatenate([_log_p(t) for t in trees]),
    )
