"""How the values of each kind of feature are written in text for people."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..data.columns.instants import as_instants
from ..data.columns.kinds.kind import ByKind
from ..data.columns.schema import CODES, Feature
from ..data.frames.objects import from_objects
from .intervals import Interval, joined_intervals
from .words import cut, grouped, level

#: An interval of numbers, above one end and up to the other; None means no end.
Run = tuple[float | None, float | None]
#: Intervals of more codes stay intervals.
_MOST_CODES = 100_000


def one_interval(name: str, above: str | None, upto: str | None, sign: str = "<=") -> str:
    """Values above one end and up to the other; None means no end."""
    if above is None and upto is None:
        return f"{name} is known"
    if above is None:
        return f"{name} {sign} {upto}"
    return f"{name} > {above}" if upto is None else f"{above} < {name} {sign} {upto}"


class ConditionStyle(NamedTuple):
    """How a condition is written.

    Attributes
    ----------
    name : str
        What the feature is called.
    max_levels : int, optional
        Up to this many levels are named, the others counted.
    interval : callable
        Writes the name and the two ends of an interval.
    levels : sequence of str
        Other words for the levels of the feature, for example shorter ones.
    """

    name: str
    max_levels: int | None = 4
    interval: Callable[[str, str | None, str | None], str] = one_interval
    levels: Sequence[str] = ()

    def intervals(self, ends: list[tuple]) -> str:
        """Several intervals."""
        return " or ".join(self.interval(self.name, *pair) for pair in ends)


class ValueWords(ABC):
    """Values of one kind as text."""

    @abstractmethod
    def value(self, feature: Feature, value: float, low: float = 0.0) -> str:
        """A known value of a column, or a cut point, exactly."""

    def given(self, feature: Feature, value: Any) -> str:
        """A value as users give it."""
        return cut(value, integer=True) if isinstance(value, float) else level(value)

    def tick(self, feature: Feature, at: float) -> str:
        """A round number on an axis, or a knot, in few digits."""
        return f"{at:g}"

    def listed(self, feature: Feature, intervals: Sequence[Interval], codes: Sequence[int]) -> list[str]:
        """Some values one by one; empty where they are intervals."""
        return [level(feature.levels[code]) for code in feature.naturally(codes)]

    @abstractmethod
    def condition(
        self, feature: Feature, intervals: Sequence[Interval], codes: Sequence[int], style: ConditionStyle
    ) -> str:
        """Some values as a condition, such as ``30 < age <= 41.5``; "" if there are none."""

    @abstractmethod
    def clause(
        self, feature: Feature, intervals: Sequence[Interval], codes: Sequence[int], max_levels: int | None
    ) -> str:
        """What follows "is" in a sentence about some values."""


class NumberWords(ValueWords):
    """Numbers: intervals, or lists of whole numbers that are codes of categories."""

    def value(self, feature: Feature, value: float, low: float = 0.0) -> str:
        return grouped(cut(value, low, integer=True))

    def listed(self, feature: Feature, intervals: Sequence[Interval], codes: Sequence[int]) -> list[str]:
        only = _only_one(feature, intervals)
        found, outside = codes_in(feature, _runs_of(intervals)) or ([], False)
        return [] if outside else list(map(str, found if only is None else [only]))

    def condition(
        self, feature: Feature, intervals: Sequence[Interval], codes: Sequence[int], style: ConditionStyle
    ) -> str:
        if feature.why == CODES and (found := codes_in(feature, _runs_of(intervals))):
            return code_words(style.name, *found, style.max_levels)
        only = _only_one(feature, intervals)
        return style.intervals(self._ends(feature, intervals)) if only is None else f"{style.name} = {only}"

    def clause(
        self, feature: Feature, intervals: Sequence[Interval], codes: Sequence[int], max_levels: int | None
    ) -> str:
        if feature.why == CODES and (found := codes_in(feature, _runs_of(intervals))):
            listed, outside = found
            return f"{'not ' * outside}{_one_of(listed, max_levels)}" if listed else "known"
        if (only := _only_one(feature, intervals)) is not None:
            return str(only)
        return " or ".join(_range(*ends) for ends in self._ends(feature, intervals))

    def _ends(self, feature: Feature, intervals: Sequence[Interval]) -> list[tuple[str | None, str | None]]:
        """The ends of some intervals as text; None means no end."""
        return [tuple(end and self.value(feature, *end) for end in part) for part in intervals]


class TimeWords(NumberWords):
    """Dates, times and durations; of a cut the last one up to it."""

    def value(self, feature: Feature, value: float, low: float = 0.0) -> str:
        return feature.temporal.words(value, low)

    def given(self, feature: Feature, value: Any) -> str:
        values, low = as_instants(from_objects(feature.name, [value]), feature)
        return self.value(feature, float(values[0]), 0.0 if low is None else float(low[0]))

    def tick(self, feature: Feature, at: float) -> str:
        return feature.temporal.words(float(round(at)))


class OrderWords(ValueWords):
    """Ordered levels: intervals between levels."""

    def value(self, feature: Feature, value: float, low: float = 0.0) -> str:
        return level(feature.levels[int(value)])

    def condition(
        self, feature: Feature, intervals: Sequence[Interval], codes: Sequence[int], style: ConditionStyle
    ) -> str:
        names = style.levels or [level(value) for value in feature.levels]
        inside = np.isin(np.arange(len(feature.levels)), codes)
        return style.intervals(joined_intervals(list(names[:-1]), inside))

    def clause(
        self, feature: Feature, intervals: Sequence[Interval], codes: Sequence[int], max_levels: int | None
    ) -> str:
        return " or ".join(_run(run, feature.levels) for run in _runs(codes))


class SetWords(OrderWords):
    """Levels without order: they are listed."""

    def condition(
        self, feature: Feature, intervals: Sequence[Interval], codes: Sequence[int], style: ConditionStyle
    ) -> str:
        codes = feature.naturally(codes)
        names = [style.levels[code] if style.levels else level(feature.levels[code]) for code in codes]
        return set_words(style.name, names, style.max_levels)

    def clause(
        self, feature: Feature, intervals: Sequence[Interval], codes: Sequence[int], max_levels: int | None
    ) -> str:
        return _one_of([feature.levels[code] for code in feature.naturally(codes)], max_levels)


VALUE_WORDS: ByKind[ValueWords] = ByKind(
    numeric=NumberWords(), ordinal=OrderWords(), nominal=SetWords(), temporal=TimeWords()
)


def set_words(name: str, levels: list[str], max_levels: int | None) -> str:
    """``name = level`` or ``name in {levels}``; the levels are words already."""
    if not levels:
        return ""
    if len(levels) == 1:
        return f"{name} = {levels[0]}"
    if max_levels is None or len(levels) <= max_levels:
        return f"{name} in {{{', '.join(levels)}}}"
    named = max(max_levels - 1, 1)
    return f"{name} in {{{', '.join(levels[:named])} and {len(levels) - named} more}}"


def code_words(name: str, codes: list[int], outside: bool, max_levels: int | None) -> str:
    """``name in {codes}``, or ``name not in {codes}``; what :func:`codes_in` finds of a feature of codes."""
    if outside and not codes:
        return f"{name} is known"
    words = set_words(name, [str(code) for code in codes], max_levels)
    return words.replace(f"{name} ", f"{name} {'!' if len(codes) == 1 else 'not '}", 1) if outside else words


def codes_in(feature: Feature, runs: Sequence[Run]) -> tuple[list[int], bool] | None:
    """The whole numbers in rising intervals; of intervals without ends, those that they leave out, and True.

    None for a feature that holds no codes, and for intervals that are no sets of codes.

    Examples
    --------
    >>> from boxwood.data.columns.schema import CODES, Feature
    >>> from boxwood.views.kinds import codes_in
    >>> city = Feature("city", "numeric", (), CODES)
    >>> codes_in(city, [(0.99, 1.99), (2.99, 4.99)]), codes_in(city, [(None, 0.99), (1.99, None)])
    (([1, 3, 4], False), ([1], True))
    """
    outside = bool(runs) and runs[0][0] is None and runs[-1][1] is None
    if outside:
        runs = [(before[1], after[0]) for before, after in pairwise(runs)]
    if feature.why != CODES or not all(end is not None and math.isfinite(end) for run in runs for end in run):
        return None
    if sum(upto - above for above, upto in runs) > _MOST_CODES:
        return None
    return [code for above, upto in runs for code in range(math.floor(above) + 1, math.floor(upto) + 1)], outside


def _only_one(feature: Feature, intervals: Sequence[Interval]) -> int | None:
    """Which of 0 and 1 some intervals hold, for a feature of these; None if both, or neither."""
    if not feature.zero_one:
        return None
    held = [value for value in (0, 1) if any(_holds(run, value) for run in _runs_of(intervals))]
    return held[0] if len(held) == 1 else None


def _holds(run: Run, value: float) -> bool:
    above, upto = run
    return (above is None or above < value) and (upto is None or value <= upto)


def _runs_of(intervals: Sequence[Interval]) -> list[Run]:
    """The ends of intervals without their low parts, which codes do not have."""
    return [tuple(end and end[0] for end in (part.above, part.upto)) for part in intervals]


def _one_of(levels: list, max_levels: int | None) -> str:
    """One level, or a few, or the first ones and how many more."""
    names = [level(value) for value in levels]
    if len(names) == 1:
        return names[0]
    if max_levels is None or len(names) <= max_levels:
        return f"{', '.join(names[:-1])} or {names[-1]}"
    named = max(max_levels - 1, 1)
    return f"one of {', '.join(names[:named])} and {len(names) - named} more"


def _runs(codes: Sequence[int]) -> list[tuple[int, int]]:
    """First and last of each run of neighbouring codes."""
    cuts = np.flatnonzero(np.diff(codes) > 1)
    first = [codes[0], *(codes[at + 1] for at in cuts)]
    return list(zip(first, [*(codes[at] for at in cuts), codes[-1]], strict=True))


def _run(run: tuple[int, int], levels: tuple) -> str:
    """Neighbouring levels of an ordinal feature."""
    first, last = run
    if first == 0 and last == len(levels) - 1:
        return "known"
    if first == last:
        return level(levels[first])
    if first == 0:
        return f"{level(levels[last])} or below"
    return (
        f"{level(levels[first])} or above"
        if last == len(levels) - 1
        else f"{level(levels[first])} to {level(levels[last])}"
    )


def _range(above: str | None, upto: str | None) -> str:
    """An interval of numbers."""
    if above is None:
        return "known" if upto is None else f"at most {upto}"
    return f"above {above}" if upto is None else f"above {above} and at most {upto}"
