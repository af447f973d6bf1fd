"""The reader of data frames of pandas.

Columns of numbers and categories are read directly. All else, texts, nullable and Arrow columns, goes through the
general reader (dataframes.py), column by column.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from ..._fast_record import cached
from ..columns.category_codes import Codes
from ..columns.columns import Columns, Matrix
from ..columns.matrices import can_be_sent, one_matrix, schema_of_types
from ..columns.missing_codes import Code, without_code_values
from ..columns.names import resolve_names
from ..columns.raw import RawColumn, place_of
from ..columns.sparse import SparseColumns, from_sparse_columns
from .dataframes import as_frame, from_native_categorical, from_series
from .objects import from_array
from .table import FEW, TableReader, all_or_none, check_shape


def is_pandas(X) -> bool:
    """Whether X is a data frame of pandas itself, not of a library that builds on it."""
    kind = type(X)
    return kind.__name__ == "DataFrame" and kind.__module__.partition(".")[0] == "pandas"


@lru_cache(maxsize=64)
def _names(found: tuple) -> tuple[tuple[str, ...], bool]:
    return resolve_names(list(found))


class PandasTable(TableReader):
    """A data frame of pandas."""

    def __init__(self, X):
        self._frame, self.n = X, len(X)
        self.names, self.named = _names(tuple(X.columns.tolist()))
        check_shape((self.n, len(self.names)))

    @cached
    def _kinds(self) -> list:
        return self._frame.dtypes.tolist()  # takes as long as a prediction of one row

    @cached
    def matrix(self) -> np.ndarray | None:
        """Columns that are all numpy's numbers: float64, or float32 when all columns are."""
        return one_matrix(self._frame, self._kinds)

    @cached
    def _columns(self) -> list:
        return [column for _, column in self._frame.items()]

    @property
    def _is_sparse(self) -> bool:
        return any(type(kind).__name__ == "SparseDtype" for kind in self._kinds)

    def column(self, j: int) -> RawColumn:
        """Read the column at position ``j``."""
        where, kind, series = place_of(self.names[j]), self._kinds[j], self._columns[j]
        if isinstance(kind, np.dtype):
            if can_be_sent(kind):
                return from_array(where, series.to_numpy())
        elif type(kind).__name__ == "CategoricalDtype":
            return from_native_categorical(where, series.array)
        return from_series(where, as_frame(series))

    def numeric(self) -> Columns | None:
        """Columns of numbers, dense or sparse."""
        if self.matrix is not None:
            return Matrix(schema_of_types(self.names, self.named, tuple(self._kinds)), self.matrix)
        return self.sparse()

    def sparse(self, positions: list[int] | None = None) -> SparseColumns | None:
        """Columns of numbers of which some are sparse."""
        if not self._is_sparse:
            return None
        wanted = range(len(self.names)) if positions is None else positions
        return from_sparse_columns(self._frame, self.names, self.named, wanted)

    def in_place(self) -> list[np.ndarray | Codes | list] | None:
        """Columns of numbers and categories, in few rows also others."""
        return all_or_none(map(_in_place, _arrays(self._frame)))

    def without_objects(self, codes: dict[str, tuple[Code, ...]]) -> PandasTable:
        """The same table; columns of objects have None for their codes."""
        if not self.named:
            return self
        objects = [name for name, kind in zip(self.names, self._kinds, strict=True) if str(kind) == "object"]
        changed = {name: self._without(name, codes[name]) for name in objects if name in codes}
        return PandasTable(self._frame.assign(**changed)) if changed else self

    def _without(self, name: str, codes: tuple[Code, ...]):
        series = self._frame[name]
        objects = np.empty(self.n, dtype=object)
        objects[:] = without_code_values(series, codes)
        return type(series)(objects, index=series.index)

    def objects(self, j: int) -> list | None:
        """The values of a column of Python objects as they are; None for any other column."""
        return self._columns[j].tolist() if str(self._kinds[j]) == "object" else None


def _arrays(X) -> Iterator:
    """The arrays behind the columns, together where pandas can: one by one takes ten times as long."""
    if hasattr(X, "_iter_column_arrays"):
        return X._iter_column_arrays()
    return (c.to_numpy() if isinstance(c.dtype, np.dtype) else c.array for _, c in X.items())


def _in_place(array) -> np.ndarray | Codes | list | None:
    if type(array).__name__ == "Categorical":
        return Codes(array.codes, array.categories, bool(array.ordered))
    plain = type(array) is np.ndarray
    if plain and can_be_sent(array.dtype):
        return array
    # Arrays of counts of time would become lists of numbers.
    return array.tolist() if len(array) <= FEW and (not plain or array.dtype.kind in "bO") else None
