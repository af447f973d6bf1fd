"""Pieces of Parquet files: groups of rows that any machine that sees the files can read by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import DataTypeError, FileError
from .batches import Batches
from .data_paths import Found
from .files import decimals_to_floats, need_pyarrow, shown_path


@dataclass(frozen=True)
class Piece:
    """Some groups of rows of a Parquet file.

    Attributes
    ----------
    path : str
    groups : tuple of int
    """

    path: str
    groups: tuple[int, ...]

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
            with parquet.ParquetFile(self.path) as file:
                for batch in file.iter_batches(batch_size=rows, row_groups=list(self.groups), columns=columns):
                    yield decimals_to_floats(pa.Table.from_batches([batch]))
        except (pa.ArrowException, OSError) as error:
            raise FileError(f"{self.name} cannot be read as a Parquet file by a worker: {error}.") from error


def pieces_of(files: tuple[Found, ...], most_rows: int) -> list[Piece]:
    """Pieces of at most so many rows, or of one group of rows, in the order of the files.

    Raises
    ------
    DataTypeError
        A file is no Parquet file.
    """
    import pyarrow.parquet as parquet

    pieces = []
    for found in files:
        if found.is_csv:
            raise DataTypeError(
                f"{found.name} is a CSV file, which workers cannot read piece by piece; give Parquet files, or "
                "a Dask data frame from dask.dataframe.read_csv."
            )
        with parquet.ParquetFile(found.path) as file:
            sizes = [file.metadata.row_group(g).num_rows for g in range(file.num_row_groups)]
        groups: list[int] = []
        room = most_rows
        for group, size in enumerate(sizes):
            if groups and size > room:
                pieces.append(Piece(found.path, tuple(groups)))
                groups, room = [], most_rows
            if size:
                groups.append(group)
                room -= size
        if groups:
            pieces.append(Piece(found.path, tuple(groups)))
    return pieces
