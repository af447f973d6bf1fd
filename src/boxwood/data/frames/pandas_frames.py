"""Data frames of pandas: columns of numbers and categories are read directly, without narwhals.

All else in such a frame, texts, nullable and Arrow columns, goes the general way (dataframes.py), column by column.
"""

from __future__ import annotations

import numpy as np

from ..columns.matrices import can_be_sent
from ..columns.raw import RawColumn
from .dataframes import as_frame, from_native_categorical, from_series
from .objects import from_array


def from_pandas_column(place: str, series) -> RawColumn:
    """Read a column of such a frame.

    Raises
    ------
    DataTypeError, DataError
        As :func:`boxwood.data.frames.dataframes.from_series`.
    """
    kind = series.dtype
    if isinstance(kind, np.dtype):
        if can_be_sent(kind):
            return from_array(place, series.to_numpy())
    elif type(kind).__name__ == "CategoricalDtype":
        return from_native_categorical(place, series.array)
    return from_series(place, as_frame(series))
