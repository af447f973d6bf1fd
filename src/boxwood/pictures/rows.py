"""Rows for a picture: their values, their response, and which of them pass each node."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data.columns.columns import Columns
from ..data.frames.alignment import check_aligned
from ..data.frames.frame import read_columns
from ..data.frames.weights import check_lengths
from ..tree.descend import nodes_passed
from ..tree.tree import Tree
from ..views.predicted import views_of


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows sent down a tree.

    Attributes
    ----------
    columns : Columns
    y : ndarray of shape (n,), or None
        Class codes, or numbers.
    start : int64, shape (T + 1,)
    passing : int64, shape (start[-1],)
        The rows that pass node t, or a part of which does, are ``passing[start[t]:start[t + 1]]``.
    """

    columns: Columns
    y: np.ndarray | None
    start: np.ndarray
    passing: np.ndarray

    def at(self, node: int) -> np.ndarray:
        """The rows that pass a node, int64."""
        return self.passing[self.start[node] : self.start[node + 1]]


def read_rows(tree: Tree, X, y=None, unseen: str = "missing") -> Rows:
    """Rows for a picture.

    Parameters
    ----------
    tree : Tree
    X : Columns, or table of shape (n, p)
    y : column of n labels or numbers, optional
        Needed for classes, possible for means, refused for rates.
    unseen : {"missing", "majority", "stay", "error"}
        What to do with a level not seen in training.

    Raises
    ------
    ParameterError, DataError, DataTypeError
        y is missing, or not wanted; data that do not fit the tree.
    """
    check_aligned(X=X, y=y)
    views_of(tree.response).check_histogram(tree.response, y)
    columns = X if isinstance(X, Columns) else read_columns(X, tree.schema, "this tree", match="name")
    truth = None if y is None else read_truth(tree, y)
    if truth is not None:
        check_lengths(columns.n, len(truth))
    indptr, nodes = nodes_passed(tree, columns, unseen)
    row = np.repeat(np.arange(columns.n), np.diff(indptr))
    order = np.argsort(nodes, kind="stable")
    start = np.searchsorted(nodes[order], np.arange(tree.n_nodes + 1))
    return Rows(columns, truth, start, row[order])


def read_truth(tree: Tree, y) -> np.ndarray:
    """Class codes, or numbers.

    Raises
    ------
    ResponseError
        A label that did not occur in training, or a value that is not a number.
    """
    return tree.response.read(y)
