"""scikit-learn's requirements for data, with y and random states in the form that lower layers take."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from sklearn.exceptions import DataConversionWarning
from sklearn.utils import check_random_state

from .._messages import Column, Row, Setting, Value, remedy
from .._typing import ColumnLike
from ..data.columns.columns import Columns
from ..data.columns.schema import Feature
from ..data.columns.sparse import SparseColumns
from ..errors import MissingValueError, TextResponseError, level_outside

_LARGEST = 2**31 - 1


def flat(y: ColumnLike) -> ColumnLike:
    """An array of one column as one of one dimension, with scikit-learn's warning; anything else as it is."""
    if isinstance(y, np.ndarray) and y.ndim == 2 and y.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of y to (n_samples,), "
            "for example using ravel().",
            DataConversionWarning,
            stacklevel=level_outside(),
        )
        return y[:, 0]
    return y


@contextmanager
def classifier_named(estimator: Any) -> Iterator[None]:
    """In a fit: an error about text in the y of a regressor also names the classifier of the same algorithm."""
    try:
        yield
    except TextResponseError as error:
        name = type(estimator).__name__
        if not name.endswith("Regressor"):
            raise
        classifier = name.replace("Regressor", "Classifier")
        raise TextResponseError(error.message, f" If these are classes, use {classifier} instead of {name}.") from None


def refuse_infinite(columns: Columns) -> None:
    """Refuse infinite numbers: what scikit-learn expects of an estimator whose tags exclude missing values.

    Raises
    ------
    MissingValueError
        Names the first column with an infinite number, its row and the remedy.
    """
    if isinstance(columns, SparseColumns) and not np.isinf(columns.by_row.cells).any():
        return
    for feature, values in zip(columns.schema, columns.values, strict=True):
        _refuse_infinite_levels(feature, columns.unseen.get(feature.name, ()))
        endless = np.isinf(values)
        if endless.any():
            row = int(np.argmax(endless))
            raise MissingValueError(
                Column(feature.name, "column"), " holds ", Value(values[row], str(values[row])), " (infinity) in ",
                Row(row), " and ", Setting("missing", "error"), " takes finite numbers only; ",
                remedy("correct it, or choose another policy for missing values."),
            )  # fmt: skip


def _refuse_infinite_levels(feature: Feature, unseen: str) -> None:
    """The same for a column of numbers that is read as nominal: its levels, and those not seen in training."""
    for level in (*feature.levels, *unseen):
        if isinstance(level, float) and np.isinf(level):
            raise MissingValueError(
                Column(feature.name, "column"), " holds ", Value(level), " (infinity) and ",
                Setting("missing", "error"), " takes finite numbers only; ",
                remedy("correct it, or choose another policy such as ", Setting("missing", "majority"), "."),
            )  # fmt: skip


def name_of(y: ColumnLike) -> str:
    """Name of the response: that of a named series, else "y"."""
    name = getattr(y, "name", None)
    return name if isinstance(name, str) and name else "y"


def as_salt(random_state: Any) -> Any:
    """A number drawn from a generator of random numbers; None and numbers as they are."""
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(_LARGEST))
    if random_state is np.random or isinstance(random_state, np.random.RandomState):
        return int(check_random_state(random_state).randint(_LARGEST))
    return random_state
