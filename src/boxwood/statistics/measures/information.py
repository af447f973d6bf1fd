"""Measures of information: how uncertain y is, and how much x reduces that (Shannon 1948; Quinlan 1986, 1993)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._typing import ColumnLike
from ...errors import DataError
from .. import shares
from .cells import decrease, shares_of, split
from .reading import as_floats, check_base, columns_by_keyword, given, plain, read_cells
from .tables import table, value_counts


@columns_by_keyword
def self_information(
    p: ColumnLike | None = None,
    *,
    y: ColumnLike | None = None,
    sample_weight: ColumnLike | None = None,
    base: float = 2.0,
) -> float | Any:
    """Self-information -log p of an event.

    Parameters
    ----------
    p : array of probabilities, any shape
        Each between 0 and 1.
    y : column of n values, instead of p
        The event is the label of each row; its probability is the proportion of this label.
    sample_weight : column of n numbers, optional
        With y.
    base : float
        2 gives bits, math.e nats, 10 hartleys.

    Returns
    -------
    float, or float64 of the shape of p, or of shape (n,)
        0 for p = 1, infinity for p = 0; NaN if the label is missing.

    Raises
    ------
    DataError
        A probability is outside [0, 1], or y cannot be read.
    ParameterError
        Neither p nor y is given, or both are, or the base is not greater than 1.

    Examples
    --------
    >>> from boxwood import measures
    >>> measures.self_information([1, 1 / 2, 1 / 8, 0]).tolist()
    [0.0, 1.0, 3.0, inf]
    >>> measures.self_information(y=["rain", "sun", "sun", "sun"]).round(3).tolist()
    [2.0, 0.415, 0.415, 0.415]
    """
    check_base(base)
    probability = as_floats(given("self_information", p, _probability_of_rows, y=y, sample_weight=sample_weight), "p")
    if ((probability < 0) | (probability > 1)).any() or (y is None and np.isnan(probability).any()):
        raise DataError("p must hold probabilities between 0 and 1; self_information(y=...) takes a column of labels.")
    logs = np.full(probability.shape, -np.inf)
    np.log2(probability, out=logs, where=probability != 0)
    return plain(np.abs(logs) / np.log2(base))


@columns_by_keyword
def entropy(
    counts: ColumnLike | None = None, *, y: ColumnLike | None = None, sample_weight: ColumnLike | None = None,
    base: float = 2.0,
) -> float | Any:  # fmt: skip
    """Entropy H(Y) = -sum p_k log p_k: the expected self-information.

    Parameters
    ----------
    counts : array of shape (..., K)
        Weights of the classes.
    y : column of n labels, instead of counts
    sample_weight : column of n numbers, optional
        With y.
    base : float
        2 gives bits, math.e nats, 10 hartleys.

    Returns
    -------
    float or float64 of shape (...)
        Between 0 and log K; 0 if all counts are 0.

    Raises
    ------
    DataError
        Counts are negative or not finite, or a column cannot be read.
    ParameterError
        Neither counts nor y is given, or both are, or the base is not greater than 1.

    Examples
    --------
    >>> import math
    >>> from boxwood import measures
    >>> round(measures.entropy([9, 6]), 10), round(measures.entropy([9, 6], base=math.e), 10)
    (0.9709505945, 0.673011667)
    >>> measures.entropy(y=["是", "否", "否", "是", None])
    1.0
    """
    check_base(base)
    cells = read_cells(given("entropy", counts, table, y=y, sample_weight=sample_weight), 1, "counts")
    cells = cells[0] if counts is None else cells
    return plain(shares.entropy(shares_of(cells), base))


@columns_by_keyword
def joint_entropy(
    counts: ColumnLike | None = None, *, y: ColumnLike | None = None, x: ColumnLike | None = None,
    sample_weight: ColumnLike | None = None, base: float = 2.0,
) -> float | Any:  # fmt: skip
    """Joint entropy H(X, Y) of x and y.

    Parameters
    ----------
    counts : array of shape (..., V, K)
        Weights of the pairs: the rows are the values of x, the columns the classes of y.
    y, x : columns of n values, instead of counts
    sample_weight : column of n numbers, optional
        With columns.
    base : float
        2 gives bits, math.e nats, 10 hartleys.

    Returns
    -------
    float or float64 of shape (...)
        H(X) + H(Y|X); 0 if all counts are 0.

    Raises
    ------
    DataError, ParameterError
        As in `entropy`.

    Examples
    --------
    >>> from boxwood import measures
    >>> measures.joint_entropy([[1, 1], [1, 1]])
    2.0
    """
    check_base(base)
    cells = read_cells(given("joint_entropy", counts, table, y=y, x=x, sample_weight=sample_weight), 2, "counts")
    return plain(shares.entropy(shares_of(cells.reshape(*cells.shape[:-2], -1)), base))


@columns_by_keyword
def conditional_entropy(
    counts: ColumnLike | None = None, *, y: ColumnLike | None = None, x: ColumnLike | None = None,
    sample_weight: ColumnLike | None = None, base: float = 2.0,
) -> float | Any:  # fmt: skip
    """Conditional entropy H(Y|X) = sum_v p_v H(Y | X = v): the remaining entropy of y when x is known.

    Parameters
    ----------
    counts : array of shape (..., V, K)
        The rows are the values of x, the columns the classes of y.
    y, x : columns of n values, instead of counts
    sample_weight : column of n numbers, optional
        With columns.
    base : float
        2 gives bits, math.e nats, 10 hartleys.

    Returns
    -------
    float or float64 of shape (...)
        Between 0 and H(Y); 0 if all counts are 0.

    Raises
    ------
    DataError, ParameterError
        As in `entropy`.

    Examples
    --------
    >>> from boxwood import measures
    >>> round(measures.conditional_entropy([[3, 6], [6, 0]]), 10)
    0.5509775004
    >>> measures.conditional_entropy(y=[0, 0, 1, 1], x=["a", "a", "b", "b"])
    0.0
    """
    check_base(base)
    cells = read_cells(given("conditional_entropy", counts, table, y=y, x=x, sample_weight=sample_weight), 2, "counts")
    return plain(split(cells, "entropy") / np.log2(base))


@columns_by_keyword
def information_gain(
    counts: ColumnLike | None = None, *, y: ColumnLike | None = None, x: ColumnLike | None = None,
    sample_weight: ColumnLike | None = None, base: float = 2.0,
) -> float | Any:  # fmt: skip
    """Information gain g(Y, X) = H(Y) - H(Y|X): the information that x provides about y.

    Parameters
    ----------
    counts : array of shape (..., V, K)
        The rows are the values of x, the columns the classes of y.
    y, x : columns of n values, instead of counts
    sample_weight : column of n numbers, optional
        With columns.
    base : float
        2 gives bits, math.e nats, 10 hartleys.

    Returns
    -------
    float or float64 of shape (...)
        Between 0 and the smaller of H(X) and H(Y); negative rounding errors are set to 0.

    Raises
    ------
    DataError, ParameterError
        As in `entropy`.

    Notes
    -----
    ID3 chooses the feature with the *largest* gain. The gain is symmetric: g(Y, X) = g(X, Y). If values are missing,
    C4.5 multiplies the gain of the known rows by their proportion, ``table(y, x).known``.

    Examples
    --------
    >>> from boxwood import measures
    >>> tables = [[[3, 6], [6, 0]], [[4, 4], [5, 2]]]
    >>> measures.information_gain(tables).round(4).tolist()
    [0.42, 0.0348]
    """
    check_base(base)
    cells = read_cells(given("information_gain", counts, table, y=y, x=x, sample_weight=sample_weight), 2, "counts")
    return plain(decrease(cells, "entropy") / np.log2(base))


def _probability_of_rows(y: ColumnLike, sample_weight: ColumnLike) -> np.ndarray:
    """Share of the label of every row, NaN where it is missing."""
    counts, codes = value_counts(y, sample_weight, "y")
    return np.where(codes < 0, np.nan, shares_of(counts)[codes])
