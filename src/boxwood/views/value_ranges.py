"""Ranges of one feature: the values on one side of another, those that several have, those that one leaves out."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction
from re import Pattern
from typing import Any, ClassVar

from ..data.columns.kinds.kind import ByKind
from ..data.columns.schema import Feature
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


class KindRanges(ABC):
    """The ranges of one kind of feature in conditions that are read; ``signs`` are the comparisons that it knows."""

    signs: ClassVar[Collection[str]] = ("<", "<=", ">", ">=", "=", "!=")

    @abstractmethod
    def read(self, reader: Any, feature: Feature, end: Pattern) -> End | int:
        """A value that is written as text, by the reader's method for the kind; ``end`` is what ends it."""

    @abstractmethod
    def compared(self, j: int, feature: Feature, sign: str, value: End | int) -> FeatureRange:
        """The values on one side of a number, or of the code of a level."""

    @abstractmethod
    def as_split(self, part: FeatureRange, feature: Feature) -> tuple[list[End], list[int]]:
        """Breaks, and the branch of each position: 0 inside the range, 1 outside."""

    def attainable(self, part: FeatureRange, feature: Feature) -> FeatureRange:
        """The range with ends that values can have."""
        return part


class NumberRanges(KindRanges):
    """Intervals."""

    def read(self, reader: Any, feature: Feature, end: Pattern) -> End | int:
        return reader.number(feature, end)

    def compared(self, j: int, feature: Feature, sign: str, value: End | int) -> FeatureRange:
        if feature.zero_one and sign in ("=", "!=") and value[0] in (0.0, 1.0):  # there is nothing between
            is_one = (value[0] == 1.0) == (sign == "=")
            part = Interval((0.0, 0.0), None) if is_one else Interval(None, before((1.0, 0.0)))
            return FeatureRange(j, (part,), (), LEAVES, False, ())
        at, start = value, None if value[0] == -math.inf else before(value)
        less = () if start is None else (Interval(None, start),)
        intervals = {
            "<": less, "<=": (Interval(None, at),), ">": (Interval(at, None),), ">=": (Interval(start, None),),
            "=": (Interval(start, at),), "!=": (*less, Interval(at, None)),
        }[sign]  # fmt: skip
        return FeatureRange(j, intervals, (), LEAVES, False, ())

    def as_split(self, part: FeatureRange, feature: Feature) -> tuple[list[End], list[int]]:
        breaks = sorted({end for i in part.intervals for end in (i.above, i.upto) if end is not None})
        starts = {i.above for i in part.intervals}
        return breaks, [int(start not in starts) for start in (None, *breaks)]


class TimeRanges(NumberRanges):
    """Intervals of whole numbers of the resolution: a cut between two of them is at the first."""

    def read(self, reader: Any, feature: Feature, end: Pattern) -> End | int:
        return reader.instant(feature, end)

    def attainable(self, part: FeatureRange, feature: Feature) -> FeatureRange:
        def begun(end: End | None) -> End | None:
            return end if end is None else (float(feature.temporal.begun(*end)), 0.0)

        return replace(part, intervals=tuple(Interval(begun(i.above), begun(i.upto)) for i in part.intervals))


class OrderRanges(KindRanges):
    """Codes of levels, which their order compares."""

    def read(self, reader: Any, feature: Feature, end: Pattern) -> End | int:
        return reader.level(feature, end)

    def compared(self, j: int, feature: Feature, sign: str, value: End | int) -> FeatureRange:
        holds = {
            "<": value.__gt__, "<=": value.__ge__, ">": value.__lt__, ">=": value.__le__, "=": value.__eq__,
            "!=": value.__ne__,
        }[sign]  # fmt: skip
        return FeatureRange(j, (), tuple(filter(holds, range(len(feature.levels)))), LEAVES, False, ())

    def as_split(self, part: FeatureRange, feature: Feature) -> tuple[list[End], list[int]]:
        inside = [code in part.levels for code in range(len(feature.levels))]
        breaks = [(code + 0.5, 0.0) for code in range(len(inside) - 1) if inside[code] != inside[code + 1]]
        return breaks, [int(not inside[0]) ^ (i % 2) for i in range(len(breaks) + 1)]


class SetRanges(OrderRanges):
    """Codes of levels without order."""

    signs = ("=", "!=")

    def as_split(self, part: FeatureRange, feature: Feature) -> tuple[list[End], list[int]]:
        return [], [int(code not in part.levels) for code in range(len(feature.levels))]


RANGES: ByKind[KindRanges] = ByKind(
    numeric=NumberRanges(), ordinal=OrderRanges(), nominal=SetRanges(), temporal=TimeRanges()
)


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
