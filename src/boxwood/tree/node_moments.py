"""The moments of some nodes of a tree, and what follows from them, without those of all nodes in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

#: So many moments are read at once where only a number of each node is wanted.
_AT_ONCE = 1 << 17


def moments_at(tree: Any, nodes: np.ndarray) -> np.ndarray:
    """The moments of some nodes, shape (n, M); those of many classes stay packed in the kernel otherwise."""
    arrays = None if "moments" in vars(tree) else vars(tree).get("_lazy")
    found = None if arrays is None else arrays.moments_at(nodes)
    return tree.moments[nodes] if found is None else found


def has_few_moments(tree: Any) -> bool:
    """Whether the moments of all nodes are so few that they are best read at once."""
    return tree.n_nodes * tree.response.width <= _AT_ONCE


def some_at_a_time(tree: Any, nodes: np.ndarray) -> Iterator[np.ndarray]:
    """Some nodes in parts whose moments stay in the processor's cache."""
    step = max(_AT_ONCE // tree.response.width, 1)
    return (nodes[i : i + step] for i in range(0, len(nodes), step))


def of_moments(tree: Any, find: Callable[[np.ndarray], np.ndarray], nodes: np.ndarray | None = None) -> np.ndarray:
    """What a function finds of the moments of nodes (all if None), row by row; shape (n,)."""
    if has_few_moments(tree):
        return find(tree.moments if nodes is None else tree.moments[nodes])
    nodes = np.arange(tree.n_nodes) if nodes is None else nodes
    return np.concatenate([find(moments_at(tree, some)) for some in some_at_a_time(tree, nodes)])
