"""Data frames of pandas: columns of numbers and categories are read directly, without narwhals.

All else in such a frame, texts, nullable and Arrow columns, goes the general way (dataframes.py), column by column.
"""

from __future__ import annotations

import numpy as np

from .dataframes import as_frame, from_native_categorical, from_series
from .matrices import can_be_sent
from .objects import from_array
from .raw import RawColumn


def from_pandas_column(place: str, series) -> RawColumn:
    """Read a column of such a frame.

    Raises
    ------
    DataTypeError, DataError
        As :func:`boxwood.data.dataframes.from_series`.
    """
    kind = series.dtype
    if isinstance(kind, np.dtype):
        if can_be_sent(kind):
            return from_array(place, series.to_numpy())
    elif type(kind).__name__ == "CategoricalDtype":
        return from_native_categorical(place, series.array)
    return from_series(place, as_frame(series))
