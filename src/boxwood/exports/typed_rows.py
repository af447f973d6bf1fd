"""Rows for engines whose columns have one type each, and the codes for missing values as such columns hold them."""

from __future__ import annotations

import math

import numpy as np

from ..data.columns.schema import NUMERIC, Feature
from ..data.columns.temporal import Temporal
from .codes import codes_of, is_code_of
from .raw_rows import RawRows
from .rows import plain_column


def typed_column(rows: RawRows, j: int, texts_too: bool = False) -> list:
    """The values of a feature in the type of its column; None is missing, dates and times are whole numbers.

    A value that the type holds is given as it is, a code for a missing value too; others as ``predict`` reads them.

    Parameters
    ----------
    rows : RawRows
    j : int
    texts_too : bool
        Whether the engine takes texts that are codes in columns of numbers.
    """
    feature, read = rows.schema[j], plain_column(rows.columns, j)
    if j not in rows.values:
        return read
    pairs = zip(rows.values[j], read, strict=True)
    if feature.kind != NUMERIC and isinstance(feature.levels[0], str):
        return [raw if isinstance(raw, str) else value for raw, value in pairs]
    is_code, moments = is_code_of(feature), _moments(feature.temporal, codes_of(feature).instants)

    def typed(raw, value):
        if value is not None or raw is None or isinstance(raw, bool):
            return value
        if feature.temporal is not None:
            return moments.get(raw, raw if texts_too and isinstance(raw, str) else None)
        if isinstance(raw, str):
            return None if not is_code(raw) else raw if texts_too else _number(raw)
        return raw if isinstance(raw, (int, float)) and not math.isnan(raw) else None

    return [typed(raw, value) for raw, value in pairs]


def number_codes(feature: Feature) -> list[float]:
    """The codes of a feature whose column holds doubles; of dates and times in whole numbers of their resolution."""
    codes, temporal = codes_of(feature), feature.temporal
    if temporal is None:
        return [float(code) for code in codes.numbers]
    return [float(count // temporal.step) for count in codes.instants]


def text_codes(feature: Feature) -> list[str]:
    """The codes of a feature whose column holds texts; numbers in their usual spellings."""
    codes = codes_of(feature)
    whole = [str(int(code)) for code in codes.numbers if float(code).is_integer()]
    spelled = [*whole, *(repr(float(code)) for code in codes.numbers)]
    return list(dict.fromkeys([*codes.texts, *spelled]))


def spelled_otherwise(rows: RawRows, j: int) -> np.ndarray:
    """Rows whose text is a code in another spelling than :func:`text_codes` has, bool, shape (n,)."""
    feature = rows.schema[j]
    if j not in rows.values or feature.kind == NUMERIC or not isinstance(feature.levels[0], str):
        return np.zeros(rows.n, dtype=bool)
    usual = set(text_codes(feature))
    other = [isinstance(value, str) and value not in usual for value in rows.values[j]]
    return np.array(other, dtype=bool) & rows.columns.missing(j)


def _moments(temporal: Temporal | None, instants: tuple[int, ...]) -> dict:
    """Each code that is a date or time -> its value in a column of numbers."""
    return {} if temporal is None else {temporal.value(count): count // temporal.step for count in instants}


def _number(text: str) -> float | None:
    """The number that a text is; None where it is another text."""
    try:
        return float(text)
    except ValueError:
        return None
