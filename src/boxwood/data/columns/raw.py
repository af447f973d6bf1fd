"""One column in its original form, converted to exact numbers or to codes of levels.

The rule, by the type of the column, or of its values where the column has no type of its own:

- floats, integers and decimals are numbers; NaN, None, NA and NaT are missing; infinities are ordinary ordered values;
- booleans are the levels (False, True); among numbers they count as 0 and 1;
- strings are levels in code point order;
- dates, datetimes, times of day and durations are whole numbers of their unit (:mod:`.temporal`);
- complex numbers, bytes, lists and other objects are refused, and so are numbers mixed with strings.

Integers beyond 2**53 do not all fit a float64: they are kept as an exact sum ``values + low`` of two.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
import operator
from dataclasses import dataclass, replace

import numpy as np

from ..._messages import Column, FromZero, Phrase, Row, Value, remedy
from ...errors import DataError, DataTypeError
from .temporal import Temporal
from .written_numbers import WrittenNumbers, fits

#: Texts that mean a missing value among numbers or dates.
MISSING_WORDS = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None")
STRINGS, BOOLEANS, CATEGORIES, EMPTY = "strings", "booleans", "categories", "no values"

EXACT = 2.0**53  # below it, every integer is a float64
MISSING_TYPES = {"NoneType", "NAType", "NaTType", "MaskedConstant"}
_TIMES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)
_REALS = (int, float, np.integer, np.floating, decimal.Decimal, fractions.Fraction)


@dataclass(frozen=True, eq=False)
class RawColumn:
    """One column before its kind is decided.

    Attributes
    ----------
    place : str or Column
        How messages name the column, for example "Column 'age'".
    values : ndarray of shape (n,)
        Numbers: float64, NaN = missing. Levels: int32 positions in ``levels``, -1 = missing.
    why : str
        What was found, as text.
    low : ndarray of shape (n,), optional
        Numbers whose integers do not all fit float64: the exact value is ``values + low``.
    integer : bool
        Numbers: all of them came as integers or booleans.
    levels : tuple, optional
        Levels (str, bool, int, float): as declared where ``ordered``, else sorted; None for numbers.
    ordered : bool
        The container declares the order of the levels meaningful.
    temporal : Temporal, optional
        What the numbers count when they are dates, times or durations.
    written : WrittenNumbers, optional
        The form of the texts that the numbers were.
    """

    place: Phrase
    values: np.ndarray
    why: str
    low: np.ndarray | None = None
    integer: bool = False
    levels: tuple | None = None
    ordered: bool = False
    temporal: Temporal | None = None
    written: WrittenNumbers | None = None


def taken(column: RawColumn, rows: np.ndarray) -> RawColumn:
    """Some rows of a column, by their positions."""
    return replace(column, values=column.values[rows], low=None if column.low is None else column.low[rows])


def from_numbers(place: Phrase, values: np.ndarray, mask: np.ndarray | None = None) -> RawColumn:
    """Read floats or integers of any width, byte order and layout, shape (n,), exactly; ``mask`` = missing."""
    why, low = f"{values.dtype.name} column", None
    if values.dtype.kind == "f":
        numbers = _widen(place, values)
    else:
        numbers, low = split_integers(values)
    if mask is not None and mask.any():
        numbers = np.where(mask, np.nan, numbers)
        low = None if low is None else np.where(mask, 0.0, low)
    return RawColumn(place, numbers, why, low, integer=values.dtype.kind != "f")


def from_booleans(place: Phrase, values: np.ndarray, mask: np.ndarray | None = None) -> RawColumn:
    """Read booleans, shape (n,); ``mask`` marks missing values."""
    codes = values.astype(np.int32)
    if mask is not None:
        codes[mask] = -1
    return RawColumn(place, codes, BOOLEANS, levels=(False, True))


def from_categories(place: Phrase, codes: np.ndarray, categories: list, ordered: bool) -> RawColumn:
    """Read a categorical column: ``codes`` of shape (n,) into ``categories`` in declared order; code -1 is missing.

    Only ordered categories keep that order: for others it is the order in which values occurred, which decides nothing.
    Categories that are neither strings, numbers nor booleans (intervals, dates) are named by their text.
    """
    all_text = set(map(type, categories)) == {str}
    named = categories if all_text else [_as_level(place, v) for v in categories]
    levels = dict.fromkeys(named if all_text else [v for v in named if v is not None])
    levels = tuple(levels if ordered else sorted(levels, key=None if all_text else level_order))
    if not levels:
        return no_values(place, len(codes))
    why = "ordered categories" if ordered else CATEGORIES
    codes = checked_codes(place, codes, len(categories))
    if len(levels) == len(named) and all(map(operator.is_, levels, named)) and codes.dtype.kind == "i":
        return RawColumn(place, codes.astype(np.int32, copy=False), why, levels=levels, ordered=ordered)
    position = {v: i for i, v in enumerate(levels)}
    # -1 looks up the last entry: the missing level
    table = np.array([-1 if v is None else position[v] for v in named] + [-1], dtype=np.int32)
    return RawColumn(place, table[codes], why, levels=levels, ordered=ordered)


def as_strings(column: RawColumn) -> RawColumn:
    """Categories that all are strings, as strings, for a feature that has no levels; other columns as they are."""
    if column.why == STRINGS or not column.levels or set(map(type, column.levels)) != {str}:
        return column
    return replace(column, why=STRINGS, ordered=False)


def level_order(level) -> tuple[bool, object]:
    """The place of a level among those of a nominal column: numbers and booleans by value, then text by code point."""
    return isinstance(level, str), level


def checked_codes(place: Phrase, codes: np.ndarray, size: int) -> np.ndarray:
    """A copy of codes, which no other thread changes, all of which are below ``size``; -1 is missing."""
    codes = np.array(codes)
    if len(codes) and (codes.min() < -1 or codes.max() >= size):
        outside = f" contains codes outside the range of its {size} categories; "
        raise DataError(place, outside, remedy("create the column again."))
    return codes


def no_values(place: Phrase, n: int) -> RawColumn:
    """A column whose n values are all missing: numbers, since nothing contradicts it."""
    return RawColumn(place, np.full(n, np.nan), EMPTY)


def refuse_times(column: RawColumn) -> DataTypeError:
    """The error for a column of dates, times or durations where only numbers or labels will do."""
    return DataTypeError(
        column.place, f" holds dates or times ({column.temporal.described}) where numbers or labels are expected; ",
        remedy("turn it into numbers (for example days since a first date) or into strings (for example the month)."),
    )  # fmt: skip


def refuse_inexact(place: Phrase, row: int, value) -> DataError:
    """The error for a number wider than float64 that would be rounded."""
    return DataError(
        place, ", ", Row(row), FromZero(), ": ", Value(value), " does not fit a float64 exactly; ",
        remedy("convert the column with astype('float64') if that is exact enough."),
    )  # fmt: skip


def refuse_huge(place: Phrase, value: int) -> DataError:
    """The error for an integer beyond 64 bits."""
    return DataError(
        place, ": the integer ", Value(value), " does not fit 64 bits; ",
        remedy("scale it down, or convert the column to floats."),
    )  # fmt: skip


def refuse_nested(place: Phrase, what) -> DataTypeError:
    """The error for a column of lists, records or bytes."""
    return DataTypeError(
        place, f" is of type {_cut(str(what))}, but the argument must be a string or a number in every cell; ",
        remedy("give every part its own column, or leave the column out."),
    )  # fmt: skip


def _widen(place: Phrase, values: np.ndarray) -> np.ndarray:
    """Floats as contiguous aligned float64 of the same value; shares memory when they are that already."""
    if values.dtype.itemsize <= 8:
        return np.require(values, np.float64, ["C", "A"])
    with np.errstate(over="ignore"):
        numbers = values.astype(np.float64)
    lost = (numbers != values) & ~np.isnan(values)
    if lost.any():
        row = int(np.argmax(lost))
        raise refuse_inexact(place, row, values[row])
    return numbers


def split_integers(values: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """The nearest float64 of each integer and the exact remainder, None when all of them are 0."""
    near = np.ascontiguousarray(values, dtype=np.float64)
    if values.dtype.itemsize < 8 or len(values) == 0 or (near.max() < EXACT and near.min() > -EXACT):
        return near, None
    # all but the last 11 bits fit a float64, the last 11 do too, and so does every difference here: nothing rounds
    last = values & 2047
    low = ((values - last).astype(np.float64) - near) + last.astype(np.float64)
    return near, low if low.any() else None


#: The groups of the usual types.
_GROUPS = {float: "number", int: "number", str: "text", bool: "boolean", type(None): "missing"}


def group_of(kind: type) -> str:
    """What a Python type counts as."""
    if kind in _GROUPS:
        return _GROUPS[kind]
    if kind.__name__ in MISSING_TYPES:
        return "missing"
    for group, kinds in (
        ("boolean", (bool, np.bool_)),
        ("text", (str,)),
        ("time", _TIMES),  # before numbers: a numpy duration is also a numpy integer
        ("number", _REALS),
        ("complex", (complex, np.complexfloating)),
    ):
        if issubclass(kind, kinds):
            return group
    return "other"


def plain_string(value: str) -> str:
    """The text of a string of any subclass; an Enum of strings would print its own name instead."""
    return str.__str__(value)


def place_of(name: str) -> Column:
    """What messages call a column."""
    return Column(name, "Column")


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def _as_level(place: Phrase, value):
    """A category as a level: str, bool, int or float of plain Python; None when it is missing."""
    group = group_of(type(value))
    if group == "missing" or (group == "number" and is_nan(value)):
        return None
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        if not fits(value):
            raise refuse_huge(place, value)
        return int(value)
    if group == "number":
        return float(value) + 0.0  # -0.0 is 0.0
    return plain_string(value) if isinstance(value, str) else str(value)


def is_nan(value) -> bool:
    """Whether a number of any type is NaN."""
    return value.is_nan() if isinstance(value, decimal.Decimal) else value != value


def joint_why(one: str, other: str) -> str:
    """The rule that finds the kind of a column whose parts have two types: numbers take the type that holds both."""
    if one == other:
        return one
    kinds = [why.removesuffix(" column") for why in (one, other)]
    try:
        return f"{np.result_type(*kinds).name} column"
    except TypeError:
        return "numbers"
