"""Values that differ only by rounding become equal, so that a tie is a tie on every machine."""

from __future__ import annotations

import numpy as np


def equalize_ties(values: np.ndarray, tolerance: float) -> np.ndarray:
    """Each value replaced by the smallest of its group; a group reaches ``tolerance`` up from its smallest value.

    Parameters
    ----------
    values : float64, shape (n,)
        May hold infinities, no NaN.
    tolerance : float
        In the units of the values, not negative.

    Returns
    -------
    float64, shape (n,)

    Examples
    --------
    >>> import numpy as np
    >>> equalize_ties(np.array([0.3, 0.1 + 0.2, 0.5]), 1e-9).tolist()
    [0.3, 0.3, 0.5]
    """
    distinct, where = np.unique(values, return_inverse=True)
    starts = distinct.tolist()
    start = -np.inf
    for i, value in enumerate(starts):
        if value > start + tolerance or i == 0:
            start = value
        starts[i] = start
    return np.array(starts, dtype=np.float64)[where]
