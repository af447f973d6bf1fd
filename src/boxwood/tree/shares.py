"""Fractional rows: at a node that divides missing values, a row goes down every branch with a share of its weight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import _kernel
from ..data.columns.distinct import distinct
from .lazy_arrays import nodes_of, with_arrays
from .tree import Tree


@dataclass(frozen=True, eq=False)
class Parts:
    """Where rows end, part by part; a row that no node shares out has one part.

    Attributes
    ----------
    row : int64, shape (m,)
        Position of the row among those sent down, rising.
    node : int32, shape (m,)
        A leaf, or an inner node for a part that stays there.
    share : float64, shape (m,)
        Share of the row that ends there; the shares of a row add up to 1 within rounding.
    """

    row: np.ndarray
    node: np.ndarray
    share: np.ndarray


def parts_of(tree: Tree, columns, rows: np.ndarray, unseen: np.ndarray | None = None, threads: int = 1) -> Parts:
    """All parts of some rows.

    Parameters
    ----------
    tree : Tree
    columns : list of tuples, or coded table
        As the kernel takes them: ``Columns.for_kernel()``, or the table of coded columns for a tree with cuts by rank.
    rows : uint32, shape (r,)
    unseen : int32, shape (T,), optional
        Branch of a level that a node does not list; None = as if missing.
    threads : int
        The result does not depend on it.

    Returns
    -------
    Parts
        Its ``row`` counts positions in ``rows``.
    """
    node, flags = _kernel.apply(nodes_of(tree), unseen, columns, rows, threads)
    is_shared = flags & SHARED_OUT
    if not is_shared.any():
        return Parts(np.arange(len(rows)), node, np.ones(len(rows)))
    shared, count = np.flatnonzero(is_shared), np.ones(len(rows), dtype=np.int64)
    start, nodes, shares = _kernel.parts(with_arrays(tree), unseen, columns, rows[shared], branch_shares(tree))
    count[shared] = np.diff(start)
    row = np.repeat(np.arange(len(rows)), count)
    in_parts = np.repeat(is_shared > 0, count)
    node, share = np.repeat(node, count), np.ones(len(row))
    node[in_parts], share[in_parts] = nodes, shares
    return Parts(row, node, share)


def joined_parts(parts: list[Parts], size: int) -> Parts:
    """The parts of blocks of so many rows each, but for the last, as those of all rows."""
    rows = [one.row + k * size for k, one in enumerate(parts)]
    node, share = np.concatenate([one.node for one in parts]), np.concatenate([one.share for one in parts])
    return Parts(np.concatenate(rows), node, share)


#: Flag of a row on its path: a node divided it.
SHARED_OUT = 16


def branch_shares(tree: Tree) -> np.ndarray:
    """Share of each node in the weight of its siblings and itself, float64, shape (T,); 1 at the root, 0 if empty."""
    share = np.zeros(tree.n_nodes)
    share[0] = 1.0
    above, weight = tree.parent[1:], tree.weight[1:]
    total = np.bincount(above, weight, tree.n_nodes)[above]
    np.divide(weight, total, out=share[1:], where=total > 0)
    return share


def passed_in_parts(tree: Tree, parts: Parts, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The nodes that each of n rows passes with some part, as the index arrays of a sparse matrix (rows by nodes).

    Returns
    -------
    indptr : int64, shape (n + 1,)
    indices : int64, shape (indptr[-1],)
        Row i passes the nodes ``indices[indptr[i]:indptr[i + 1]]``, in level order.
    """
    at, keys = parts.row * tree.n_nodes + parts.node, []
    while len(at):
        keys.append(distinct(at))
        row, node = np.divmod(keys[-1], tree.n_nodes)
        up = tree.parent[node]
        at = (row * tree.n_nodes + up)[up >= 0]
    row, node = np.divmod(distinct(np.concatenate(keys)) if keys else np.zeros(0, np.int64), tree.n_nodes)
    return np.concatenate([[0], np.cumsum(np.bincount(row, minlength=n))]), node
