"""Cuts of programs that compare in single precision, as cuts of doubles with the same effect."""

from __future__ import annotations

import math

import numpy as np


def upto(cut: float) -> float:
    """The largest double x whose single-precision neighbour is at most ``cut``.

    Rounding to single precision never changes the order of numbers, so ``float32(x) <= cut`` exactly when ``x`` is at
    most this double: the middle between the largest single-precision number that is at most ``cut`` and the next one,
    or just below it, as the middle is rounded to the even of the two.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.model.readers.single import upto
    >>> edge = upto(0.1)
    >>> [float(np.float32(x)) <= 0.1 for x in (edge, np.nextafter(edge, 1.0))]
    [True, False]
    """
    here, following = _sides(cut)
    if math.isinf(here):
        # Numbers beyond the range of single precision become infinite; the last that does not is half a step away.
        return -_EDGE if here < 0 else math.inf
    middle = _EDGE if math.isinf(following) else (float(here) + float(following)) / 2.0
    if _is_even(here):
        return middle
    return math.nextafter(middle, -math.inf)


def shortest(cut: float) -> float:
    """The shortest decimal that parts the single-precision numbers as ``cut`` does.

    Examples
    --------
    >>> from boxwood.model.readers.single import shortest
    >>> shortest(2.449999988079071), shortest(0.800000011920929)
    (2.45, 0.80000004)
    """
    low, high = map(float, _sides(cut))
    if math.isinf(low):
        return upto(cut)
    # The decimal of so many digits that is nearest to the middle lies inside if any does.
    tried = (float(format((low + high) / 2.0, f".{digits}g")) for digits in range(1, 18))
    found = next((short for short in tried if low <= short < high), cut)
    return found if len(repr(found)) < len(repr(cut)) else cut


def _sides(cut: float) -> tuple[np.float32, np.float32]:
    """The largest single-precision number that is at most ``cut``, and the next one."""
    with np.errstate(over="ignore"):
        here = np.float32(cut)
        if float(here) > cut:
            here = np.nextafter(here, np.float32(-np.inf))
        return here, np.nextafter(here, np.float32(np.inf))


def below(cut: float) -> float:
    """The largest double x whose single-precision neighbour is below the single-precision number ``cut``."""
    return upto(float(np.nextafter(np.float32(cut), np.float32(-np.inf))))


#: Half a step beyond the largest single-precision number; from here on numbers become infinite.
_EDGE = 2.0**128 - 2.0**103


def _is_even(x: np.float32) -> bool:
    """Whether the last bit of a single-precision number is 0: halfway numbers are rounded to such."""
    return not int(np.asarray(x).view(np.uint32)) & 1
