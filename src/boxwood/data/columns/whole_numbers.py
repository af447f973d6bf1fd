"""Whole numbers that lie near each other: their different values without a sort."""

from __future__ import annotations

import numpy as np

#: Floats up to here may be labels that are distinguished without a sort.
FLOAT_LABELS = 2.0**23


def whole_numbers_near(y: np.ndarray) -> tuple[list[int], np.ndarray] | None:
    """The different values of an array, rising, and the position of each row among them, without a sort.

    Parameters
    ----------
    y : ndarray of shape (n,)
        Of a type of numbers, n > 0.

    Returns
    -------
    labels : list of K int
    codes : int32, shape (n,)
        None in place of both when some value is not a whole number, or when they lie far apart for their number.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.data.columns.whole_numbers import whole_numbers_near
    >>> whole_numbers_near(np.array([7.0, 5.0, 7.0]))
    ([5, 7], array([1, 0, 1], dtype=int32))
    """
    with np.errstate(invalid="ignore"):
        at = y.astype(np.int64)  # a copy, whatever happens to y meanwhile
    low, high = int(at[at.argmin()]), int(at[at.argmax()])
    if high - low > max(1024, 2 * len(y)) or (y.dtype.kind == "u" and low < 0):
        return None
    if y.dtype.kind == "f" and not (max(-low, high) <= FLOAT_LABELS and np.array_equal(at, y)):
        return None
    at -= low
    rows = np.bincount(at)
    if np.count_nonzero(rows) == len(rows):
        return list(range(low, high + 1)), at.astype(np.int32)
    return (low + np.flatnonzero(rows)).tolist(), (np.cumsum(rows > 0, dtype=np.int32) - 1)[at]
