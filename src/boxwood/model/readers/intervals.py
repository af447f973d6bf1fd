"""Tests of numbers by several cuts: sets of codes, and numbers that a program takes for zero or for missing."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Collection

from .foreign import Test


def code_test(j: int, codes: Collection[int], edge: Callable[[int], float], listed: int) -> Test:
    """The test of a feature of codes: numbers with one of these codes go down branch ``listed``, all others do not.

    Parameters
    ----------
    j : int
    codes : collection of int
    edge : callable
        Code -> the largest number whose code is smaller; programs round numbers to whole ones differently.
    listed : int
        0 or 1.
    """
    breaks: list[float] = []
    for code in sorted(codes):
        low, high = edge(code), edge(code + 1)
        if breaks and breaks[-1] == low:
            breaks[-1] = high
        else:
            breaks += [low, high]
    return Test(j, tuple(breaks), tuple(listed if i % 2 else 1 - listed for i in range(len(breaks) + 1)))


def with_band(test: Test, low: float, high: float, branch: int) -> Test:
    """A test of numbers in which those above ``low`` and up to ``high`` go down ``branch`` instead."""
    breaks = sorted({*test.breaks, *(end for end in (low, high) if math.isfinite(end))})
    ends = [*breaks, math.inf]
    sides = [branch if low < end <= high else test.branches[bisect_left(test.breaks, end)] for end in ends]
    kept = [i for i in range(len(breaks)) if sides[i] != sides[i + 1]]
    return Test(test.feature, tuple(breaks[i] for i in kept), (*(sides[i] for i in kept), sides[-1]))
