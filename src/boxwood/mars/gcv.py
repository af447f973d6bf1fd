"""Generalised cross-validation: an estimate of the error on new rows from the training error and the size."""

from __future__ import annotations

import numpy as np


def gcv(rss, n: int, n_terms, penalty: float):
    """GCV (Friedman 1991, equations 30 to 32): RSS / (n (1 - C/n)^2).

    Parameters
    ----------
    rss : float or ndarray
        (Weighted) residual sum of squares.
    n : int
        Number of rows.
    n_terms : int or ndarray
        M, the constant included; C = M + penalty (M - 1) / 2.
    penalty : float
        Price of a knot; -1 = terms and knots cost nothing (C = 0).

    Returns
    -------
    float or ndarray
        Infinite where C >= n.

    Examples
    --------
    >>> from boxwood.mars.gcv import gcv
    >>> round(float(gcv(209.113855, 31, 4, 2.0)), 5)
    11.25439
    """
    m = np.asarray(n_terms, dtype=float)
    price = np.zeros_like(m) if penalty == -1 else m + penalty * (m - 1.0) / 2.0
    left = 1.0 - price / n
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        value = np.asarray(rss, dtype=float) / (n * left**2)
    return np.where(price >= n, np.inf, value)[()]


def share_explained(error, of_constant):
    """1 - error / error of the constant model (RSq of RSS, GRSq of GCV); 0 where that is 0 or infinite."""
    error, whole = np.asarray(error, dtype=float), float(of_constant)
    with np.errstate(over="ignore"):  # minus infinity where the whole is next to nothing
        return (1.0 - error / whole if 0.0 < whole < np.inf else np.zeros_like(error))[()]
