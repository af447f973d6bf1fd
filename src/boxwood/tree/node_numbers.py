"""Node numbers that users give, checked."""

from __future__ import annotations

import numpy as np

from .._messages import Setting, Value, remedy
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
        raise ParameterError(
            Setting("node"), " must be a whole number, or ", Setting("nodes"), " a list of whole numbers; ",
            remedy("give node numbers"), ".",
        )  # fmt: skip
    wrong = (nodes < 0) | (nodes >= n_nodes) if len(nodes) else np.zeros(0, dtype=bool)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ParameterError(
            "node ", Value(nodes[row].item(), str(nodes[row])), f" (position {row}) is not in this tree; ",
            remedy(f"give numbers from 0 to {n_nodes - 1}"), ".",
        )  # fmt: skip
    return nodes.astype(np.int64)
