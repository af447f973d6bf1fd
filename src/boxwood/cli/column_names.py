"""The columns of a data file by name, as options and messages have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._messages import Message
from .._spelling import did_you_mean
from ..data.columns.names import DataFile
from ..data.files.layout import with_hint
from ..data.files.workbooks import OTHER_SHEETS
from ..errors import ColumnError
from ..views.words import plain, shorten

if TYPE_CHECKING:
    import pyarrow as pa

#: A message names at most this many columns, each in at most this many columns of the terminal.
_MOST_NAMES, _LONGEST_NAME = 10, 40


def check_column(table: pa.Table, column: str, file: str) -> None:
    """Raise ColumnError, with the nearest name, when a table has no such column."""
    if column not in table.column_names:
        near = did_you_mean(column, table.column_names)
        hint = f"; its columns are {_listed(table.column_names)}." if near == "." else near
        sheets = other_sheets(table)
        hint += f" This is the first of {sheets}; choose another with --sheet." if sheets else ""
        message = Message(DataFile(file), f": there is no column {quoted(column)}{hint}")
        raise ColumnError(with_hint(message, table.column_names))


def other_sheets(table: pa.Table) -> str:
    """The sheets of the workbook, where the first of several was read without being named."""
    return (table.schema.metadata or {}).get(OTHER_SHEETS, b"").decode()


def quoted(name: str) -> str:
    """A name between quotes, control characters escaped, not too long."""
    return repr(shorten(name, _LONGEST_NAME))


def _listed(names: list[str]) -> str:
    """Names in a row, control characters escaped; only the first ones of many."""
    shown = ", ".join(shorten(plain(name), _LONGEST_NAME) for name in names[:_MOST_NAMES])
    return shown if len(names) <= _MOST_NAMES else f"{shown} and {len(names) - _MOST_NAMES} more"
