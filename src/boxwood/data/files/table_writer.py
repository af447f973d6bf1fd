"""Data files out: tables are written one after the other as CSV, Parquet or Arrow, or added to an older file."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
from abc import ABC, abstractmethod
from typing import BinaryIO

from ..._free_memory import raise_if_ran_out
from ...errors import FileError
from ..columns.names import listed
from ..frames.arrow_tables import need_pyarrow, one_line

#: Spreadsheet programs run a cell that starts with one of these as a formula.
_FORMULA_START = re.compile(r"^[=+\-@\t\r]")


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


class CsvWriter(TableWriter):
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
            _check_names(next(csv.reader(text), []), names, self._earlier)
        with open(self._earlier, "rb") as older:
            shutil.copyfileobj(older, self._file, 1 << 20)
            older.seek(-1, os.SEEK_END)
            if older.read(1) != b"\n":
                self._file.write(b"\n")

    def _add(self, table) -> None:
        for name, column in zip(table.column_names, table.columns, strict=True):
            _check_cells(name, column)
        self._file.write(_csv_rows(_without_formulas(table) if self._safe else table))
        self._file.flush()  # whoever reads a pipe gets the rows at once


class TypedWriter(TableWriter):
    """A file of typed columns; the types of the first table hold for all."""

    _into = None

    def _begin(self, table) -> None:
        if self._earlier is None:
            self._into = self._opened(table.schema)
            return
        for older in self._older():
            if self._into is None:
                _check_names(older.column_names, table.column_names, self._earlier)
                self._into = self._opened(older.schema)
            self._add(older)

    def _add(self, table) -> None:
        pa = need_pyarrow()
        try:
            table = table.cast(self._into.schema)
        except (pa.ArrowException, ValueError) as error:
            raise_if_ran_out(error)
            raise FileError(
                f"some rows have values of another type than those before them: {one_line(error)}; write CSV."
            ) from error
        self._into.write_table(table)

    def close(self) -> None:
        if self._into is not None:
            self._into.close()

    @abstractmethod
    def _opened(self, schema):
        """What writes tables of a schema into the file."""

    @abstractmethod
    def _older(self):
        """The tables of the earlier file, at least one."""


class ParquetWriter(TypedWriter):
    """A Parquet file."""

    def _opened(self, schema):
        import pyarrow.parquet as parquet

        return parquet.ParquetWriter(self._file, schema)

    def _older(self):
        pa = need_pyarrow()
        import pyarrow.parquet as parquet

        with parquet.ParquetFile(self._earlier) as file:
            yield file.schema_arrow.empty_table()
            for batch in file.iter_batches():
                yield pa.Table.from_batches([batch])


class ArrowWriter(TypedWriter):
    """An Arrow file, which is also a Feather file of version 2."""

    def _opened(self, schema):
        return _IpcFile(need_pyarrow().ipc.new_file(self._file, schema), schema)

    def _older(self):
        pa = need_pyarrow()
        with pa.ipc.open_file(self._earlier) as file:
            yield file.schema.empty_table()
            for i in range(file.num_record_batches):
                yield pa.Table.from_batches([file.get_batch(i)])


class _IpcFile:
    """An Arrow file with the methods of a Parquet one."""

    def __init__(self, writer, schema):
        self.write_table, self.close, self.schema = writer.write_table, writer.close, schema


#: What writes a file, by its ending in lower case; any other ending means CSV.
WRITERS = {".parquet": ParquetWriter, ".arrow": ArrowWriter, ".feather": ArrowWriter}


def is_typed(file_name: str | os.PathLike) -> bool:
    """Whether a file of this name holds columns with types."""
    return os.path.splitext(file_name)[1].lower() in WRITERS


def writer_of(
    file_name: str | os.PathLike, file: BinaryIO, earlier: str | None = None, spreadsheet_safe: bool = False
) -> TableWriter:
    """What writes tables into an open file, by the ending of its name: Parquet, Arrow, else CSV.

    Parameters
    ----------
    file_name : str or path
        Only its ending matters.
    file : binary file
    earlier : str, optional
        A file whose rows come first.
    spreadsheet_safe : bool
        In CSV, write an apostrophe before names and text cells that a spreadsheet program would run as a formula: those
        that start with = + - @ tab or return.

    Examples
    --------
    >>> import io
    >>> import pyarrow as pa
    >>> from boxwood.data.files.table_writer import writer_of
    >>> def written(safe):
    ...     file = io.BytesIO()
    ...     writer = writer_of("out.csv", file, spreadsheet_safe=safe)
    ...     writer.write(pa.table({"survived": ["yes", "=no"]}))
    ...     return file.getvalue().decode().split()
    >>> written(False), written(True)
    (['survived', 'yes', '=no'], ['survived', 'yes', "'=no"])
    """
    if is_typed(file_name):
        return WRITERS[os.path.splitext(file_name)[1].lower()](file, earlier)
    return CsvWriter(file, earlier, spreadsheet_safe)


def _check_names(older: list[str], new: list[str], name: str) -> None:
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
