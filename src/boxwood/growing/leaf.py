"""Choice 4 as a user-defined object: a base hypothesis g_t that predicts within each leaf."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np

from ..data.columns import Columns
from ..data.schema import NUMERIC
from ..errors import ParameterError
from ..statistics.response import CLASSES
from ..tree.descend import route_shares
from ..tree.tree import Tree


@dataclass(frozen=True, eq=False)
class LeafModels:
    """The base hypotheses of a tree.

    A leaf whose rows all have the same response, a leaf without rows, and an inner node at which a row has to stay
    predict as the tree does.

    Attributes
    ----------
    tree : Tree
    fitted : dict of int to object
        Leaf -> its hypothesis.
    """

    tree: Tree
    fitted: dict[int, object]

    def answer(self, question: str, columns: Columns, unseen: str = "missing", threads: int = 1) -> np.ndarray:
        """What the hypotheses predict; a row that is shared out gets the mean of the ends by its shares.

        Parameters
        ----------
        question : {"label", "value", "probability"}
            Class label or number; class number or number; class probabilities.
        columns, unseen, threads
            As for :func:`boxwood.tree.descend.route`.

        Raises
        ------
        ParameterError
            A hypothesis fails.
        """
        tree = self.tree
        parts = route_shares(tree, columns, unseen, threads)
        matrix = matrix_of(columns)
        by_class = tree.response.kind == CLASSES
        found = tree.probability[parts.node] if by_class else tree.value[parts.node].astype(np.float64)[:, None]
        for leaf, model in self.fitted.items():
            there = np.flatnonzero(parts.node == leaf)
            if len(there):
                found[there] = _predicted(model, matrix[parts.row[there]], tree, leaf)
        mixed = np.zeros((columns.n, found.shape[1]))
        np.add.at(mixed, parts.row, parts.share[:, None] * found)
        if question == "probability":
            return mixed
        value = tree.response.decide(mixed) if by_class else mixed[:, 0]
        return tree.classes[value] if question == "label" and by_class else value


def fitted_leaves(
    prototype, tree: Tree, columns: Columns, sample: tuple[np.ndarray, np.ndarray], unseen: str
) -> LeafModels:
    """A copy of an object for each leaf, fitted to the rows that end there.

    Parameters
    ----------
    prototype : object
        With ``fit(X, y, weight)`` and ``predict(X)``, or ``predict_proba(X)`` for classes.
    tree : Tree
    columns : Columns
        The rows of the fit.
    sample : (ndarray of shape (n,), float64 array of shape (n,))
        Numbers, or class numbers; weights.
    unseen : {"missing", "majority", "stay", "error"}

    Raises
    ------
    ParameterError
        The object fails; the message names it and the leaf.
    """
    parts = route_shares(tree, columns, unseen)
    matrix, models = matrix_of(columns), {}
    y, weight = sample
    for leaf in np.flatnonzero(tree.is_leaf).tolist():
        there = np.flatnonzero(parts.node == leaf)
        rows = parts.row[there]
        if not len(rows) or (y[rows] == y[rows[0]]).all():
            continue
        model = copy.deepcopy(prototype)
        try:
            model.fit(matrix[rows], y[rows], weight[rows] * parts.share[there])
        except Exception as failure:
            raise ParameterError(_failed(prototype, "fit", leaf, failure)) from failure
        models[leaf] = model
        _predicted(model, matrix[rows[:1]], tree, leaf)
    return LeafModels(tree, models)


def matrix_of(columns: Columns) -> np.ndarray:
    """The columns as base hypotheses see them, float64, shape (n, p): numbers, codes of levels, NaN where missing."""
    matrix = np.empty((columns.n, len(columns.schema)))
    for j, (feature, values) in enumerate(zip(columns.schema, columns.values, strict=True)):
        matrix[:, j] = values if feature.kind == NUMERIC else np.where(values < 0, np.nan, values)
    return matrix


def _predicted(model, X: np.ndarray, tree: Tree, leaf: int) -> np.ndarray:
    """What a hypothesis predicts, checked: numbers of shape (n, 1), or probabilities of shape (n, K)."""
    by_class = tree.response.kind == CLASSES
    name = "predict_proba" if by_class else "predict"
    try:
        given = np.asarray(getattr(model, name)(X), dtype=np.float64)
    except Exception as failure:
        raise ParameterError(_failed(model, name, leaf, failure)) from failure
    size = len(tree.response.labels) if by_class else 1
    found = given if by_class else given.reshape(len(given), -1)
    if by_class and given.ndim == 2 and given.shape[1] != size and hasattr(model, "classes_"):
        found = np.zeros((len(given), size))
        found[:, np.asarray(model.classes_, dtype=np.int64)] = given
    if found.shape != (len(X), size):
        expected = (len(X), size) if by_class else (len(X),)
        raise ParameterError(
            f"leaf={model!r}: {name} must return shape {expected}; at leaf {leaf} it returned {given.shape}."
        )
    if not np.isfinite(found).all():
        raise ParameterError(f"leaf={model!r}: {name} must return finite numbers; at leaf {leaf} some are not.")
    return found


def _failed(model, method: str, leaf: int, failure: Exception) -> str:
    """The sentence about an object that raised an exception."""
    return f"leaf={model!r}: {method} failed at leaf {leaf}: {type(failure).__name__}: {failure}"
