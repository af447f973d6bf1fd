"""Intrinsic value and gain ratio, by which C4.5 weighs a gain against the number of branches."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._typing import ColumnLike
from .. import shares
from .cells import decrease, shares_of
from .reading import check_base, columns_by_keyword, given, plain, read_cells
from .tables import table, value_counts


@columns_by_keyword
def intrinsic_value(
    counts: ColumnLike | None = None, *, y: ColumnLike | None = None, x: ColumnLike | None = None,
    sample_weight: ColumnLike | None = None, base: float = 2.0,
) -> float | Any:  # fmt: skip
    """Intrinsic value IV(X) = H(X) of a split, also called split information.

    Parameters
    ----------
    counts : array of shape (..., V, K)
        The rows are the values of x, the columns the classes of y.
    x : column of n values, instead of counts
    y : column of n labels, optional
        With x, rows in which y is missing are also omitted.
    sample_weight : column of n numbers, optional
        With columns.
    base : float
        2 gives bits, math.e nats, 10 hartleys.

    Returns
    -------
    float or float64 of shape (...)
        Between 0 and log V.

    Raises
    ------
    DataError, ParameterError
        As in `entropy`.

    Notes
    -----
    C4.5 counts missing values as a further branch: ``intrinsic_value(table(y, x, missing="level"))``.

    Examples
    --------
    >>> from boxwood import measures
    >>> round(measures.intrinsic_value(x=range(15)), 10)
    3.9068905956
    """
    check_base(base)
    if counts is None and y is None and x is not None:
        return plain(shares.entropy(shares_of(value_counts(x, sample_weight, "x")[0]), base))
    cells = read_cells(given("intrinsic_value", counts, table, y=y, x=x, sample_weight=sample_weight), 2, "counts")
    return plain(shares.entropy(shares_of(cells.sum(axis=-1)), base))


@columns_by_keyword
def gain_ratio(
    counts: ColumnLike | None = None, *, y: ColumnLike | None = None, x: ColumnLike | None = None,
    sample_weight: ColumnLike | None = None,
) -> float | Any:  # fmt: skip
    """Gain ratio g(Y, X) / IV(X): the information gain divided by the intrinsic value (Quinlan, 1993).

    Parameters
    ----------
    counts : array of shape (..., V, K)
        The rows are the values of x, the columns the classes of y.
    y, x : columns of n values, instead of counts
    sample_weight : column of n numbers, optional
        With columns.

    Returns
    -------
    float or float64 of shape (...)
        Between 0 and 1; NaN if x has the same value in all rows.

    Raises
    ------
    DataError, ParameterError
        As in `entropy`.

    Examples
    --------
    >>> from boxwood import measures
    >>> round(measures.gain_ratio([[3, 6], [6, 0]]), 10), measures.gain_ratio([[9, 6]])
    (0.4325380678, nan)
    """
    cells = read_cells(given("gain_ratio", counts, table, y=y, x=x, sample_weight=sample_weight), 2, "counts")
    cost = np.asarray(intrinsic_value(cells))
    ratio = np.full(cost.shape, np.nan)
    np.divide(decrease(cells, "entropy"), cost, out=ratio, where=cost > 0)
    return plain(ratio)
