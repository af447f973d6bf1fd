"""Each kind of feature in R: how a column is read and tested."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ..data.columns.kinds.kind import ByKind
from ..data.columns.schema import Feature
from ..data.columns.temporal import NANOSECONDS
from ..data.columns.written_numbers import marks_of, pattern_of
from .codes import codes_of
from .column_words import reads_text, types_read
from .kinds import EXPORTED
from .r_text import literal, vector
from .rows import unseen_value
from .values import type_of_values


class RKind(ABC):
    """Columns of numbers.

    Attributes
    ----------
    nothing : str
        A missing value.
    """

    nothing = "NA_real_"

    @abstractmethod
    def read(self, feature: Feature, given: str, name: str) -> str:
        """What reads a column."""

    def held(self, feature: Feature) -> str:
        """What a column must hold, in words."""
        return types_read(feature)

    def is_infinite(self, x: str) -> str:
        """Where a column that was read is infinite; "" where it cannot be."""
        return f"is.infinite({x})"


class RNumbers(RKind):
    """Numbers."""

    def read(self, feature: Feature, given: str, name: str) -> str:
        known = _without_codes(feature, given)
        if feature.written is not None:
            units, _, decimal = marks_of(feature.written.form)
            pattern = literal(f"^{pattern_of(feature.written.form)}$")
            known = f"written_number({known}, {pattern}, {vector(units) if units else 'c()'}, {literal(decimal)})"
            if numbers := codes_of(feature).numbers:
                known = f"known({known}, character(0), c({', '.join(literal(float(code)) for code in numbers)}))"
        as_text = feature.missing_values or reads_text(feature)
        return f"number(text_number({known}), {name})" if as_text else f"number({known}, {name})"


class RTimes(RKind):
    """Dates, times and durations, as whole numbers of their resolution."""

    def read(self, feature: Feature, given: str, name: str) -> str:
        seconds = NANOSECONDS[feature.temporal.resolution] / 1e9
        read = f"time({given}, {name}, {literal(seconds)}, {literal(feature.temporal.zone is None)})"
        numbers = EXPORTED.of(feature).code_numbers(feature)
        return f"known({read}, character(0), {vector(numbers)})" if numbers else read

    def held(self, feature: Feature) -> str:
        return f"Date, POSIXct, or {EXPORTED.of(feature).counts(feature)}"


class RLevels(RKind):
    """Levels, as they are."""

    nothing = "NA"

    def read(self, feature: Feature, given: str, name: str) -> str:
        kind = type_of_values(feature.levels, feature.name, "R")
        boolean = "function(v) is.logical(v) || is.numeric(v)"
        test = {"string": "is.character", "boolean": boolean}.get(kind, "is.numeric")
        return f"level({_without_codes(feature, given)}, {name}, {test}, {literal(unseen_value(feature))})"

    def is_infinite(self, x: str) -> str:
        return ""


R_KINDS: ByKind[RKind] = ByKind(numeric=RNumbers(), ordinal=RLevels(), nominal=RLevels(), temporal=RTimes())


def _without_codes(feature: Feature, given: str) -> str:
    """What is given, with codes as NA."""
    codes = codes_of(feature)
    if not codes:
        return given
    numbers = f"c({', '.join(literal(float(code)) for code in codes.numbers)})" if codes.numbers else "numeric(0)"
    return f"known({given}, {vector(codes.texts) if codes.texts else 'character(0)'}, {numbers})"
