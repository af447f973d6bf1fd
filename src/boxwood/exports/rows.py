"""Rows as input of a target's engine, by kind of feature: plain Python values, matrices, columns of one type."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from ..data.columns.columns import Columns
from ..data.columns.instants import counts_of
from ..data.columns.kinds.kind import ByKind
from ..data.columns.raw import split_integers
from ..data.columns.schema import MISSING, UNSEEN, Feature
from ..data.columns.temporal import Temporal
from .codes import codes_of, is_code_of
from .moments import moment_at, numbers

#: Marks a value that a language has no place for.
NO_PLACE = object()


def is_missing_value(value) -> bool:
    """Whether a value is None or NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def is_formed(value) -> bool:
    """Whether a value may be a date in a format: a text, or a whole number such as 20210314."""
    return isinstance(value, (str, int)) and not isinstance(value, bool)


class KindRows(ABC):
    """Columns of one kind of feature in the forms in which engines take them."""

    @abstractmethod
    def plain(self, columns: Columns, j: int) -> list:
        """Plain Python values; None is missing, whole numbers beyond 2**53 stay exact.

        Dates and times are whole numbers of their resolution. An unseen level is replaced by another unseen level.
        """

    def given(self, columns: Columns, j: int) -> list:
        """The values as a table has them: the same, but for dates and times."""
        return self.plain(columns, j)

    def counted(self, columns: Columns, j: int, given: list, refused: np.ndarray) -> list:
        """The values for languages that take numbers for dates and times: these in whole numbers of the resolution.

        None is missing. Codes keep their numbers, and texts are given as what they mean; what is not a date or time has
        no place.
        """
        return given

    @abstractmethod
    def matrix(self, columns: Columns, j: int, unseen: str) -> np.ndarray:
        """The values, or the codes of levels, as float64; ``unseen`` is the policy."""

    def column(self, feature: Feature, given: list) -> tuple[np.ndarray, np.ndarray | None]:
        """Plain values, or codes of levels, as a column and its low part; None is missing."""
        return feature.type.column(given), None

    def code_reader(self, feature: Feature, texts_too: bool) -> Callable[[Any], Any]:
        """What puts a code for a missing value, as a table has it, into a column of numbers; None where it cannot be.

        ``texts_too``: such a column takes texts that are codes.
        """
        is_code = is_code_of(feature)

        def held(raw: Any) -> Any:
            if isinstance(raw, str):
                return None if not is_code(raw) else raw if texts_too else _number(raw)
            return raw if isinstance(raw, (int, float)) and not math.isnan(raw) else None

        return held


class NumberRows(KindRows):
    """Numbers."""

    def plain(self, columns: Columns, j: int) -> list:
        return plain_numbers(*numbers(columns, j))

    def matrix(self, columns: Columns, j: int, unseen: str) -> np.ndarray:
        return numbers(columns, j)[0]


class TimeRows(NumberRows):
    """Dates, times and durations."""

    def given(self, columns: Columns, j: int) -> list:
        return moments(columns.schema[j].temporal, columns.values[j], columns.low[j])

    def counted(self, columns: Columns, j: int, given: list, refused: np.ndarray) -> list:
        temporal = columns.schema[j].temporal
        counts = numbers(columns, j)[0].tolist()
        codes = {moment_at(temporal, count): count for count in codes_of(columns.schema[j]).instants}
        found: list = []
        for value, count, is_refused in zip(given, counts, refused.tolist(), strict=True):
            text = is_formed(value) and not is_refused
            if is_missing_value(value) or (text and count != count):
                found.append(None)
            elif count == count and (text or not isinstance(value, (str, bool, int, float))):
                found.append(count)
            else:
                code = None if isinstance(value, (str, bool, int, float)) else codes.get(value)
                found.append(NO_PLACE if code is None or code % temporal.step else float(code // temporal.step))
        return found

    def column(self, feature: Feature, given: list) -> tuple[np.ndarray, np.ndarray | None]:
        missing = [value is None for value in given]
        counts = [0 if value is None else int(value) * feature.temporal.step for value in given]
        near, rest = split_integers(np.array(counts, dtype=np.int64))
        return np.where(missing, np.nan, near), rest

    def code_reader(self, feature: Feature, texts_too: bool) -> Callable[[Any], Any]:
        temporal = feature.temporal
        held = {temporal.value(count): count // temporal.step for count in codes_of(feature).instants}
        return lambda raw: held.get(raw, raw if texts_too and isinstance(raw, str) else None)


class LevelRows(KindRows):
    """Levels."""

    def plain(self, columns: Columns, j: int) -> list:
        feature = columns.schema[j]
        known, count = [*feature.levels, unseen_value(feature), None], len(feature.levels)
        codes = columns.values[j].tolist()
        return [known[code if code >= 0 else count + 1 if code == MISSING else count] for code in codes]

    def matrix(self, columns: Columns, j: int, unseen: str) -> np.ndarray:
        values = columns.values[j]
        codes = values.astype(np.float64)
        codes[values == MISSING] = np.nan
        codes[values == UNSEEN] = np.nan if unseen == "missing" else len(columns.schema[j].levels)
        return codes


ROWS: ByKind[KindRows] = ByKind(numeric=NumberRows(), ordinal=LevelRows(), nominal=LevelRows(), temporal=TimeRows())


def moments(temporal: Temporal, values: np.ndarray, low: np.ndarray | None) -> list:
    """Dates and times as values of Python; infinities stay numbers."""
    counts, missing = counts_of(values, low)
    listed = zip(counts.tolist(), missing.tolist(), strict=True)
    return [None if lost else moment_at(temporal, count) for count, lost in listed]


def _number(text: str) -> float | None:
    """The number that a text is; None where it is another text."""
    try:
        return float(text)
    except ValueError:
        return None


def unseen_value(feature: Feature):
    """A level that the feature does not have, of the same type where there is one."""
    levels = feature.levels
    if all(isinstance(v, bool) for v in levels):
        return next((v for v in (False, True) if v not in levels), 2)
    if any(isinstance(v, str) for v in levels):
        name = "another"
        while name in levels:
            name += "'"
        return name
    numbers = set(levels)
    return next(v for v in range(len(numbers) + 1) if v not in numbers)


def plain_numbers(values: np.ndarray, low: np.ndarray | None) -> list:
    """Numbers as plain Python values; None is missing, whole numbers beyond 2**53 stay exact."""
    rest = [0.0] * len(values) if low is None else low.tolist()
    pairs = zip(values.tolist(), rest, strict=True)
    return [None if v != v else int(v) + int(r) if r else v for v, r in pairs]
