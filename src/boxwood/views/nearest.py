"""The nearest number within an interval: rounded if possible, and never outside it."""

from __future__ import annotations

import math
from fractions import Fraction

from .intervals import End, Interval

#: A number as it is: a whole number of any size, a float, or (the ends of splits of huge whole numbers) a fraction.
Number = int | float | Fraction

#: Steps by which a round number may be finer than the ends are apart.
_FINEST = 25


def exact(value: float, low: float = 0.0, integer: bool = False) -> Number:
    """The number behind a value and its low part; whole numbers of an integer feature as int."""
    if low:
        whole = Fraction(value) + Fraction(low)
        return int(whole) if whole.denominator == 1 else whole
    return int(value) if integer and math.isfinite(value) and value.is_integer() else float(value)


def nearest(x: Number | None, interval: Interval, limits: tuple[Number | None, Number | None], integer: bool,
            slack: float) -> Number | None:  # fmt: skip
    """The number nearest to x that lies in an interval and between limits, which belong to the allowed.

    Parameters
    ----------
    x : number or None
        None = not known: a round number in the middle, or near the only end.
    interval : Interval
    limits : (lowest, highest)
        None means no limit.
    integer : bool
        Only whole numbers are allowed.
    slack : float
        How far beyond the nearest a rounder number may be looked for; 0 gives the nearest itself.

    Returns
    -------
    number or None
        None when nothing lies in both.

    Examples
    --------
    >>> from boxwood.views.intervals import Interval
    >>> from boxwood.views.nearest import nearest
    >>> above = Interval(above=(24.808349999999997, 0.0))
    >>> nearest(10.0, above, (None, None), False, 0.5), nearest(10.0, above, (None, None), False, 0.0)
    (25.0, 24.80835)
    >>> nearest(7, Interval((9.5, 0.0), (41.5, 0.0)), (None, 60), True, 0.0)
    10
    """
    if x is not None and _holds(x, interval, limits):
        return x
    low, high = _ends(interval, limits, integer)
    if low > high or low == math.inf or high == -math.inf:
        return None
    if x is None:
        return _representative(low, high, integer)
    up = x < low
    if integer or slack <= 0.0:
        return low if up else high
    return _round(low, min(high, low + slack), True) if up else _round(max(low, high - slack), high, False)


def nearest_step(x: Number | None, interval: Interval, limits: tuple[Number | None, Number | None], integer: bool,
                 slack: float, step: int) -> Number | None:  # fmt: skip
    """The same among the multiples of a whole number: such are the days among the seconds of a date."""
    if step == 1:
        return nearest(x, interval, limits, integer, slack)
    ends = (None if end is None else _pair(math.floor(exact(*end) / step)) for end in (interval.above, interval.upto))
    low, high = limits
    low, high = None if low is None else -(-low // step), None if high is None else high // step
    found = nearest(None if x is None else x // step, Interval(*ends), (low, high), True, 0.0)
    return None if found is None else found * step


def _pair(number: int) -> End:
    """A whole number as a value and its low part."""
    return float(number), float(number - int(float(number)))


def is_inside(x: Number, interval: Interval) -> bool:
    """Whether a number lies in an interval."""
    return _holds(x, interval, (None, None))


def _holds(x: Number, interval: Interval, limits: tuple) -> bool:
    """Whether x is allowed as it is."""
    above, upto = (None if end is None else exact(*end) for end in (interval.above, interval.upto))
    lowest, highest = limits
    return (
        (above is None or x > above)
        and (upto is None or x <= upto)
        and (lowest is None or x >= lowest)
        and (highest is None or x <= highest)
    )


def _ends(interval: Interval, limits: tuple, integer: bool) -> tuple[Number, Number]:
    """The lowest and the highest number that are allowed, infinite where there is no end."""
    lowest, highest = limits
    low = max(_beyond(interval.above, integer), -math.inf if lowest is None else _whole(lowest, math.ceil, integer))
    upto = math.inf if interval.upto is None else _whole(exact(*interval.upto), math.floor, integer)
    return low, min(upto, math.inf if highest is None else _whole(highest, math.floor, integer))


def _whole(end: Number, rounding, integer: bool) -> Number:
    """An end, rounded inwards where only whole numbers are allowed."""
    return rounding(end) if integer and math.isfinite(end) else end


def _beyond(end: End | None, integer: bool) -> Number:
    """The lowest number above an end."""
    if end is None or end[0] == -math.inf:
        return -math.inf
    number = exact(*end)
    if integer and math.isfinite(number):
        return math.floor(number) + 1
    following = math.nextafter(float(number), math.inf)
    return following if following > number else math.nextafter(following, math.inf)


def _representative(low: Number, high: Number, integer: bool) -> Number:
    """A number for a value that is not known."""
    if math.isinf(low) and math.isinf(high):
        return 0
    if math.isinf(low) or math.isinf(high):
        return high if math.isinf(low) else low
    if integer:
        return (low + high) // 2
    quarter = (high - low) / 4
    return _round(low + quarter, high - quarter, True)


def _round(low: float, high: float, up: bool) -> float:
    """The number with the fewest digits from low to high; of equals the lowest (the highest if not ``up``)."""
    if low <= 0.0 <= high:
        return 0.0
    start = math.floor(math.log10(max(abs(low), abs(high)))) + 1
    for power in range(start, start - _FINEST, -1):
        step = Fraction(10) ** power
        tried = float((math.ceil(Fraction(low) / step) if up else math.floor(Fraction(high) / step)) * step)
        if low <= tried <= high:
            return tried
    return low if up else high
