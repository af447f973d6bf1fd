"""Tables that come one after the other from an iterator, or from the Arrow C stream interface."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, islice

from ..._messages import FromZero, Message, Setting, remedy
from ...errors import DataTypeError
from ..frames.arrow_tables import need_pyarrow
from .batch_readers import FrameReader, rows_of


def is_arrow_stream(source) -> bool:
    """Whether a source has the Arrow C stream interface and is not a table whose rows are there already."""
    is_lazy_polars = hasattr(source, "collect") and type(source).__module__.startswith("polars")
    return hasattr(source, "__arrow_c_stream__") and rows_of(source) is None and not is_lazy_polars


def called(make: Callable):
    """What a source that is a function returns.

    Raises
    ------
    DataTypeError
        It cannot be called without arguments.
    """
    try:
        return make()
    except TypeError as error:
        if error.__traceback__.tb_next is not None:  # raised inside the function, not by the call
            raise
        raise DataTypeError(
            f"the source must be callable without arguments: {error}; give a function that makes the frames."
        ) from error


def arrow_batches(stream) -> Iterator:
    """The batches of anything with the Arrow C stream interface, such as a relation of DuckDB."""
    return iter(need_pyarrow().RecordBatchReader.from_stream(stream))


def frame_reader(number: int, table) -> FrameReader:
    """A reader of one table of several."""
    return FrameReader(Message(f"batch {number} of the source", FromZero()), table)


class TableStream:
    """An iterator of tables, whose first table can be seen before the first pass.

    Parameters
    ----------
    source : iterator of tables
    again : callable, optional
        Starts another pass, where that is possible.
    """

    def __init__(self, source, again: Callable[[], Iterator] | None = None):
        self._rest, self._again = iter(source), again
        self._first: list = []
        self._was_read = False

    def first(self) -> FrameReader | None:
        """The first table, which is kept for the pass to come; None when there is none."""
        self._first = list(islice(self._rest, 1))
        return frame_reader(0, self._first[0]) if self._first else None

    def __call__(self) -> Iterator:
        """All tables.

        Raises
        ------
        DataTypeError
            They have been read before, and cannot be read again.
        """
        if not self._was_read:
            self._was_read = True
            return chain(self._first, self._rest)
        if self._again is None:
            raise DataTypeError(
                "the source is an iterator, which can be read only once, and it is needed again (",
                Setting("missing_values"), " need a pass of their own): ",
                remedy("give a function that makes it, for example lambda: read_csv(path, chunksize=n)."),
            )  # fmt: skip
        return self._again()
