"""Two samples compared: population stability index, Kolmogorov-Smirnov test, Holm's adjustment."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .. import _kernel

#: Standard normal deviate of 95 % of the values.
_UPPER_95 = 1.6448536269514722


@dataclass(frozen=True)
class Stability:
    """The population stability index (PSI) of two samples in the same bins.

    Attributes
    ----------
    psi : float
        Sum over the bins of (q - p) ln(q / p) for the shares p and q of a bin; half a row is added to each bin, so that
        empty ones count.
    expected_95 : float
        What 95 % of the pairs of samples of these sizes stay below if both come from the same distribution: PSI is then
        (1 / n + 1 / m) times chi-squared with a degree of freedom for each bin but one (Yurdakul 2018).
    log_p : float
        Natural logarithm of the p-value on that scale.
    """

    psi: float
    expected_95: float
    log_p: float


def stability(first: np.ndarray, second: np.ndarray) -> Stability:
    """The stability index from the rows of each bin in two samples, shape (B,) each.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.statistics.two_samples import stability
    >>> found = stability(np.array([500, 500]), np.array([300, 700]))
    >>> round(found.psi, 3), round(found.expected_95, 4), found.log_p < -20
    (0.169, 0.0077, True)
    >>> stability(np.array([5]), np.array([7])).psi
    0.0
    """
    filled = (first + second) > 0
    first, second = first[filled].astype(np.float64), second[filled].astype(np.float64)
    n, m = first.sum(), second.sum()
    if len(first) < 2 or n == 0 or m == 0:
        return Stability(0.0, 0.0, 0.0)
    p, q = (first + 0.5) / (n + 0.5 * len(first)), (second + 0.5) / (m + 0.5 * len(first))
    psi = float(np.sum((q - p) * np.log(q / p)))
    unit, df = 1.0 / n + 1.0 / m, len(first) - 1.0
    log_p = float(_kernel.log_chi2_tails(np.array([psi / unit]), np.array([df]))[0])
    # Wilson and Hilferty's approximation of the quantile of chi-squared
    quantile = df * (1.0 - 2.0 / (9.0 * df) + _UPPER_95 * math.sqrt(2.0 / (9.0 * df))) ** 3
    return Stability(psi, unit * quantile, log_p)


def kolmogorov_smirnov(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    """The largest distance of two distributions, from the rows at each value in ascending order, and ln of its p-value.

    The tail is that of Kolmogorov with Stephens's correction for small samples (1970); ties make it too large, never
    too small.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.statistics.two_samples import kolmogorov_smirnov
    >>> distance, log_p = kolmogorov_smirnov(np.array([30, 20, 0]), np.array([10, 20, 20]))
    >>> distance, round(float(np.exp(log_p)), 4)
    (0.4, 0.0004)
    """
    n, m = float(first.sum()), float(second.sum())
    if n == 0 or m == 0:
        return 0.0, 0.0
    distance = float(np.abs(np.cumsum(first) / n - np.cumsum(second) / m).max())
    root = math.sqrt(n * m / (n + m))
    scaled = distance * (root + 0.12 + 0.11 / root)
    if scaled < 0.3:  # the tail is 1 to five decimals
        return distance, 0.0
    later = sum((-1) ** j * math.exp(-2.0 * (j * j + 2 * j) * scaled**2) for j in range(1, 20))
    return distance, min(0.0, math.log(2.0) - 2.0 * scaled**2 + math.log1p(later))


def holm(log_p: np.ndarray) -> np.ndarray:
    """ln of the p-values of several tests, adjusted for their number by Holm's step-down method (1979).

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.statistics.two_samples import holm
    >>> np.exp(holm(np.log([0.01, 0.04, 0.03]))).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(log_p, kind="stable")
    steps = np.log(np.arange(len(log_p), 0, -1.0))
    adjusted = np.empty(len(log_p))
    adjusted[order] = np.minimum(0.0, np.maximum.accumulate(log_p[order] + steps)) if len(log_p) else 0.0
    return adjusted
