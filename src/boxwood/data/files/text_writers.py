"""Tables written one after the other as text, or added to an older file: CSV and JSON lines."""

from __future__ import annotations

import csv
import decimal
import io
import json
import os
import re
import shutil
from abc import ABC, abstractmethod
from typing import BinaryIO

from ..._free_memory import raise_if_ran_out
from ...errors import FileError
from ..columns.names import listed
from ..frames.arrow_tables import need_pyarrow

#: Spreadsheet programs run a cell that starts with one of these as a formula.
_FORMULA_START = re.compile(r"^[=+\-@\t\r]")
_REMEDY = "write a file that ends in .parquet, or leave the column out"


class TableWriter(ABC):
    """A data file that grows table by table, all with the columns of the first.

    Parameters
    ----------
    file : binary file
        Open for writing.
    earlier : str, optional
        A file of the same kind and columns whose rows come first.
    """

    def __init__(self, file: BinaryIO, earlier: str | None = None):
        self._file, self._earlier, self._begun = file, earlier, False

    def write(self, table) -> None:
        """Add the rows of an Arrow table.

        Raises
        ------
        FileError
            A column cannot be written, or the earlier file has others.
        """
        if not self._begun:
            self._begun = True
            self._begin(table)
        self._add(table)

    def close(self) -> None:
        """Write what ends the file, and leave it open."""
        self._file.flush()

    @abstractmethod
    def _begin(self, table) -> None:
        """Write what comes before the rows of the first table."""

    @abstractmethod
    def _add(self, table) -> None:
        """Write the rows of a table."""


class TextWriter(TableWriter):
    """A file of lines."""

    def _copy_earlier(self) -> None:
        """Write the lines of the earlier file, the last of which ends."""
        with open(self._earlier, "rb") as older:
            shutil.copyfileobj(older, self._file, 1 << 20)
            older.seek(-1, os.SEEK_END)
            if older.read(1) != b"\n":
                self._file.write(b"\n")


class CsvWriter(TextWriter):
    """CSV: text as it is, missing values as empty fields; ``safe`` as in :func:`writer_of`."""

    def __init__(self, file: BinaryIO, earlier: str | None = None, safe: bool = False):
        super().__init__(file, earlier)
        self._safe = safe

    def _begin(self, table) -> None:
        names = table.column_names
        names = [f"'{name}" if self._safe and _FORMULA_START.match(name) else name for name in names]
        if self._earlier is None:
            self._file.write(_lines([names]))
            return
        with open(self._earlier, encoding="utf-8-sig", errors="replace", newline="") as text:
            check_names(next(csv.reader(text), []), names, self._earlier)
        self._copy_earlier()

    def _add(self, table) -> None:
        for name, column in zip(table.column_names, table.columns, strict=True):
            _check_cells(name, column)
        self._file.write(_csv_rows(_without_formulas(table) if self._safe else table))
        self._file.flush()  # whoever reads a pipe gets the rows at once


class JsonLinesWriter(TextWriter):
    """JSON lines: an object for each row, null where a value is missing or not finite."""

    def _begin(self, table) -> None:
        if self._earlier is None:
            return
        with open(self._earlier, encoding="utf-8-sig", errors="replace") as text:
            first = text.readline()
        try:
            names = list(json.loads(first))
        except ValueError as error:
            raise FileError(
                f"{self._earlier} does not begin with a JSON object in a line; write another file."
            ) from error
        check_names(names, table.column_names, self._earlier)
        self._copy_earlier()

    def _add(self, table) -> None:
        columns = [_json_values(name, column) for name, column in zip(table.column_names, table.columns, strict=True)]
        for row in zip(*columns, strict=True):
            values = dict(zip(table.column_names, row, strict=True))
            self._file.write(f"{json.dumps(values, ensure_ascii=False, default=_as_json)}\n".encode())
        self._file.flush()  # whoever reads a pipe gets the rows at once


def check_names(older: list[str], new: list[str], name: str) -> None:
    """Refuse to append to a file of other columns."""
    if older != new:
        raise FileError(
            f"{name} has the columns {listed(older)}, and the predictions have {listed(new)}; "
            "request the same columns in the same order, or write another file."
        )


def _lines(rows: list[list]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8")


def _without_formulas(table):
    """The table with an apostrophe before every text that a spreadsheet program would run."""
    pa = need_pyarrow()
    from pyarrow import compute

    columns = []
    for column in table.columns:
        if pa.types.is_string(column.type):
            risky = compute.match_substring_regex(column, _FORMULA_START.pattern)
            column = compute.if_else(risky, compute.binary_join_element_wise("'", column, ""), column)
        columns.append(column)
    return pa.table(columns, names=table.column_names)


def _csv_rows(table) -> bytes:
    """The lines of the rows of a table, without that of the names."""
    pa = need_pyarrow()
    from pyarrow import csv as arrow_csv

    table = pa.table(table.columns, names=[str(j) for j in range(table.num_columns)])
    if table.num_columns == 1 and table.column(0).null_count:
        # The line of a missing value would be empty, and readers pass over empty lines.
        return _lines([[""] if value is None else [value] for value in table.column(0).cast(pa.string()).to_pylist()])

    def written(quotes: str) -> bytes:
        sink = io.BytesIO()
        arrow_csv.write_csv(table, sink, arrow_csv.WriteOptions(include_header=False, quoting_style=quotes))
        return sink.getvalue()

    try:
        return written("none")
    except pa.ArrowInvalid:  # which refuses text that holds a comma, a quote or a line end: then all text is quoted
        return written("needed")


def _check_cells(name: str, column) -> None:
    """Refuse a column of values that a field of CSV cannot hold."""
    pa = need_pyarrow()
    if pa.types.is_nested(column.type):
        raise FileError(
            f"column {name!r} holds values of type {column.type}, which a field of CSV cannot hold; {_REMEDY}."
        )
    _check_bytes(name, column)


def _check_bytes(name: str, column) -> None:
    """Refuse a column of bytes that are not text."""
    pa = need_pyarrow()
    if "binary" in str(column.type):
        try:
            column.cast(pa.string())
        except pa.ArrowException as error:
            raise_if_ran_out(error)
            raise FileError(f"column {name!r} holds bytes that are not text in UTF-8; {_REMEDY}.") from error


def _json_values(name: str, column) -> list:
    """The values of a column as JSON knows them."""
    pa = need_pyarrow()
    from pyarrow import compute

    _check_bytes(name, column)
    if pa.types.is_floating(column.type):
        column = compute.if_else(compute.is_finite(column), column, pa.scalar(None, column.type))
    return column.to_pylist()


def _as_json(value: object) -> object:
    """A value for which JSON has no form of its own: decimals as numbers, dates and times as text."""
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value.decode() if isinstance(value, bytes) else str(value)
