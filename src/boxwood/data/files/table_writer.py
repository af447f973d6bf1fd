"""Data files out: tables written one after the other in a format, or added to an older file; those with types."""

from __future__ import annotations

import os
from abc import abstractmethod
from typing import BinaryIO

from ..._free_memory import raise_if_ran_out
from ...errors import FileError
from ..frames.arrow_tables import need_pyarrow, one_line
from .text_writers import CsvWriter, JsonLinesWriter, TableWriter, check_names


class TypedWriter(TableWriter):
    """A file of typed columns; the types of the first table hold for all."""

    _into = None

    def _begin(self, table) -> None:
        if self._earlier is None:
            self._into = self._opened(table.schema)
            return
        for older in self._older():
            if self._into is None:
                check_names(older.column_names, table.column_names, self._earlier)
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


#: What writes a format.
WRITERS = {"csv": CsvWriter, "jsonl": JsonLinesWriter, "parquet": ParquetWriter, "arrow": ArrowWriter}
#: Formats of text, whose columns have no types.
TEXTS = ("csv", "jsonl")
#: Endings of files, and their formats.
ENDINGS = {
    ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow",
}  # fmt: skip


def format_of(file_name: str | os.PathLike) -> str | None:
    """The format of a file by the ending of its name; None for another ending, or none."""
    return ENDINGS.get(os.path.splitext(file_name)[1].lower())


def writer_of(form: str, file: BinaryIO, earlier: str | None = None, spreadsheet_safe: bool = False) -> TableWriter:
    """What writes tables in a format into an open file.

    Parameters
    ----------
    form : str
        One of ``WRITERS``.
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
    ...     writer = writer_of("csv", file, spreadsheet_safe=safe)
    ...     writer.write(pa.table({"survived": ["yes", "=no"]}))
    ...     return file.getvalue().decode().split()
    >>> written(False), written(True)
    (['survived', 'yes', '=no'], ['survived', 'yes', "'=no"])
    """
    return CsvWriter(file, earlier, spreadsheet_safe) if form == "csv" else WRITERS[form](file, earlier)
