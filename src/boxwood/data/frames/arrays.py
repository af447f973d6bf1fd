"""Readers of what is a matrix: arrays, sparse matrices and lists of rows."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..._fast_record import cached
from ..._free_memory import refuse_too_large
from ..._messages import FromZero, Row, remedy
from ...errors import DataError, DataTypeError
from ..columns.columns import Matrix
from ..columns.matrices import can_be_sent, from_rows, is_floats, made_up_schema
from ..columns.names import made_up, resolve_names
from ..columns.raw import RawColumn, place_of
from ..columns.sparse import SparseColumns, from_matrix, own_copy
from .objects import from_array, from_objects
from .table import Columnwise, TableReader, check_real, check_shape


class ArrayTable(TableReader):
    """A two-dimensional array of numpy."""

    named = False

    def __init__(self, X: np.ndarray):
        check_shape(X.shape)
        self._array, self.n = X, len(X)
        if type(X) is np.ndarray and can_be_sent(X.dtype):
            self.matrix = X
            return
        check_real(X.dtype)
        if not isinstance(X, np.ma.MaskedArray):
            self._array = np.asarray(X)  # a matrix stays two-dimensional when it is cut

    @cached
    def names(self) -> tuple[str, ...]:
        """Made up."""
        return made_up(self._array.shape[1])

    def column(self, j: int) -> RawColumn:
        """Read the column at position ``j``."""
        return from_array(place_of(self.names[j]), self._array[:, j])

    def numeric(self) -> Matrix | None:
        """Floats, learned from where they lie."""
        array = self._array
        return Matrix(made_up_schema(array.shape[1], array.dtype), array) if is_floats(array) else None

    def in_place(self) -> list[np.ndarray] | None:
        """The columns of numbers."""
        return None if self.matrix is None else list(self.matrix.T)


def array_table(X: np.ndarray) -> TableReader:
    """A reader of an array, or of one with named fields."""
    if not X.dtype.names:
        return ArrayTable(X)
    check_shape((len(X), len(X.dtype.names)) if X.ndim == 1 else (*X.shape, len(X.dtype.names)))
    names, named = resolve_names(list(X.dtype.names))
    return Columnwise(names, named, len(X), lambda j: from_array(place_of(names[j]), X[names[j]]))


class SparseTable(TableReader):
    """A matrix or array of scipy, in any format, of which the cells that are not stored are zero."""

    named = False

    def __init__(self, X):
        if not (hasattr(X, "tocsc") and hasattr(X, "tocsr")):
            raise DataTypeError(
                f"X is sparse but of the type {type(X).__name__}, which cannot be read; "
                "pass a matrix or array of scipy.sparse, or a dense array, for example X.toarray()."
            )
        check_shape(X.shape)
        check_real(np.dtype(X.dtype))
        self._sparse, self.n, self.names = X, X.shape[0], made_up(X.shape[1])

    @cached
    def _dense(self) -> TableReader:
        refuse_too_large(*self._sparse.shape)
        return ArrayTable(np.asarray(own_copy(self._sparse).toarray()))

    def column(self, j: int) -> RawColumn:
        """Read the column at position ``j``, from all cells."""
        return self._dense.column(j)

    def numeric(self) -> SparseColumns | None:
        """All columns; None for numbers that doubles do not hold."""
        return from_matrix(self._sparse)

    def sparse(self, positions: list[int] | None = None) -> SparseColumns | None:
        """All columns: without names nobody picks some."""
        return from_matrix(self._sparse)


class RowsTable(TableReader):
    """A list of rows: lists, tuples or arrays."""

    named = False

    def __init__(self, X):
        if len(X) == 0:
            raise DataError("Found array with 0 sample(s) (shape=(0,)) while a minimum of 1 is required.")
        if not holds_several(X[0]):
            check_shape((len(X),))
        self._rows, self.n = X, len(X)

    @cached
    def matrix(self) -> np.ndarray | None:
        """Rows of numbers as an array."""
        return from_rows(self._rows)

    @cached
    def names(self) -> tuple[str, ...]:
        """Made up, after a look at all rows."""
        read = vars(self).get("matrix")
        return made_up(_width(self._rows) if read is None else read.shape[1])

    @cached
    def _columns(self) -> list[tuple]:
        return list(zip(*self._rows, strict=True))

    def column(self, j: int) -> RawColumn:
        """Read the column at position ``j``."""
        return from_objects(place_of(self.names[j]), list(self._columns[j]))


def _width(rows) -> int:
    """How many values every row has; refuses rows of other lengths and what is no row."""
    if not all(map(holds_several, rows)):
        check_shape((len(rows),))
    width = len(rows[0])
    for i, row in enumerate(rows):
        if len(row) != width:
            raise DataError(
                Row(i, "Row"), " of X", FromZero(), f" has {len(row)} values where ", Row(0), f" has {width}; ",
                remedy("every row needs one value per column, None where it is missing."),
            )  # fmt: skip
    check_shape((len(rows), width))
    if holds_several(rows[0][0]):
        raise DataError("Found array with dim 3, while dim <= 2 is required: the cells of X hold lists.")
    return width


def holds_several(value) -> bool:
    """Whether a value holds several values, as a row does."""
    if isinstance(value, (list, tuple)):
        return True
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return hasattr(value, "__len__") and not isinstance(value, (str, bytes, Mapping))
