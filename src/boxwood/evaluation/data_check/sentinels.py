"""Values that may mean missing, such as -999, 99 in an item of 1 to 5, or 9999-12-31: repeated, far from the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..._messages import Message, Setting, Value, remedy
from ...data.columns.temporal import Temporal
from ...views.words import amount
from .column_values import ColumnValues
from .finding import Finding

#: A value of so many rows is repeated; so many such values may lie together at an end of the range.
_REPEATED, _MOST = 3, 4
#: How missing values are usually coded: -9, 99, 98, -888, 9999 ...
_CODE = re.compile(r"9*[6-9]|8{2,}|7{2,}|6{2,}")
#: How many times the range of the others a gap must be, before a value of any form, or a date, is taken for a code.
_FAR, _FAR_IN_TIME = 10.0, 2.0
#: So many other values make a range.
_RANGE = 5


def numeric_sentinels(column: ColumnValues) -> Iterator[Finding]:
    """Numbers at the lower or upper end that may mean missing."""
    values, counts = column.values, column.counts
    if len(values) and not np.isfinite(values[[0, -1]]).all():
        return
    low, high = _codes_below(values, counts), _codes_above(values, counts)
    if not (low or high):
        return
    places = [*range(low), *range(len(values) - high, len(values))]
    given = [int(value) if value.is_integer() else value for value in values[places].astype(np.float64).tolist()]
    others = f"{amount(float(values[low]))} to {amount(float(values[len(values) - high - 1]))}"
    yield _finding(column, given, given, int(counts[places].sum()), others)


def temporal_sentinels(column: ColumnValues) -> Iterator[Finding]:
    """A date or time at an end that may mean missing or unlimited, such as 9999-12-31."""
    kind, values, counts = column.feature.type, column.values, column.counts
    assert isinstance(kind, Temporal)
    for at, rest in ((0, values[1:]), (-1, values[:-1])):
        if len(rest) < _RANGE or counts[at] < _REPEATED:
            continue
        if min(abs(values[at] - rest[0]), abs(values[at] - rest[-1])) > _FAR_IN_TIME * (rest[-1] - rest[0]):
            text = kind.words(float(values[at]))
            others = f"{kind.words(float(rest[0]))} to {kind.words(float(rest[-1]))}"
            yield _finding(column, [text], [Value(text, text)], int(counts[at]), others)


def _finding(column: ColumnValues, codes: list[Any], shown: list[Any], rows: int, others: str) -> Finding:
    named = " and ".join(map(str, shown))
    one = len(codes) == 1
    message = Message(
        column.column, f" has the value{'' if one else 's'} ", Value(codes[0] if one else codes, named),
        f" in {rows:,} row{'s' * (rows != 1)}, far from the others ({others}). If {'it means' if one else 'they mean'} "
        "missing, set ", remedy(Setting("missing_values", codes, key=column.name)), ".",
    )  # fmt: skip
    return Finding("sentinel", column.name, rows, message)


def _codes_above(values: np.ndarray, counts: np.ndarray) -> int:
    """How many of the largest values may be codes."""
    for k in range(1, min(_MOST, len(values) - 2) + 1):
        tail, rest = values[-k:], values[:-k]
        if counts[-k:].min() < _REPEATED:
            return 0
        gap, span = tail[0] - rest[-1], rest[-1] - rest[0]
        far = gap > _FAR * span and len(rest) >= _RANGE and k == 1
        coded = all(map(_is_code, tail.tolist())) and (_is_item(rest, gap) or (gap > span and rest[-1] < 10 * tail[0]))
        short = tail[0] < 10 and not _is_item(rest, gap) and gap < 2 * span
        if far or (coded and not short):
            return k
    return 0


def _codes_below(values: np.ndarray, counts: np.ndarray) -> int:
    """How many of the smallest values may be codes."""
    for k in range(1, min(_MOST, len(values) - 2) + 1):
        tail, rest = -values[:k], values[k:]
        if counts[:k].min() < _REPEATED:
            return 0
        gap, span = rest[0] + tail[-1], rest[-1] - rest[0]
        far = gap > _FAR * span and len(rest) >= _RANGE and k == 1
        only_negative = rest[0] >= 0 and len(rest) >= _RANGE and bool((rest == np.floor(rest)).all())
        are_codes = all(_is_code(code) or (code == 1.0 and only_negative) for code in tail.tolist())
        if far or (are_codes and (gap > span or only_negative)):
            return k
    return 0


def _is_code(value: float) -> bool:
    return value > 0 and value < 1e15 and value.is_integer() and bool(_CODE.fullmatch(str(int(value))))


def _is_item(values: np.ndarray, gap: float) -> bool:
    """Whether the values are 1, 2, ... as of an item of a questionnaire, and what follows leaves one out."""
    return 3 <= len(values) <= 7 and gap >= 2 and np.array_equal(values, np.arange(1, len(values) + 1))
