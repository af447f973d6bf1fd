"""The one pass over the source: every batch is surveyed and written down, column by column, in provisional numbers."""

from __future__ import annotations

import os

import numpy as np

from ...data.batches import Batch
from ...data.survey import low_parts
from ...data.target import class_levels, finite_numbers
from ...data.weights import weights_of
from ...errors import BoxwoodError
from .layout import Layout
from .part_file import PartFile
from .survey import Labels, Survey


class Draft:
    """Parts as they are read: numbers as they are, levels and labels by their place in the survey, weights as given.

    Rows of weight 0 are surveyed but not written.

    Parameters
    ----------
    layout : Layout
    folder : str
        Exists; parts are written into it.
    rows : int
        Rows of a part, about: a part ends with a batch.

    Attributes
    ----------
    survey : Survey
    parts : list of PartFile
        Arrays ``x0``, ``x1`` ..., ``y``, low parts ``l0`` ... of whole numbers beyond 2**53, ``weight`` if rows have
        one.
    """

    def __init__(self, layout: Layout, folder: str, rows: int):
        self.survey = Survey.of(layout)
        self.parts: list[PartFile] = []
        self._layout, self._folder, self._rows = layout, folder, rows
        self._pending: dict[str, list[np.ndarray]] = {}
        self._waiting = 0

    def add(self, batch: Batch) -> None:
        """Survey and keep a batch.

        Raises
        ------
        DataError, DataTypeError
            The batch cannot be used; the message names it.
        """
        layout, survey = self._layout, self.survey
        read = {name: batch.column(name) for name in layout.columns}
        try:
            weight = None if layout.weight is None else weights_of(read[layout.weight])
            keep = slice(None) if weight is None or weight.all() else weight > 0
            for j, name in enumerate(layout.features):
                self._keep_feature(j, read[name], batch.order, keep)
            self._keep("y", self._response(batch, read[layout.target], weight, keep)[keep])
        except BoxwoodError as error:
            raise batch.about(error) from None
        if weight is not None:
            self._keep("weight", weight[keep])
        survey.rows += batch.table.n
        kept = len(self._pending["y"][-1])
        survey.kept += kept
        self._waiting += kept
        if self._waiting >= self._rows:
            self.flush()

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

    def _keep_feature(self, j: int, column, order: tuple[int, int], keep) -> None:
        """A feature in provisional numbers, with the low parts of whole numbers beyond 2**53 once some have them."""
        summary = self.survey.columns[j]
        values = summary.add(column, order)[keep]
        self._keep(f"x{j}", values)
        low = low_parts(column) if summary.long and values.dtype.kind == "f" else None
        if low is not None and f"l{j}" not in self._pending and self._waiting:
            self._keep(f"l{j}", np.zeros(self._waiting))
        if low is not None or f"l{j}" in self._pending:
            self._keep(f"l{j}", np.zeros(len(values)) if low is None else low[keep])

    def _keep(self, name: str, array: np.ndarray) -> None:
        self._pending.setdefault(name, []).append(narrow(array) if name.startswith("x") else array)

    def flush(self) -> None:
        """Write what waits as a part."""
        if self._waiting:
            arrays = {name: _joined(pieces) for name, pieces in self._pending.items()}
            path = os.path.join(self._folder, f"part-{len(self.parts):05d}.box")
            self.parts.append(PartFile.written(path, self._waiting, arrays))
        self._pending, self._waiting = {}, 0


def narrow(values: np.ndarray) -> np.ndarray:
    """Numbers as float32 where all of them are the same in it."""
    if values.dtype != np.float64:
        return values
    head = values[:512]
    with np.errstate(over="ignore"):
        if not np.array_equal(head, head.astype(np.float32), equal_nan=True):
            return values
        short = values.astype(np.float32)
    return short if np.array_equal(short, values, equal_nan=True) else values


def _joined(pieces: list[np.ndarray]) -> np.ndarray:
    """Pieces of a column as one; a piece without values becomes what the others are."""
    if any(piece.dtype.kind == "f" for piece in pieces):
        pieces = [np.full(len(p), np.nan, np.float32) if p.dtype.kind == "i" else p for p in pieces]
    return np.concatenate(pieces)
