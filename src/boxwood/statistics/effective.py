"""The effective number of rows: as how many rows of equal weight rows of unequal weights count."""

from __future__ import annotations

import numpy as np

from .overflow import may_overflow


@may_overflow  # weights of a forged file
def effective(weight: np.ndarray, squares: np.ndarray | None, rows: np.ndarray) -> np.ndarray:
    """Effective number of rows of each node, (sum w)^2 / sum w^2; parts of rows count by their shares.

    Parameters
    ----------
    weight : float64, shape (T,)
        Sum of the weights of the rows of each node, the root first.
    squares : float64, shape (T,), or None
        Sum of their squares; None = all rows have the same weight.
    rows : int64, shape (T,)

    Returns
    -------
    float64, shape (T,)

    References
    ----------
    Kish: Survey Sampling, 1965.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.statistics.effective import effective
    >>> effective(np.array([6.0]), np.array([2.0**2 + 4.0**2]), np.array([2]))
    array([1.8])
    """
    if squares is None:
        return weight * (rows[0] / weight[0])
    counted = np.divide(weight, np.sqrt(squares), out=np.sqrt(rows), where=squares > 0) ** 2
    return np.minimum(counted, rows)
