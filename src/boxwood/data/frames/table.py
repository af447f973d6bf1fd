"""What every reader of a container offers: names, number of rows, and one column at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...errors import DataError
from ..columns.category_codes import Codes
from ..columns.columns import Columns
from ..columns.missing_codes import Code
from ..columns.raw import RawColumn

#: Text is looked up value by value in tables of no more rows.
FEW = 1000


class TableReader:
    """A table whose columns are read one at a time; each family of containers has a reader of its own.

    Attributes
    ----------
    names : tuple of str
        Column names, made up when the table has none.
    named : bool
        Whether the names came with the table.
    n : int
        Number of rows.
    matrix : ndarray of shape (n, p), or None
        All values, where all are numbers that the kernel reads in place.
    """

    names: tuple[str, ...]
    named: bool
    n: int
    matrix: np.ndarray | None = None

    def column(self, j: int) -> RawColumn:
        """Read the column at position ``j``."""
        raise NotImplementedError

    def numeric(self) -> Columns | None:
        """All columns, where their types show that all are numbers; None where values have to be looked at."""
        return None

    def sparse(self, positions: list[int] | None = None) -> Columns | None:
        """The columns at some positions (None = all), where cells that are zero are not stored; None elsewhere."""
        return None

    def in_place(self) -> list[np.ndarray | Codes | list] | None:
        """The columns as they lie in memory, or lists of few objects; None where some column must be converted."""
        return None

    def objects(self, j: int) -> list | None:
        """The values of a column of Python objects in a frame, as they are; None for any other column."""
        return None

    def without_objects(self, codes: dict[str, tuple[Code, ...]]) -> TableReader:
        """The same table; columns of objects, where texts may be among numbers, have None for the codes by name."""
        return self

    def changed(self, change: Callable[[int, RawColumn], RawColumn], n: int | None = None) -> TableReader:
        """The same table whose columns are changed after they are read, to ``n`` rows."""
        return Columnwise(self.names, self.named, self.n if n is None else n, lambda j: change(j, self.column(j)))


class Columnwise(TableReader):
    """A table of which a function reads each column."""

    def __init__(self, names: tuple[str, ...], named: bool, n: int, column: Callable[[int], RawColumn]):
        self.names, self.named, self.n, self._column = names, named, n, column

    def column(self, j: int) -> RawColumn:
        """Read the column at position ``j``."""
        return self._column(j)


def all_or_none(columns) -> list | None:
    """A list of the columns, None when it is empty or one of them is None; the rest is not read then."""
    found = []
    for column in columns:
        if column is None:
            return None
        found.append(column)
    return found or None


def check_shape(shape: tuple[int, ...]) -> None:
    """Refuse what is not a table with at least one row and one column.

    Raises
    ------
    DataError
        In the words of scikit-learn, which people and tests look for.
    """
    if len(shape) == 2 and 0 not in shape:
        return
    if len(shape) < 2:
        got = "1D array" if shape else "scalar array"
        raise DataError(
            f"Expected 2D array, got {got} instead (shape={shape}). Reshape your data using X.reshape(-1, 1) if it has "
            "a single feature or X.reshape(1, -1) if it has a single sample."
        )
    if len(shape) > 2:
        raise DataError(f"Found array with dim {len(shape)}, while dim <= 2 is required (shape={shape}).")
    what = "feature" if shape[1] == 0 else "sample"
    found = f"Found array with 0 {what}(s) (shape={shape}) while a minimum of 1 is required"
    raise DataError(f"{found}: X has no {'columns' if what == 'feature' else 'rows'}.")


def check_real(kind: np.dtype) -> None:
    """Refuse a table of complex numbers."""
    if kind.kind == "c":
        raise DataError(
            "Complex data not supported: X holds complex numbers; pass real and imaginary parts as columns."
        )
