"""Shares, changes and figures of quality in text for people: one form each, in every table."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from .words import amount, grouped, near_the_ends, plain, rounded, two_digits

#: Smaller figures are rounding errors of 0.
_NOISE = 1e-9


def percent(value: float) -> str:
    """A share as a percentage with one decimal; below 1 %, and near 100 %, with two digits of the distance.

    Examples
    --------
    >>> from boxwood.views.figures import percent
    >>> percent(0.831), percent(0.00004), percent(0.99996), percent(1.0)
    ('83.1 %', '0.004 %', '99.996 %', '100.0 %')
    """
    return f"{near_the_ends(100.0 * value, 100.0, 1)} %"


def number(value: float, error_of: float = 0.0) -> str:
    """A figure with three decimals, a small one with two digits, a large one with five; "" if it is not defined.

    The standard error of a figure, ``error_of``, has the decimals of the figure, if they hold any digit of it.

    Examples
    --------
    >>> from boxwood.views.figures import number
    >>> number(0.8), number(1.0), number(0.00456), number(1234.5), number(123456.7)
    ('0.800', '1.000', '0.0046', '1,234.5', '123,457')
    >>> number(0.00456, error_of=0.8), number(0.99996)
    ('0.005', '0.99996')
    """
    size = abs(value)
    if size < 100:
        small = 0.0005 if abs(error_of) >= 0.01 else 0.01
        whole = f"{value:.3f}" == "1.000" and value < 1.0 - _NOISE and not error_of
        return two_digits(value) if _NOISE < size < small else near_the_ends(value, 1.0, 3) if whole else f"{value:.3f}"
    return "" if math.isnan(value) else f"{value:,.5g}" if size < 1e5 else f"{value:,.0f}"


def few(value: float) -> str:
    """A mean, a rate or a spread in four digits, or as many as its whole part has.

    Examples
    --------
    >>> from boxwood.views.figures import few
    >>> few(30.17096), few(20615.3), few(0.5)
    ('30.17', '20,615', '0.5')
    """
    return grouped(rounded(repr(float(value)), float(value), 4))


def signed(value: float, words: Callable[[float], str] = number) -> str:
    """A change as text, with its sign.

    Examples
    --------
    >>> from boxwood.views.figures import signed
    >>> signed(0.25), signed(-14200.5)
    ('+0.250', '-14,200')
    """
    return ("" if value < 0 else "+") + words(value)


def same_decimals(values: Sequence[Any]) -> list[str]:
    """The values of a column as text: numbers with the same decimals, the largest in four digits, so that they align.

    Examples
    --------
    >>> from boxwood.views.figures import same_decimals
    >>> same_decimals([61.987, 0.5]), same_decimals([1.0, 0.0]), same_decimals([1200.0, 3.0])
    (['61.99', '0.50'], ['1.000', '0.000'], ['1200', '3'])
    """
    sizes = [abs(value) for value in values if isinstance(value, float) and math.isfinite(value)]
    largest = max(sizes, default=0.0)
    whole = largest == 0.0 or (largest > 1.0 and all(size == int(size) for size in sizes))
    decimals = 0 if whole else max(0, 3 - math.floor(math.log10(largest)))
    return [_cell(value, decimals) for value in values]


def _cell(value: Any, decimals: int) -> str:
    if value is None:
        return ""
    if not isinstance(value, float):
        return plain(str(value))
    shown = f"{value:.{decimals}f}"
    return grouped(shown) if value == 0.0 or float(shown) != 0.0 else amount(value)
