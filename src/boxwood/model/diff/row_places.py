"""In which of some boxes rows lie."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...data.columns.columns import Columns
from ...data.columns.schema import UNSEEN
from ...exports.boxes import Box, ValueSet

#: Rows that are compared with all boxes at a time.
_BLOCK = 65_536


def box_of_rows(boxes: Sequence[tuple[ValueSet, ...]], start: Box, columns: Columns) -> np.ndarray:
    """The place among disjoint boxes of the one that holds each row, int64, shape (n,); -1 where none does.

    ``start``: values of each feature outside of which no row lies.
    """
    tested = [[(j, values) for j, values in enumerate(box) if values != start[j]] for box in boxes]
    found = np.full(columns.n, -1, dtype=np.int64)
    for begin in range(0, columns.n, _BLOCK):
        rows = np.arange(begin, min(begin + _BLOCK, columns.n))
        part, kept = columns.take(rows), {}
        for i, conditions in enumerate(tested):
            inside = np.ones(len(rows), dtype=bool)
            for j, values in conditions:
                if (j, values) not in kept:
                    kept[j, values] = holds(values, part, j)
                inside &= kept[j, values]
            found[rows[inside]] = i
    return found


def holds(values: ValueSet, columns: Columns, j: int) -> np.ndarray:
    """Whether the value of feature ``j`` is one of some, bool, shape (n,)."""
    feature, given = columns.schema[j], columns.values[j]
    missing = columns.missing(j)
    if feature.levels:
        codes = np.where(given == UNSEEN, len(feature.levels), given)
        inside = np.isin(codes, sorted(values.levels))
    else:
        low = np.zeros(1) if columns.low[j] is None else columns.low[j]
        inside = np.zeros(columns.n, dtype=bool)
        for above, upto in values.parts:
            inside |= ~_upto(given, low, above) & _upto(given, low, upto)
    return np.where(missing, values.missing, inside)


def _upto(given: np.ndarray, low: np.ndarray, end: float) -> np.ndarray:
    """Whether numbers are at most an end, which is a whole number where floats are not exact."""
    if end == -np.inf:  # below every number
        return np.zeros(len(given), dtype=bool)
    near = float(end)
    rest = 0.0 if near == end else float(end - int(near))
    return (given < near) | ((given == near) & (low <= rest))
