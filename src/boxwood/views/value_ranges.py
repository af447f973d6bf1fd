"""Ranges of one feature: the values on one side of another, those that several have, those that one leaves out."""

from __future__ import annotations

import math
from fractions import Fraction

from ..data.columns.schema import NUMERIC, Feature
from .boxes import COMES, LEAVES, FeatureRange
from .intervals import End, Interval


def end_of(exact: Fraction) -> End:
    """A number as its nearest double and the rest, which doubles beyond 2**53 need."""
    near = float(exact)
    return near, float(exact - Fraction(near))


def before(end: End) -> End:
    """The number that comes before one, so that "below" is "up to"."""
    value, low = end
    return (math.nextafter(value, -math.inf), 0.0) if low == 0.0 else (value, math.nextafter(low, -math.inf))


def of_state(j: int, feature: Feature, missing: bool) -> FeatureRange:
    """``is missing`` or ``is known``."""
    if missing:
        return FeatureRange(j, (), (), COMES, False, ())
    levels = tuple(range(len(feature.levels)))
    return FeatureRange(j, () if levels else (Interval(),), levels, LEAVES, False, ())


def compared(j: int, feature: Feature, sign: str, value: End | int) -> FeatureRange:
    """The values on one side of a number, or of the code of a level."""
    if feature.kind == NUMERIC:
        at, start = value, None if value[0] == -math.inf else before(value)
        less = () if start is None else (Interval(None, start),)
        intervals = {
            "<": less, "<=": (Interval(None, at),), ">": (Interval(at, None),), ">=": (Interval(start, None),),
            "=": (Interval(start, at),), "!=": (*less, Interval(at, None)),
        }[sign]  # fmt: skip
        return FeatureRange(j, intervals, (), LEAVES, False, ())
    holds = {
        "<": value.__gt__, "<=": value.__ge__, ">": value.__lt__, ">=": value.__le__, "=": value.__eq__,
        "!=": value.__ne__,
    }[sign]  # fmt: skip
    return FeatureRange(j, (), tuple(filter(holds, range(len(feature.levels)))), LEAVES, False, ())


def union(parts: list[FeatureRange]) -> FeatureRange:
    """The values of several ranges of one feature."""
    lowest, highest = (-math.inf, 0.0), (math.inf, 0.0)
    merged: list[Interval] = []
    for interval in sorted((i for part in parts for i in part.intervals), key=lambda i: i.above or lowest):
        before = merged[-1] if merged else None
        if before is None or (before.upto or highest) < (interval.above or lowest):
            merged.append(interval)
        else:
            upto = None if None in (before.upto, interval.upto) else max(before.upto, interval.upto)
            merged[-1] = Interval(before.above, upto)
    levels = tuple(sorted({code for part in parts for code in part.levels}))
    missing = COMES if any(part.missing == COMES for part in parts) else LEAVES
    return FeatureRange(parts[0].feature, tuple(merged), levels, missing, False, ())


def outside(part: FeatureRange, feature: Feature) -> FeatureRange:
    """The known values that a range leaves out."""
    levels = tuple(code for code in range(len(feature.levels)) if code not in part.levels)
    ends = [end for interval in part.intervals for end in (interval.above, interval.upto)]
    pairs = zip([None, *ends[1::2]], [*ends[::2], None], strict=True)
    intervals = tuple(Interval(above, upto) for above, upto in pairs if above is None or above != upto)
    return FeatureRange(part.feature, intervals if part.intervals else (), levels, LEAVES, False, ())
