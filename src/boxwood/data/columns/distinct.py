"""The distinct values of an array."""

from __future__ import annotations

import numpy as np


def distinct(values: np.ndarray) -> np.ndarray:
    """The distinct values in ascending order, as ``np.unique`` returns them.

    From numpy 2.3 on, ``np.unique`` without indices runs C++ code; a daemon thread that is in it when the interpreter
    ends takes the process down. With indices, numpy sorts in C instead.
    """
    return np.unique(values, return_index=True)[0]
