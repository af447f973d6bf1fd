"""Rows for engines whose columns have one type each, and the codes for missing values as such columns hold them."""

from __future__ import annotations

import numpy as np

from ..data.columns.schema import Feature
from .codes import codes_of
from .kinds import EXPORTED
from .raw_rows import RawRows
from .rows import ROWS


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
    feature = rows.schema[j]
    read = ROWS.of(feature).plain(rows.columns, j)
    if j not in rows.values:
        return read
    pairs = zip(rows.values[j], read, strict=True)
    if holds_texts(feature):
        return [raw if isinstance(raw, str) else value for raw, value in pairs]
    held = ROWS.of(feature).code_reader(feature, texts_too)
    return [value if value is not None or raw is None or isinstance(raw, bool) else held(raw) for raw, value in pairs]


def holds_texts(feature: Feature) -> bool:
    """Whether the column of a feature is one of texts."""
    return isinstance(next(iter(feature.levels), None), str)


def number_codes(feature: Feature) -> list[float]:
    """The codes of a feature whose column holds doubles; of dates and times in whole numbers of their resolution."""
    return EXPORTED.of(feature).double_codes(feature)


def text_codes(feature: Feature) -> list[str]:
    """The codes of a feature whose column holds texts; numbers in their usual spellings."""
    codes = codes_of(feature)
    whole = [str(int(code)) for code in codes.numbers if float(code).is_integer()]
    spelled = [*whole, *(repr(float(code)) for code in codes.numbers)]
    return list(dict.fromkeys([*codes.texts, *spelled]))


def spelled_otherwise(rows: RawRows, j: int) -> np.ndarray:
    """Rows whose text is a code in another spelling than :func:`text_codes` has, bool, shape (n,)."""
    feature = rows.schema[j]
    if j not in rows.values or not holds_texts(feature):
        return np.zeros(rows.n, dtype=bool)
    usual = set(text_codes(feature))
    other = [isinstance(value, str) and value not in usual for value in rows.values[j]]
    return np.array(other, dtype=bool) & rows.columns.missing(j)
