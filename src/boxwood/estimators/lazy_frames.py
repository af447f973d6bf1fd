"""Dask data frames at ``fit`` and ``predict``: lazy, one partition at a time, computed where the partition is."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._messages import Value, must_be, remedy
from .._typing import ColumnLike, TableLike
from ..data.streams.distributed_frames import is_dask_series
from ..errors import DataError, DataTypeError
from .response import name_of

#: Parameter of ``fit_stream`` that names a column -> what ``fit`` calls the column.
_CALLED = {"target": "y"}


def one_frame(X: TableLike, columns: dict[str, ColumnLike]) -> tuple[Any, dict[str, str]]:
    """One Dask data frame of X and more columns, row by row in the order of their partitions.

    Parameters
    ----------
    X : Dask data frame
    columns : dict of str to Dask series
        By the parameter of ``fit_stream`` that names the column.

    Returns
    -------
    Dask data frame, and the names of the columns by parameter

    Raises
    ------
    DataTypeError, DataError
        A column is not a Dask series with the partitions of X, or X has a column of the name of y.
    """
    for parameter, column in columns.items():
        _check(X, _CALLED.get(parameter, parameter), column)
    target = name_of(columns["target"])
    if target in X.columns:
        raise DataError(
            f"X has a column {target!r}, the name of y; leave it out of X, or rename one of them. To fit to all "
            "columns of one frame: fit_stream(frame, target)."
        )
    names = {"target": target}
    for parameter in columns:
        names.setdefault(parameter, _unused(parameter, {*X.columns, *names.values()}))
    meta = X._meta.assign(**{names[parameter]: column._meta for parameter, column in columns.items()})
    series, labels = list(columns.values()), [names[parameter] for parameter in columns]
    return X.map_partitions(_joined, *series, names=labels, align_dataframes=False, meta=meta), names


def _check(X: Any, name: str, column: Any) -> None:
    if not is_dask_series(column):
        raise DataTypeError(
            must_be(name, "a Dask series when X is a Dask data frame", Value(column, type(column).__name__)), " ",
            remedy("Or name the column of one frame: fit_stream(frame, target)."),
        )  # fmt: skip
    if column.npartitions != X.npartitions:
        raise DataError(
            f"X has {X.npartitions} partitions and {name} has {column.npartitions}; give both the same partitions, "
            "or name the column of one frame: fit_stream(frame, target)."
        )


def _unused(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _joined(part: Any, *columns: Any, names: list[str]) -> Any:
    """A partition of X with a partition of each column beside it, whatever their index."""
    for name, column in zip(names, columns, strict=True):
        if len(column) != len(part):
            raise DataError(f"a partition of X has {len(part)} rows, and {len(column)} in the column {name!r}.")
    return part.assign(**{name: c.set_axis(part.index) for name, c in zip(names, columns, strict=True)})


def answered(estimator: Any, X: TableLike, question: str, unseen: str | None = None) -> Any:
    """Predictions for the rows of X.

    Returns
    -------
    Dask series or data frame
        With the index of X; probabilities as a frame with a column for each class.
    """
    return X.map_partitions(_of_part, estimator, question, unseen, meta=_of_part(X._meta, estimator, question, unseen))


def _of_part(part: Any, estimator: Any, question: str, unseen: str | None) -> Any:
    import pandas as pd

    tree = estimator.model_.tree
    if len(part):
        found = estimator._answer(part, question, unseen)
    elif question == "probability":
        found = np.empty((0, len(tree.response.labels)))
    else:
        found = np.empty(0, dtype=np.int64) if question == "node" else estimator._no_labels()
    if found.ndim == 2:
        return pd.DataFrame(found, index=part.index, columns=list(tree.response.labels))
    return pd.Series(found, index=part.index, name=tree.response.name)
