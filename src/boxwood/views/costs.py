"""What a missed row of a class costs, and what a false alarm costs."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._messages import must_be
from ..errors import ParameterError


def checked_costs(costs: Any, name: str = "costs") -> tuple[float, float]:
    """A pair of costs, of a miss and of a false alarm.

    Raises
    ------
    ParameterError
        They are not two numbers of at least 0, not both 0.
    """
    try:
        missed, alarm = (float(cost) for cost in costs)
    except (TypeError, ValueError):
        missed = alarm = np.nan
    if not (np.isfinite([missed, alarm]).all() and min(missed, alarm) >= 0 and max(missed, alarm) > 0):
        allowed = "two numbers of at least 0, not both 0: of a miss and of a false alarm"
        raise ParameterError(must_be(name, allowed, costs))
    return missed, alarm
