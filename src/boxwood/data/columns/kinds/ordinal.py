"""Levels in a declared order, by which a split divides them."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from .coded import Coded


class Ordinal(Coded):
    """A split cuts the codes as if they were numbers."""

    name = kind_name = "ordinal"

    def nearest(self, code: int | None, allowed: list[int], count: int) -> tuple[int, float, tuple[int, ...]]:
        if code is None:
            return allowed[0], 1.0, ()
        new = min(allowed, key=lambda other: (abs(other - code), other))
        return new, abs(new - code) / (count - 1), ()

    def cut_limits(self, count: int) -> tuple[float, float]:
        return float(np.nextafter(-1.0, 0.0)), float(np.nextafter(count, 0.0))

    def bounds(self, codes: Collection[int]) -> tuple[float, float]:
        return min(codes, default=np.inf), max(codes, default=-np.inf)

    def by_level(self, found: np.ndarray, breaks: np.ndarray, count: int) -> np.ndarray:
        return found[np.searchsorted(breaks, np.arange(count))]
