"""Figures of the nodes of several trees, computed once for the nodes of all: small trees cost calls, not arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._fast_record import with_fields
from .node_moments import has_few_moments


def side_by_side(trees: list) -> list:
    """The same trees, which find their figures together; they were grown alike, but for the smoothing of their leaves.

    Trees with many moments find their own, which are found in parts. So do those whose rates are drawn to the root's,
    and those of several responses.
    """
    response, sizes = trees[0].response, [tree.n_nodes for tree in trees]
    if len(trees) < 2 or response.shrink > 0.0 or response.responses:
        return trees
    start = np.cumsum([0, *sizes])
    parent = np.concatenate([tree.parent for tree in trees])
    parent = np.where(parent < 0, -1, parent + np.repeat(start[:-1], sizes))
    known = {"response": response, "made_by": trees[0].made_by, "parent": parent, "_figures": {}}
    joined = with_fields(type(trees[0]), known)  # what figures are found from
    if not has_few_moments(joined):
        return trees
    own = vars(joined)
    own |= {name: np.concatenate([getattr(tree, name) for tree in trees]) for name in ("moments", "rows")}
    if response.smoothing:
        smoothing = np.repeat([tree.response.smoothing for tree in trees], sizes, axis=0)
        own["response"] = with_fields(type(response), vars(response) | {"smoothing": smoothing})
    for tree, begin, end in zip(trees, start[:-1].tolist(), start[1:].tolist(), strict=True):
        vars(tree)["_joined"] = joined, slice(begin, end)
    return trees


def figures(tree: Any, name: Any, find: Callable[[Any], np.ndarray]) -> np.ndarray:
    """What a function finds of each node of a tree by its response, parent, moments and rows alone; shape (T, ...)."""
    joined, nodes = vars(tree).get("_joined", (None, None))
    if joined is None:
        return find(tree)
    known = vars(joined)["_figures"]
    if name not in known:
        known[name] = find(joined)
    return known[name][nodes]


def figures_of_all(trees: list, name: Any, find: Callable[[Any], np.ndarray]) -> np.ndarray:
    """The same of the nodes of some trees, those of one after those of another."""
    found = [figures(tree, name, find) for tree in trees]
    return found[0] if len(found) == 1 else np.concatenate(found)
