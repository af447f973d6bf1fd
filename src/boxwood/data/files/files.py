"""Data files in: text, workbooks and Arrow files become Arrow tables.

A file is opened as bytes (decompressed, from wherever it is), and what it is shows in its first bytes. Rules for CSV:
text of any encoding, read as UTF-8 once it is decoded; the separator is found among comma, semicolon, tab and bar; the
first line holds the column names. A column whose fields all are numbers is numeric, one of true/false is boolean, one
of dates is refused later by name, anything else is text. An empty field is missing; in a column of numbers or of
true/false so are NA, N/A, NaN and null, while in a column of text these are ordinary words.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from ..._free_memory import raise_if_ran_out
from ...errors import FileError
from ..columns.names import listed
from ..frames.arrow_tables import need_pyarrow, shown_path
from .below import TAIL, text_below
from .csv_tables import AS_THEY_LOOK, CsvFields, CsvForm
from .csv_whole import end_of_first_line, whole_csv
from .delimited import as_utf8, check_quotes, quotes_are_plain
from .encodings import checked_encoding, found_encoding, to_utf8
from .file_kinds import JSON, PARQUET, START, STATISTICAL, TYPED, WORKBOOK, kind_of, refuse_other
from .layout import with_hint
from .opened import AS_FOUND, STANDARD_STREAM, Form, read_bytes
from .statistical_files import read_statistical
from .text_layout import text_layout
from .totals import ends_with_totals, tell_of_totals
from .typed_files import plain, read_json, typed_names, typed_tables
from .workbooks import read_sheet

_NO_ROWS = "{} holds column names but no rows."


def read_table(path: str | os.PathLike, fields: Callable[[list[str]], CsvFields] | None = None, form: Form = AS_FOUND):
    """Read a table from a file of any kind; which kind it is shows in its content, not in its name.

    Parameters
    ----------
    path : str or path
        ``"-"`` reads standard input.
    fields : callable, optional
        Names of the columns of a text file -> codes for missing values, columns of text and of numbers.
    form : Form
        The encoding of text, the sheet of a workbook.

    Returns
    -------
    pyarrow.Table
        Columns in file order; text, numbers (int64, float64), booleans; missing fields are nulls.

    Raises
    ------
    FileError
        The file is missing, empty, ragged, not UTF-8, or has doubtful column names.
    NotAvailableError
        pyarrow is not installed.

    Examples
    --------
    >>> from boxwood.data.datasets import path
    >>> from boxwood.data.files.files import read_table
    >>> read_table(path("play_tennis")).column_names
    ['day', 'outlook', 'temperature', 'humidity', 'windy', 'play']
    """
    need_pyarrow()
    name = "standard input" if str(path) == STANDARD_STREAM else shown_path(str(path))
    form = replace(form, encoding=checked_encoding(form.encoding))
    data = read_bytes(path, name)
    if not data.strip():
        raise FileError(f"{name} is empty; a data file starts with a line of column names.")
    table = _table_of(data, name, fields, form)
    check_header(table.column_names, name)
    if table.num_rows == 0:
        raise FileError(_NO_ROWS.format(name))
    return table


def _table_of(data: bytes, name: str, fields: Callable[[list[str]], CsvFields] | None, form: Form):
    """The table in the bytes of a file, of whatever kind it is."""
    pa = need_pyarrow()
    kind = kind_of(data[:START], name)
    form.check(kind, name)
    if kind == WORKBOOK:
        return read_sheet(data, name, form, fields)
    if kind == PARQUET:
        return _read_parquet(data, name, fields)
    if kind in STATISTICAL:
        return read_statistical(data, kind, name, form)
    if kind in TYPED:
        exact = () if fields is None else fields(typed_names(pa.BufferReader(data), kind, name)).exact
        return pa.concat_tables(list(typed_tables(pa.BufferReader(data), kind, name, exact=exact)))
    refuse_other(data[:START], name)
    encoding = form.encoding or found_encoding(data, name)
    data = to_utf8(data, encoding, name) if encoding not in (None, "utf-16") else as_utf8(data, name)
    if kind == JSON:
        return read_json(data, name, None if fields is None else lambda names: fields(names).exact)
    return _read_csv(data, name, fields, form)


def _read_parquet(data: bytes, name: str, fields: Callable[[list[str]], CsvFields] | None):
    pa = need_pyarrow()
    import pyarrow.parquet as parquet

    try:
        table = parquet.ParquetFile(pa.BufferReader(data)).read(use_threads=False)
        return plain(table, () if fields is None else fields(table.column_names).exact)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise_if_ran_out(error)
        raise FileError(f"{name} starts like a Parquet file but cannot be read as one; it may be cut short.") from error


def _read_csv(data: bytes, name: str, fields: Callable[[list[str]], CsvFields] | None, form: Form):
    layout = text_layout(data, name, form)
    check_header(layout.names, name)
    if data.count(b"\n") + data.count(b"\r") == 0:
        raise FileError(_NO_ROWS.format(name))
    data, separator = layout.applied(data), layout.separator
    start = max(end_of_first_line(data), len(data) - TAIL)
    below = text_below(data[start:], separator, len(layout.names), start > len(data) - TAIL)
    data = data[: len(data) - below.size]
    is_plain = b'"' not in data or quotes_are_plain(data, separator)
    if not is_plain:
        check_quotes(data, separator, name, layout.lines)
    layout.tell(name)
    below.tell(name)
    text = CsvForm(separator, layout.decimal, layout.names, name, layout.left_out, layout.lines)
    meaning = AS_THEY_LOOK if fields is None else fields(layout.kept)
    table = whole_csv(data, text, meaning, is_plain)
    if not ends_with_totals(table):
        return table
    tell_of_totals(name)
    return whole_csv(_without_last_row(data), text, meaning, is_plain)


def _without_last_row(data: bytes) -> bytes:
    """Text without its last line."""
    end = data.rstrip(b"\r\n")
    return data[: max(end.rfind(b"\n"), end.rfind(b"\r")) + 1]


def check_header(names: list[str], name: str) -> None:
    """Refuse column names of a file that are empty or there twice."""
    twice = sorted(n for n, times in Counter(names).items() if times > 1 and n)
    if twice:
        message = f"{name} has more than one column named {listed(twice)}; give every column its own name."
        raise FileError(with_hint(message, names))
    with_nul = [n for n in names if "\0" in n]
    if with_nul:
        raise FileError(f"{name}: the column name {with_nul[0]!r} holds a NUL character; remove it from the file.")
    if "" in names:
        place = names.index("") + 1
        raise FileError(f"{name}: column {place} has no name; name it in the first line or remove the column.")
