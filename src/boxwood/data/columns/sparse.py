"""Sparse tables: matrices and arrays of scipy in any format, data frames of pandas with sparse columns.

Cells that are not stored are zero, and zeros take neither memory nor time. Where every cell is needed after all, the
table is made dense, if there is memory for it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from ..._fast_record import cached
from ..._free_memory import refuse_too_large
from ...errors import DataError
from .columns import Columns, Matrix
from .names import made_up
from .raw import EXACT
from .schema import NUMERIC, Feature, Schema

log = logging.getLogger("boxwood")
#: Cells of a dense block of rows: 2 MB, which stay in the caches.
BLOCK = 1 << 18


class Stored:
    """The stored cells of a table of n rows and p columns, line by line: columns, or rows.

    Attributes
    ----------
    starts : int64, shape (lines + 1,)
        Line i holds the cells from ``starts[i]`` to ``starts[i + 1]``.
    at : uint32, shape (m,)
        Of each cell its row, or column; no two cells of a line have the same.
    cells : float64, shape (m,)
    """

    def __init__(self, starts: np.ndarray, at: np.ndarray, cells: np.ndarray):
        self.starts = np.ascontiguousarray(starts, dtype=np.int64)
        self.at = np.ascontiguousarray(at, dtype=np.uint32)
        self.cells = np.ascontiguousarray(cells, dtype=np.float64)

    @property
    def lines(self) -> np.ndarray:
        """The line of each cell, int64."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def across(self, lines: int) -> Stored:
        """The same cells by the other direction, which has so many lines."""
        order = np.argsort(self.at, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(self.at, minlength=lines))])
        return Stored(starts, self.lines[order], self.cells[order])

    def take(self, lines: np.ndarray) -> Stored:
        """Some lines, by their numbers."""
        sizes = np.diff(self.starts)[lines]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        cells = np.arange(starts[-1]) + np.repeat(self.starts[:-1][lines] - starts[:-1], sizes)
        return Stored(starts, self.at[cells], self.cells[cells])


class SparseColumns(Columns):
    """Numeric columns of which only stored cells are held; all others are zero.

    Parameters
    ----------
    schema : Schema
        All features numeric.
    n : int
        Number of rows.
    by_column, by_row : callable
        Make the stored cells, column by column and row by row, when they are first used.

    Attributes
    ----------
    by_column, by_row : Stored
    """

    def __init__(self, schema: Schema, n: int, by_column, by_row):
        vars(self).update(schema=schema, n=n, unseen={}, _by_column=by_column, _by_row=by_row)

    @cached
    def by_column(self) -> Stored:
        """The stored cells of each column."""
        return self._by_column()

    @cached
    def by_row(self) -> Stored:
        """The stored cells of each row."""
        return self._by_row()

    def __getattr__(self, name: str):
        """``values`` and ``low``, made when one of them is first read, if there is memory for all cells."""
        if name not in ("values", "low"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        width = len(self.schema)
        refuse_too_large(self.n, width)
        log.info("made dense: %d rows of %d columns, %.0f MB", self.n, width, self.n * width * 8e-6)
        values = tuple(dense_lines(self.by_column, np.arange(width), self.n))
        vars(self).update(values=values, low=(None,) * width)
        return vars(self)[name]

    @cached
    def has_missing(self) -> bool:
        """Whether any stored value is NaN."""
        return bool(np.isnan((vars(self).get("by_column") or self.by_row).cells).any())

    def of_schema(self, schema: Schema) -> SparseColumns:
        """The same cells as features of another schema of as many features."""
        return SparseColumns(schema, self.n, lambda: self.by_column, lambda: self.by_row)

    def without(self, features) -> SparseColumns:
        """The same columns, some features (positions) with zeros alone."""
        keep = np.ones(len(self.schema), dtype=bool)
        keep[list(features)] = False
        stored = self.by_column
        kept = keep[stored.lines]
        starts = np.concatenate([[0], np.cumsum(np.diff(stored.starts) * keep)])
        left = Stored(starts, stored.at[kept], stored.cells[kept])
        return SparseColumns(self.schema, self.n, lambda: left, lambda: left.across(self.n))

    def missing(self, j: int) -> np.ndarray:
        """Whether feature ``j`` is missing, shape (n,), bool."""
        return np.isnan(self.column(j))

    def column(self, j: int) -> np.ndarray:
        """All values of one feature, float64, shape (n,)."""
        return dense_lines(self.by_column, np.array([j]), self.n)[0]

    def take(self, rows: np.ndarray) -> SparseColumns:
        """The same features for some rows (integer positions or a boolean mask)."""
        rows = np.flatnonzero(rows) if rows.dtype == bool else rows
        by_row, width = self.by_row.take(rows), len(self.schema)
        return SparseColumns(self.schema, len(rows), lambda: by_row.across(width), lambda: by_row)

    def refuse_missing(self) -> None:
        """Raise when any value is missing; see :class:`Columns`."""
        missing = np.flatnonzero(np.isnan(self.by_column.cells))
        if len(missing):
            j = int(np.searchsorted(self.by_column.starts, missing[0], side="right")) - 1
            Columns(Schema((self.schema[j],)), self.n, (self.column(j),), (None,), {}).refuse_missing()

    def blocks(self, features: np.ndarray) -> Iterator[Matrix]:
        """Blocks of rows, dense, of some features (positions) alone; each block takes the place of the one before."""
        by_row, width = self.by_row, len(features)
        schema, slot = Schema(tuple(self.schema[j] for j in features)), np.full(len(self.schema), -1, dtype=np.int32)
        slot[features] = np.arange(width)
        rows = max(1, min(self.n, BLOCK // width))
        cells = np.zeros((rows, width))
        for start in range(0, max(self.n, 1), rows):
            starts = by_row.starts[start : start + rows + 1]
            column = slot.take(by_row.at[starts[0] : starts[-1]])
            found = np.flatnonzero(column >= 0)
            if 16 * len(found) < len(column):  # few: found faster one by one
                line = np.searchsorted(starts, found + starts[0], side="right") - 1
            else:
                line = np.repeat(np.arange(len(starts) - 1), np.diff(starts))[found]
            places = line * width + column[found]
            cells.reshape(-1)[places] = by_row.cells[starts[0] : starts[-1]][found]
            yield Matrix(schema, cells[: len(starts) - 1])
            cells.reshape(-1)[places] = 0.0


def dense_lines(stored: Stored, lines: np.ndarray, length: int) -> np.ndarray:
    """Some lines with all their cells, float64, shape (len(lines), length)."""
    some = stored.take(lines)
    out = np.zeros((len(lines), length))
    out[some.lines, some.at] = some.cells
    return out


def is_sparse(X) -> bool:
    """Whether X is a sparse matrix or array."""
    return hasattr(type(X), "nnz") and hasattr(type(X), "toarray")  # of the type: lists count their cells anew


def from_matrix(X) -> SparseColumns | None:
    """A matrix or array of scipy as columns; None where it is not of numbers that doubles hold."""
    kind = np.dtype(X.dtype)
    if kind.kind not in "biuf" or kind.itemsize > 8:
        return None
    (n, width), own = X.shape, own_copy(X)
    found = SparseColumns(_schema(width, kind), n, lambda: _stored(own.tocsc()), lambda: _stored(own.tocsr()))
    if kind.kind in "iu" and kind.itemsize == 8:
        cells = found.by_column.cells
        if np.abs(cells).max(initial=0.0) >= EXACT:
            return None
    return found


@lru_cache(maxsize=64)
def _schema(width: int, kind: np.dtype) -> Schema:
    is_whole = kind.kind != "f"
    return Schema(tuple(Feature(name, NUMERIC, why=f"{kind} column", integer=is_whole) for name in made_up(width)))


def _stored(compressed) -> Stored:
    """The cells of a compressed matrix of our own; what is stored twice is added up."""
    compressed.sum_duplicates()
    at = compressed.indices  # not negative, so that no copy is needed
    return Stored(compressed.indptr, at.view(np.uint32) if at.dtype == np.int32 else at, compressed.data)


def from_sparse_columns(X, names: tuple[str, ...], named: bool, wanted: Sequence[int]) -> SparseColumns | None:
    """Columns of a pandas frame, some of them sparse; None where they are not of numbers that doubles hold.

    Raises
    ------
    DataError
        A column stores cells in rows that it does not have.
    """
    kinds = [getattr(kind, "subtype", kind) for kind in X.dtypes]
    if not all(isinstance(kinds[j], np.dtype) and kinds[j].kind in "iuf" and kinds[j].itemsize <= 8 for j in wanted):
        return None
    at, cells, features = [], [], []
    for j in wanted:
        rows, values = _cells_of(X.iloc[:, j])
        if len(rows) and (rows[0] < 0 or rows[-1] >= len(X) or (rows[1:] <= rows[:-1]).any()):
            raise DataError(f"the sparse column {names[j]!r} stores cells in rows that it does not have.")
        if kinds[j].kind in "iu" and kinds[j].itemsize == 8 and np.abs(values).max(initial=0) >= EXACT:
            return None
        at.append(rows)
        cells.append(values)
        features.append(Feature(names[j], NUMERIC, why=f"{kinds[j].name} column", integer=kinds[j].kind != "f"))
    starts = np.concatenate([[0], np.cumsum([len(rows) for rows in at])])
    stored, n = Stored(starts, np.concatenate(at), np.concatenate(cells)), len(X)
    return SparseColumns(Schema(tuple(features), named), n, lambda: stored, lambda: stored.across(n))


def _cells_of(column) -> tuple[np.ndarray, np.ndarray]:
    """Copies of rows and values of the cells of a pandas column that are not zero, or that are stored."""
    values = column.array
    if getattr(values, "fill_value", None) == 0 and hasattr(values, "sp_index"):
        return np.array(values.sp_index.to_int_index().indices), np.array(values.sp_values)
    values = np.array(values)
    rows = np.flatnonzero(values != 0)
    return rows, values[rows]


def own_copy(X):
    """A copy of a matrix or array of scipy, compressed by rows or by columns, that nobody else changes.

    Its indices are checked: scipy and the kernel read memory at them unchecked.

    Raises
    ------
    DataError
        An index lies outside of the table.

    Examples
    --------
    >>> import scipy.sparse
    >>> from boxwood.data.columns.sparse import own_copy
    >>> X = scipy.sparse.csr_array([[0.0, 2.0]])
    >>> own_copy(X).toarray()
    array([[0., 2.]])
    >>> X.indices[0] = 7
    >>> own_copy(X)
    Traceback (most recent call last):
    boxwood.errors.DataError: the sparse table X is damaged: indices must be < 2; create it again.
    """
    try:
        own = X.copy()
        _check(own)
        if own.format not in ("csr", "csc"):
            own = own.tocsr()
            _check(own)
    except (ValueError, IndexError, TypeError) as error:
        reason = str(error).strip(".")
        raise DataError(f"the sparse table X is damaged: {reason}; create it again.") from error
    return own


def _check(own) -> None:
    """Raise ValueError where an index lies outside; a format without such a check makes it when it is copied."""
    if hasattr(own, "check_format"):
        # scipy does not look at this where the last one is not positive, and its differences may overflow.
        if (own.indptr[1:] < own.indptr[:-1]).any():
            raise ValueError("index pointers must not fall")
        own.check_format(full_check=True)
