"""CSV from a pipe: tables of the rows that have come, as soon as they are complete."""

from __future__ import annotations

import codecs
import io
import select
from collections.abc import Callable, Iterator

from ..._messages import FromZero, Message, RowRange
from ...errors import FileError
from .csv_tables import LONGEST_ROW, CsvFields, CsvForm, csv_table
from .csv_whole import end_of_rows, first_line
from .delimited import as_utf8, check_quotes, column_names, sniff
from .encodings import checked_encoding, not_of
from .file_kinds import START, TEXT, compression_of, kind_of, refuse_other
from .files import check_header

#: Bytes of a table at most, about: with more that has come already, many rows are read at once.
_MOST = 1 << 24


def is_arriving(stream: io.BufferedReader) -> bool:
    """Whether a stream begins like CSV in UTF-8 or of an encoding without zero bytes; waits for its first bytes."""
    start = stream.peek(START)[:START]
    return not compression_of(start) and kind_of(start, "") == TEXT and b"\0" not in start


class ArrivingCsv:
    """A stream of CSV that is read once, as it comes.

    Parameters
    ----------
    stream : binary stream with ``read1``
    name : str
        What messages call it.
    encoding : str, optional
        None = UTF-8.
    """

    def __init__(self, stream: io.BufferedReader, name: str, encoding: str | None = None):
        self._stream, self._name, self._encoding = stream, name, checked_encoding(encoding)
        self._separator = ","

    def tables(self, fields: Callable[[list[str]], CsvFields]) -> Iterator[tuple[Message, object]]:
        """Tables of one row or more, each with the words that name its rows.

        Parameters
        ----------
        fields : callable
            Names of the columns -> the meaning of their fields.

        Raises
        ------
        FileError
            The rows cannot be read; those before them have been returned.
        """
        header, names, rows, meaning = b"", [], 0, None
        for block in self._blocks():
            place = self._name if not rows else f"{self._name}, counted from after row {rows}"
            data = as_utf8(header + block, place)
            if not header:
                refuse_other(data[:START], self._name)
                names, header = column_names(data, self._separator, self._name), first_line(data)
                check_header(names, self._name)
                meaning = fields(names)
            check_quotes(data, self._separator, place)
            # each block anew: the decimal mark shows only in rows that have one
            table = csv_table(data, CsvForm(self._separator, sniff(data)[1], names, place), None, meaning)
            if table.num_rows:
                first, rows = rows, rows + table.num_rows
                yield Message(f"{self._name}, ", RowRange(first, rows - 1), FromZero()), table
        if not header:
            raise FileError(f"{self._name} is empty; a data file starts with a line of column names.")
        if not rows:
            raise FileError(f"{self._name} holds column names but no rows.")

    def _blocks(self) -> Iterator[bytes]:
        """Pieces that end where a row ends, the first with the line of column names and a row at least."""
        rest, begun = b"", False
        for more in self._pieces():
            data = rest + more
            if not begun:
                self._separator = sniff(data.removeprefix(codecs.BOM_UTF8))[0]
            cut = end_of_rows(data, self._separator)
            complete = data[:cut] if begun else data[len(first_line(data)) : cut]
            if complete.strip():
                rest, begun = data[cut:], True
                yield data[:cut]
            elif len(data) > LONGEST_ROW:
                raise FileError(
                    f"{self._name} has a row of more than {LONGEST_ROW >> 20} MB: {data[:40]!r}...; "
                    "close the quote that it opens, if there is one."
                )
            else:
                rest = data
        if rest.strip():
            yield rest

    def _pieces(self) -> Iterator[bytes]:
        """All that has come, again and again, as UTF-8."""
        decoder = None if self._encoding is None else codecs.getincrementaldecoder(self._encoding)()
        while piece := self._stream.read1(_MOST):
            while len(piece) < _MOST and _has_more(self._stream) and (more := self._stream.read1(_MOST)):
                piece += more
            yield piece if decoder is None else self._decoded(decoder, piece)

    def _decoded(self, decoder, piece: bytes) -> bytes:
        try:
            return decoder.decode(piece).encode("utf-8")
        except UnicodeError as error:
            raise not_of(self._encoding, self._name, None) from error


def _has_more(stream: io.BufferedReader) -> bool:
    """Whether a stream has bytes that can be read without waiting, as far as the system tells."""
    try:
        return bool(select.select([stream], [], [], 0)[0])
    except (OSError, ValueError):  # a stream in memory, or a pipe of Windows
        return False
