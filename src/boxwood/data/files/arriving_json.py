"""JSON lines from a pipe: tables of the rows that have come, as soon as they are complete."""

from __future__ import annotations

import codecs
import io
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence

from ..._messages import Column, FromZero, Message, RowRange
from ...errors import FileError, FormatWarning, level_outside
from ..columns.names import DataFile
from ..frames.arrow_tables import need_pyarrow
from .arriving import Pieces
from .csv_tables import CsvFields
from .delimited import as_utf8
from .file_kinds import JSON
from .files import check_header
from .opened import AS_FOUND, Form
from .typed_files import json_lines


class ArrivingJson:
    """A stream of JSON objects, one a line, that is read once, as it comes; the first names the columns.

    Parameters
    ----------
    stream : binary stream with ``read1``
    name : str
        What messages call it.
    form : Form
        The encoding; without one, text is UTF-8.
    features : sequence of str
        Keys that any object may lack, the first one too, but not all of them.
    """

    def __init__(self, stream: io.BufferedReader, name: str, form: Form = AS_FOUND, features: Sequence[str] = ()):
        form.check(JSON, name)
        self._pieces, self._name, self._features = Pieces(stream, name, form.encoding), name, features

    def tables(self, fields: Callable[[list[str]], CsvFields]) -> Iterator[tuple[Message, object]]:
        """Tables of one row or more, each with the words that name its rows.

        Keys that the first object lacks are left out, but for features; a key that an object lacks is a missing value.

        Parameters
        ----------
        fields : callable
            Names of the columns -> the meaning of their values.

        Raises
        ------
        FileError
            The rows cannot be read; those before them have been returned.
        """
        names: list[str] = []
        rows = 0
        for block in self._blocks():
            for table in self._read(block, rows, lambda found: fields(found).exact):
                if not names:
                    names = self._with_features(table.column_names)
                first, rows = rows, rows + table.num_rows
                where = Message(DataFile(self._name), ", ", RowRange(first, rows - 1), FromZero())
                yield where, _of_names(table, names)
        if not rows:
            raise FileError(f"{self._name} is empty; a data file starts with a line of column names.")

    def _with_features(self, names: list[str]) -> list[str]:
        """The names of the columns, from those of the first object."""
        check_header(names, self._name)
        absent = [name for name in self._features if name not in names]
        if not absent or len(absent) == len(self._features):
            return names
        lacks = Message("the first row of ", DataFile(self._name), " has no ", Column(absent[0], "column"))
        others = f" and lacks {len(absent) - 1} more" if absent[1:] else ""
        warnings.warn(
            Message(lacks, others, "; where a row lacks a column, its value is missing."),
            FormatWarning,
            stacklevel=level_outside(),
        )
        return names + absent

    def _read(self, block: bytes, rows: int, exact: Callable[[list[str]], Collection[str]]) -> Iterator:
        """One table of a block; one of each line, if some do not suit each other or cannot be read."""
        place = self._name if not rows else f"{self._name}, counted after {rows} rows"
        lines = [line for line in block.split(b"\n") if line.strip()]
        try:
            tables = [json_lines(as_utf8(block, place), place, exact)]
        except FileError:
            if len(lines) == 1:
                raise
            tables = (table for i, line in enumerate(lines) for table in self._read(line, rows + i, exact))
        yield from tables

    def _blocks(self) -> Iterator[bytes]:
        """Pieces that end where a line ends, with something in them; the first is one line, which names the columns."""
        rest, begun = b"", False
        for more in self._pieces:
            rest += more
            while cut := (rest.rfind(b"\n") if begun else rest.find(b"\n")) + 1:
                block, rest = rest[:cut].removeprefix(b"" if begun else codecs.BOM_UTF8), rest[cut:]
                if block.strip():
                    begun = True
                    yield block
        if rest.strip():
            yield rest


def _of_names(table, names: list[str]):
    """The columns of these names; those that the table lacks hold no values."""
    pa = need_pyarrow()
    columns = [table.column(n) if n in table.column_names else pa.nulls(table.num_rows) for n in names]
    return pa.table(columns, names=names)
