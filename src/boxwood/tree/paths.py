"""The paths from the root to nodes, as arrays."""

from __future__ import annotations

import numpy as np


def paths_to_nodes(parent: np.ndarray, depth: np.ndarray) -> np.ndarray:
    """The nodes from the root to each node, then -1.

    Parameters
    ----------
    parent, depth : int32, shape (T,)
        Of each node.

    Returns
    -------
    int32, shape (T, largest depth + 1)

    Examples
    --------
    >>> paths_to_nodes(np.array([-1, 0, 0, 1]), np.array([0, 1, 1, 2])).tolist()
    [[0, -1, -1], [0, 1, -1], [0, 2, -1], [0, 1, 3]]
    """
    paths = np.full((len(parent), int(depth.max()) + 1), -1, dtype=np.int32)
    paths[:, 0] = 0
    for at_depth in range(1, paths.shape[1]):
        at = np.flatnonzero(depth == at_depth)
        paths[at] = paths[parent[at]]
        paths[at, at_depth] = at
    return paths


def passed_nodes(parent: np.ndarray, depth: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The nodes from the root to the last node ``at`` of each row, as the index arrays of a sparse matrix.

    Parameters
    ----------
    parent, depth : int32, shape (T,)
        Of each node.
    at : int64, shape (n,)

    Returns
    -------
    indptr : int64, shape (n + 1,)
    indices : int32, shape (indptr[-1],)
    """
    indptr = np.concatenate([[0], np.cumsum(depth[at] + 1, dtype=np.int64)])
    if (len(parent) + len(at)) * (int(depth[-1]) + 1) <= 4 * indptr[-1]:  # otherwise mostly empty places
        paths = paths_to_nodes(parent, depth).take(at, axis=0)
        return indptr, paths[paths >= 0]
    indices = np.empty(indptr[-1], dtype=np.int32)
    end = indptr[1:] - 1
    while len(at):
        indices[end] = at
        up = parent[at]
        going = up >= 0
        at, end = up[going], end[going] - 1
    return indptr, indices
