"""The tie rule: a later candidate must be better by more than rounding (docs/reproducibility.md)."""

from __future__ import annotations

import math
from bisect import bisect_right

import numpy as np

#: A later candidate must be better by more than this share of max(1, best).
TIE = 1e-12


def better(score: float, best: float) -> bool:
    """Whether a later score replaces an earlier one."""
    return score > best + TIE * max(1.0, abs(best))


def first_best(scores: np.ndarray, least: float = 1.0) -> int | None:
    """Position of the best score; the first one holds until a later one is better by more than rounding; NaN = none.

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


def best_first(scores: list[float], least: float) -> list[int]:
    """Positions of scores, best first: each goes before the first one that it beats by more than rounding.

    Rounding is 1e-12 of the score that is beaten, or of ``least`` where that is more.

    Examples
    --------
    >>> from boxwood.growing.ties import best_first
    >>> best_first([1.0, 3.0, 1.0 + 1e-15, 2.0], 1.0)
    [1, 3, 0, 2]
    """
    order: list[int] = []
    # Of each place, minus the least score that would beat it or one before it: rising, so a place is found by halving.
    # A score goes before one that it beats, and needs more to be beaten: what is behind it stays as it is.
    needed: list[float] = []
    for i, score in enumerate(scores):
        at = bisect_right(needed, -score)
        beaten = -(score + TIE * max(least, abs(score)))
        order.insert(at, i)
        needed.insert(at, max(needed[at - 1] if at else -math.inf, beaten))
    return order
