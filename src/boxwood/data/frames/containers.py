"""Tables and single columns in any container: arrays, lists, dictionaries, data frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ..._fast_record import cached
from ..._messages import FromZero, Message, Phrase, Row, Setting, Value, remedy, short
from ...errors import ColumnError, DataError, DataTypeError
from ..columns.missing_codes import Code, without_code_values
from ..columns.names import listed, resolve_names
from ..columns.raw import RawColumn, place_of
from ..columns.sparse import is_sparse
from .arrays import RowsTable, SparseTable, array_table, holds_several
from .arrow_frames import ArrowTable, PolarsTable
from .arrow_tables import need_pyarrow
from .dataframes import FrameTable, as_frame, from_native_categorical, from_series, is_series
from .objects import from_array, from_objects
from .pandas_frames import PandasTable, is_pandas
from .table import FEW, TableReader, check_shape


def as_table(X) -> TableReader:
    """The reader of ``X``, any two-dimensional container; it looks at no values yet.

    Raises
    ------
    DataError
        ``X`` is not two-dimensional, or has no rows or no columns.
    DataTypeError
        A container that cannot be read, such as a generator.

    Examples
    --------
    >>> from boxwood.data.frames.containers import as_table
    >>> table = as_table({"age": [31, None], "city": ["Wien", "北京"]})
    >>> table.names, table.n, table.column(1).levels
    (('age', 'city'), 2, ('Wien', '北京'))
    """
    if type(X) is np.ndarray:
        return array_table(X)
    if is_pandas(X):
        return PandasTable(X)
    X = by_columns(X)
    if isinstance(X, (list, tuple)):
        return RowsTable(X)
    if is_sparse(X):  # before dictionaries: one kind of sparse matrix is one
        return SparseTable(X)
    if isinstance(X, Mapping):
        return DictTable(X)
    if _is_single(X):
        raise DataTypeError(
            f"Expected 2D array, got scalar array instead: X is {short(X)}; pass a table of rows and columns"
            + (", or read a file with fit_stream(path, target)." if isinstance(X, str) else ".")
        )
    native = _NATIVE.get((type(X).__module__.partition(".")[0], type(X).__name__))
    if native is not None:
        return native(X)
    found = X if isinstance(X, np.ndarray) else _unwrap(X)
    if isinstance(found, np.ndarray):
        return array_table(found)
    if is_series(found):
        check_shape((len(found),))
    return FrameTable(found, found.columns)


class DictTable(TableReader):
    """A dictionary of columns by name, each in any container."""

    def __init__(self, X: Mapping):
        self._given = X
        self.names, self.named = resolve_names(list(X))
        if not X:
            check_shape((0, 0))

    @cached
    def _columns(self) -> list[RawColumn]:
        columns = []
        for name, values in zip(self.names, self._given.values(), strict=True):
            column, _ = open_column(values, place_of(name))
            if column is None:
                raise DataError(place_of(name), " of X must be one-dimensional, one value per row.")
            if columns and len(column.values) != len(columns[0].values):
                raise DataError(
                    place_of(name),
                    f" of X has {len(column.values)} values where ",
                    place_of(self.names[0]),
                    f" has {len(columns[0].values)}; every column needs one value per row, None where it is missing.",
                )
            columns.append(column)
        check_shape((len(columns[0].values), len(columns)))
        return columns

    @cached
    def n(self) -> int:
        """Number of rows: columns must be read to know it."""
        return len(self._columns[0].values)

    def column(self, j: int) -> RawColumn:
        """The column at position ``j``."""
        return self._columns[j]

    def in_place(self) -> list[list] | None:
        """Lists of few values."""
        columns = list(self._given.values())
        sizes = {len(column) if type(column) is list else 0 for column in columns}
        if type(self._given) is not dict or len(sizes) != 1 or not 0 < min(sizes) <= FEW:
            return None
        self.n = min(sizes)
        return columns

    def without_objects(self, codes: dict[str, tuple[Code, ...]]) -> DictTable:
        """The same table; lists have None for their codes."""
        changed = {
            key: without_code_values(values, codes[name])
            for name, (key, values) in zip(self.names, self._given.items(), strict=True)
            if name in codes and isinstance(values, (list, tuple))
        }
        return DictTable({**self._given, **changed}) if changed else self


_NATIVE = {("polars", "DataFrame"): PolarsTable, ("pyarrow", "Table"): ArrowTable}


def open_column(y, place: Phrase) -> tuple[RawColumn | None, int]:
    """Read a single column; also how many columns a two-dimensional ``y`` has, 0 when it has one dimension.

    One that has been read already stays as it is.

    Returns
    -------
    column : RawColumn or None
        None when there is more than one column.
    width : int
    """
    if isinstance(y, RawColumn):
        return y, 0
    if isinstance(y, (list, tuple, range)):
        if not y or not holds_several(y[0]):
            return from_objects(place, list(y)), 0
        y = np.array(y, dtype=object)
    elif isinstance(y, Mapping):
        table = DictTable(y)
        return (table.column(0) if len(table.names) == 1 else None), len(table.names)
    elif hasattr(y, "codes") and hasattr(y, "categories") and hasattr(y, "ordered"):
        return from_native_categorical(place, y), 0
    elif _is_single(y):
        raise DataTypeError(_single(place, y))
    elif not isinstance(y, np.ndarray):
        y = _unwrap(y, place)
    if not isinstance(y, np.ndarray):
        return (from_series(place, y), 0) if is_series(y) else _only_column(y, place)
    if y.ndim == 1:
        return from_array(place, y), 0
    if y.ndim == 0:
        raise DataError(_single(place, y.item()))
    if y.ndim == 2 and y.shape[1] == 1:
        return from_array(place, y[:, 0]), 1
    return None, int(np.prod(y.shape[1:]))


def _only_column(frame, place: str) -> tuple[RawColumn | None, int]:
    width = len(frame.columns)
    return (from_series(place, frame[:, 0]) if width == 1 else None), width


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
                Row(i, "Row"), " of X", FromZero(), " and ", Row(0), " have different columns: only one of them has "
                f"{listed(odd)}; ", remedy("give every row every column, None where the value is missing."),
            )  # fmt: skip
    return {name: [record[name] for record in records] for name in names}


def _single(place: Phrase, value) -> Message:
    what = Setting(place) if isinstance(place, str) else place
    return Message(what, " must be one-dimensional, one value per row; got the single value ", Value(value), ".")


def _is_single(value) -> bool:
    """Whether a value is not a container at all."""
    return value is None or isinstance(value, (str, bytes, int, float))
