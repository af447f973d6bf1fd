"""Columns from which nothing, or hardly anything, can be learned: one value, or mostly none."""

from __future__ import annotations

from collections.abc import Iterator

from ..._messages import DroppedColumn, Message, Value, remedy
from ...views.figures import percent
from .column_values import ColumnValues
from .finding import Finding

#: A column with a larger share of missing values is mostly missing.
_MOSTLY = 0.5


def emptiness(column: ColumnValues) -> Iterator[Finding]:
    """A column with one value in all rows, or that is mostly missing."""
    leave_out = remedy("leave it out: ", DroppedColumn(column.name))
    if len(column.values) == 1 and not column.missing and column.n > 1:
        message = Message(column.column, " is ", Value(column.original(0)), " in every row; ", leave_out, ".")
        yield Finding("constant", column.name, column.n, message)
    elif column.missing > _MOSTLY * column.n:
        message = Message(
            column.column, f" is missing in {column.missing:,} of {column.n:,} rows "
            f"({percent(column.missing / column.n)}). If it is empty for a reason that new rows share, keep it; else ",
            leave_out, ".",
        )  # fmt: skip
        yield Finding("mostly_missing", column.name, column.missing, message)
