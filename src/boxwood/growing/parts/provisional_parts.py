"""The one pass over the source: every batch is surveyed and stored, column by column, in provisional numbers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from ..._free_memory import trim_heap
from ..._threads import Threads
from ...data.frames.target import check_exposure, class_levels, finite_numbers
from ...data.frames.weights import weights_of
from ...data.streams.batch import Batch
from ...data.streams.surveyed_codes import low_parts
from ...errors import BoxwoodError
from ...statistics.responses.registry import response_of_power
from .layout import Layout
from .memory_part import MemoryPart
from .part_file import PartFile
from .survey import Labels, Survey


class ProvisionalParts:
    """Parts as they are read: numbers as they are, levels and labels by their place in the survey, weights as given.

    Rows of weight 0 are surveyed but not written, unless all rows are wanted. At the end of a ``with`` block the last
    part is on the disk; a part that cannot be written raises a FileError there, or in :meth:`add`.

    Parameters
    ----------
    layout : Layout
    folder : str
        Exists; parts are written into it.
    rows : int
        Rows of a part, about: a part ends with a batch.
    memory : int
        Bytes of memory that parts may take. While all of them fit none is written.
    each : callable
        (function, features) -> results in order: `map`, or one that uses threads.
    all_rows : bool
        Whether rows of weight 0 are written too.

    Attributes
    ----------
    survey : Survey
    parts : list of PartFile or MemoryPart
        Arrays ``x0``, ``x1`` ..., ``y``, low parts ``l0`` ... of whole numbers beyond 2**53, ``weight`` and
        ``exposure``, if any.
    """

    def __init__(
        self, layout: Layout, folder: str, rows: int, memory: int = 0, each: Callable = map, *, all_rows: bool = False
    ):
        self.survey = Survey.of(layout)
        self.parts: list[PartFile | MemoryPart] = []
        self._layout, self._folder, self._rows, self._each = layout, folder, rows, each
        self._memory, self._all_rows = memory, all_rows
        self._pending: dict[str, list[np.ndarray]] = {}
        self._waiting, self._written = 0, 0
        self._writer, self._writing = Threads(1), None

    def add(self, batch: Batch) -> None:
        """Survey and keep a batch.

        Raises
        ------
        DataError, DataTypeError
            The batch cannot be used; the message names it.
        """
        layout, survey = self._layout, self.survey
        weights = None if layout.weight is None else batch.column(layout.weight)
        target = batch.column(layout.target)
        with _about(batch):
            weight = None if weights is None else weights_of(weights)
        weighty = slice(None) if weight is None or weight.all() else weight > 0
        keep = slice(None) if self._all_rows else weighty

        def feature(j: int) -> tuple[np.ndarray, np.ndarray | None]:
            column, summary = batch.column(layout.features[j]), survey.columns[j]
            with _about(batch):
                values = summary.add(column, batch.order, weighty)[keep]
                low = low_parts(column) if summary.long and values.dtype.kind == "f" else None
                return values, None if low is None else low[keep]

        for j, found in enumerate(self._each(feature, range(len(layout.features)))):
            self._keep_feature(j, *found)
        with _about(batch):
            if layout.power:
                self._keep_counts(batch, target, keep)
            else:
                self._keep("y", self._response(batch, target, weight, keep)[keep])
        if weight is not None:
            self._keep("weight", weight[keep])
        survey.rows += batch.table.n
        kept = len(self._pending["y"][-1])
        survey.kept += kept
        self._waiting += kept
        if self._waiting >= self._rows:
            self._flush()

    def _response(self, batch: Batch, column, weight: np.ndarray | None, keep) -> np.ndarray:
        """y in provisional numbers."""
        response = self.survey.response
        if not isinstance(response, Labels):
            y = finite_numbers(column)
            response.add(y, keep)
            return y
        class_levels(column)
        codes = response.column.add(column, batch.order)
        response.add(codes, weight)
        return codes

    def _keep_counts(self, batch: Batch, target, keep) -> None:
        """Events, and exposures if there is a column of them."""
        events, name = finite_numbers(target), self._layout.exposure
        response_of_power(self._layout.power).check(events)
        exposure = np.ones(len(events)) if name is None else finite_numbers(batch.column(name), "exposure")
        check_exposure(exposure)
        self.survey.response.add(exposure[keep], events[keep])
        self._keep("y", events[keep])
        if name is not None:
            self._keep("exposure", exposure[keep])

    def _keep_feature(self, j: int, values: np.ndarray, low: np.ndarray | None) -> None:
        """A feature in provisional numbers, with the low parts of whole numbers beyond 2**53 once some have them."""
        self._keep(f"x{j}", values)
        if low is not None and f"l{j}" not in self._pending and self._waiting:
            self._keep(f"l{j}", np.zeros(self._waiting))
        if low is not None or f"l{j}" in self._pending:
            self._keep(f"l{j}", np.zeros(len(values)) if low is None else low)

    def _keep(self, name: str, array: np.ndarray) -> None:
        self._pending.setdefault(name, []).append(array)

    def _flush(self) -> None:
        """Make what waits a part, while more is read."""
        self._await_writing()
        if self._waiting:
            path = os.path.join(self._folder, f"part-{self._written:05d}.box")
            self._written += 1
            kind = MemoryPart if self._memory > 0 else PartFile
            self._writing = self._writer.submit(_made, kind, path, self._waiting, self._pending)
        self._pending, self._waiting = {}, 0

    def _await_writing(self) -> None:
        """Wait for the part that is being made; write all parts in memory once there are too many."""
        if self._writing is None:
            return
        part, self._writing = self._writing.result(), None
        self.parts.append(part)
        trim_heap()  # of batches, and of the file's pages in Arrow
        if part.in_memory:
            self._memory -= part.memory_needed()
            if self._memory <= 0:
                self.parts = [part.written() for part in self.parts]

    def __enter__(self) -> ProvisionalParts:
        return self

    def __exit__(self, kind, error, trace) -> None:
        """All parts are made, or none is being made any more."""
        try:
            if kind is None:
                self._flush()
                self._await_writing()
        finally:
            self._writer.shutdown(cancel_futures=True)


@contextmanager
def _about(batch: Batch) -> Iterator[None]:
    """Errors name their batch."""
    try:
        yield
    except BoxwoodError as error:
        raise batch.about(error) from None


def _made(kind: type, path: str, n: int, pending: dict[str, list[np.ndarray]]) -> PartFile | MemoryPart:
    """A part from its columns, each joined when it is its turn."""
    arrays = ((name, _joined(pending.pop(name))) for name in list(pending))
    return PartFile.written(path, n, arrays) if kind is PartFile else MemoryPart.made(path, n, arrays)


def _joined(pieces: list[np.ndarray]) -> np.ndarray:
    """Pieces of a column as one; a piece without values becomes what the others are."""
    if any(piece.dtype.kind == "f" for piece in pieces):
        pieces = [np.full(len(p), np.nan, np.float32) if p.dtype.kind == "i" else p for p in pieces]
    return np.concatenate(pieces)
