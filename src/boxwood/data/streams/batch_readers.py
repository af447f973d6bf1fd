"""Readers of one file or frame of a source, one table at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from typing import Protocol

from ..._free_memory import raise_if_ran_out
from ...errors import ColumnError, DataError, DataTypeError, FileError
from ..files.csv_blocks import CsvFile
from ..files.data_paths import Found
from ..files.file_kinds import ARROW_FILE, PARQUET, STATISTICAL, TEXT
from ..files.files import check_header
from ..files.opened import Form
from ..files.partitions import columns_to_read, with_folders
from ..files.plain_copies import PlainCopies
from ..files.totals import tell_of_totals
from ..files.typed_files import plain, typed_names, typed_tables
from ..frames.arrow_tables import PARQUET_BY_PAGES, decimals_to_floats, need_pyarrow, one_line
from ..frames.containers import as_table


class Sizes(Protocol):
    """How much is read at a time."""

    rows: int
    block: int
    exact: Collection[str]


class Reader(ABC):
    """One file or frame of a source."""

    place: str
    may_run_ahead = True

    @abstractmethod
    def names(self) -> list[str]:
        """Names of its columns."""

    @abstractmethod
    def tables(self, of: Sizes, columns: list[str]) -> Iterator:
        """Frames of some columns."""


class FileReader(Reader):
    """A file; columns that it lacks come from the names of its folders."""

    def __init__(self, found: Found, path: str):
        self.place, self._path, self._partition = found.name, path, found.partition

    def names(self) -> list[str]:
        return list(dict.fromkeys([*self._own_names(), *self._partition]))

    def tables(self, of: Sizes, columns: list[str]) -> Iterator:
        for table in self._own_tables(of, columns_to_read(columns, self._own_names())):
            yield with_folders(table, self._partition, columns)

    @abstractmethod
    def _own_names(self) -> list[str]:
        """Names of the columns in the file."""

    @abstractmethod
    def _own_tables(self, of: Sizes, columns: list[str]) -> Iterator:
        """Frames of some of them."""


class ParquetReader(FileReader):
    """A Parquet file."""

    def _own_names(self) -> list[str]:
        names = list(self._opened().schema_arrow.names)
        check_header(names, self.place)
        return names

    def _own_tables(self, of: Sizes, columns: list[str]) -> Iterator:
        pa = need_pyarrow()
        try:
            file = self._opened()
            for batch in file.iter_batches(batch_size=of.rows, columns=columns):
                yield plain(pa.Table.from_batches([batch]), of.exact)
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise_if_ran_out(error)
            raise self._damaged() from error

    def _opened(self):
        pa = need_pyarrow()
        import pyarrow.parquet as parquet

        try:
            return parquet.ParquetFile(self._path, **PARQUET_BY_PAGES)
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise_if_ran_out(error)
            raise self._damaged() from error

    def _damaged(self) -> FileError:
        return FileError(f"{self.place} starts like a Parquet file but cannot be read as one; it may be cut short.")


class TypedReader(FileReader):
    """A file of Arrow or ORC, or an Arrow copy of another program's file."""

    def __init__(self, found: Found, path: str):
        super().__init__(found, path)
        self._kind = ARROW_FILE if found.kind in STATISTICAL else found.kind

    def _own_names(self) -> list[str]:
        names = typed_names(self._path, self._kind, self.place)
        check_header(names, self.place)
        return names

    def _own_tables(self, of: Sizes, columns: list[str]) -> Iterator:
        for table in typed_tables(self._path, self._kind, self.place, columns, of.exact):
            for start in range(0, table.num_rows, of.rows):
                yield table.slice(start, of.rows)


class CsvReader(FileReader):
    """A text file; its types are determined for all files together."""

    def __init__(self, found: Found, path: str, form: Form):
        super().__init__(found, path)
        self.file, self.types = CsvFile(path, found.name, form), None
        self.file.layout.tell(found.name)
        self.file.below.tell(found.name)

    def _own_names(self) -> list[str]:
        return self.file.names

    def survey(self, size: int) -> dict:
        """The Arrow type of each column that suits the whole file, which is read in blocks of ``size`` bytes."""
        types, _ = self.file.survey(size)
        if self.file.has_totals:
            tell_of_totals(self.place)
        return types

    def _own_tables(self, of: Sizes, columns: list[str]) -> Iterator:
        if self.file.may_have_totals:
            self.survey(of.block)
        for table in self.file.tables(of.block, self.types, columns):
            for start in range(0, table.num_rows, of.rows):
                yield table.slice(start, of.rows)


class DatasetReader(Reader):
    """A pyarrow data set."""

    place = "the data set"

    def __init__(self, dataset):
        self._dataset = dataset

    def names(self) -> list[str]:
        names = list(self._dataset.schema.names)
        check_header(names, self.place)
        return names

    def tables(self, of: Sizes, columns: list[str]) -> Iterator:
        pa = need_pyarrow()
        ahead = {"batch_readahead": 2, "fragment_readahead": 1}
        if getattr(getattr(self._dataset, "format", None), "default_extname", None) == "parquet":
            import pyarrow.dataset as dataset

            by_pages = dataset.ParquetFragmentScanOptions(use_buffered_stream=True, **PARQUET_BY_PAGES)
            ahead["fragment_scan_options"] = by_pages
        try:
            for batch in self._dataset.to_batches(columns=columns, batch_size=of.rows, **ahead):
                yield plain(pa.Table.from_batches([batch]))
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise_if_ran_out(error)
            raise FileError(f"{self.place} cannot be read: {one_line(error)}.") from error


class FrameReader(Reader):
    """A frame in memory."""

    may_run_ahead = False  # a generator of frames may not be safe to call from another thread

    def __init__(self, place: str, frame):
        if hasattr(frame, "collect") and type(frame).__module__.startswith("polars"):
            frame = frame.collect()
        elif hasattr(frame, "__arrow_c_stream__") and rows_of(frame) is None:
            frame = need_pyarrow().table(frame)
        self.place, self._frame = place, frame
        if (hasattr(frame, "to_batches") and hasattr(frame, "num_columns")) or type(frame).__name__ == "RecordBatch":
            pa = need_pyarrow()
            table = frame if isinstance(frame, pa.Table) else pa.Table.from_batches([frame])
            check_header(table.column_names, place)
            self._frame = decimals_to_floats(table)

    def names(self) -> list[str]:
        if hasattr(self._frame, "column_names"):
            return list(self._frame.column_names)
        try:
            table = as_table(self._frame)
        except (DataError, DataTypeError) as error:
            raise type(error)(f"{self.place}: ", error.message) from None
        if not table.named:
            raise ColumnError(f"{self.place} has no column names; give frames whose columns have names.")
        return list(table.names)

    def tables(self, of: Sizes, columns: list[str]) -> Iterator:
        frame, n = self._frame, rows_of(self._frame)
        if n is None or n <= of.rows:
            yield frame
            return
        for start in range(0, n, of.rows):
            stop = min(start + of.rows, n)
            yield frame.iloc[start:stop] if hasattr(frame, "iloc") else frame.slice(start, stop - start)


def rows_of(frame) -> int | None:
    """Rows of a frame that can be cut into pieces; None for others."""
    if hasattr(frame, "iloc") or hasattr(frame, "slice"):
        return len(frame)
    return None


def file_readers(files: list[Found], copies: PlainCopies) -> list[FileReader]:
    """What reads each of some files, or a plain copy of it where it is compressed, elsewhere, or not UTF-8."""
    return [_file_reader(found, copies.path_of(found), copies.form) for found in files]


def _file_reader(found: Found, path: str, form: Form) -> FileReader:
    if found.kind == TEXT:
        return CsvReader(found, path, form)
    return (ParquetReader if found.kind == PARQUET else TypedReader)(found, path)
