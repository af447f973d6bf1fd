"""A column of Python objects: strings, booleans or numbers, recognised by their values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..._messages import Column, FromZero, Message, Phrase, Row, Value, remedy, short
from ...errors import DataError, DataTypeError
from ..columns.instants import from_numpy_times, from_time_objects
from ..columns.raw import (
    BOOLEANS,
    EXACT,
    MISSING_TYPES,
    STRINGS,
    RawColumn,
    from_booleans,
    from_numbers,
    group_of,
    is_nan,
    no_values,
    plain_string,
    refuse_huge,
    refuse_inexact,
)
from ..columns.written_numbers import fits

_FLOATS = {float, np.float64, np.float32, type(None)}
_COMMON = _FLOATS | {int, bool, np.int64}  # numpy converts these by itself


def from_array(place: str, array: np.ndarray) -> RawColumn:
    """Read a numpy array of shape (n,) of any type; masked values are missing.

    Raises
    ------
    DataTypeError, DataError
        For values that are neither numbers, booleans nor strings.
    """
    mask = np.ma.getmask(array)
    plain = np.asarray(array)
    if plain.ndim != 1:
        shape = f" holds arrays of shape {plain.shape[1:]}; "
        raise DataTypeError(place, shape, remedy("give every value its own column."))
    if plain.dtype.kind in "fiu":
        return from_numbers(place, plain, None if mask is np.ma.nomask else mask)
    if plain.dtype.kind == "b":
        return from_booleans(place, plain, None if mask is np.ma.nomask else mask)
    if plain.dtype.kind in "Mm":
        return from_numpy_times(place, plain, mask=None if mask is np.ma.nomask else mask)
    if plain.dtype.kind == "S":
        return from_objects(place, _decode(place, plain).tolist())
    return from_objects(place, array.tolist())


def from_objects(place: str, values: list) -> RawColumn:
    """Read a list of n Python or numpy values by the rule at the top of raw.py.

    Raises
    ------
    DataTypeError
        Strings or dates mixed with numbers (first row of each), or objects that are none of these.
    DataError
        Complex numbers, or an integer beyond 64 bits.
    """
    types = set(map(type, values))
    groups = {t: group_of(t) for t in types}
    found = set(groups.values())
    for group, refuse in _REFUSALS.items():
        if group in found:
            row = _first(values, lambda v, group=group: groups[type(v)] == group)
            raise refuse(place, values[row], row)
    if "time" in found:
        _check_times(place, values, groups)
        return from_time_objects(place, values)
    if "text" in found:
        _check_unmixed(place, values, groups)
        return _from_text(place, values, types)
    if "boolean" in found and _first_number(values, groups) is None:
        codes = np.fromiter((int(v) if groups[type(v)] == "boolean" else -1 for v in values), np.int32, len(values))
        return RawColumn(place, codes, BOOLEANS, levels=(False, True))
    if "boolean" not in found and _first_number(values, groups) is None:
        return no_values(place, len(values))
    return _from_reals(place, values, types)


def _decode(place: str, array: np.ndarray) -> np.ndarray:
    """Byte strings as strings."""
    try:
        return np.char.decode(array, "utf-8")
    except UnicodeDecodeError:
        no_text = " holds bytes that are not UTF-8 text; "
        raise DataTypeError(place, no_text, remedy("decode it to strings first.")) from None


def _inside(place: Phrase) -> Phrase:
    """The place as it is written inside a sentence."""
    return Column(place.name, place.word.lower()) if isinstance(place, Column) else place[:1].lower() + place[1:]


_REFUSALS: dict[str, Callable] = {
    "complex": lambda place, value, row: DataError(
        "Complex data not supported: ", _inside(place), ", ", Row(row), FromZero(), " holds ", Value(value), "; ",
        remedy("pass the real and the imaginary part as two columns."),
    ),
    "other": lambda place, value, row: DataTypeError(
        place, ", ", Row(row), FromZero(), f" holds {type(value).__name__} ", Value(value),
        ", but the argument must be a string or a number",
        "; convert the column with .dt.to_timestamp()." if type(value).__name__ == "Period" else ".",
    ),
}  # fmt: skip


def _first(values: list, test) -> int | None:
    """Row of the first value that passes a test, None without one."""
    return next((i for i, v in enumerate(values) if test(v)), None)


def _first_number(values: list, groups: dict) -> int | None:
    """Row of the first real number, None when all of them are NaN."""
    return _first(values, lambda v: groups[type(v)] == "number" and not is_nan(v))


def _check_unmixed(place: str, values: list, groups: dict) -> None:
    """Refuse strings among numbers or booleans: compared as text, "9" would come after "10"."""
    if set(groups.values()) <= {"text", "missing"}:
        return
    other = _first(values, lambda v: groups[type(v)] == "boolean" or (groups[type(v)] == "number" and not is_nan(v)))
    if other is not None:
        text = _first(values, lambda v: isinstance(v, str))
        raise DataTypeError(
            place, f" mixes strings ({short(plain_string(values[text]))} in ", Row(text), ") with other values (",
            Value(values[other]), " in ", Row(other), FromZero(", counted from 0"), "); ",
            remedy("convert the column to numbers or to strings."),
        )  # fmt: skip


def _check_times(place: str, values: list, groups: dict) -> None:
    """Refuse dates and times among other values."""
    other = _first(values, lambda v: groups[type(v)] not in ("time", "missing") and not (_is_number(v) and is_nan(v)))
    if other is not None:
        time = _first(values, lambda v: groups[type(v)] == "time")
        raise DataTypeError(
            place, f" mixes dates or times ({short(values[time])} in ", Row(time), ") with other values (",
            Value(values[other]), " in ", Row(other), FromZero(", counted from 0"), "); ",
            remedy("convert the column to dates, with None for missing ones."),
        )  # fmt: skip


def _is_number(value) -> bool:
    return group_of(type(value)) == "number"


def _from_text(place: str, values: list, types: set) -> RawColumn:
    """Strings among missing values; the levels are sorted by code point."""
    if any(issubclass(t, str) and t is not str for t in types):
        values = [plain_string(v) if isinstance(v, str) else v for v in values]
    found = set(values)
    levels = tuple(sorted(v for v in found if isinstance(v, str)))
    position = dict.fromkeys(found, -1) | {v: i for i, v in enumerate(levels)}
    codes = np.fromiter(map(position.__getitem__, values), np.int32, len(values))
    return RawColumn(place, codes, STRINGS, levels=levels)


def _from_reals(place: str, values: list, types: set) -> RawColumn:
    """Numbers, booleans and missing values of any Python type, exactly."""
    whole = all(group_of(t) == "missing" or issubclass(t, (int, np.integer, np.bool_)) for t in types)
    if types <= _COMMON:
        try:
            near = np.array(values, dtype=np.float64)
        except OverflowError:
            near = None
        if near is not None and (types <= _FLOATS or not np.any(np.isfinite(near) & (np.abs(near) >= EXACT))):
            return RawColumn(place, near, "numbers", integer=whole)
    pairs = np.array([_exact(place, row, v) for row, v in enumerate(values)])
    near, low = np.ascontiguousarray(pairs.T)
    return RawColumn(place, near, "numbers", low if low.any() else None, whole)


def _exact(place: str, row: int, value) -> tuple[float, float]:
    """One number as the nearest float64 and, for an integer, the exact remainder."""
    if type(value).__name__ in MISSING_TYPES or is_nan(value):
        return np.nan, 0.0
    if isinstance(value, (int, np.integer, np.bool_)):
        value = int(value)
        if not fits(value):
            raise refuse_huge(Message(place, ", ", Row(row), FromZero()), value)
        return float(value), float(value - int(float(value)))
    try:
        near = float(value)
    except OverflowError:
        raise refuse_inexact(place, row, value) from None
    if near != value and (isinstance(value, np.longdouble) or np.isinf(near)):
        raise refuse_inexact(place, row, value)
    return near, 0.0
