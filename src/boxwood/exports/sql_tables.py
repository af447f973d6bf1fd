"""Raw rows as tables of a database: what a typed column holds, what one of texts holds, and what neither does."""

from __future__ import annotations

import datetime
import math
import re
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from ..data.columns.temporal import DATE, DATETIME, TIME
from .codes import is_code_of
from .column_words import reads_text
from .kinds import EXPORTED, has_text_codes
from .moments import numbers
from .raw_rows import RawRows
from .rows import NO_PLACE, is_missing_value
from .sql_dates import parses
from .sql_query import Query

_NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", re.ASCII)
_TIMES = (datetime.date, datetime.time)


@dataclass(frozen=True)
class SqlTable:
    """Rows as a table of a database: the features that the tree tests, and keys that number the rows.

    Attributes
    ----------
    query : Query
    rows : RawRows
    typed : bool
        Columns have the types that the head of the query names; else those that may hold texts are of texts, or, in
        SQLite, of no type.
    """

    query: Query
    rows: RawRows
    typed: bool = True

    @cached_property
    def names(self) -> list[str]:
        """Names of the columns: features, then keys that are not features."""
        schema = self.query.plan.schema
        features = [schema[j].name for j in self.query.plan.features]
        keys = [key for key in self.query.keys if key not in features]
        return [*features, *keys]

    @cached_property
    def types(self) -> list[str]:
        """Types of the columns, as all three databases know them."""
        found = [self._type(j) for j in self.query.plan.features]
        return found + ["BIGINT"] * (len(self.names) - len(found)) or ["BIGINT"]

    def _type(self, j: int) -> str:
        feature, lite = self.query.plan.schema[j], self.query.sql.dialect == "sqlite"
        if not self.typed and (lite or self._may_be_text(j)):
            return "" if lite else "TEXT"
        if self.query.conditions.is_moment(j):
            names = {DATE: "DATE", TIME: "TIME", DATETIME: "TIMESTAMP"}
            zone = " WITH TIME ZONE" * (feature.temporal.zone is not None)
            return "TEXT" if lite else names[feature.temporal.kind] + zone
        if feature.levels and isinstance(feature.levels[0], str):
            return "TEXT"
        if feature.levels and isinstance(feature.levels[0], bool):
            return "BOOLEAN"
        return "NUMERIC(20, 0)" if self.query.conditions.is_exact(j) else "DOUBLE PRECISION"

    def _may_be_text(self, j: int) -> bool:
        """Whether the query reads a column of texts where numbers or dates are expected."""
        feature = self.query.plan.schema[j]
        if self.query.conditions.is_moment(j):
            return parses(self.query.sql, feature.temporal)
        return not self.query.conditions.is_plain(j) and (reads_text(feature) or has_text_codes(feature))

    @cached_property
    def columns(self) -> list[list]:
        """The values that the columns hold."""
        return [self._held(j) for j in self.query.plan.features]

    def _held(self, j: int) -> list:
        feature, kind = self.query.plan.schema[j], self._type(j)
        if EXPORTED.of(feature).counts(feature) and not self.query.conditions.is_moment(j):
            counts, _ = numbers(self.rows.columns, j)
            pairs = zip(self.rows.values[j], counts.tolist(), strict=True)
            odd = (str, bool, int, float)
            return [None if is_missing_value(v) else NO_PLACE if isinstance(v, odd) or c != c else c for v, c in pairs]
        values = self.rows.values[j]
        if feature.levels and isinstance(feature.levels[0], str):
            is_code = is_code_of(feature)
            return [value if isinstance(value, str) else _text_of_code(value, is_code) for value in values]
        if kind in ("", "TEXT"):
            hold = partial(
                _as_text if self.query.sql.dialect != "sqlite" else _untyped, moment=self.query.conditions.is_moment(j)
            )
        else:
            hold = partial(_HOLDS.get(kind.partition(" ")[0].partition("(")[0], _moment), kind=kind, sql=self.query.sql)
        # In a column of numbers, a truth value would be 1 or 0, and might be one of the levels.
        misplaced = bool if feature.levels and not isinstance(feature.levels[0], bool) else ()
        return [NO_PLACE if isinstance(value, misplaced) else hold(value) for value in values]

    @cached_property
    def fits(self) -> np.ndarray:
        """Rows of which all values have a place, bool, shape (n,)."""
        found = np.ones(self.rows.n, dtype=bool)
        for values in self.columns:
            found &= np.array([value is not NO_PLACE for value in values], dtype=bool)
        return found

    def stored(self, chosen: np.ndarray) -> list[tuple]:
        """Some rows; a table without columns gets one that numbers them."""
        keys = [list(range(self.rows.n))] * (len(self.names) - len(self.columns))
        listed = [*self.columns, *keys] or [list(range(self.rows.n))]
        return [tuple(values[i] for values in listed) for i in chosen.tolist()]

    def create(self, kind: str = "TABLE") -> str:
        """The statement that makes the table."""
        sql = self.query.sql
        names = self.names or ["nothing"]
        columns = ", ".join(f"{sql.name(name)} {type_}".strip() for name, type_ in zip(names, self.types, strict=True))
        return f"CREATE {kind} {sql.name(self.query.table[-1])} ({columns})"

    @property
    def marks(self) -> str:
        """Places for one row's values."""
        return ", ".join("?" * len(self.types))


def is_number(text: str) -> bool:
    """Whether a text is a number."""
    return bool(_NUMBER.fullmatch(text))


def _untyped(value, moment: bool) -> Any:
    """A value in a column of SQLite, which holds any."""
    if is_missing_value(value):
        return None
    if isinstance(value, (np.datetime64, np.timedelta64, datetime.timedelta)):
        return NO_PLACE
    if isinstance(value, _TIMES):
        return str(value) if moment else NO_PLACE
    return value if isinstance(value, (str, int, float)) else float(value)


def _as_text(value, moment: bool) -> Any:
    """A value in a column of texts."""
    if isinstance(value, str) or is_missing_value(value):
        return None if is_missing_value(value) else value
    if moment and isinstance(value, _TIMES):
        return str(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return NO_PLACE
    return str(int(value)) if moment and float(value).is_integer() else NO_PLACE if moment else repr(value)


def _text_of_code(value, is_code) -> Any:
    return None if is_missing_value(value) else str(value) if is_code(value) else NO_PLACE


def _truth(value, kind: str, sql) -> Any:
    if is_missing_value(value) or isinstance(value, bool):
        return None if is_missing_value(value) else value
    return value if isinstance(value, (int, float)) and sql.truths == ("0", "1") else NO_PLACE


def _whole(value, kind: str, sql) -> Any:
    if is_missing_value(value):
        return None
    fits = isinstance(value, (int, float)) and math.isfinite(value) and float(value).is_integer()
    return int(value) if fits and abs(value) <= sql.most_whole else NO_PLACE


def _double(value, kind: str, sql) -> Any:
    if value is None or isinstance(value, (str, np.datetime64, np.timedelta64, datetime.timedelta, *_TIMES)):
        return None if value is None else NO_PLACE
    return float(value)


def _moment(value, kind: str, sql) -> Any:
    """A date among datetimes is its midnight; a datetime is not a date."""
    if is_missing_value(value):
        return None
    if not isinstance(value, _TIMES) or isinstance(value, datetime.time) != (kind == "TIME"):
        return NO_PLACE
    dated = isinstance(value, datetime.datetime)
    if kind == "DATE":
        return NO_PLACE if dated else value
    if kind == "TIME":
        return value
    if not dated:
        return NO_PLACE if "ZONE" in kind else datetime.datetime(value.year, value.month, value.day)
    return value if (value.tzinfo is not None) == ("ZONE" in kind) else NO_PLACE


_HOLDS = {"DOUBLE": _double, "NUMERIC": _whole, "BOOLEAN": _truth}
