"""Tables and single columns in any container: arrays, lists, dictionaries, data frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ...errors import ColumnError, DataError, DataTypeError
from ..columns.matrices import is_pandas
from ..columns.names import listed, made_up, resolve_names
from ..columns.raw import RawColumn, short
from ..columns.shapes import check_shape
from ..columns.sparse import dense, is_sparse
from .arrow_tables import need_pyarrow
from .dataframes import as_frame, from_native_categorical, from_series, is_series
from .objects import from_array, from_objects
from .pandas_frames import from_pandas_column


@dataclass(frozen=True, eq=False)
class Container:
    """A table whose columns are read one at a time.

    Attributes
    ----------
    names : tuple of str
        Column names, made up when the table has none.
    named : bool
        Whether the names came with the table.
    n : int
        Number of rows.
    read : callable
        Position of a column -> RawColumn.
    """

    names: tuple[str, ...]
    named: bool
    n: int
    read: Callable[[int], RawColumn]


def open_table(X) -> Container:
    """Look into ``X``, any two-dimensional container, without reading its values yet.

    Raises
    ------
    DataError
        ``X`` is not two-dimensional, or has no rows or no columns.
    DataTypeError
        A container that cannot be read, such as a generator.
    """
    table = _open(X)
    check_shape((table.n, len(table.names)))
    return table


def open_column(y, place: str) -> tuple[RawColumn | None, int]:
    """Read a single column; also how many columns a two-dimensional ``y`` has, 0 when it has one dimension.

    Returns
    -------
    column : RawColumn or None
        None when there is more than one column.
    width : int
    """
    if isinstance(y, (list, tuple, range)):
        if not y or not _is_row(y[0]):
            return from_objects(place, list(y)), 0
        y = np.array(y, dtype=object)
    elif isinstance(y, Mapping):
        y = _open(y)
    elif hasattr(y, "codes") and hasattr(y, "categories") and hasattr(y, "ordered"):
        return from_native_categorical(place, y), 0
    elif _is_single(y):
        raise DataTypeError(f"{place} must be one-dimensional, one value per row; got the single value {short(y)}.")
    elif not isinstance(y, np.ndarray):
        y = _unwrap(y, place)
    if isinstance(y, Container):
        return (y.read(0) if len(y.names) == 1 else None), len(y.names)
    if not isinstance(y, np.ndarray):
        return (from_series(place, y), 0) if is_series(y) else _only_column(y, place)
    if y.ndim == 1:
        return from_array(place, y), 0
    if y.ndim == 0:
        raise DataError(f"{place} must be one-dimensional, one value per row; got the single value {short(y.item())}.")
    if y.ndim == 2 and y.shape[1] == 1:
        return from_array(place, y[:, 0]), 1
    return None, int(np.prod(y.shape[1:]))


def _only_column(frame, place: str) -> tuple[RawColumn | None, int]:
    width = len(frame.columns)
    return (from_series(place, frame[:, 0]) if width == 1 else None), width


def _open(X) -> Container:
    X = by_columns(X)
    if isinstance(X, (list, tuple)):
        return _open_rows(X)
    if is_pandas(X):
        return _open_pandas(X)
    if is_sparse(X):  # before dictionaries: one kind of sparse matrix is one
        return _open_array(dense(X))
    if isinstance(X, Mapping):
        return _open_mapping(X)
    if _is_single(X):
        raise DataTypeError(
            f"Expected 2D array, got scalar array instead: X is {short(X)}; pass a table of rows and columns"
            + (", or read a file with fit_stream(path, target)." if isinstance(X, str) else ".")
        )
    found = X if isinstance(X, np.ndarray) else _unwrap(X)
    if isinstance(found, np.ndarray):
        return _open_array(found)
    if is_series(found):
        check_shape((len(found),))
    names, named = resolve_names(found.columns)
    columns = list(found.iter_columns())  # all at once: a look-up by position lists all columns of the frame every time
    return Container(names, named, len(found), lambda j: from_series(_place(names[j]), columns[j]))


def _open_pandas(X) -> Container:
    names, named = resolve_names(list(X.columns))
    columns = [column for _, column in X.items()]
    return Container(names, named, len(X), lambda j: from_pandas_column(_place(names[j]), columns[j]))


def _unwrap(X, what: str = "X"):
    """A narwhals frame or series, or the numpy array behind any other object."""
    _check_native_names(X, what)
    if hasattr(X, "dictionary") and hasattr(X, "indices"):  # to_pylist() of Arrow would lose what is declared
        X = need_pyarrow().chunked_array([X])
    frame = as_frame(X)
    if frame is not None:
        return frame
    if hasattr(X, "to_pylist"):
        # the None keeps lists of one length from becoming rows
        return np.array([*X.to_pylist(), None], dtype=object)[:-1]
    if hasattr(X, "__array__"):
        return np.asarray(X)
    if hasattr(X, "__dlpack__"):
        return np.from_dlpack(X)
    raise DataTypeError(
        f"{what} cannot be read: its type is {type(X).__name__}; "
        "pass a numpy array, a data frame of pandas, polars or pyarrow, anything with the Arrow C stream interface "
        "(such as a relation of DuckDB), a sparse matrix of scipy, a dictionary of columns, or a list of rows"
        + ("; fit_stream(X, target) learns from an iterator of tables." if isinstance(X, Iterator) else ".")
    )


def _check_native_names(X, what: str) -> None:
    """Refuse duplicate names before the frame library stumbles over them, as text of its own."""
    names = getattr(X, "column_names", None)
    if names is None and hasattr(X, "iloc"):
        names = getattr(X, "columns", None)
    if names is not None:
        resolve_names(list(names), what)


def _open_array(X: np.ndarray) -> Container:
    if X.dtype.names:
        check_shape((len(X), len(X.dtype.names)) if X.ndim == 1 else (*X.shape, len(X.dtype.names)))
        names, named = resolve_names(list(X.dtype.names))
        return Container(names, named, len(X), lambda j: from_array(_place(names[j]), X[names[j]]))
    check_shape(X.shape)
    if X.dtype.kind == "c":
        raise DataError(
            "Complex data not supported: X holds complex numbers; pass real and imaginary parts as columns."
        )
    if not isinstance(X, np.ma.MaskedArray):
        X = np.asarray(X)  # a matrix stays two-dimensional when it is cut
    names = made_up(X.shape[1])
    return Container(names, False, len(X), lambda j: from_array(_place(names[j]), X[:, j]))


def _open_rows(X) -> Container:
    """A list of rows: lists, tuples or arrays."""
    if len(X) == 0:
        raise DataError("Found array with 0 sample(s) (shape=(0,)) while a minimum of 1 is required.")
    if not all(_is_row(row) for row in X):
        check_shape((len(X),))
    width = len(X[0])
    for i, row in enumerate(X):
        if len(row) != width:
            raise DataError(
                f"Row {i} of X (counted from 0) has {len(row)} values where row 0 has {width}; "
                "every row needs one value per column, None where it is missing."
            )
    check_shape((len(X), width))
    if _is_row(X[0][0]):
        raise DataError("Found array with dim 3, while dim <= 2 is required: the cells of X hold lists.")
    columns = list(zip(*X, strict=True))
    names = made_up(width)
    return Container(names, False, len(X), lambda j: from_objects(_place(names[j]), list(columns[j])))


def by_columns(X):
    """A list of dictionaries, one a row, as a dictionary of columns; anything else as it is."""
    are_records = isinstance(X, (list, tuple)) and len(X) > 0 and all(isinstance(row, Mapping) for row in X)
    return _columns_of_records(X) if are_records else X


def _columns_of_records(records) -> dict[str, list]:
    """Every row must have the same keys."""
    names = list(records[0])
    for i, record in enumerate(records):
        if record.keys() != records[0].keys():
            odd = sorted(record.keys() ^ records[0].keys(), key=str)
            raise ColumnError(
                f"Row {i} of X (counted from 0) and row 0 have different columns: "
                f"only one of them has {listed(odd)}; give every row every column, None where the value is missing."
            )
    return {name: [record[name] for record in records] for name in names}


def _open_mapping(X: Mapping) -> Container:
    """A dictionary of columns by name."""
    names, named = resolve_names(list(X))
    columns = []
    for name, values in zip(names, X.values(), strict=True):
        column, _ = open_column(values, _place(name))
        if column is None:
            raise DataError(f"{_place(name)} of X must be one-dimensional, one value per row.")
        if columns and len(column.values) != len(columns[0].values):
            raise DataError(
                f"{_place(name)} of X has {len(column.values)} values where {_place(names[0])} has "
                f"{len(columns[0].values)}; every column needs one value per row, None where it is missing."
            )
        columns.append(column)
    return Container(names, named, len(columns[0].values) if columns else 0, columns.__getitem__)


def _is_single(value) -> bool:
    """Whether a value is not a container at all."""
    return value is None or isinstance(value, (str, bytes, int, float))


def _is_row(value) -> bool:
    """Whether a value holds several values."""
    if isinstance(value, (list, tuple)):
        return True
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return hasattr(value, "__len__") and not isinstance(value, (str, bytes, Mapping))


def _place(name: str) -> str:
    return f"Column {short(name)}"
