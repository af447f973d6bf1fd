"""Each kind of feature in JavaScript: how a value of a row is read, tested and counted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import datetime

from ..data.columns.kinds.kind import ByKind
from ..data.columns.schema import Feature
from ..data.columns.temporal import DATE, DATETIME, NANOSECONDS, UTC
from ..data.columns.written_numbers import marks_of, pattern_of
from .codes import codes_of
from .column_words import reads_text, types_read
from .conditions import Between
from .javascript_values import literal
from .kinds import EXPORTED
from .moments import next_moment


class JavaScriptKind(ABC):
    """Values that are NaN where they are missing."""

    @abstractmethod
    def read(self, feature: Feature, given: str) -> str:
        """What reads a value."""

    def held(self, feature: Feature) -> str:
        """What the values must be, in words."""
        return types_read(feature)

    def is_missing(self, x: str) -> str:
        """Whether a value that was read is missing."""
        return f"Number.isNaN({x})"

    def is_infinite(self, x: str) -> str:
        """Whether it is infinite; "" where none can be."""
        return ""

    def between(self, x: str, c: Between, feature: Feature) -> list[str]:
        """The tests of the ends of an interval."""
        return [f"{x} {sign} {literal(cut)}" for sign, cut in ((">", c.above), ("<=", c.upto)) if cut is not None]

    def number(self, x: str, feature: Feature) -> str:
        """The value as a number of a sum."""
        return f"Number({x})"


class JavaScriptLevels(JavaScriptKind):
    """Levels, null where they are missing."""

    def read(self, feature: Feature, given: str) -> str:
        return f"level({_without_codes(feature, given)}, {literal(any(isinstance(v, bool) for v in feature.levels))})"

    def is_missing(self, x: str) -> str:
        return f"{x} === null"


class JavaScriptNumbers(JavaScriptKind):
    """Numbers."""

    def read(self, feature: Feature, given: str) -> str:
        known = _without_codes(feature, given)
        if feature.written is not None:
            units, _, decimal = marks_of(feature.written.form)
            pattern, named = literal(pattern_of(feature.written.form)), ", ".join(map(literal, units))
            known = f"writtenNumber({known}, {pattern}, [{named}], {literal(decimal)})"
            if numbers := codes_of(feature).numbers:
                known = f"known({known}, {', '.join(map(literal, numbers))})"
        return f"number(textNumber({known}))" if feature.missing_values or reads_text(feature) else f"number({known})"

    def is_infinite(self, x: str) -> str:
        return f"Math.abs(Number({x})) === Infinity"


class JavaScriptCounts(JavaScriptNumbers):
    """Times of day and durations, as whole numbers of their resolution."""

    def read(self, feature: Feature, given: str) -> str:
        counts = EXPORTED.of(feature).code_numbers(feature)
        return f"number(known({', '.join([given, *map(literal, counts)])}))" if counts else f"number({given})"

    def held(self, feature: Feature) -> str:
        return EXPORTED.of(feature).counts(feature)


class JavaScriptInstants(JavaScriptKind):
    """Dates and datetimes, as a Date."""

    def read(self, feature: Feature, given: str) -> str:
        unit = NANOSECONDS[feature.temporal.unit]
        passed = [count * unit for count in codes_of(feature).instants]
        codes = [str(count // 1_000_000) for count in passed if count % 1_000_000 == 0]
        return f"instant({', '.join([_without_codes(feature, given), *codes])})"

    def held(self, feature: Feature) -> str:
        return f"a Date, {'an instant' if feature.temporal.zone else 'its date and time in UTC are compared'}"

    def between(self, x: str, c: Between, feature: Feature) -> list[str]:
        ends = ((">=", c.above), ("<", c.upto))
        return [f"{x} {sign} {_date(feature, cut)}" for sign, cut in ends if cut is not None]

    def number(self, x: str, feature: Feature) -> str:
        unit = NANOSECONDS[feature.temporal.resolution]
        return f"Math.floor({x} / {unit // 1_000_000})" if unit >= 1_000_000 else f"{x} * {1_000_000 // unit}"


INSTANTS = JavaScriptInstants()
_KINDS: ByKind[JavaScriptKind] = ByKind(
    numeric=JavaScriptNumbers(), ordinal=JavaScriptLevels(), nominal=JavaScriptLevels(), temporal=JavaScriptCounts()
)


def javascript_kind(feature: Feature) -> JavaScriptKind:
    """The kind of a feature in JavaScript, which has a type for dates and none for times of day and durations."""
    return INSTANTS if feature.kind_name in (DATE, DATETIME) else _KINDS.of(feature)


def _without_codes(feature: Feature, given: str) -> str:
    """What is given, or null for a code."""
    codes = codes_of(feature)
    listed = [*codes.texts, *codes.numbers]
    return f"known({', '.join([given, *map(literal, listed)])})" if listed else given


def _date(feature: Feature, cut: float | int) -> str:
    """The instant after a cut; Date.UTC takes years before 100 for others."""
    found = next_moment(feature, cut, 1000)
    whole = found if isinstance(found, datetime) else datetime(found.year, found.month, found.day)
    fields = [whole.year, whole.month - 1, whole.day, whole.hour, whole.minute, whole.second, whole.microsecond // 1000]
    while len(fields) > 3 and not fields[-1]:
        fields.pop()
    if whole.year < 100:
        return str(int((whole.replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() * 1000))
    return f"Date.UTC({', '.join(map(str, fields))})"
