"""Confidence intervals for a share, a mean or a rate."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .. import _kernel
from .._messages import must_be
from ..errors import ParameterError
from .normal import upper_deviate
from .overflow import may_overflow

#: As little weight as no weight: its interval is 0 to 1.
_LEAST = 1e-100
#: Beyond so many events the cube of a normal variable has the chi-squared quantile to all digits of a double; bisection
#: takes time with the root of the events there.
_MANY = 1e10
#: Steps of bisection that leave nothing to a double.
_HALVINGS = 200


def check_level(level: float) -> None:
    """Check a level of confidence.

    Raises
    ------
    ParameterError
        It is not between 0 and 1.
    """
    if isinstance(level, bool) or not isinstance(level, (int, float, np.number)) or not 0.0 < level < 1.0:
        raise ParameterError(must_be("level", "a number between 0 and 1, such as 0.95", level))


def wilson(share: np.ndarray, n: np.ndarray, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Wilson's interval of a share: the shares that a test by the normal score would not refuse.

    Parameters
    ----------
    share : float64, shape (m,)
        Observed.
    n : float64, shape (m,)
        Rows, or weight as a number of rows; 0 gives NaN.
    level : float
        Between 0 and 1.

    Returns
    -------
    low, high : float64, shape (m,)

    Raises
    ------
    ParameterError
        The level is out of range.

    References
    ----------
    Wilson: Probable inference, the law of succession, and statistical inference, 1927.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.statistics.intervals import wilson
    >>> [part.round(4).tolist() for part in wilson(np.array([0.9]), np.array([10.0]))]
    [[0.5958], [0.9821]]
    """
    check_level(level)
    z = upper_deviate((1.0 - level) / 2.0)
    n = np.where(n > 0, np.maximum(n, _LEAST), np.nan)  # less than that makes no difference, but its inverse overflows
    middle = share + z * z / (2.0 * n)
    spread = z * np.sqrt(share * (1.0 - share) / n + (z / (2.0 * n)) ** 2)
    whole = 1.0 + z * z / n
    return np.clip((middle - spread) / whole, 0.0, share), np.clip((middle + spread) / whole, share, 1.0)


def mean_interval(moments: np.ndarray, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Student's interval of a mean; NaN where the weight is not above 1, so that there is no spread to go by.

    Parameters
    ----------
    moments : float64, shape (m, 3)
        Sum of weights, which count as rows; mean; sum of weighted squares about the mean.
    level : float
        Between 0 and 1.

    Returns
    -------
    low, high : float64, shape (m,)

    Raises
    ------
    ParameterError
        The level is out of range.

    References
    ----------
    Student: The probable error of a mean, 1908.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.statistics.intervals import mean_interval
    >>> [part.round(3).tolist() for part in mean_interval(np.array([[4.0, 10.0, 12.0]]))]
    [[6.818], [13.182]]
    """
    check_level(level)
    n, mean, squares = moments.T
    some = n > 1.0
    df = np.where(some, n - 1.0, 1.0)
    # |t| with f degrees of freedom, squared, is F with 1 and f.
    target = np.full(len(n), math.log(1.0 - level))
    t = np.sqrt(_where_tail(lambda x: _kernel.log_f_tails(x, np.ones(len(x)), df), target))
    half = np.where(some, t * np.sqrt(np.maximum(squares, 0.0) / df / np.where(some, n, 1.0)), np.nan)
    return mean - half, mean + half


@may_overflow
def rate_interval(events: np.ndarray, exposure: np.ndarray, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """The exact interval of a rate when events come by Poisson's law; NaN where there is no exposure.

    Parameters
    ----------
    events, exposure : float64, shape (m,)
    level : float
        Between 0 and 1.

    Returns
    -------
    low, high : float64, shape (m,)

    Raises
    ------
    ParameterError
        The level is out of range.

    References
    ----------
    Garwood: Fiducial limits for the Poisson distribution, 1936.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.statistics.intervals import rate_interval
    >>> [part.round(4).tolist() for part in rate_interval(np.array([0.0, 10.0]), np.array([1.0, 1.0]))]
    [[0.0, 4.7954], [3.6889, 18.3904]]
    """
    check_level(level)
    beside = (1.0 - level) / 2.0
    some = events > 0
    low = _chi_square(np.where(some, 2.0 * events, 1.0), -upper_deviate(beside), math.log1p(-beside))
    high = _chi_square(2.0 * events + 2.0, upper_deviate(beside), math.log(beside))
    time = 2.0 * np.where(exposure > 0, exposure, np.nan)
    return np.where(some, low, 0.0) / time, high / time


def _chi_square(df: np.ndarray, deviate: float, log_tail: float) -> np.ndarray:
    """Where chi-squared has an upper tail, given as its logarithm and as the normal deviate with this tail."""
    few = np.where(df < 2.0 * _MANY, df, 1.0)
    found = _where_tail(lambda x: _kernel.log_chi2_tails(x, few), np.full(len(df), log_tail))
    part = 2.0 / (9.0 * np.maximum(df, 1.0))
    return np.where(few == df, found, df * (1.0 - part + deviate * np.sqrt(part)) ** 3)


def _where_tail(log_tail: Callable[[np.ndarray], np.ndarray], target: np.ndarray) -> np.ndarray:
    """Where a falling log tail has the value ``target``, by bisection; shape (m,)."""
    low, high = np.zeros(len(target)), np.ones(len(target))
    while (short := log_tail(high) > target).any():
        high[short] *= 2.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        if ((middle <= low) | (middle >= high)).all():
            break
        left = log_tail(middle) > target
        low, high = np.where(left, middle, low), np.where(left, high, middle)
    return high
