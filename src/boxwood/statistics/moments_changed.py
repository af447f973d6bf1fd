"""Whether two samples of y differ, by their moments: one test for each node of a tree."""

from __future__ import annotations

from functools import singledispatch

import numpy as np

from .. import _kernel
from .responses.classes import Classes
from .responses.rates import Rates
from .responses.response import Response

#: Classes that are expected fewer times in a sample are put together with the next one.
_LEAST_EXPECTED = 5.0


@singledispatch
def log_p_of_change(response: Response, before: np.ndarray, after: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """ln of the p-value that two samples of each node have the same distribution of y, shape (T,).

    Numbers are compared by the F test of their deviances, which is that of equal means; counts of events by the
    likelihood ratio; classes by Pearson's chi-squared.

    Parameters
    ----------
    before, after : float64, shape (T, M)
        Moments of both samples.
    rows : float64, shape (T, 2)
        As how many rows of equal weight each counts.
    """
    within, between = _deviances(response, before, after)
    df = rows.sum(axis=1) - 2.0
    tested = (df > 0) & (within > 0)
    ratio = np.where(tested, between * df / np.where(tested, within, 1.0), 0.0)
    return _kernel.log_f_tails(ratio, np.ones(len(ratio)), np.where(tested, df, 1.0))


@log_p_of_change.register
def _(response: Rates, before: np.ndarray, after: np.ndarray, rows: np.ndarray) -> np.ndarray:
    _, between = _deviances(response, before, after)
    scale = rows.sum(axis=1) / (before[:, 0] + after[:, 0])
    return _kernel.log_chi2_tails(between * scale, np.ones(len(between)))


@log_p_of_change.register
def _(response: Classes, before: np.ndarray, after: np.ndarray, rows: np.ndarray) -> np.ndarray:
    counts = np.stack([response.counts(before), response.counts(after)], axis=1)
    counts *= (rows / counts.sum(axis=2))[:, :, None]
    return np.array([log_p_of_counts(table) for table in counts])


def log_p_of_counts(table: np.ndarray) -> float:
    """ln of the p-value of chi-squared that two samples fall alike into cells, shape (2, C); rare cells are joined.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.statistics.moments_changed import log_p_of_counts
    >>> round(float(np.exp(log_p_of_counts(np.array([[30.0, 20.0], [20.0, 30.0]])))), 4)
    0.0455
    """
    cells = _pooled(table)
    expected = cells.sum(axis=1, keepdims=True) * (cells.sum(axis=0) / cells.sum())
    df = cells.shape[1] - 1
    if df == 0:
        return 0.0
    statistic = np.array([((cells - expected) ** 2 / expected).sum()])
    return float(_kernel.log_chi2_tails(statistic, np.array([float(df)]))[0])


def _deviances(response: Response, before: np.ndarray, after: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Deviance of both samples about their own predictions, and what more it is about a common one; shape (T,) each."""
    both = np.array([response.union(np.stack(pair)) for pair in zip(before, after, strict=True)])
    within = response.deviance(before) + response.deviance(after)
    return within, np.maximum(response.deviance(both) - within, 0.0)


def _pooled(table: np.ndarray) -> np.ndarray:
    """Counts of two samples by class, rare classes together, shape (2, C)."""
    expected = table.sum(axis=0) * (table.sum(axis=1).min() / table.sum())
    order = np.argsort(expected, kind="stable")
    group, held = np.zeros(len(order), dtype=np.int64), 0.0
    number = 0
    for k in order:
        if held >= _LEAST_EXPECTED:
            number, held = number + 1, 0.0
        group[k] = number
        held += expected[k]
    if held < _LEAST_EXPECTED and number > 0:
        group[group == number] = number - 1
    return np.stack([np.bincount(group, side) for side in table])
