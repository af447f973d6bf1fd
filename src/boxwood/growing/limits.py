"""Checks of the numbers in recipe records, which users may create themselves."""

from __future__ import annotations

import math
import numbers

from .._messages import must_be
from ..errors import ParameterError, check_one_of


def check_whole(record, name: str, low: int, optional: bool = False) -> None:
    """Refuse a field that is not a whole number of at least ``low`` (or None).

    Raises
    ------
    ParameterError
    """
    value = getattr(record, name)
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not (value is None and optional) and not (whole and low <= value <= 2**31 - 1):
        words = f"a whole number of at least {low}" + (" or None" if optional else "")
        raise ParameterError(f"{type(record).__name__}: ", must_be(name, words, value))


def check_real(record, name: str, low: float = -math.inf, high: float = 1e300) -> None:
    """Refuse a field that is not a number from ``low`` to ``high``; minus infinity is one where there is no limit.

    Raises
    ------
    ParameterError
    """
    value = getattr(record, name)
    real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not (real and low <= value <= high):
        words = "a number" if low == -math.inf else f"a number of at least {low:g}"
        words += f" and at most {high:g}" if high < 1e300 else ""
        raise ParameterError(f"{type(record).__name__}: ", must_be(name, words, value))


def check_flag(record, *names: str) -> None:
    """Refuse fields that are not True or False.

    Raises
    ------
    ParameterError
    """
    for name in names:
        if not isinstance(getattr(record, name), bool):
            raise ParameterError(f"{type(record).__name__}: ", must_be(name, "True or False", getattr(record, name)))


def check_choice(record, name: str, choices: tuple[str, ...]) -> None:
    """Refuse a field that is none of some words.

    Raises
    ------
    ParameterError
    """
    check_one_of(f"{type(record).__name__}: {name}", getattr(record, name), choices)
