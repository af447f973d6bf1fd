"""Node numbers that users give, checked."""

from __future__ import annotations

import numpy as np

from ..errors import ParameterError


def known_nodes(nodes, n_nodes: int) -> np.ndarray:
    """Node numbers as int64, shape (n,), when all of them are nodes of a tree of ``n_nodes``.

    Raises
    ------
    ParameterError

    Examples
    --------
    >>> known_nodes([2, 0], 3)
    array([2, 0])
    """
    try:
        nodes = np.asarray(nodes)
    except ValueError:  # lists of several lengths
        nodes = np.zeros((), dtype=object)
    if nodes.ndim != 1 or (nodes.dtype.kind not in "iu" and len(nodes)):
        raise ParameterError("node must be a whole number, or nodes a list of whole numbers; give node numbers.")
    wrong = (nodes < 0) | (nodes >= n_nodes) if len(nodes) else np.zeros(0, dtype=bool)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ParameterError(
            f"node {nodes[row]} (position {row}) is not in this tree; give numbers from 0 to {n_nodes - 1}."
        )
    return nodes.astype(np.int64)
