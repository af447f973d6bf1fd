"""CSV from a pipe: tables of the rows that have come, as soon as they are complete."""

from __future__ import annotations

import codecs
import io
import warnings
from collections.abc import Callable, Iterator

from ..._messages import FromZero, Message, RowRange, remedy, short
from ...errors import FileError, FormatWarning, level_outside
from ..columns.names import DataFile
from .arriving import Pieces
from .csv_tables import LONGEST_ROW, CsvFields, CsvForm, csv_table
from .csv_whole import end_of_rows, first_line
from .delimited import as_text_head, as_utf8, check_quotes, decimal_mark, sniff
from .file_kinds import START, refuse_other
from .files import check_header
from .opened import AS_FOUND, Form
from .text_layout import text_layout
from .totals import totals_label


class ArrivingCsv:
    """A stream of CSV that is read once, as it comes.

    Parameters
    ----------
    stream : binary stream with ``read1``
    name : str
        What messages call it.
    form : Form
        The encoding and the layout; without an encoding, text is UTF-8.
    """

    def __init__(self, stream: io.BufferedReader, name: str, form: Form = AS_FOUND):
        self._pieces, self._name, self._form = Pieces(stream, name, form.encoding), name, form
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
        layout, header, rows, meaning, last = None, b"", 0, None, ""
        for block in self._blocks():
            place = self._name if not rows else f"{self._name}, counted after {rows} rows"
            data = as_utf8(header + block, place)
            if layout is None:
                refuse_other(data[:START], self._name)
                layout = text_layout(data, self._name, self._form)
                self._separator, data = layout.separator, layout.applied(data)
                check_header(layout.names, self._name)
                layout.tell(self._name)
                header, meaning = first_line(data), fields(layout.kept)
            check_quotes(data, self._separator, place)
            # the decimal mark of each block anew: it shows only in rows that have one
            mark = decimal_mark(as_text_head(data), self._separator)
            form = CsvForm(self._separator, mark, layout.names, place, layout.left_out)
            table = csv_table(data, form, None, meaning)
            if table.num_rows:
                first, rows = rows, rows + table.num_rows
                last = totals_label(table)
                yield Message(DataFile(self._name), ", ", RowRange(first, rows - 1), FromZero()), table
        if layout is None:
            raise FileError(f"{self._name} is empty; a data file starts with a line of column names.")
        if not rows:
            raise FileError(f"{self._name} holds column names but no rows.")
        if last:
            _tell_of_totals(self._name, last)

    def _blocks(self) -> Iterator[bytes]:
        """Pieces that end where a row ends, the first with the line of column names and a row at least."""
        rest, begun = b"", False
        for more in self._pieces:
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


def _tell_of_totals(name: str, label: str) -> None:
    """Warn of a last row that may hold totals; it was read like the others, before the end was known."""
    may_be = f"{name}: the last row, {short(label)}, may hold totals, but rows of a pipe are read as they come; "
    warnings.warn(Message(may_be, remedy("name the file instead.")), FormatWarning, stacklevel=level_outside())
