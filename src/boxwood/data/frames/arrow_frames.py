"""Readers of data frames of polars and pyarrow, which give columns in place; all else narwhals reads."""

from __future__ import annotations

import numpy as np

from ..columns.category_codes import Codes
from .dataframes import FrameTable
from .table import FEW, all_or_none

_NUMBERS = {"Float64", "Float32", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64"}
_ARROW_NUMBERS = {"double", "float", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
_TEXT, _ARROW_TEXT = {"String", "Categorical", "Boolean"}, {"string", "large_string", "bool"}


class PolarsTable(FrameTable):
    """A data frame of polars."""

    def __init__(self, X):
        super().__init__(X, X.columns)

    def in_place(self) -> list[np.ndarray | Codes | list] | None:
        """Columns of numbers and enums, in few rows also text."""
        return all_or_none(map(_of_polars, self._frame.get_columns()))


class ArrowTable(FrameTable):
    """A table of pyarrow."""

    def __init__(self, X):
        super().__init__(X, X.column_names)

    def in_place(self) -> list[np.ndarray | Codes | list] | None:
        """Columns of numbers and dictionaries, in few rows also text."""
        return all_or_none(map(_of_arrow, self._frame.columns))


def _of_polars(column) -> np.ndarray | Codes | list | None:
    dtype = column.dtype  # polars makes it anew at each access, with all categories
    kind = type(dtype).__name__
    if kind in _NUMBERS:
        return column.to_numpy() if "Float" in kind or column.null_count() == 0 else None
    if kind in _TEXT:
        return column.to_list() if len(column) <= FEW else None
    if kind == "Enum":  # codes with gaps become floats with NaN
        return Codes(column.to_physical().to_numpy(), dtype.categories, True)
    return None


def _of_arrow(column) -> np.ndarray | Codes | list | None:
    kind = column.type
    if str(kind) in _ARROW_NUMBERS:
        return column.to_numpy() if str(kind) in ("double", "float") or column.null_count == 0 else None
    if str(kind) in _ARROW_TEXT:
        return column.to_pylist() if len(column) <= FEW else None
    if not hasattr(kind, "index_type") or column.num_chunks != 1:  # parts may have dictionaries of their own
        return None
    part = column.chunk(0)
    return Codes(part.indices.to_numpy(zero_copy_only=False), part.dictionary, bool(kind.ordered))
