"""Numbers and levels as JSON can hold them."""

from __future__ import annotations

import math

import numpy as np

#: The largest whole number up to which a script's numbers hold all of them.
_EXACT = 2**53


def number(value: float, digits: int | None = None) -> float | int | str | None:
    """A number as JSON can hold it: whole ones without a point, infinities as words, NaN as null.

    Examples
    --------
    >>> from boxwood.model.explorer.json_numbers import number
    >>> number(4.0), number(2.5), number(1 / 3, 3), number(float("-inf")), number(float("nan"))
    (4, 2.5, 0.333, '-Infinity', None)
    """
    if math.isnan(value):
        return None
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    shown = float(value) if digits is None else float(f"{value:.{digits}g}")
    value = shown if math.isfinite(shown) else float(value)  # the largest numbers are not rounded up to infinity
    return int(value) if value.is_integer() and abs(value) < _EXACT else value


def numbers(values: np.ndarray, digits: int | None = None) -> list:
    """An array of any shape as one list of such numbers."""
    return [number(value, digits) for value in np.asarray(values, dtype=np.float64).ravel().tolist()]


def level(value: str | bool | int | float) -> str | bool | int | float | list:
    """A level or label as JSON can hold it; a number that a script would round is in a list, by its digits.

    Examples
    --------
    >>> from boxwood.model.explorer.json_numbers import level
    >>> level("red"), level(True), level(17), level(2**70), level(float("inf"))
    ('red', True, 17, ['1180591620717411303424'], ['inf'])
    """
    if isinstance(value, (str, bool)):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _EXACT else [str(value)]
    return value if math.isfinite(value) else [str(value)]
