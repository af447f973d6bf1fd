"""Choice 4 as a user-defined object: a base hypothesis g_t that predicts within each leaf."""

from __future__ import annotations

import copy
import inspect
import warnings
from dataclasses import dataclass

import numpy as np

from .._messages import Message, Setting, remedy
from ..data.columns.columns import Columns
from ..errors import BoxwoodWarning, ParameterError, level_outside
from ..statistics.responses.registry import CLASSES
from ..tree.descend import route_shares
from ..tree.tree import Tree

#: Names that the weights of rows have in methods ``fit``; scikit-learn's first.
_WEIGHTS = ("sample_weight", "weights", "weight")


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
        found = tree.response.columns_of(tree)[parts.node].astype(np.float64)
        for leaf, model in self.fitted.items():
            there = np.flatnonzero(parts.node == leaf)
            if len(there):
                found[there] = _predicted(model, matrix[parts.row[there]], tree, leaf)
        mixed = np.zeros((columns.n, found.shape[1]))
        np.add.at(mixed, parts.row, parts.share[:, None] * found)
        if question == "probability":
            return mixed
        value = tree.response.decide(mixed)
        return tree.response.labelled(value, tree.classes) if question == "label" else value


def fitted_leaves(
    prototype, tree: Tree, columns: Columns, sample: tuple[np.ndarray, np.ndarray], unseen: str
) -> LeafModels:
    """A copy of an object for each leaf, fitted to the rows that end there; a warning if it takes no weights.

    Parameters
    ----------
    prototype : object
        With ``fit(X, y)`` and ``predict(X)``, for classes better ``predict_proba(X)``.
    tree : Tree
    columns : Columns
        The rows of the fit.
    sample : (ndarray of shape (n,), float64 array of shape (n,))
        Numbers, or class numbers; weights.
    unseen : {"missing", "majority", "stay", "error"}

    Raises
    ------
    ParameterError
        The object fails; the message names it and the leaf. Or leaves predict more than one number.
    """
    if tree.response.further:
        raise ParameterError(f"leaf= predicts one number; leaves of this kind of y have {tree.response.fields}.")
    parts = route_shares(tree, columns, unseen)
    matrix, models, without_weights = matrix_of(columns), {}, False
    y, weight = sample
    name = weights_name(prototype)
    for leaf in np.flatnonzero(tree.is_leaf).tolist():
        there = np.flatnonzero(parts.node == leaf)
        rows = parts.row[there]
        if not len(rows) or (y[rows] == y[rows[0]]).all():
            continue
        model, w = copy.deepcopy(prototype), weight[rows] * parts.share[there]
        without_weights |= name is None and bool((w != w[0]).any())
        try:
            model.fit(matrix[rows], y[rows], **({} if name is None else {name: w}))
        except Exception as failure:
            raise ParameterError(_failed(prototype, "fit", leaf, failure, matrix[rows])) from failure
        models[leaf] = model
        _predicted(model, matrix[rows[:1]], tree, leaf)
    if without_weights:
        warnings.warn(_without_weights(prototype), BoxwoodWarning, stacklevel=level_outside())
    return LeafModels(tree, models)


def weights_name(model) -> str | None:
    """The keyword by which ``fit`` takes the weights of rows; None if it takes none.

    That is "sample_weight", or a third parameter without a default; a pipeline of scikit-learn hands weights to its
    last step under that step's name.
    """
    taken = inspect.signature(model.fit).parameters
    third = [p.name for p in [*taken.values()][2:3] if p.kind is p.POSITIONAL_OR_KEYWORD and p.default is p.empty]
    name = next((name for name in (*_WEIGHTS, *third) if name in taken), None)
    if name is None and (steps := getattr(model, "steps", None)):
        step, last = steps[-1]
        inner = weights_name(last)
        return inner and f"{step}__{inner}"
    return name


def matrix_of(columns: Columns) -> np.ndarray:
    """The columns as base hypotheses see them, float64, shape (n, p): numbers, codes of levels, NaN where missing."""
    matrix = np.empty((columns.n, len(columns.schema)))
    for j, (feature, values) in enumerate(zip(columns.schema, columns.values, strict=True)):
        matrix[:, j] = np.where(feature.type.known(values), values, np.nan)
    return matrix


def _predicted(model, X: np.ndarray, tree: Tree, leaf: int) -> np.ndarray:
    """What a hypothesis predicts, checked: numbers of shape (n, 1), or probabilities of shape (n, K)."""
    by_class = tree.response.kind == CLASSES
    name = "predict_proba" if by_class and hasattr(model, "predict_proba") else "predict"
    try:
        given = np.asarray(getattr(model, name)(X), dtype=np.float64)
    except Exception as failure:
        raise ParameterError(_failed(model, name, leaf, failure, X)) from failure
    size = len(tree.response.labels) if by_class else 1
    found = given if by_class else given.reshape(len(given), -1)
    if by_class and name == "predict":
        found = _of_classes(given, size)
    elif by_class and given.ndim == 2 and given.shape[1] != size and hasattr(model, "classes_"):
        found = np.zeros((len(given), size))
        found[:, np.asarray(model.classes_, dtype=np.int64)] = given
    if found.shape != (len(X), size):
        expected = (len(X), size) if name == "predict_proba" else (len(X),)
        raise ParameterError(
            Setting("leaf", model), f": {name} must return shape {expected}; at leaf {leaf} it returned {given.shape}.",
        )  # fmt: skip
    if not np.isfinite(found).all():
        numbers = f"class numbers from 0 to {size - 1}" if by_class and name == "predict" else "finite numbers"
        raise ParameterError(Setting("leaf", model), f": {name} must return {numbers}; at leaf {leaf} some are not.")
    return found


def _of_classes(given: np.ndarray, size: int) -> np.ndarray:
    """Probability 1 for each predicted class number, shape (n, K); NaN for what is none."""
    known = np.arange(size)
    return np.where(np.isin(given, known)[..., None], given[..., None] == known, np.nan)


def _without_weights(model) -> Message:
    """The note about an object that is fitted without the weights of the rows."""
    return Message(
        Setting("leaf", model), ": fit has no parameter ", Setting("sample_weight"),
        ", so the leaves are fitted to their rows without weights; ",
        remedy("choose an object whose fit has one if the weights matter."),
    )  # fmt: skip


def _failed(model, method: str, leaf: int, failure: Exception, X: np.ndarray) -> Message:
    """The sentence about an object that raised an exception."""
    failed = f": {method} failed at leaf {leaf}: {type(failure).__name__}: {failure}"
    message = Message(Setting("leaf", model), failed)
    if np.isnan(X).any():
        message += (
            "\nX holds NaN where a value is missing; a pipeline can fill these, such as "
            "make_pipeline(SimpleImputer(), ...)."
        )
    return message
