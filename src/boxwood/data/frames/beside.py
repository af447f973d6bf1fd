"""New columns beside columns of a table, in a table of the same kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from ..._messages import Setting, Value, must_be, remedy
from ..._spelling import did_you_mean
from ...errors import ColumnError, ParameterTypeError
from ..columns.names import listed
from .containers import as_table, by_columns
from .dataframes import as_frame

#: Keeps every column.
ALL = "all"


def kept_names(keep: Sequence[str] | str | None, names: Sequence[str]) -> list[str]:
    """The columns of a table that are kept, in the order given; ``ALL`` = all of them, None = none.

    Raises
    ------
    ColumnError
        The table lacks one of them.
    ParameterTypeError
        ``keep`` is something else.
    """
    if keep is None or (isinstance(keep, str) and keep == ALL):
        return [] if keep is None else list(names)
    wrong = ParameterTypeError(must_be("keep", "a list of column names, 'all' or None", keep))
    if isinstance(keep, (str, bytes)):
        raise wrong
    try:
        kept = list(dict.fromkeys(keep))
    except TypeError:  # nothing to iterate over, or no names in it
        raise wrong from None
    for name in kept:
        if name not in names:
            near = did_you_mean(str(name), map(str, names))
            end = f"; the columns are {listed(list(names))}." if near == "." else near
            raise ColumnError(Setting("keep"), " names the column ", Value(name), ", which the data lack", end)
    return kept


def check_apart(kept: Sequence[str], new: Sequence[str]) -> None:
    """Refuse two columns of one name in the result.

    Raises
    ------
    ColumnError
        A new column has the name of a kept one, or of another new one.
    """
    for name in new:
        if name in kept:
            raise ColumnError(
                f"the column {name!r} is kept, and a column of predictions has the same name; ",
                remedy("set ", Setting("prefix", "predicted_"), " for the names of the predictions"), ".",
            )  # fmt: skip
    twice = sorted({name for name in new if list(new).count(name) > 1})
    if twice:
        raise ColumnError(f"two columns of predictions would have the name {twice[0]!r}; request one of them only.")


def beside(X: Any, keep: Sequence[str] | str | None, new: Sequence[tuple[str, np.ndarray]]) -> Any:
    """The kept columns of X and new ones after them.

    Parameters
    ----------
    X : table of n rows
    keep : list of str, "all" or None
    new : list of (str, ndarray of shape (n,))

    Returns
    -------
    A frame of the kind of X (pandas with its index, polars, pyarrow and others); for an array, a list or a dictionary a
    data frame of pandas, or where that is not installed a dictionary of columns.
    """
    X = by_columns(X)
    frame = None if isinstance(X, (Mapping, list, tuple, np.ndarray)) else as_frame(X)
    names = list(as_table(X).names if frame is None else frame.columns)
    kept = kept_names(keep, names)
    check_apart(kept, [name for name, _ in new])
    if frame is not None:
        return _of_frame(frame, kept, new)
    places = [names.index(name) for name in kept]
    found = {name: _column(X, j) for name, j in zip(kept, places, strict=True)} | dict(new)
    if find_spec("pandas") is None:
        return found
    import pandas as pd

    return pd.DataFrame(found)


def _of_frame(frame: Any, kept: list[str], new: Sequence[tuple[str, np.ndarray]]) -> Any:
    import narwhals.stable.v2 as nw

    series = []
    for name, values in new:
        # lists: an array of texts would be one of objects in some frames
        given = values if values.dtype.kind in "iufb" else values.tolist()
        only_text = values.dtype == object and all(value is None or isinstance(value, str) for value in given)
        kind = nw.String if only_text else None
        series.append(nw.new_series(name, given, kind, backend=frame.implementation))
    if frame.implementation.is_pandas_like():
        index = frame.to_native().index
        series = [nw.from_native(s.to_native().set_axis(index), series_only=True) for s in series]
    return frame.with_columns(*series).select(*kept, *(name for name, _ in new)).to_native()


def _column(X: Any, j: int) -> Any:
    """The column at a position of an array, a list of rows, or a dictionary of columns."""
    if isinstance(X, Mapping):
        return list(X.values())[j]
    if isinstance(X, (list, tuple)):
        return [row[j] for row in X]
    column = X[:, [j]]
    return (column.toarray() if hasattr(column, "toarray") else column)[:, 0]
