"""Results beyond float64 become infinite without a numpy warning where infinite results are allowed."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

import numpy as np


def may_overflow(function: Callable) -> Callable:
    """A function in which sums and products beyond float64 become infinite, and their differences NaN.

    ``np.errstate`` is not a decorator for threads: in numpy 1 all calls of the function share its state.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.statistics.overflow import may_overflow
    >>> float(may_overflow(np.square)(1e300))
    inf
    """

    @wraps(function)
    def quiet(*args, **kwargs):
        with np.errstate(over="ignore", invalid="ignore"):
            return function(*args, **kwargs)

    return quiet
