"""The paths from the root to every node, as one array."""

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
