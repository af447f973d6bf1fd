"""Each kind of feature in Python: how a value of a row is read, and tested."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from datetime import date, datetime, time, timedelta

from ..data.columns.kinds.kind import ByKind
from ..data.columns.schema import Feature
from ..data.columns.temporal import DATE, DATETIME, DURATION, NANOSECONDS, TIME, UTC
from ..data.columns.time_texts import CLOCK, ISO, SPAN, TYPED_FORMS
from ..data.columns.written_numbers import marks_of, pattern_of
from .codes import codes_of
from .column_words import reads_text
from .conditions import Between
from .moments import Moment, moment_at, next_moment

_TYPES = {DATE: "date", DATETIME: "datetime", TIME: "time", DURATION: "timedelta"}


class PythonKind(ABC):
    """Values that are None where they are missing."""

    @abstractmethod
    def read(self, feature: Feature, given: str) -> str:
        """What reads a value, whose codes are None already."""

    def number(self, feature: Feature, name: str) -> str:
        """A value that was read as a number; of dates and times whole numbers of the resolution."""
        return f"float({name})"

    def is_missing(self, name: str) -> str:
        """Whether a value that was read is missing."""
        return f"{name} is None"

    def is_infinite(self, name: str) -> str:
        """Whether it is infinite; "" where none can be."""
        return ""

    def between(self, name: str, c: Between, feature: Feature) -> str:
        """Whether it lies in an interval."""
        raise NotImplementedError


class PythonLevels(PythonKind):
    """Levels, as they are."""

    def read(self, feature: Feature, given: str) -> str:
        return f"level({given}, {any(isinstance(v, bool) for v in feature.levels)})"


class PythonNumbers(PythonKind):
    """Numbers, NaN where they are missing."""

    def read(self, feature: Feature, given: str) -> str:
        if feature.written is not None:
            units, _, decimal = marks_of(feature.written.form)
            given = f"written_number({given}, {pattern_of(feature.written.form)!a}, {units!a}, {decimal!r})"
            if numbers := codes_of(feature).numbers:
                given = f"known({given}, {', '.join(map(repr, numbers))})"
        as_text = reads_text(feature) or feature.missing_values
        return f"number(text_number({given}))" if as_text else f"number({given})"

    def is_missing(self, name: str) -> str:
        return f"{name} != {name}"

    def is_infinite(self, name: str) -> str:
        return f"abs({name}) == float('inf')"

    def between(self, name: str, c: Between, feature: Feature) -> str:
        if c.above is None and c.upto is None:
            return f"{name} == {name}"
        if c.above is None:
            return f"{name} <= {_number(c.upto)}"
        return f"{name} > {_number(c.above)}" if c.upto is None else f"{_number(c.above)} < {name} <= {_number(c.upto)}"


class PythonTimes(PythonKind):
    """Dates, times and durations of the module ``datetime``."""

    def read(self, feature: Feature, given: str) -> str:
        value, codes = _text_read(feature, given), code_moments(feature)
        value = f"known({value}, {', '.join(codes)})" if codes else value
        return f"moment({value}, {_TYPES[feature.temporal.kind]})"

    def number(self, feature: Feature, name: str) -> str:
        temporal = feature.temporal
        start = datetime(1970, 1, 1, tzinfo=UTC if temporal.zone else None)
        since = f"{name} - {moment_written(start.date() if temporal.kind == DATE else start)}"
        if temporal.kind == TIME:
            since = f"datetime.combine({moment_written(start.date())}, {name}) - {moment_written(start)}"
        unit = max(NANOSECONDS[temporal.resolution] // 1000, 1)
        span = name if temporal.kind == DURATION else f"({since})"
        count = f"{span} // {moment_written(timedelta(microseconds=unit))}"
        return f"float({count}{' * 1000' if temporal.resolution == 'ns' else ''})"

    def between(self, name: str, c: Between, feature: Feature) -> str:
        above, upto = (None if cut is None else moment_written(next_moment(feature, cut)) for cut in (c.above, c.upto))
        if above is None and upto is None:
            return f"{name} is not None"
        inside = f"{name} < {upto}" if above is None else f"{name} >= {above}"
        return f"({name} is not None and {inside if above is None or upto is None else f'{above} <= {name} < {upto}'})"


PYTHON_KINDS: ByKind[PythonKind] = ByKind(
    numeric=PythonNumbers(), ordinal=PythonLevels(), nominal=PythonLevels(), temporal=PythonTimes()
)


def _text_read(feature: Feature, given: str) -> str:
    """A value of a temporal feature, texts read."""
    temporal = feature.temporal
    form = temporal.form or TYPED_FORMS[temporal.kind]
    if temporal.kind == DURATION:
        return f"text_span({given})"
    if temporal.kind == TIME:
        return f"clock(text_span({given}{'' if form in (ISO, CLOCK, SPAN) else f', {form!r}'}))"
    return f"text_date({given}{'' if form == ISO else f', {form!r}'})"


def code_moments(feature: Feature) -> list[str]:
    """The dates and times among the codes for missing values as Python writes them, dates also as their midnights."""
    listed = []
    for value in (moment_at(feature.temporal, count) for count in codes_of(feature).instants):
        if isinstance(value, (date, time, timedelta)):
            listed.append(moment_written(value))
        if isinstance(value, datetime) and value.tzinfo is None and value.time() == time():
            listed.append(moment_written(value.date()))
        elif isinstance(value, date) and not isinstance(value, datetime):
            listed.append(moment_written(datetime(value.year, value.month, value.day)))
    return list(dict.fromkeys(listed))


def moment_written(value: Moment) -> str:
    """A literal of a date, a datetime, a time of day or a duration."""
    if isinstance(value, datetime):
        fields = [value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond]
        while len(fields) > 3 and not fields[-1]:
            fields.pop()
        zone = ["tzinfo=timezone.utc"] * (value.tzinfo is not None)
        return f"datetime({', '.join([*map(str, fields), *zone])})"
    if isinstance(value, date):
        return f"date({value.year}, {value.month}, {value.day})"
    if isinstance(value, time):
        return f"time({value.hour}, {value.minute}, {value.second}, {value.microsecond})"
    named = (("days", value.days), ("seconds", value.seconds), ("microseconds", value.microseconds))
    return f"timedelta({', '.join(f'{name}={count}' for name, count in named if count)})"


def _number(value: float | int) -> str:
    """A literal that is read back as the same number."""
    return f'float("{value}")' if value in (math.inf, -math.inf) else repr(value)
