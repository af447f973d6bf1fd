"""What all exports need to know of each kind of feature; what one language needs is in a file of that language."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

from .._messages import Column, Phrase, remedy
from ..data.columns.kinds.kind import ByKind
from ..data.columns.raw import EXACT
from ..data.columns.schema import NUMBERS_IN_TEXT, Feature
from ..data.columns.temporal import DURATION
from ..data.columns.time_texts import CLOCK, ISO, SPAN
from .codes import codes_of
from .moments import counted

_TIMES = {"date": "dates", "datetime": "datetimes", "time": "times of day", "duration": "durations"}
_FORMS = {ISO: "ISO 8601", CLOCK: "hours:minutes:seconds", SPAN: "days hours:minutes:seconds"}


class ExportedKind(ABC):
    """One kind of feature in exports."""

    @abstractmethod
    def what(self, feature: Feature) -> str:
        """What the values are, in words."""

    def counts(self, feature: Feature) -> str:
        """What the numbers of a language without dates count, in words; "" where the values are not counted."""
        return ""

    def texts(self, feature: Feature) -> str:
        """Of what the texts are that ``predict`` was shown beside other values or instead of them; "" without any."""
        return ""

    def cut(self, feature: Feature, value: float, low: float) -> float | int:
        """A cut of a feature as a number."""
        return exact_cut(value, low, feature.integer)

    def code_numbers(self, feature: Feature) -> list[int | float]:
        """The codes for missing values among numbers that are compared."""
        return []

    def double_codes(self, feature: Feature) -> list[float]:
        """The codes in a column of doubles."""
        return [float(code) for code in codes_of(feature).numbers]

    def after(self, cut: float) -> float:
        """The first value above a cut that is a double."""
        return math.nextafter(cut, math.inf)

    def in_columns(self, feature: Feature, cut: float | int) -> float | int:
        """A cut in the unit of the columns that predict reads: the last number up to it."""
        return cut

    def wide_cut(self, cut: int, column: str) -> tuple[Phrase, ...]:
        """Why doubles do not hold a cut, and the remedy."""
        return (
            "numbers as doubles, which are exact up to 2**53, but the tree cuts ", Column(column, "column"),
            f" at {cut}; ", remedy("subtract a constant from the column and fit again"),
        )  # fmt: skip

    def is_moment(self, feature: Feature) -> bool:
        """Whether values are points in time, in languages where lengths of time are numbers."""
        return False

    def may_be_infinite(self, feature: Feature) -> bool:
        """Whether a column of doubles may hold infinities that are values."""
        return False

    def matrix_levels(self, tested: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """The levels of each column of a matrix of numbers and indicators, of those that are tested."""
        return [()]

    def leaves_out(self, feature: Feature, routes: dict, unlisted: list) -> bool:
        """Whether some known value has no branch among the conditions of a split (:func:`.conditions.answers`)."""
        return bool(unlisted)


class NumberExport(ExportedKind):
    """Numbers."""

    def what(self, feature: Feature) -> str:
        return "numbers"

    def texts(self, feature: Feature) -> str:
        if feature.written is not None:
            return f"of numbers of the form {feature.written.form}"
        return "of numbers" if feature.why == NUMBERS_IN_TEXT or has_text_codes(feature) else ""

    def code_numbers(self, feature: Feature) -> list[int | float]:
        return list(codes_of(feature).numbers)

    def may_be_infinite(self, feature: Feature) -> bool:
        return True


class TimeExport(ExportedKind):
    """Dates, times and durations, in languages without them whole numbers of their resolution."""

    def what(self, feature: Feature) -> str:
        zone = " with a time zone" if feature.temporal.zone else ""
        return _TIMES[feature.temporal.kind] + zone

    def counts(self, feature: Feature) -> str:
        return counted(feature.temporal)

    def texts(self, feature: Feature) -> str:
        form = feature.temporal.form
        return "" if form is None else f"in {_FORMS.get(form, f'the format {form}')}"

    def cut(self, feature: Feature, value: float, low: float) -> float | int:
        if not math.isfinite(value):
            return super().cut(feature, value, low)
        whole = feature.temporal.begun(value, low) // feature.temporal.step
        return whole if abs(whole) >= EXACT else float(whole)

    def code_numbers(self, feature: Feature) -> list[int | float]:
        step = feature.temporal.step
        return [count // step for count in codes_of(feature).instants if count % step == 0]

    def double_codes(self, feature: Feature) -> list[float]:
        return [float(count // feature.temporal.step) for count in codes_of(feature).instants]

    def after(self, cut: float) -> float:
        return cut + 1

    def in_columns(self, feature: Feature, cut: float | int) -> float | int:
        step = feature.temporal.step
        return int(cut) * step + step - 1 if math.isfinite(cut) else cut

    def wide_cut(self, cut: int, column: str) -> tuple[Phrase, ...]:
        return (
            "times as doubles, and nanoseconds from 1970 need more; ",
            remedy("convert the ", Column(column, "column"), " to microseconds and fit again"),
        )  # fmt: skip

    def is_moment(self, feature: Feature) -> bool:
        return feature.temporal.kind != DURATION

    def may_be_infinite(self, feature: Feature) -> bool:
        return not self.is_moment(feature)


class LevelExport(ExportedKind):
    """Levels."""

    def what(self, feature: Feature) -> str:
        if all(isinstance(level, bool) for level in feature.levels):
            return "true or false"
        return "texts" if any(isinstance(level, str) for level in feature.levels) else "numbers"

    def matrix_levels(self, tested: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        return tested

    def leaves_out(self, feature: Feature, routes: dict, unlisted: list) -> bool:
        return sum(len(c.levels) for tests in routes.values() for c in tests) < len(feature.levels)


EXPORTED: ByKind[ExportedKind] = ByKind(
    numeric=NumberExport(), ordinal=LevelExport(), nominal=LevelExport(), temporal=TimeExport()
)


def feature_cut(feature: Feature, value: float, low: float) -> float | int:
    """The cut as a number; of dates and times the last one up to it, in units of their resolution.

    A value lies in the unit that it has begun, so what is above the cut begins at the next whole number.
    """
    return EXPORTED.of(feature).cut(feature, value, low)


def exact_cut(value: float, low: float, integer: bool) -> float | int:
    """The cut ``value + low`` as a number that compares rightly with every float and every whole number.

    Beyond 2**53 floats are whole numbers, so the largest whole number up to the cut is equivalent.
    """
    if low == 0.0 and not (integer and math.isfinite(value) and abs(value) >= EXACT):
        return value
    return int(value) + math.floor(low)


def has_text_codes(feature: Feature) -> bool:
    """Whether a code is a text that is not a number, so that the column that holds it is one of texts."""
    codes = codes_of(feature)
    return len(codes.numbers) < len(feature.missing_values)
