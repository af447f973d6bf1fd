"""Codes and low parts of a surveyed column: what its provisional values become, and what they lack."""

from __future__ import annotations

import numpy as np

from ..columns.levels import as_numbers
from ..columns.raw import RawColumn
from ..columns.schema import MISSING, UNSEEN
from .survey import LISTED, ColumnSummary


def final_codes(summary: ColumnSummary, levels: tuple) -> np.ndarray:
    """Position in ``levels`` of each level that a summary counted, int32; after them comes that of a missing value."""
    position = {level: i for i, level in enumerate(levels)}
    if summary.form == LISTED:  # integers of a column that also has floats
        position = {level: position[float(level)] for level in summary.counts if float(level) in position} | position
    return np.array([*(position.get(level, UNSEEN) for level in summary.counts), MISSING], dtype=np.int32)


def low_parts(column: RawColumn) -> np.ndarray | None:
    """What the float64 values of a part lack of its whole numbers beyond 2**53, shape (n,); None = nothing."""
    if column.temporal is not None:
        return column.low
    return as_numbers(column)[1] if column.low is not None or column.levels is not None else None
