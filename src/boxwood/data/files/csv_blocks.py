"""A CSV file larger than memory, divided into blocks of whole rows that are read with the types of the whole file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from ...errors import FileError
from ..columns.missing_codes import matcher
from ..columns.text_searches import TextSearch
from ..frames.arrow_tables import need_pyarrow, reason_of
from .below import TAIL, text_below
from .csv_tables import AS_THEY_LOOK, LONGEST_ROW, CsvForm, csv_table
from .csv_whole import end_of_first_line, end_of_rows, first_line, is_day, joint_type
from .delimited import as_utf8, check_quotes
from .files import check_header
from .opened import AS_FOUND, Form
from .text_layout import text_layout
from .totals import totals_row

#: Enough of a file to know its separator and the names of its columns.
_HEAD = 1 << 20


class CsvFile:
    """A file of text, of which one block at a time is in memory.

    Parameters
    ----------
    path : str
    name : str
        What messages call it.
    form : Form
        The options of its layout; its encoding is UTF-8.

    Attributes
    ----------
    layout : TextLayout
    names : list of str
        Of the columns of its table.
    fields : Fields
        Codes for missing values, columns of text and of numbers; set before anything is read.
    searches : dict of str to TextSearch
        What a survey finds of the forms of the texts, in the columns that are keys; files may share it.
    below : Below
        What lies below the table.
    has_totals : bool
        A survey has found that the last row holds totals, which is left out.

    Raises
    ------
    FileError
        It cannot be read, is empty, is not UTF-8, or has doubtful column names.
    """

    def __init__(self, path: str, name: str, form: Form = AS_FOUND):
        self.path, self.name = path, name
        self.fields = AS_THEY_LOOK
        self.searches: dict[str, TextSearch] = {}
        head = _some_bytes(path, name, 0, _HEAD)
        cut = head.rfind(b"\n") + 1
        text = head[:cut] if len(head) == _HEAD and cut else head
        head = as_utf8(text, name)
        marks = len(text) - len(head)
        if not head.strip():
            raise FileError(f"{name} is empty; a data file starts with a line of column names.")
        self.layout = text_layout(head, name, form)
        self.names, self.separator = self.layout.kept, self.layout.separator
        self._text = CsvForm(self.separator, self.layout.decimal, self.layout.names, name, self.layout.left_out)
        check_header(self.layout.names, name)
        self._start = 0 if self.layout.start is None else self.layout.start + marks
        self._header = first_line(head) if self.layout.start is None else self.layout.line
        size = os.path.getsize(path)
        begin = self._start or marks + end_of_first_line(head)
        start = max(begin, size - TAIL)
        tail = _some_bytes(path, name, start, TAIL)
        self.below = text_below(tail, self.separator, len(self.layout.names), start > size - TAIL)
        self._stop = size - self.below.size
        self._last_row = self.below.last_row
        self.has_totals = False

    def survey(self, size: int) -> tuple[dict, list[tuple[int, int]]]:
        """The Arrow type of each column that suits all blocks of about ``size`` bytes, and where the blocks end.

        Returns
        -------
        types : dict
        ends : list of (int, int)
            Of each block the byte where it ends, and its number of rows.
        """
        found: dict = {}
        ends: list[tuple[int, int]] = []
        last = self._stop - self._last_row
        below = [table for _, table in self._read(size, None, (last, self._stop))] if self._last_row else []
        totals = [totals_row(table) for table in below]
        for length, table in self._read(size, None, (self._start, last)):
            ends.append(((ends[-1][0] if ends else self._start) + length, table.num_rows))
            self._look(table, found)
            for row in totals:
                row.add(table)
        self.has_totals = any(row.holds_sums for row in totals)
        if self.has_totals:
            self._stop = last
        elif below:
            ends.append((self._stop, 1))
            self._look(below[0], found)
        self._last_row = 0
        return found, ends

    @property
    def may_have_totals(self) -> bool:
        """Whether only a survey can tell where the table ends."""
        return self._last_row > 0

    def _look(self, table, found: dict) -> None:
        """What the columns of a block are."""
        for field in table.schema:
            found[field.name] = joint_type(found.get(field.name, field.type), field.type)
        for name, search in self.searches.items():
            _look_for_forms(search, table.column(name), self.fields.codes.get(name, ()))

    def tables(
        self, size: int, types: dict | None, columns: list[str] | None = None, span: tuple[int, int] | None = None
    ) -> Iterator:
        """Arrow tables of the rows of each block, some columns of them; types are found in each block if not given.

        ``span``: the bytes to read, from the end of one block to the end of another; None = all.
        """
        for _, table in self._read(size, types, span):
            yield table if columns is None else table.select(columns)

    def _read(self, size: int, types: dict | None, span: tuple[int, int] | None) -> Iterator[tuple[int, object]]:
        """The length of each block in bytes, and its rows."""
        inside = span is not None and span[0] > self._start
        header, rows = self._header if inside or self.layout.start is not None else b"", 0
        place = f"{self.name}, counted from byte {span[0]}" if inside else self.name
        for block in self._blocks(size, span):
            data = header + block
            name = place if not rows else f"{place}, counted from after row {rows}"
            data = as_utf8(data, name) if not rows else _checked_utf8(data, name)
            lines = 0 if inside or rows else self.layout.lines
            check_quotes(data, self.separator, name, lines)
            table = csv_table(data, replace(self._text, place=name, lines=lines), types, self.fields)
            header = header or first_line(data)
            rows += table.num_rows
            yield len(block), table

    def _blocks(self, size: int, span: tuple[int, int] | None) -> Iterator[bytes]:
        """Pieces of the file that end where a row ends."""
        rest = b""
        with open(self.path, "rb") as file:
            at, stop = span or (0, self._stop)
            at = max(at, self._start)
            file.seek(at)
            while more := file.read(min(size, stop - at)):
                at += len(more)
                data = rest + more
                cut = end_of_rows(data, self.separator)
                if cut == 0 and len(data) > LONGEST_ROW:
                    raise FileError(
                        f"{self.name} has a row of more than {LONGEST_ROW >> 20} MB: {data[:40]!r}...; "
                        "close the quote that it opens, if there is one."
                    )
                rest = data[cut:]
                if cut:
                    yield data[:cut]
        if rest.strip():
            yield rest


def _look_for_forms(search: TextSearch, column, codes: tuple) -> None:
    pa = need_pyarrow()
    from pyarrow import compute

    if is_day(column.type):  # Arrow itself reads ISO 8601
        search.add_days()
    elif pa.types.is_string(column.type) and not search.is_over:
        is_code = matcher(codes)
        search.add(text for text in compute.unique(column).to_pylist() if text is not None and not is_code(text))


def _some_bytes(path: str, name: str, start: int, size: int) -> bytes:
    try:
        with open(path, "rb") as file:
            file.seek(start)
            return file.read(size)
    except OSError as error:
        raise FileError(f"{name} cannot be read: {reason_of(error)}.") from error


def _checked_utf8(data: bytes, name: str) -> bytes:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return as_utf8(data, name)  # its error names the row
    return data
