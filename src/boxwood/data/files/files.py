"""Data files in and out: text, workbooks and Arrow files become Arrow tables, and Arrow tables become bytes.

A file is opened as bytes (decompressed, from wherever it is), and what it is shows in its first bytes. Rules for CSV:
text of any encoding, read as UTF-8 once it is decoded; the separator is found among comma, semicolon, tab and bar; the
first line holds the column names. A column whose fields all are numbers is numeric, one of true/false is boolean, one
of dates is refused later by name, anything else is text. An empty field is missing; in a column of numbers or of
true/false so are NA, N/A, NaN and null, while in a column of text these are ordinary words.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from ..._free_memory import raise_if_ran_out
from ..._messages import Setting, remedy
from ...errors import FileError, ParameterError
from ..columns.names import listed
from ..frames.arrow_tables import need_pyarrow, shown_path
from .csv_tables import AS_THEY_LOOK, CsvFields, CsvForm
from .csv_whole import whole_csv
from .delimited import as_utf8, check_quotes, quotes_are_plain
from .encodings import checked_encoding, found_encoding, to_utf8
from .file_kinds import JSON, PARQUET, START, TEXT, TYPED, WORKBOOK, kind_of, refuse_other
from .opened import AS_FOUND, STANDARD_STREAM, Form, read_bytes
from .text_layout import text_layout
from .totals import ends_with_totals, tell_of_totals
from .typed_files import plain, read_json, typed_tables
from .workbooks import read_sheet

_NO_ROWS = "{} holds column names but no rows."
#: Spreadsheet programs run a cell that starts with one of these as a formula.
_FORMULA_START = re.compile(r"^[=+\-@\t\r]")


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


def table_bytes(table, file_name: str | os.PathLike, spreadsheet_safe: bool = False) -> bytes:
    """The content of a data file: Parquet when the name ends in ``.parquet``, else CSV.

    In CSV, text is written as it is, and missing values become empty fields.

    Parameters
    ----------
    table : pyarrow.Table
    file_name : str or path
        Only its ending matters here; nothing is written.
    spreadsheet_safe : bool
        In CSV, write an apostrophe before names and text cells that a spreadsheet program would run as a formula: those
        that start with = + - @ tab or return.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from boxwood.data.files.files import table_bytes
    >>> table = pa.table({"survived": ["yes", "=no"]})
    >>> table_bytes(table, "out.csv").decode().split()
    ['survived', 'yes', '=no']
    >>> table_bytes(table, "out.csv", spreadsheet_safe=True).decode().split()
    ['survived', 'yes', "'=no"]
    """
    if str(file_name).lower().endswith(".parquet"):
        return _parquet_bytes(table)
    return _csv_bytes(_without_formulas(table) if spreadsheet_safe else table)


def _table_of(data: bytes, name: str, fields: Callable[[list[str]], CsvFields] | None, form: Form):
    """The table in the bytes of a file, of whatever kind it is."""
    pa = need_pyarrow()
    kind = kind_of(data[:START], name)
    check_form(kind, form, name)
    if kind == WORKBOOK:
        return read_sheet(data, name, form, fields)
    if kind == PARQUET:
        return _read_parquet(data, name)
    if kind in TYPED:
        return pa.concat_tables(list(typed_tables(pa.BufferReader(data), kind, name)))
    refuse_other(data[:START], name)
    encoding = form.encoding or found_encoding(data, name)
    data = to_utf8(data, encoding, name) if encoding not in (None, "utf-16") else as_utf8(data, name)
    return read_json(data, name) if kind == JSON else _read_csv(data, name, fields, form)


def check_form(kind: str, form: Form, name: str) -> None:
    """Refuse options that are for files of another kind."""
    if form.sheet is not None and kind != WORKBOOK:
        not_one = f" is for workbooks, but {name} is not one; "
        raise ParameterError(Setting("sheet", form.sheet), not_one, remedy("leave it out."))
    if form.encoding is not None and kind not in (TEXT, JSON):
        not_one = f" is for text files, but {name} is not one; "
        raise ParameterError(Setting("encoding", form.encoding), not_one, remedy("leave it out."))


def _read_parquet(data: bytes, name: str):
    pa = need_pyarrow()
    import pyarrow.parquet as parquet

    try:
        return plain(parquet.ParquetFile(pa.BufferReader(data)).read(use_threads=False))
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise_if_ran_out(error)
        raise FileError(f"{name} starts like a Parquet file but cannot be read as one; it may be cut short.") from error


def _read_csv(data: bytes, name: str, fields: Callable[[list[str]], CsvFields] | None, form: Form):
    layout = text_layout(data, name, form)
    check_header(layout.names, name)
    if data.count(b"\n") + data.count(b"\r") == 0:
        raise FileError(_NO_ROWS.format(name))
    data, separator = layout.applied(data), layout.separator
    is_plain = b'"' not in data or quotes_are_plain(data, separator)
    if not is_plain:
        check_quotes(data, separator, name, layout.lines)
    layout.tell(name)
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
        raise FileError(f"{name} has more than one column named {listed(twice)}; give every column its own name.")
    with_nul = [n for n in names if "\0" in n]
    if with_nul:
        raise FileError(f"{name}: the column name {with_nul[0]!r} holds a NUL character; remove it from the file.")
    if "" in names:
        place = names.index("") + 1
        raise FileError(f"{name}: column {place} has no name; name it in the first line or remove the column.")


def _parquet_bytes(table) -> bytes:
    import pyarrow.parquet as parquet

    sink = io.BytesIO()
    parquet.write_table(table, sink)
    return sink.getvalue()


def _without_formulas(table):
    """The table with an apostrophe before every name and text that a spreadsheet program would run."""
    pa = need_pyarrow()
    from pyarrow import compute

    columns = []
    for column in table.columns:
        if pa.types.is_string(column.type):
            risky = compute.match_substring_regex(column, _FORMULA_START.pattern)
            column = compute.if_else(risky, compute.binary_join_element_wise("'", column, ""), column)
        columns.append(column)
    return pa.table(columns, names=[f"'{name}" if _FORMULA_START.match(name) else name for name in table.column_names])


def _csv_bytes(table) -> bytes:
    pa = need_pyarrow()
    for name, column in zip(table.column_names, table.columns, strict=True):
        _check_cells(name, column)
    from pyarrow import csv as arrow_csv

    header = io.StringIO()
    csv.writer(header, lineterminator="\n").writerow(table.column_names)
    table = pa.table(table.columns, names=[str(j) for j in range(table.num_columns)])
    if table.num_columns == 1 and table.column(0).null_count:
        # The line of a missing value would be empty, and readers pass over empty lines.
        lines = [[""] if value is None else [value] for value in _plain_texts(table.column(0))]
        rest = io.StringIO()
        csv.writer(rest, lineterminator="\n").writerows(lines)
        return (header.getvalue() + rest.getvalue()).encode("utf-8")

    def written(quotes: str) -> bytes:
        sink = io.BytesIO()
        arrow_csv.write_csv(table, sink, arrow_csv.WriteOptions(include_header=False, quoting_style=quotes))
        return sink.getvalue()

    try:
        rows = written("none")
    except pa.ArrowInvalid:  # which refuses text that holds a comma, a quote or a line end: then all text is quoted
        rows = written("needed")
    return header.getvalue().encode("utf-8") + rows


def _check_cells(name: str, column) -> None:
    """Refuse a column of values that a field of CSV cannot hold."""
    pa = need_pyarrow()
    remedy = "write a file that ends in .parquet, or leave the column out"
    if pa.types.is_nested(column.type):
        raise FileError(
            f"column {name!r} holds values of type {column.type}, which a field of CSV cannot hold; {remedy}."
        )
    if "binary" in str(column.type):
        try:
            column.cast(pa.string())
        except pa.ArrowException as error:
            raise_if_ran_out(error)
            raise FileError(f"column {name!r} holds bytes that are not text in UTF-8; {remedy}.") from error


def _plain_texts(column) -> list[str | None]:
    """The values of a column as Arrow writes them."""
    pa = need_pyarrow()
    return column.cast(pa.string()).to_pylist()
