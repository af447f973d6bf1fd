"""Logarithms of upper tails of the chi-squared and the F distribution: p-values that never underflow."""

from __future__ import annotations

import math

_TINY = 1e-300


def log_chi_squared_tail(statistic: float, df: float) -> float:
    """ln P(X >= statistic) for X chi-squared with df > 0 degrees of freedom; 0.0 for a statistic of 0 or less."""
    if math.isnan(statistic):
        return math.nan
    if statistic <= 0:
        return 0.0
    if math.isinf(statistic):
        return -math.inf
    return _log_upper_gamma(df / 2, statistic / 2)


def log_f_tail(statistic: float, df1: float, df2: float) -> float:
    """ln P(X >= statistic) for X with the F distribution of df1, df2 > 0; 0.0 for a statistic of 0 or less."""
    if math.isnan(statistic):
        return math.nan
    if statistic <= 0:
        return 0.0
    if math.isinf(statistic):
        return -math.inf
    # The tail is the incomplete beta function at x; both x and 1 - x are kept, so that neither cancels.
    ratio = df1 / df2 * statistic
    log_x, log_rest = -math.log1p(ratio), -math.log1p(1 / ratio)
    a, b = df2 / 2, df1 / 2
    if math.exp(log_x) < (a + 1) / (a + b + 2):
        return _log_beta_part(a, b, log_x, log_rest)
    return _log_of_rest(_log_beta_part(b, a, log_rest, log_x))


def _log_upper_gamma(a: float, x: float) -> float:
    """ln Q(a, x): the series of P below the mean, Lentz's continued fraction of Q above it."""
    front = a * math.log(x) - x - math.lgamma(a)
    if x < a + 1:
        term = total = 1 / a
        k = a
        while term > total * 1e-17:
            k += 1
            term *= x / k
            total += term
        return _log_of_rest(front + math.log(total))
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    value = d
    for i in range(1, 1_000_000):
        numerator = -i * (i - a)
        b += 2
        d = 1 / _away_from_zero(numerator * d + b)
        c = _away_from_zero(b + numerator / c)
        value *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return front + math.log(value)


def _log_beta_part(a: float, b: float, log_x: float, log_rest: float) -> float:
    """ln I_x(a, b) by Lentz's continued fraction, which converges fast for x below (a + 1) / (a + b + 2)."""
    x = math.exp(log_x)
    front = a * log_x + b * log_rest + math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) - math.log(a)
    c, d = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 1_000_000):
        change = 1.0
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _away_from_zero(1 + numerator * d)
            c = _away_from_zero(1 + numerator / c)
            change *= c * d
        value *= change
        if abs(change - 1) < 1e-16:
            break
    return front + math.log(value)


def _log_of_rest(log_part: float) -> float:
    """ln(1 - e^log_part) for a part of a whole; 0 or just above it by rounding is the whole."""
    if log_part >= 0:
        return -math.inf
    return math.log1p(-math.exp(log_part)) if log_part < -0.6931 else math.log(-math.expm1(log_part))


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
