"""Tests of whether y depends on x: chi-squared, likelihood ratio and F, with p-values on the log scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ... import _kernel
from ..._typing import ColumnLike
from .reading import columns_by_keyword, given, plain, read_cells, read_moments
from .tables import group_moments, merge_moments, table


@dataclass(frozen=True, eq=False)
class SignificanceTest:
    """Result of a significance test; the attributes are arrays if several tables were tested at once.

    Attributes
    ----------
    statistic : float or float64 array
    df : float or float64 array, or a pair of these for F
        Degrees of freedom.
    log_p : float or float64 array
        Natural logarithm of the p-value; it does not underflow.

    Examples
    --------
    >>> from boxwood import measures
    >>> found = measures.chi_squared([[3, 6], [6, 0]])
    >>> round(found.statistic, 4), found.df, round(found.p, 6)
    (6.6667, 1.0, 0.009823)
    >>> far = measures.chi_squared([[90000, 0], [0, 90000]])
    >>> far.p, round(far.log_p)
    (0.0, -90006)
    """

    statistic: float | np.ndarray
    df: float | np.ndarray | tuple[Any, ...]
    log_p: float | np.ndarray

    @property
    def p(self) -> float | np.ndarray:
        """The p-value; 0.0 if it is below about 1e-308, in which case only ``log_p`` represents it."""
        return plain(np.exp(self.log_p))


@columns_by_keyword
def chi_squared(
    counts: ColumnLike | None = None, *, y: ColumnLike | None = None, x: ColumnLike | None = None,
    sample_weight: ColumnLike | None = None,
) -> SignificanceTest:  # fmt: skip
    """Pearson's chi-squared test of independence, sum (n - m)^2 / m with m = row sum * column sum / N.

    Parameters
    ----------
    counts : array of shape (..., V, K)
        The rows are the values of x, the columns the classes of y. Counts are frequencies: a weight of 3 means three
        rows.
    y, x : columns of n values, instead of counts
    sample_weight : column of n numbers, optional
        With columns.

    Returns
    -------
    SignificanceTest
        df = (r - 1)(c - 1) for the r rows and c columns with positive weight. If df = 0, the statistic and log_p are 0.
        There is no continuity correction.

    Raises
    ------
    DataError
        Counts are negative or not finite, or a column cannot be read.
    ParameterError
        Neither counts nor columns are given, or both are.

    Examples
    --------
    >>> from boxwood import datasets, measures
    >>> loan = datasets.load("loan")
    >>> found = measures.chi_squared(y=loan["类别"], x=loan["信用"])
    >>> round(found.statistic, 4), found.df, round(found.p, 6)
    (6.1111, 2.0, 0.047097)
    """
    cells = read_cells(given("chi_squared", counts, table, y=y, x=x, sample_weight=sample_weight), 2, "counts")
    expected = _expected(cells)
    distance = np.where(expected > 0, (cells - expected) ** 2, 0.0) / np.where(expected > 0, expected, 1.0)
    return _of_counts(cells, distance.sum(axis=(-2, -1)))


@columns_by_keyword
def likelihood_ratio(
    counts: ColumnLike | None = None, *, y: ColumnLike | None = None, x: ColumnLike | None = None,
    sample_weight: ColumnLike | None = None,
) -> SignificanceTest:  # fmt: skip
    """Likelihood ratio test of independence, G2 = 2 sum n ln(n / m): 2 N ln 2 times the information gain in bits.

    Parameters
    ----------
    counts : array of shape (..., V, K)
        The rows are the values of x, the columns the classes of y. Counts are frequencies: a weight of 3 means three
        rows.
    y, x : columns of n values, instead of counts
    sample_weight : column of n numbers, optional
        With columns.

    Returns
    -------
    SignificanceTest
        df as in `chi_squared`.

    Raises
    ------
    DataError, ParameterError
        As in `chi_squared`.

    Examples
    --------
    >>> from boxwood import measures
    >>> found = measures.likelihood_ratio([[3, 6], [6, 0]])
    >>> round(found.statistic, 4), round(found.p, 4)
    (8.7331, 0.0031)
    """
    cells = read_cells(given("likelihood_ratio", counts, table, y=y, x=x, sample_weight=sample_weight), 2, "counts")
    expected = _expected(cells)
    ratio = np.where(cells > 0, cells, 1.0) / np.where(cells > 0, expected, 1.0)
    return _of_counts(cells, np.maximum(2 * (cells * np.log(ratio)).sum(axis=(-2, -1)), 0.0))


@columns_by_keyword
def f_statistic(
    moments: ColumnLike | None = None, *, y: ColumnLike | None = None, x: ColumnLike | None = None,
    sample_weight: ColumnLike | None = None,
) -> SignificanceTest:  # fmt: skip
    """One-way F test of equal means: the mean square between groups divided by the mean square within groups.

    Parameters
    ----------
    moments : array of shape (..., V, 3)
        For every value of x: sum of weights, mean of y, weighted sum of squared deviations from the mean.
    y, x : columns of n numbers and of n values, instead of moments
    sample_weight : column of n numbers, optional
        Frequencies, with columns.

    Returns
    -------
    SignificanceTest
        df = (r - 1, N - r) for r groups with positive weight and total weight N. If the groups have different means and
        no spread, the statistic is infinite and log_p is -infinity. If the test is impossible (one group, no more rows
        than groups, or no spread at all), the statistic and log_p are 0.

    Raises
    ------
    DataError, ParameterError
        As in `chi_squared`; also if y is not finite.

    Examples
    --------
    >>> from boxwood import measures
    >>> found = measures.f_statistic(y=[1, 2, 3, 6, 7, 8], x=list("aaabbb"))
    >>> round(found.statistic, 4), found.df, round(found.p, 6)
    (37.5, (1.0, 4.0), 0.003602)
    """
    cells = read_moments(
        given("f_statistic", moments, group_moments, y=y, x=x, sample_weight=sample_weight), 2, "moments"
    )
    union = merge_moments(cells)
    groups = (cells[..., 0] > 0).sum(axis=-1)
    within = np.where(cells[..., 0] > 0, cells[..., 2], 0.0).sum(axis=-1)
    between = np.maximum(union[..., 2] - within, 0.0)
    df1, df2 = groups - 1.0, union[..., 0] - groups
    testable = (df1 > 0) & (df2 > 0) & _means_differ(cells)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = np.where(testable, (between / df1) / (within / df2), 0.0)
    # Where there is nothing to test, any degrees of freedom do: the tail of 0 is 1.
    log_p = _tails(_kernel.log_f_tails, ratio, np.where(testable, df1, 1.0), np.where(testable, df2, 1.0))
    return SignificanceTest(plain(ratio), (plain(np.maximum(df1, 0.0)), plain(np.maximum(df2, 0.0))), log_p)


def _means_differ(cells: np.ndarray) -> np.ndarray:
    """Whether the groups that hold any weight have more than one mean, shape (...)."""
    present = cells[..., 0] > 0
    least = np.where(present, cells[..., 1], np.inf).min(axis=-1)
    return np.where(present, cells[..., 1], -np.inf).max(axis=-1) > least


def _expected(cells: np.ndarray) -> np.ndarray:
    """Counts of independence: row sum times column sum over N; 0 in an empty table."""
    total = cells.sum(axis=(-2, -1), keepdims=True)
    rows, columns = cells.sum(axis=-1, keepdims=True), cells.sum(axis=-2, keepdims=True)
    return rows * (columns / np.where(total > 0, total, 1.0))


def _of_counts(cells: np.ndarray, statistic: np.ndarray) -> SignificanceTest:
    rows, columns = (cells.sum(axis=axis) > 0 for axis in (-1, -2))
    df = np.maximum(rows.sum(axis=-1) - 1.0, 0.0) * np.maximum(columns.sum(axis=-1) - 1.0, 0.0)
    statistic = np.where(df > 0, statistic, 0.0)
    log_p = _tails(_kernel.log_chi2_tails, statistic, np.where(df > 0, df, 1.0))
    return SignificanceTest(plain(statistic), plain(df), log_p)


def _tails(verb: Any, *of: np.ndarray) -> float | Any:
    """Natural logarithm of the upper tail of each statistic, in the shape of the statistics."""
    flat = (np.ascontiguousarray(part, dtype=np.float64).ravel() for part in of)
    return plain(verb(*flat).reshape(np.shape(of[0])))
