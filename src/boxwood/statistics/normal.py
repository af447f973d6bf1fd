"""The quantile of the normal distribution above which a given share lies."""

from __future__ import annotations

import math

from .._messages import must_be
from ..errors import ParameterError


def upper_deviate(share: float) -> float:
    """z such that a standard normal variable exceeds it with probability ``share``.

    Newton's steps on the logarithm of the tail, which is nearly a parabola, so that few steps reach full precision.

    Parameters
    ----------
    share : float
        At least 1e-300, at most 0.5.

    Returns
    -------
    float
        At least 0.

    Raises
    ------
    ParameterError
        The share is out of range.

    Examples
    --------
    >>> round(upper_deviate(0.25), 6), round(upper_deviate(0.025), 6), upper_deviate(0.5)
    (0.67449, 1.959964, 0.0)
    """
    if not 1e-300 <= share <= 0.5:
        raise ParameterError(must_be("share", "a number from 1e-300 to 0.5", share))
    if share == 0.5:
        return 0.0
    target = math.log(share)
    z = math.sqrt(-2.0 * math.log(2.0 * share))
    for _ in range(50):
        tail = 0.5 * math.erfc(z / math.sqrt(2.0))
        slope = -math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi) / tail
        step = (math.log(tail) - target) / slope
        z -= step
        if abs(step) <= 1e-15 * z:
            break
    return z
