"""Some rows of columns that have been coded whole, such as those of one bootstrap sample."""

from __future__ import annotations

import numpy as np

from ..._fast_record import cached
from ...data.columns.columns import Columns
from .source import EncodedColumns

#: What a response has for each row.
_BY_ROW = ("weight", "codes", "high", "low", "log")


class SomeRows(EncodedColumns):
    """Columns of which trees are grown from the codes of all rows; what else is needed is made for these rows alone.

    Parameters
    ----------
    columns : Columns
        Of these rows.
    whole : EncodedColumns
        Of all rows.
    rows : int64 array
        The positions of these rows among all, ascending.
    threads : int
    """

    def __init__(self, columns: Columns, whole: EncodedColumns, rows: np.ndarray, threads: int):
        super().__init__(columns, threads)
        self._whole, self._rows = whole, rows.astype(np.uint32)

    @cached
    def has_missing(self) -> bool:
        """Whether any value of these rows is missing."""
        columns = self._columns
        return self._whole.has_missing and any(columns.missing(j).any() for j in range(len(self.schema)))

    def grow(self, response: dict, settings, rows: list[np.ndarray] | None, by_rank: bool, threads: int) -> list:
        """What the kernel grows from each choice of rows; ranks are those of these rows alone."""
        if by_rank:
            return super().grow(response, settings, rows, by_rank, threads)
        place = np.zeros(self._whole.n, dtype=np.int64)  # rows that are not used repeat the first
        place[self._rows] = np.arange(self.n)
        of_all = {name: response[name][place] for name in _BY_ROW if response[name] is not None}
        chosen = [self._rows] if rows is None else [self._rows[keep] for keep in rows]
        return self._whole.grow(response | of_all, settings, chosen, by_rank, threads)
