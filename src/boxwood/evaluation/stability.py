"""How far the distribution of rows over cells has moved: the population stability index (PSI) and its test."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .. import _kernel

#: As many groups of scores of equal weight.
_GROUPS = 10
#: A cell without rows counts as half a row, so that its logarithm is finite.
_HALF = 0.5


@dataclass(frozen=True)
class Stability:
    """A population stability index.

    Attributes
    ----------
    psi : float
        The sum over the cells of (p - q) ln(p / q), of the shares p of the rows and q of the rows compared with.
    expected : float
        Its mean if both are of one distribution: (k - 1) (1/n + 1/m) for k cells and n and m rows.
    log_p : float
        Natural logarithm of the p value of Pearson's chi-squared test of the same cells. With many rows in each cell
        its statistic is psi / (1/n + 1/m); with few rows it keeps its size, and that does not.
    """

    psi: float
    expected: float
    log_p: float

    @property
    def p_value(self) -> float:
        """The p value; 0 if it is less than any number of a computer."""
        return math.exp(self.log_p)


UNKNOWN = Stability(math.nan, math.nan, math.nan)


def stability(weight: np.ndarray, n: float, reference: np.ndarray, m: float) -> Stability:
    """The index of rows in cells.

    Parameters
    ----------
    weight, reference : float64, shape (k,)
        Weight in each cell of the rows, and of those that they are compared with.
    n, m : float
        How many rows of equal weight these are.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.evaluation.stability import stability
    >>> found = stability(np.array([30.0, 70.0]), 100.0, np.array([500.0, 500.0]), 1000.0)
    >>> round(found.psi, 3), round(found.expected, 3), round(found.p_value, 5)
    (0.169, 0.011, 0.00014)
    """
    filled = (weight > 0) | (reference > 0)
    if not (weight.sum() > 0 and reference.sum() > 0):
        return UNKNOWN
    p, q = weight[filled] / weight.sum(), reference[filled] / reference.sum()
    df, unit = len(p) - 1, 1.0 / n + 1.0 / m
    statistic = ((p - q) ** 2 / (n * p + m * q)).sum() * n * m
    log_p = _kernel.log_chi2_tails(np.array([statistic]), np.array([max(df, 1.0)]))
    p, q = np.where(p > 0, p, _HALF / n), np.where(q > 0, q, _HALF / m)
    return Stability(float(((p - q) * np.log(p / q)).sum()), df * unit, float(log_p[0]) if df else 0.0)


def score_cuts(score: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Cuts between ten groups of scores of about equal weight; fewer where there are fewer scores."""
    distinct, place = np.unique(score, return_inverse=True)
    each = np.bincount(place, weight)
    group = ((np.cumsum(each) - 0.5 * each) / each.sum() * _GROUPS).astype(np.int64)
    last = np.flatnonzero(np.diff(group))
    return (distinct[last] + distinct[last + 1]) / 2.0
