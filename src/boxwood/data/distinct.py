"""The different values of an array."""

from __future__ import annotations

import numpy as np


def distinct(values: np.ndarray) -> np.ndarray:
    """The different values in rising order, as by ``np.unique``, whose way without indices this does not take.

    That way runs C++ from numpy 2.3 on: a daemon thread inside it when the interpreter ends would end the process.
    """
    return np.unique(values, return_index=True)[0]
