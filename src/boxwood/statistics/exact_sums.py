"""Sums of float64 that do not depend on the order or the grouping of the terms."""

from __future__ import annotations

import numpy as np

#: A sum is kept as a whole multiple of 2**-SHIFT: every float64 is one.
SHIFT = 1126
_HALF = 26
#: So many halves of mantissas add up in float64 without rounding.
_AT_ONCE = 1 << 25


def exact_sums(values: np.ndarray, groups: np.ndarray | None = None, k: int = 1) -> list[int]:
    """The exact sum of the values of each of k groups, in units of 2**-SHIFT; sums of parts add up to the whole.

    Parameters
    ----------
    values : float64, shape (n,)
        Finite, at least 0.
    groups : int array, shape (n,), optional
        Number of each value's group, below k; None = one group.
    k : int

    Examples
    --------
    >>> from boxwood.statistics.exact_sums import exact_sums, rounded
    >>> import numpy as np
    >>> rounded(exact_sums(np.array([1e16, 1.0, 1.0]))[0])
    1.0000000000000002e+16
    """
    totals = [0] * k
    for start in range(0, len(values), _AT_ONCE):
        part = values[start : start + _AT_ONCE]
        mantissa, exponent = np.frexp(part)
        whole = np.ldexp(mantissa, 53).astype(np.int64)
        least = int(exponent.min())
        place = (exponent - least).astype(np.int64)
        if groups is not None:
            place = place * k + groups[start : start + _AT_ONCE]
        high, low = np.bincount(place, whole >> _HALF), np.bincount(place, whole & (2**_HALF - 1))
        for at in np.flatnonzero((high > 0) | (low > 0)).tolist():
            power, group = divmod(at, k)
            totals[group] += ((int(high[at]) << _HALF) + int(low[at])) << (least + power - 53 + SHIFT)
    return totals


def repeated_sums(values: np.ndarray, count: np.ndarray, groups: np.ndarray | None = None, k: int = 1) -> list[int]:
    """The same for values with multiplicities (``count``, int64, shape (n,), at least 0).

    Examples
    --------
    >>> import numpy as np
    >>> rounded(repeated_sums(np.array([0.5, 2.0]), np.array([3, 10]))[0])
    21.5
    """
    totals = [0] * k
    for bit in range(int(count.max()).bit_length() if len(count) else 0):
        here = (count >> bit & 1).astype(bool)
        sums = exact_sums(values[here], None if groups is None else groups[here], k)
        totals = [total + (more << bit) for total, more in zip(totals, sums, strict=True)]
    return totals


def rounded(total: int) -> float:
    """The float64 nearest to an exact sum; infinity beyond the largest."""
    try:
        return total / (1 << SHIFT)
    except OverflowError:
        return float("inf")


def masses(codes: np.ndarray, weight: np.ndarray | None, k: int) -> np.ndarray:
    """Sum of weights of each of k classes, float64, shape (k,): exact sums, rounded once; counts without weights.

    Examples
    --------
    >>> from boxwood.statistics.exact_sums import masses
    >>> import numpy as np
    >>> masses(np.array([0, 1, 0]), np.array([0.1, 0.5, 0.2]), 2).tolist()
    [0.30000000000000004, 0.5]
    """
    if weight is None:
        return np.bincount(codes, minlength=k).astype(np.float64)
    return np.array([rounded(total) for total in exact_sums(weight, codes, k)])
