"""Pieces of Parquet and CSV files that any machine with access to the files can read independently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..._free_memory import raise_if_ran_out
from ...errors import FileError
from ..columns.number_forms import FormSearch
from ..files.csv_blocks import CsvFile
from ..files.csv_tables import CsvFields
from ..files.data_paths import Found
from ..files.opened import AS_FOUND, Form
from ..files.partitions import FolderPartition, columns_to_read, with_folders
from ..files.typed_files import plain
from ..frames.arrow_tables import PARQUET_BY_PAGES, need_pyarrow, shown_path
from .batches import Batches

#: Bytes of a block of text that a worker reads at a time.
_BLOCK = 1 << 24


@dataclass(frozen=True)
class Piece:
    """Some groups of rows of a Parquet file.

    Attributes
    ----------
    path : str
    groups : tuple of int
    partition : dict
        The values given by its folders (:mod:`.partitions`).
    """

    path: str
    groups: tuple[int, ...]
    partition: FolderPartition = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The path for messages."""
        return shown_path(self.path)

    def batches(self, columns: list[str], rows: int) -> Batches:
        """Its rows, so many at a time."""
        return Batches(lambda: self._tables(columns, rows), rows=rows)

    def _tables(self, columns: list[str], rows: int) -> Iterator:
        pa = need_pyarrow()
        import pyarrow.parquet as parquet

        try:
            with parquet.ParquetFile(self.path, **PARQUET_BY_PAGES) as file:
                own = columns_to_read(columns, file.schema_arrow.names)
                for batch in file.iter_batches(batch_size=rows, row_groups=list(self.groups), columns=own):
                    table = plain(pa.Table.from_batches([batch]))
                    yield with_folders(table, self.partition, columns)
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise_if_ran_out(error)
            raise FileError(f"{self.name} cannot be read as a Parquet file by a worker: {error}.") from error


@dataclass(frozen=True)
class TextPiece:
    """Some whole rows of a CSV file.

    Attributes
    ----------
    path : str
    span : (int, int)
        The bytes of these rows.
    types : dict
        Column -> Arrow type, as it suits all files.
    partition : dict
        The values given by its folders (:mod:`.partitions`).
    form : Form
        The layout of the file.
    """

    path: str
    span: tuple[int, int]
    types: dict
    partition: FolderPartition = field(default_factory=dict)
    form: Form = AS_FOUND

    @property
    def name(self) -> str:
        """The path and the bytes for messages."""
        return f"{shown_path(self.path)}, bytes {self.span[0]} to {self.span[1]}"

    def batches(self, columns: list[str], rows: int) -> Batches:
        """Its rows, so many at a time."""
        return Batches(lambda: self._tables(columns, rows), rows=rows)

    def _tables(self, columns: list[str], rows: int) -> Iterator:
        file = CsvFile(self.path, shown_path(self.path), self.form)
        own = columns_to_read(columns, file.names)
        for read in file.tables(_BLOCK, self.types, own, self.span):
            table = with_folders(read, self.partition, columns)
            for start in range(0, table.num_rows, rows):
                yield table.slice(start, rows)


@dataclass(frozen=True)
class TextCuts:
    """What a pass over a CSV file finds.

    Attributes
    ----------
    types : dict
        The Arrow type of each column.
    spans : list of (int, int)
        Bytes with so many rows each or more, but for the last.
    has_totals : bool
        Its last row holds totals, which no span includes.
    decimals : dict of str to str
        Columns of numbers that may be thousands: the first text with a mark, or "" if there is none.
    """

    types: dict
    spans: list[tuple[int, int]]
    has_totals: bool
    decimals: dict[str, str]


def text_cuts(path: str, size: int, rows: int, form: Form = AS_FOUND) -> TextCuts:
    """Where a CSV file can be cut into spans of ``rows`` rows or more.

    The file is read once, in blocks of ``size`` bytes.

    Raises
    ------
    FileError
        It cannot be read as CSV.
    """
    file = CsvFile(path, shown_path(path), form)
    searches = {name: FormSearch() for name in file.names}
    file.fields = CsvFields(decimals=searches)
    types, ends = file.survey(size)
    spans, start, waiting = [], 0, 0
    for end, held in ends:
        waiting += held
        if waiting >= rows or (waiting and end == ends[-1][0]):
            spans.append((start, end))
            start, waiting = end, 0
    decimals = {name: search.example for name, search in searches.items() if not search.is_over}
    return TextCuts(types, spans, file.has_totals, decimals)


def types_to_bytes(types: dict) -> bytes:
    """Arrow types of columns, to be sent."""
    return need_pyarrow().schema(list(types.items())).serialize().to_pybytes()


def as_text(names: Iterable[str]) -> dict:
    """The type of text for some columns."""
    return dict.fromkeys(names, need_pyarrow().string())


def types_from_bytes(data: bytes) -> dict:
    """The same, back."""
    pa = need_pyarrow()
    return {field.name: field.type for field in pa.ipc.read_schema(pa.py_buffer(data))}


def pieces_of(found: Found, most_rows: int) -> list[Piece]:
    """Pieces of a Parquet file of at most so many rows, or of one group of rows."""
    import pyarrow.parquet as parquet

    pieces = []
    with parquet.ParquetFile(found.path) as file:
        sizes = [file.metadata.row_group(g).num_rows for g in range(file.num_row_groups)]
    groups: list[int] = []
    rows_left = most_rows
    for group, size in enumerate(sizes):
        if groups and size > rows_left:
            pieces.append(Piece(found.path, tuple(groups), found.partition))
            groups, rows_left = [], most_rows
        if size:
            groups.append(group)
            rows_left -= size
    if groups:
        pieces.append(Piece(found.path, tuple(groups), found.partition))
    return pieces
