"""Dask data frames: recognised without importing Dask, and read on this machine one partition after the other."""

from __future__ import annotations

from collections.abc import Iterator

from .batch_readers import FrameReader, Reader, Sizes


def is_dask_frame(X) -> bool:
    """Whether X is a data frame of Dask, whose rows are not there yet."""
    return _is_of_dask(X) and X.ndim == 2


def is_dask_series(X) -> bool:
    """Whether X is one column of such a frame."""
    return _is_of_dask(X) and X.ndim == 1


def _is_of_dask(X) -> bool:
    return type(X).__module__.split(".")[0] in ("dask", "dask_expr") and hasattr(X, "map_partitions")


class PartitionReader(Reader):
    """A partition, computed when it is read, by the scheduler that Dask is set to."""

    may_run_ahead = False  # one partition at a time is in memory

    def __init__(self, frame, number: int):
        self.place, self._frame, self._number = f"partition {number}", frame, number

    def names(self) -> list[str]:
        return list(self._frame.columns)

    def tables(self, of: Sizes, columns: list[str]) -> Iterator:
        computed = self._frame[columns].partitions[self._number].compute()
        yield from FrameReader(self.place, computed).tables(of, columns)


def partition_readers(frame) -> list[Reader]:
    """What reads each partition of a data frame."""
    return [PartitionReader(frame, i) for i in range(frame.npartitions)]
