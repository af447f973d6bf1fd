"""The rules of scikit-learn for missing values, where those of CART differ, in a tree that CART grew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..model.readable import readable
from ..model.tree_model import TreeModel
from ..tree.tree import Tree


def with_their_rules(model: TreeModel, X: Any, weight: np.ndarray | None) -> TreeModel:
    """The model with the rules of scikit-learn.

    - Where no training row of a node lacks the value, a missing one follows the branch with more rows, at equal numbers
      the right one.
    - Where the right branch has no known value, every known value follows the left one: the threshold is infinite.

    Parameters
    ----------
    model : TreeModel
        Of cuts of numbers.
    X : float32 array or sparse matrix of shape (n, p)
        The training rows.
    weight : float64, shape (n,), optional
    """
    rows = np.empty((0, 0), dtype=np.float32)
    if isinstance(X, np.ndarray) and np.isnan(X.sum()):
        rows = X[np.isnan(X).any(axis=1) & (True if weight is None else weight > 0)]
    full = _ruled(model.full_tree, rows)
    tree = full if model.tree is model.full_tree else _ruled(model.tree, rows)
    return replace(model, full_tree=full, tree=readable(tree))


def _ruled(tree: Tree, rows: np.ndarray) -> Tree:
    """The tree; rows that lack a value are given."""
    inner = np.flatnonzero(~tree.is_leaf)
    left = tree.first_child[inner]
    lacking = _lacking(tree, rows)[inner]
    missing, breaks = tree.missing.copy(), tree.splits.breaks.copy()
    by_rows = tree.rows[left] <= tree.rows[left + 1]
    missing[inner] = np.where(lacking > 0, missing[inner], by_rows)
    breaks[(lacking > 0) & (missing[inner] == 1) & (lacking == tree.rows[left + 1])] = np.inf
    return replace(tree, missing=missing, splits=replace(tree.splits, breaks=breaks))


def _lacking(tree: Tree, rows: np.ndarray) -> np.ndarray:
    """How many rows lack the value that each node tests, shape (T,)."""
    found = np.zeros(tree.n_nodes, dtype=np.int64)
    cut = np.full(tree.n_nodes, np.nan)
    cut[~tree.is_leaf] = tree.splits.breaks
    row, node = np.arange(len(rows)), np.zeros(len(rows), dtype=np.int64)
    while len(row):
        going = tree.first_child[node] >= 0
        row, node = row[going], node[going]
        value = rows[row, tree.splits.feature[node]]
        is_missing = np.isnan(value)
        found += np.bincount(node[is_missing], minlength=tree.n_nodes)
        node = tree.first_child[node] + np.where(is_missing, tree.missing[node], value > cut[node])
    return found
