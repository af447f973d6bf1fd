"""Rows as a table has them, beside what the tree reads in them: the input of the engines that run exports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..data.columns.columns import Columns
from ..data.columns.names import find_columns
from ..data.columns.raw import MISSING_TYPES, RawColumn
from ..data.columns.schema import Schema
from ..data.frames.containers import as_table, open_column
from ..data.frames.frame import read_columns
from ..data.frames.one_row import named_row
from .rows import ROWS, moments, plain_numbers


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

    def counted(self, j: int) -> list:
        """The values of a feature for languages that take numbers for dates and times (:meth:`.KindRows.counted`)."""
        return ROWS.of(self.schema[j]).counted(self.columns, j, self.values[j], self.refused)

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
        return RawRows(X, {j: ROWS.of(schema[j]).given(X, j) for j in features})
    row = named_row(X, schema.names)
    X = X if row is None else row
    columns = read_columns(X, schema, estimator, match="name")
    return RawRows(columns, dict(zip(features, _given(X, schema, features), strict=True)))


def _given(X, schema: Schema, features: list[int]) -> list[list]:
    """The values of some features as a table has them."""
    names, named, read = _opened(X)
    by_name = schema.named and named
    positions = find_columns(names, schema) if by_name else range(len(schema))
    return [_dated(read(positions[j]), schema[j].type.form) for j in features]


def _dated(values: list, form: str | None) -> list:
    """The same values; where texts have a format, 20210314.0, from a column with gaps, is whole again."""
    if form is None:
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
        return moments(column.temporal, column.values, column.low)
    if column.levels is None:
        return plain_numbers(column.values, column.low)
    known = [*column.levels, None]
    return [known[code] for code in column.values.tolist()]


def plain_values(rows: RawRows, features: list[int]) -> tuple[list[list], np.ndarray]:
    """The values by feature, and the rows with a time that Python's types do not hold, which have None there."""
    lost, listed = np.zeros(rows.n, dtype=bool), []
    for j in features:
        skipped = [isinstance(value, (np.datetime64, np.timedelta64)) for value in rows.values[j]]
        lost |= np.array(skipped, dtype=bool)
        listed.append([None if skip else value for value, skip in zip(rows.values[j], skipped, strict=True)])
    return listed, lost
