"""Numbers, which a split divides by their order."""

from __future__ import annotations

from typing import Any

import numpy as np

from .kind import MISSING, Kind


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

    def cut_between(self, a: tuple, b: tuple, is_short: bool = False) -> tuple[float, float]:
        if a[1] != 0.0 or b[1] != 0.0:
            whole = (int(a[0]) + int(a[1]) + int(b[0]) + int(b[1])) // 2
            return (float(whole), float(whole - int(float(whole))))
        middle = a[0] / 2 + b[0] / 2  # rounded as (a + b) / 2, without its overflow
        if not middle < b[0]:
            return (a[0], 0.0)
        return (rounded_between(middle, a[0], b[0]) if is_short else middle, 0.0)

    def coded(self, values: np.ndarray, low: np.ndarray | None) -> tuple[np.ndarray, tuple]:
        low = np.zeros(len(values)) if low is None else low
        codes = np.full(len(values), MISSING, dtype=np.int64)
        known = np.flatnonzero(~np.isnan(values))
        order = known[np.lexsort((low[known], values[known]))]
        v, w = values[order], low[order]
        new = np.ones(len(order), dtype=bool)
        new[1:] = (v[1:] != v[:-1]) | (w[1:] != w[:-1])
        codes[order] = np.cumsum(new) - 1
        return codes, tuple(zip(v[new].tolist(), w[new].tolist(), strict=True))

    def for_kernel(self, values: np.ndarray, low: np.ndarray | None, count: int, in_place: bool) -> tuple:
        values = values if in_place and low is None else np.ascontiguousarray(values, dtype=np.float64)
        return "numeric", values, None if low is None else np.ascontiguousarray(low)


def rounded_between(middle: float, below: float, above: float) -> float:
    """A number between two others, rounded to the fewest decimals that keep it strictly between them.

    At least three digits stay, and the whole part. Twin of kernel/encode/columns.hpp.

    Examples
    --------
    >>> from boxwood.data.columns.kinds.numeric import rounded_between
    >>> rounded_between(50.456, 40.123, 60.789), rounded_between(2.6100000000000003, 2.6, 2.62)
    (50.5, 2.61)
    >>> rounded_between(1234.5, 1234.0, 1235.0), rounded_between(1994.5, 1990.0, 1999.0)
    (1234.5, 1994.0)
    """
    scale = 1.0
    while middle != 0.0 and abs(middle) * scale < 100.0 and scale < 1e22:
        scale *= 10.0
    while scale <= 1e22 and abs(middle) * scale < 2.0**53:
        near = round(middle * scale) / scale
        if below < near < above:
            return near
        scale *= 10.0
    return middle
