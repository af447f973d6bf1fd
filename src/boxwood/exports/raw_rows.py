"""Rows as a table has them, beside what the tree reads in them: the input of the engines that run exports."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..data.columns.columns import Columns
from ..data.columns.instants import counts_of
from ..data.columns.names import find_columns
from ..data.columns.raw import MISSING_TYPES, RawColumn
from ..data.columns.schema import Schema
from ..data.columns.temporal import Temporal
from ..data.frames.containers import as_table, open_column
from ..data.frames.frame import read_columns
from ..data.frames.one_row import named_row
from .codes import codes_of
from .moments import moment_at, numbers
from .rows import plain_column, plain_numbers


@dataclass(frozen=True)
class RawRows:
    """Rows of a table.

    Attributes
    ----------
    columns : Columns
        What ``predict`` reads: codes are missing values, texts of dates are dates, levels are numbered.
    values : dict of int to list
        Feature that the tree tests -> the values as the table has them, one plain Python value a row: numbers, texts,
        truth values, dates and times (``datetime64`` or ``timedelta64`` where Python has none), None. A NaN of a list
        stays NaN; codes and texts of dates stay what they are.
    made : int
        How many of the rows, the last ones, were made to test the edges.
    refused : bool, shape (n,)
        Rows with a value that ``predict`` refuses with an error; only rows that were made have some.
    """

    columns: Columns
    values: dict[int, list]
    made: int = 0
    refused: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=bool))

    def __post_init__(self):
        if len(self.refused) != self.columns.n:
            object.__setattr__(self, "refused", np.zeros(self.columns.n, dtype=bool))

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.columns.n

    def readable(self) -> RawRows:
        """The rows without those that ``predict`` refuses."""
        if not self.refused.any():
            return self
        keep = np.flatnonzero(~self.refused)
        values = {j: [listed[i] for i in keep.tolist()] for j, listed in self.values.items()}
        return RawRows(self.columns.take(keep), values, self.made - int(self.refused.sum()))

    @property
    def schema(self) -> Schema:
        """The features of the tree."""
        return self.columns.schema


def raw_rows(X, schema: Schema, features: list[int], estimator: str = "this tree") -> RawRows:
    """The rows of a table, or of columns that have been read already.

    Parameters
    ----------
    X : Columns, or table of shape (n, p)
    schema : Schema
    features : list of int
        Those that the tree tests.
    estimator : str
        Name of the model in messages.
    """
    if isinstance(X, Columns):
        return RawRows(X, {j: _of_columns(X, j) for j in features})
    row = named_row(X, schema.names)
    X = X if row is None else row
    columns = read_columns(X, schema, estimator, match="name")
    return RawRows(columns, dict(zip(features, _given(X, schema, features), strict=True)))


def _given(X, schema: Schema, features: list[int]) -> list[list]:
    """The values of some features as a table has them."""
    names, named, read = _opened(X)
    by_name = schema.named and named
    positions = find_columns(names, schema) if by_name else range(len(schema))
    return [_dated(read(positions[j]), schema[j].temporal) for j in features]


def _dated(values: list, temporal: Temporal | None) -> list:
    """The same values; where texts have a format, 20210314.0, from a column with gaps, is whole again."""
    if temporal is None or temporal.form is None:
        return values
    return [int(value) if isinstance(value, float) and value.is_integer() else value for value in values]


def _opened(X) -> tuple[tuple[str, ...], bool, Callable[[int], list]]:
    """Names of the columns, whether they are the table's own, and what lists the values of one.

    In columns of Python objects texts may be among numbers, so they are listed as they are.
    """
    if isinstance(X, Mapping):
        values = list(X.values())
        return tuple(map(str, X)), True, lambda j: _listed(values[j])
    table = as_table(X)

    def read(j: int) -> list:
        objects = table.objects(j)
        return _of_raw(table.column(j)) if objects is None else _listed(objects)

    return table.names, table.named, read


def _listed(values) -> list:
    """The values of one column that was given by itself."""
    if isinstance(values, (list, tuple)):
        return [_plain(value) for value in values]
    return _of_raw(open_column(values, "")[0])


def _plain(value) -> Any:
    """A value of an object column as one of Python; None for the missing values of pandas."""
    if type(value).__name__ in MISSING_TYPES:
        return None
    if hasattr(value, "to_pydatetime") or hasattr(value, "to_pytimedelta"):
        stamp = hasattr(value, "to_pydatetime")
        exact = value.nanosecond if stamp else value.nanoseconds
        value = value.to_numpy() if exact else value.to_pydatetime() if stamp else value.to_pytimedelta()
    if isinstance(value, (np.datetime64, np.timedelta64)):
        if np.isnat(value):
            return None
        days = np.datetime_data(value.dtype)[0] == "D" and isinstance(value, np.datetime64)
        near = value.astype(f"{value.dtype.kind}8[{'D' if days else 'us'}]")
        plain = near.item()
        return plain if near == value and not isinstance(plain, int) else value
    return value.item() if isinstance(value, np.generic) and value.dtype.kind in "biufSU" else value


def _of_raw(column: RawColumn) -> list:
    """The values of a column of one type."""
    if column.temporal is not None:
        return _moments(column.temporal, column.values, column.low)
    if column.levels is None:
        return plain_numbers(column.values, column.low)
    known = [*column.levels, None]
    return [known[code] for code in column.values.tolist()]


def _of_columns(columns: Columns, j: int) -> list:
    temporal = columns.schema[j].temporal
    if temporal is None:
        return plain_column(columns, j)
    return _moments(temporal, columns.values[j], columns.low[j])


def _moments(temporal, values: np.ndarray, low: np.ndarray | None) -> list:
    """Dates and times; infinities stay numbers."""
    counts, missing = counts_of(values, low)
    listed = zip(counts.tolist(), missing.tolist(), strict=True)
    return [None if lost else moment_at(temporal, count) for count, lost in listed]


def plain_values(rows: RawRows, features: list[int]) -> tuple[list[list], np.ndarray]:
    """The values by feature, and the rows with a time that Python's types do not hold, which have None there."""
    lost, listed = np.zeros(rows.n, dtype=bool), []
    for j in features:
        skipped = [isinstance(value, (np.datetime64, np.timedelta64)) for value in rows.values[j]]
        lost |= np.array(skipped, dtype=bool)
        listed.append([None if skip else value for value, skip in zip(rows.values[j], skipped, strict=True)])
    return listed, lost


#: Marks a value that a language has no place for.
NO_PLACE = object()


def is_missing_value(value) -> bool:
    """Whether a value is None or NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def is_formed(value) -> bool:
    """Whether a value may be a date in a format: a text, or a whole number such as 20210314."""
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def counted_values(rows: RawRows, j: int) -> list:
    """Values for languages that take numbers for dates and times: these in whole numbers of the resolution.

    None is missing. Codes keep their numbers, and texts are given as what they mean; what is not a date or time has no
    place.
    """
    temporal = rows.schema[j].temporal
    if temporal is None:
        return rows.values[j]
    counts = numbers(rows.columns, j)[0].tolist()
    codes = {moment_at(temporal, count): count for count in codes_of(rows.schema[j]).instants}
    found: list = []
    for value, count, refused in zip(rows.values[j], counts, rows.refused.tolist(), strict=True):
        text = is_formed(value) and not refused
        if is_missing_value(value) or (text and count != count):
            found.append(None)
        elif count == count and (text or not isinstance(value, (str, bool, int, float))):
            found.append(count)
        else:
            code = None if isinstance(value, (str, bool, int, float)) else codes.get(value)
            found.append(NO_PLACE if code is None or code % temporal.step else float(code // temporal.step))
    return found
