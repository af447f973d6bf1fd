"""Numbers, which a split divides by their order."""

from __future__ import annotations

from typing import Any

import numpy as np

from .kind import Kind


class Numeric(Kind):
    """Columns of float64, NaN = missing; what their integers beyond 2**53 lack is a second column."""

    name = kind_name = "numeric"
    nothing = np.nan

    def column(self, values: list) -> np.ndarray:
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)

    def missing(self, values: np.ndarray) -> np.ndarray:
        return np.isnan(values)

    def known(self, values: np.ndarray) -> np.ndarray:
        return ~np.isnan(values)

    def seen(self, values: np.ndarray) -> np.ndarray:
        return values

    def original(self, number: Any, levels: tuple) -> Any:
        return number

    def for_kernel(self, values: np.ndarray, low: np.ndarray | None, count: int, in_place: bool) -> tuple:
        values = values if in_place and low is None else np.ascontiguousarray(values, dtype=np.float64)
        return "numeric", values, None if low is None else np.ascontiguousarray(low)
