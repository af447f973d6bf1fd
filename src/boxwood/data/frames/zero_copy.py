"""Tables that prediction reads in place: columns as given, converted to values only when they are read.

A few rows of text, booleans or Python's numbers are looked up value by value in the levels of each feature. What is
not surely one of them, an unseen level too, is left to the general reader (frame.py), which warns and refuses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from ..columns.category_codes import Codes, levels_of_codes
from ..columns.columns import Columns
from ..columns.kinds.kind import ByKind
from ..columns.matrices import can_be_sent, is_double
from ..columns.raw import BOOLEANS, EXACT
from ..columns.schema import MISSING, NUMERIC, UNSEEN, Feature, Schema

_REALS, _NOTHING = {float, int, np.float64, type(None)}, {float, type(None)}


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


def zero_copy_columns(
    n: int, columns: list[np.ndarray | Codes | list], schema: Schema, read: Callable[[], Columns]
) -> ZeroCopyColumns | None:
    """The columns of a table, one for each feature; None when some cannot be read in place."""
    given = []
    for column, feature in zip(columns, schema, strict=True):
        entry = _entry(feature, column)
        if entry is None:
            return None
        given.append(entry)
    return ZeroCopyColumns(schema, n, given, read)


def _entry(feature: Feature, column: np.ndarray | Codes | list) -> tuple | None:
    """How the kernel reads a column as a feature; None for one that must be converted first."""
    arrays, lists = _IN_PLACE.of(feature)
    if isinstance(column, list):
        return lists(feature, column)
    array = column.codes if isinstance(column, Codes) else column
    if not can_be_sent(array.dtype) or not array.flags.aligned or array.strides[0] % array.itemsize:
        return None
    return arrays(feature, column, array)


def _number_array(feature: Feature, column: np.ndarray | Codes, array: np.ndarray) -> tuple | None:
    return None if isinstance(column, Codes) else (NUMERIC, array)


def _level_array(feature: Feature, column: np.ndarray | Codes, array: np.ndarray) -> tuple | None:
    if isinstance(column, Codes):
        return _coded(feature, column)
    if not all(map(is_double, feature.levels)):
        return None
    return "values", array, *_rising(feature.levels)


def _number_list(feature: Feature, values: list) -> tuple | None:
    """The numbers that Python's objects are."""
    kinds = set(map(type, values))
    if not kinds <= _REALS or (int in kinds and any(type(v) is int and not -EXACT < v < EXACT for v in values)):
        return None
    return NUMERIC, np.array(values, dtype=np.float64)


def _level_list(feature: Feature, values: list) -> tuple | None:
    """The codes of the levels that Python's objects are."""
    kinds = set(map(type, values))
    level = bool if feature.why == BOOLEANS else str
    if float in kinds and kinds <= {level, *_NOTHING}:
        values = [None if v != v else v for v in values]
        kinds = set(map(type, values))
    if not kinds <= {level, type(None)}:
        return None
    codes = list(map((feature.code_of | {None: MISSING}).get, values))
    return None if None in codes else (feature.kind, np.array(codes, dtype=np.int32))


def _nothing(*_: object) -> None:
    """Plain numbers are not dates, unless a format tells how to read them."""


#: How the kernel reads an array, and a list, as a feature; None for one that must be converted first.
_IN_PLACE: ByKind[tuple[Callable, Callable]] = ByKind(
    numeric=(_number_array, _number_list), ordinal=(_level_array, _level_list), nominal=(_level_array, _level_list),
    temporal=(_nothing, _nothing),
)  # fmt: skip


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
