"""Measures of impurity of a node, and their decrease by a split (Breiman et al. 1984)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..._messages import must_be
from ..._spelling import did_you_mean
from ..._typing import ColumnLike
from ...errors import ParameterError
from ..tsallis import Tsallis
from .cells import BY_NAME, decrease, shares_of, split, variance
from .reading import BY_KEYWORD, columns_by_keyword, given, plain, read_cells, read_moments
from .tables import group_moments, table


@columns_by_keyword
def gini(
    counts: ColumnLike | None = None, *, y: ColumnLike | None = None, sample_weight: ColumnLike | None = None
) -> float | Any:
    """Gini impurity 1 - sum p_k^2: the probability that two rows drawn with replacement differ in class.

    Parameters
    ----------
    counts : array of shape (..., K)
        Weights of the classes.
    y : column of n labels, instead of counts
    sample_weight : column of n numbers, optional
        With y.

    Returns
    -------
    float or float64 of shape (...)
        Between 0 and 1 - 1/K; 0 if all counts are 0.

    Raises
    ------
    DataError
        Counts are negative or not finite, or a column cannot be read.
    ParameterError
        Neither counts nor y is given, or both are.

    Examples
    --------
    >>> from boxwood import measures
    >>> round(measures.gini([9, 6]), 10)
    0.48
    """
    return _of_classes("gini", counts, y, sample_weight)


@columns_by_keyword
def classification_error(
    counts: ColumnLike | None = None, *, y: ColumnLike | None = None, sample_weight: ColumnLike | None = None
) -> float | Any:
    """Classification error 1 - max p_k: the error rate of predicting the most frequent class.

    Parameters
    ----------
    counts : array of shape (..., K)
        Weights of the classes.
    y : column of n labels, instead of counts
    sample_weight : column of n numbers, optional
        With y.

    Returns
    -------
    float or float64 of shape (...)
        Between 0 and 1 - 1/K; 0 if all counts are 0.

    Raises
    ------
    DataError, ParameterError
        As in `gini`.

    Examples
    --------
    >>> from boxwood import measures
    >>> measures.classification_error([9, 6])
    0.4
    """
    return _of_classes("classification_error", counts, y, sample_weight)


@columns_by_keyword
def tsallis(
    counts: ColumnLike | None = None,
    q: float = 1.5,
    *,
    y: ColumnLike | None = None,
    sample_weight: ColumnLike | None = None,
) -> float | Any:
    """Tsallis entropy (1 - sum p_k^q) / (q - 1) of order q: Gini impurity for q = 2, entropy in nats for q = 1.

    Parameters
    ----------
    counts : array of shape (..., K)
        Weights of the classes.
    q : float
        The order, a positive number.
    y : column of n labels, instead of counts
    sample_weight : column of n numbers, optional
        With y.

    Returns
    -------
    float or float64 of shape (...)
        Between 0 and (1 - K^(1 - q)) / (q - 1); 0 if all counts are 0.

    Raises
    ------
    DataError
        As in `gini`.
    ParameterError
        As in `gini`; also if q is not a positive number.

    References
    ----------
    C. Tsallis, Journal of Statistical Physics 52 (1988), 479-487, eq. 1.

    Examples
    --------
    >>> from boxwood import measures
    >>> [round(measures.tsallis([9, 6], q), 4) for q in (1, 1.5, 2)]
    [0.673, 0.5645, 0.48]
    """
    cells = read_cells(given("tsallis", counts, table, y=y, sample_weight=sample_weight), 1, "counts")
    return plain(Tsallis(q).of_shares(shares_of(cells[0] if counts is None else cells)))


@columns_by_keyword
def regression_error(
    moments: ColumnLike | None = None, *, y: ColumnLike | None = None, sample_weight: ColumnLike | None = None
) -> float | Any:
    """Regression error (1/N) sum w (y - mean)^2: the mean squared error of predicting the mean.

    Parameters
    ----------
    moments : array of shape (..., 3)
        Sum of weights, mean, weighted sum of squared deviations from the mean.
    y : column of n numbers, instead of moments
        Missing values are omitted.
    sample_weight : column of n numbers, optional
        With y.

    Returns
    -------
    float or float64 of shape (...)
        In squared units of y; 0 if the weights are 0.

    Raises
    ------
    DataError, ParameterError
        As in `gini`; also if y is infinite.

    Examples
    --------
    >>> from boxwood import measures
    >>> measures.regression_error(y=[1, 2, 3, 6])
    3.5
    """
    cells = read_moments(
        given("regression_error", moments, group_moments, y=y, sample_weight=sample_weight), 1, "moments"
    )
    return plain(variance(cells[0] if moments is None else cells))


@columns_by_keyword
def gini_index(
    counts: ColumnLike | None = None, *, y: ColumnLike | None = None, x: ColumnLike | None = None,
    sample_weight: ColumnLike | None = None,
) -> float | Any:  # fmt: skip
    """Gini index of a split, sum_v p_v Gini_v: the weighted mean Gini impurity of the branches; smaller is better.

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
        Between 0 and the Gini impurity before the split.

    Raises
    ------
    DataError, ParameterError
        As in `gini`.

    Examples
    --------
    >>> from boxwood import measures
    >>> round(measures.gini_index([[3, 6], [6, 0]]), 10)
    0.2666666667
    """
    cells = read_cells(given("gini_index", counts, table, y=y, x=x, sample_weight=sample_weight), 2, "counts")
    return plain(split(cells, "gini"))


@columns_by_keyword
def split_impurity(
    cells: ColumnLike | None = None, measure: str | Callable[..., Any] = "entropy", *, y: ColumnLike | None = None,
    x: ColumnLike | None = None, sample_weight: ColumnLike | None = None,
) -> float | Any:  # fmt: skip
    """Weighted mean impurity of the branches of a split, for any measure I: sum_v N_v/N I_v.

    Parameters
    ----------
    cells : array of shape (..., V, K), or (..., V, 3) for "variance"
        Counts, or moments.
    measure : {"entropy", "gini", "error", "variance"} or callable
        A callable takes counts of shape (..., K) and returns an array of shape (...).
    y, x : columns of n values, instead of cells
    sample_weight : column of n numbers, optional
        With columns.

    Returns
    -------
    float or float64 of shape (...)

    Raises
    ------
    DataError
        As in `gini`; also if a callable returns another shape.
    ParameterError
        As in `gini`; also if there is no such measure.

    Examples
    --------
    >>> from boxwood import measures
    >>> measures.split_impurity(y=[1, 2, 3, 6], x=["a", "a", "b", "b"], measure="variance")
    1.25
    """
    return plain(split(_read("split_impurity", cells, measure, y=y, x=x, sample_weight=sample_weight), measure))


@columns_by_keyword
def impurity_decrease(
    cells: ColumnLike | None = None, measure: str | Callable[..., Any] = "entropy", *, y: ColumnLike | None = None,
    x: ColumnLike | None = None, sample_weight: ColumnLike | None = None,
) -> float | Any:  # fmt: skip
    """Decrease in impurity by a split, for any measure I: I - sum_v N_v/N I_v (for entropy, the information gain).

    Parameters
    ----------
    cells : array of shape (..., V, K), or (..., V, 3) for "variance"
        Counts, or moments.
    measure : {"entropy", "gini", "error", "variance"} or callable
        A callable takes counts of shape (..., K) and returns an array of shape (...).
    y, x : columns of n values, instead of cells
    sample_weight : column of n numbers, optional
        With columns.

    Returns
    -------
    float or float64 of shape (...)
        For the named measures, negative rounding errors are set to 0.

    Raises
    ------
    DataError, ParameterError
        As in `split_impurity`.

    Examples
    --------
    Two splits of 40 + 40 rows that the error cannot distinguish:

    >>> from boxwood import measures
    >>> splits = [[[30, 10], [10, 30]], [[20, 40], [20, 0]]]
    >>> for name in ("error", "gini", "entropy"):
    ...     print(name, measures.impurity_decrease(splits, name).round(4).tolist())
    error [0.25, 0.25]
    gini [0.125, 0.1667]
    entropy [0.1887, 0.3113]
    """
    return plain(decrease(_read("impurity_decrease", cells, measure, y=y, x=x, sample_weight=sample_weight), measure))


def _of_classes(measure: str, counts: ColumnLike, y: ColumnLike, sample_weight: ColumnLike) -> float | Any:
    cells = read_cells(given(measure, counts, table, y=y, sample_weight=sample_weight), 1, "counts")
    by_name = BY_NAME["gini" if measure == "gini" else "error"]
    return plain(by_name(cells[0] if counts is None else cells))


def _read(function: str, cells: ColumnLike, measure: str | Callable[..., Any], **columns: Any) -> np.ndarray:
    """Counts or moments, as the measure requires."""
    if not callable(measure) and not (isinstance(measure, str) and measure in BY_NAME):
        hint = did_you_mean(measure, BY_NAME) if isinstance(measure, str) else BY_KEYWORD
        allowed = f"one of {', '.join(map(repr, BY_NAME))}, or callable"
        raise ParameterError(must_be("measure", allowed, measure, hint))
    if measure == "variance":
        return read_moments(given(function, cells, group_moments, **columns), 2, "cells")
    return read_cells(given(function, cells, table, **columns), 2, "cells")
