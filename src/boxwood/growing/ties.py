"""The tie rule: a later candidate must be better by more than rounding (SPECS 0.2)."""

from __future__ import annotations

import numpy as np

#: A later candidate must be better by more than this share of max(1, best).
TIE = 1e-12


def better(score: float, best: float) -> bool:
    """Whether a later score replaces an earlier one."""
    return score > best + TIE * max(1.0, abs(best))


def first_best(scores: np.ndarray, least: float = 1.0) -> int | None:
    """Position of the best score; the first one stands until a later one is better by more than rounding; NaN = none.

    Rounding is 1e-12 of the best, or of ``least`` where that is more.
    """
    known = np.flatnonzero(~np.isnan(scores))
    if not len(known):
        return None
    values = scores[known]
    top = np.maximum.accumulate(values)
    # Only a score above all before it can replace the incumbent.
    records = np.flatnonzero(values[1:] > top[:-1]) + 1
    best = 0
    for i in records.tolist():
        if values[i] > values[best] + TIE * max(least, abs(values[best])):
            best = i
    return int(known[best])
