"""Data frames of Dask and data sets of Ray: recognised without importing either, and read on this machine in parts."""

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


def is_ray_dataset(source) -> bool:
    """Whether a source is a data set of Ray."""
    return type(source).__module__.startswith("ray.data.") and hasattr(source, "to_arrow_refs")


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


class RayReader(Reader):
    """A data set of Ray, of which one block after the other comes here."""

    place, may_run_ahead = "the data set of Ray", False  # Ray itself reads ahead

    def __init__(self, source):
        self._source = source

    def names(self) -> list[str]:
        return list(self._source.columns())

    def tables(self, of: Sizes, columns: list[str]) -> Iterator:
        blocks = self._source.select_columns(columns).iter_batches(batch_size=None, batch_format="pyarrow")
        for number, block in enumerate(blocks):
            yield from FrameReader(f"block {number}", block).tables(of, columns)
