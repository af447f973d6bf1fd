"""CSV text in memory as one Arrow table, read in blocks of whole rows with the types that suit all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...errors import FileError
from ..frames.arrow_tables import need_pyarrow
from .csv_tables import CsvFields, CsvForm, csv_table
from .delimited import explain_ragged, quotes_are_plain

#: Bytes of a block.
_BLOCK = 1 << 24


def whole_csv(data: bytes, form: CsvForm, fields: CsvFields, is_plain: bool):
    """A file of CSV as an Arrow table; see :func:`.csv_tables.csv_table`, which reads each block.

    Parameters
    ----------
    data : bytes
        UTF-8, every quote of which is closed.
    form : CsvForm
    fields : CsvFields
    is_plain : bool
        Every quote opens or closes a field, or is doubled: line ends after an even number of them end rows.

    Raises
    ------
    FileError
        It cannot be read; the message names the row.
    MemoryError
    """
    header, blocks = b"", []
    for start, stop in _blocks(data, form.separator, is_plain):
        piece = data[start:stop] if start or stop < len(data) else data
        blocks.append(_Block(data, header, start, stop, _table(data, header + piece, form, None, fields)))
        header = header or first_line(piece)
    if len(blocks) == 1 and not fields.exact:
        return blocks[0].table
    types: dict = {}
    for block in blocks:
        for field in block.table.schema:
            types[field.name] = joint_type(types.get(field.name, field.type), field.type)
    pa = need_pyarrow()
    types = exact_types(types, fields)
    return pa.concat_tables([block.of_types(types, form, fields) for block in blocks])


class _Block:
    """Some rows of a file, as they were read by themselves."""

    def __init__(self, data: bytes, header: bytes, start: int, stop: int, table):
        self._data, self._header, self._at, self.table = data, header, slice(start, stop), table

    def of_types(self, types: dict, form: CsvForm, fields: CsvFields):
        """The rows with columns of these types: those that were read as others are read again from the text."""
        other = {name: kind for name, kind in types.items() if self.table.schema.field(name).type != kind}
        if not other:
            return self.table
        return _table(self._data, self._header + self._data[self._at], form, types, fields)


def _table(data: bytes, block: bytes, form: CsvForm, types: dict | None, fields: CsvFields):
    try:
        return csv_table(block, form, types, fields)
    except FileError:
        explain_ragged(data, form.separator, form.place, form.lines)  # its row among all rows
        raise


def _blocks(data: bytes, separator: str, is_plain: bool) -> Iterator[tuple[int, int]]:
    """Where the pieces of some text begin and end, each with whole rows."""
    start, size = 0, _BLOCK
    while start + size < len(data):
        piece = data[start : start + size]
        cut = _last_line_end(piece)
        if not is_plain or piece.count(b'"', 0, cut) % 2:
            cut = end_of_rows(piece, separator)
        if cut == 0:
            size *= 2  # a row that is longer
            continue
        yield start, start + cut
        start, size = start + cut, _BLOCK
    yield start, len(data)


def first_line(data: bytes) -> bytes:
    """The line of column names, which may hold line ends between quotes."""
    return data[: end_of_first_line(data)].lstrip(b"\r\n") + b"\n"


def end_of_first_line(data: bytes) -> int:
    """Where the line of column names ends, after the empty lines before it."""
    end, inside = len(data) - len(data.lstrip(b"\r\n")), False
    while end < len(data) and (inside or data[end : end + 1] not in (b"\n", b"\r")):
        inside ^= data[end : end + 1] == b'"'
        end += 1
    return end


def end_of_rows(data: bytes, separator: str) -> int:
    """Where the last complete row ends; 0 if none does. The data begin where a row begins."""
    cut = _last_line_end(data)
    if b'"' not in data or quotes_are_plain(data[:cut], separator):
        return cut
    # the end of the last range outside quotes that holds a line end
    ends = re.escape(f"{separator}\r\n".encode())
    opening, closing = re.compile(b"(?:\\A|[" + ends + b'])"'), re.compile(b'(?:[^"]++|"")*+"')
    at, last = 0, 0
    while True:
        found = opening.search(data, at)
        stop = len(data) if found is None else found.end() - 1
        last = max(last, data.rfind(b"\n", at, stop) + 1, data.rfind(b"\r", at, min(stop, len(data) - 1)) + 1)
        closed = None if found is None else closing.match(data, found.end())
        if closed is None:
            return last
        at = closed.end()


def _last_line_end(data: bytes) -> int:
    return max(data.rfind(b"\n"), data.rfind(b"\r", 0, len(data) - 1)) + 1


def joint_type(one, other):
    """The Arrow type that a column has whose fields have two types in two blocks."""
    pa = need_pyarrow()
    if one == other or pa.types.is_null(other):
        return one
    if pa.types.is_null(one):
        return other
    numbers = {pa.int64(), pa.float64()}
    if is_day(one) and is_day(other) and getattr(one, "tz", None) == getattr(other, "tz", None):
        return max(one, other, key=lambda kind: _UNITS.index(getattr(kind, "unit", None)))
    return pa.float64() if one in numbers and other in numbers else pa.string()


def exact_types(types: dict, fields: CsvFields) -> dict:
    """The types of columns of a file; those that keep their values are text where only words such as NA are in them."""
    pa = need_pyarrow()
    return {
        name: pa.string() if pa.types.is_null(kind) and name in fields.exact else kind for name, kind in types.items()
    }


#: Units of Arrow's dates and timestamps, the finest last.
_UNITS = (None, "s", "ms", "us", "ns")


def is_day(kind) -> bool:
    pa = need_pyarrow()
    return pa.types.is_date32(kind) or pa.types.is_timestamp(kind)
