"""Tables that prediction reads in place: columns as given, converted to values only when they are read.

A few rows of text, booleans or Python's numbers are looked up value by value in the levels of each feature. What is
not surely one of them, an unseen level too, is left to the general way (frame.py), which warns and refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..columns.category_codes import Codes, levels_of_codes
from ..columns.columns import Columns
from ..columns.matrices import can_be_sent, is_double, is_numbers
from ..columns.names import made_up, resolve_names
from ..columns.raw import BOOLEANS, EXACT
from ..columns.schema import MISSING, NUMERIC, UNSEEN, Feature, Schema

_NUMBERS = {"Float64", "Float32", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64"}
_ARROW_NUMBERS = {"double", "float", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
_TEXT, _ARROW_TEXT = {"String", "Categorical", "Boolean"}, {"string", "large_string", "bool"}
_REALS, _NOTHING = {float, int, np.float64, type(None)}, {float, type(None)}
#: Text is looked up value by value in tables of no more rows.
_FEW = 1000


class ZeroCopyColumns(Columns):
    """The columns of a table as the kernel reads them in place.

    Parameters
    ----------
    schema : Schema
    n : int
        Number of rows.
    given : list of tuple
        One entry per feature: ("numeric", values); ("nominal" or "ordinal", levels); ("codes", codes, level of each
        code and of all others); ("values", numbers, rising levels, their codes).
    read : callable
        Makes the ``Columns`` with the values, low parts and unseen levels of these rows.
    """

    def __init__(self, schema: Schema, n: int, given: list[tuple], read: Callable[[], Columns]):
        vars(self).update(schema=schema, n=n, given=given, _read=read)

    def __getattr__(self, name: str):
        """``values``, ``low`` and ``unseen``, made together when one of them is first read."""
        if name not in ("values", "low", "unseen"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        made = self._read()
        vars(self).update(values=made.values, low=made.low, unseen=made.unseen)
        return vars(self)[name]

    @property
    def has_unseen(self) -> bool:
        """Whether some level was not seen in training: prediction has found out, or it is looked up."""
        found = vars(self).get("_has_unseen")
        return bool(self.unseen) if found is None else found

    @has_unseen.setter
    def has_unseen(self, found: bool) -> None:
        vars(self)["_has_unseen"] = found


@dataclass(frozen=True, eq=False)
class PlainTable:
    """A table whose columns are numbers or codes in memory.

    Attributes
    ----------
    names : tuple of str
    named : bool
        Whether the names came with the table.
    n : int
    columns : list of (ndarray, Codes, or list of Python's objects)
    """

    names: tuple[str, ...]
    named: bool
    n: int
    columns: list


def plain_table(X) -> PlainTable | None:
    """Arrays, and data frames or dictionaries whose columns are all numbers, categories or, in few rows, lists.

    None for anything else.

    Raises
    ------
    ColumnError, DataTypeError
        Names that cannot be used, as for any frame.
    """
    if is_numbers(X):
        return PlainTable(made_up(X.shape[1]), False, len(X), list(X.T)) if X.ndim == 2 and X.size else None
    if type(X) is dict:
        return _of_lists(X)
    library, kind = type(X).__module__.partition(".")[0], type(X).__name__
    if (library, kind) == ("pandas", "DataFrame"):
        names, columns, read = X.columns.tolist(), _pandas_arrays(X), _of_pandas
    elif (library, kind) == ("polars", "DataFrame"):
        names, columns, read = X.columns, X.get_columns(), _of_polars
    elif (library, kind) == ("pyarrow", "Table"):
        names, columns, read = X.column_names, X.columns, _of_arrow
    else:
        return None
    names, named = resolve_names(list(names))
    found = []
    for column in columns:
        found.append(read(column))
        if found[-1] is None:
            return None
    return PlainTable(names, named, len(X), found) if found and len(X) else None


def zero_copy_columns(
    table: PlainTable, positions: Sequence[int], schema: Schema, read: Callable[[], Columns]
) -> ZeroCopyColumns | None:
    """The columns of a table at ``positions``, one for each feature; None when some cannot be read in place."""
    given = []
    for j, feature in zip(positions, schema, strict=True):
        entry = _entry(feature, table.columns[j])
        if entry is None:
            return None
        given.append(entry)
    return ZeroCopyColumns(schema, table.n, given, read)


def _entry(feature: Feature, column: np.ndarray | Codes | list) -> tuple | None:
    """How the kernel reads a column as a feature; None for one that must be converted first."""
    if feature.temporal is not None:  # plain numbers are not dates, unless a format says how to read them
        return None
    if isinstance(column, list):
        return _looked_up(feature, column)
    array = column.codes if isinstance(column, Codes) else column
    if not can_be_sent(array.dtype) or not array.flags.aligned or array.strides[0] % array.itemsize:
        return None
    if feature.kind == NUMERIC:
        return None if isinstance(column, Codes) else (NUMERIC, array)
    if isinstance(column, Codes):
        return _coded(feature, column)
    if not all(map(is_double, feature.levels)):
        return None
    return "values", array, *_rising(feature.levels)


def _looked_up(feature: Feature, values: list) -> tuple | None:
    """The numbers, or the codes of the levels, that Python's objects are."""
    kinds = set(map(type, values))
    if feature.kind == NUMERIC:
        if not kinds <= _REALS or (int in kinds and any(type(v) is int and not -EXACT < v < EXACT for v in values)):
            return None
        return NUMERIC, np.array(values, dtype=np.float64)
    level = bool if feature.why == BOOLEANS else str
    if float in kinds and kinds <= {level, *_NOTHING}:
        values = [None if v != v else v for v in values]
        kinds = set(map(type, values))
    if not kinds <= {level, type(None)}:
        return None
    codes = list(map((feature.code_of | {None: MISSING}).get, values))
    return None if None in codes else (feature.kind, np.array(codes, dtype=np.int32))


@lru_cache(maxsize=64)
def _rising(levels: tuple) -> tuple[np.ndarray, np.ndarray]:
    """Levels that are numbers in rising order, and the code of each."""
    order = sorted(range(len(levels)), key=levels.__getitem__)
    return np.array([levels[v] for v in order], dtype=np.float64), np.array(order, dtype=np.int32)


def _coded(feature: Feature, column: Codes) -> tuple | None:
    """Codes with the level that each category is, or, where rows are fewer than categories, the level of each row."""
    levels, codes = levels_of_codes(feature, column), column.codes
    if levels is None:
        return None
    size, is_float = len(levels) - 1, codes.dtype.kind == "f"
    if len(codes) < size:
        at = (np.where(np.isnan(codes), -1, codes) if is_float else codes).astype(np.int64)
        found = levels[at.clip(-1, size)]
        return None if (found == UNSEEN).any() else (feature.kind, found)  # the kernel does not report unseen levels
    return ("values", codes, np.arange(size, dtype=np.float64), levels[:-1]) if is_float else ("codes", codes, levels)


def _of_lists(X: dict) -> PlainTable | None:
    """A dictionary of lists of few values."""
    columns = list(X.values())
    sizes = {len(column) if type(column) is list else 0 for column in columns}
    n = sizes.pop() if len(sizes) == 1 else 0
    return PlainTable(*resolve_names(list(X)), n, columns) if 0 < n <= _FEW else None


def _pandas_arrays(X) -> Iterator:
    """The arrays behind the columns, together where pandas can: one by one takes ten times as long."""
    if hasattr(X, "_iter_column_arrays"):
        return X._iter_column_arrays()
    return (c.to_numpy() if isinstance(c.dtype, np.dtype) else c.array for _, c in X.items())


def _of_pandas(array) -> np.ndarray | Codes | list | None:
    if type(array).__name__ == "Categorical":
        return Codes(array.codes, array.categories, bool(array.ordered))
    plain = type(array) is np.ndarray
    if plain and can_be_sent(array.dtype):
        return array
    # Arrays of counts of time would become lists of numbers.
    return array.tolist() if len(array) <= _FEW and (not plain or array.dtype.kind in "bO") else None


def _of_polars(column) -> np.ndarray | Codes | list | None:
    dtype = column.dtype  # polars makes it anew at each access, with all categories
    kind = type(dtype).__name__
    if kind in _NUMBERS:
        return column.to_numpy() if "Float" in kind or column.null_count() == 0 else None
    if kind in _TEXT:
        return column.to_list() if len(column) <= _FEW else None
    if kind == "Enum":  # codes with gaps become floats with NaN
        return Codes(column.to_physical().to_numpy(), dtype.categories, True)
    return None


def _of_arrow(column) -> np.ndarray | Codes | list | None:
    kind = column.type
    if str(kind) in _ARROW_NUMBERS:
        return column.to_numpy() if str(kind) in ("double", "float") or column.null_count == 0 else None
    if str(kind) in _ARROW_TEXT:
        return column.to_pylist() if len(column) <= _FEW else None
    if not hasattr(kind, "index_type") or column.num_chunks != 1:  # parts may have dictionaries of their own
        return None
    part = column.chunk(0)
    return Codes(part.indices.to_numpy(zero_copy_only=False), part.dictionary, bool(kind.ordered))
