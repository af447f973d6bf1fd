"""Levels without an order, of which a split makes sets."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from .coded import Coded


class Nominal(Coded):
    """A split lists its levels one by one."""

    name = kind_name = "nominal"
    has_cuts = False

    def positions(
        self, values: np.ndarray, low: np.ndarray | None, breaks: np.ndarray, breaks_low: np.ndarray
    ) -> np.ndarray:
        return np.maximum(values, 0)

    def nearest(self, code: int | None, allowed: list[int], count: int) -> tuple[int, float, tuple[int, ...]]:
        return allowed[0], 1.0, tuple(allowed[1:])

    def bounds(self, codes: Collection[int]) -> tuple[float, float]:
        return -np.inf, np.inf

    def by_level(self, found: np.ndarray, breaks: np.ndarray, count: int) -> np.ndarray:
        return found
