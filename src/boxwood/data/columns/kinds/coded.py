"""What ordinal and nominal features share: a column holds codes of levels."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection
from typing import Any

import numpy as np

from .kind import MISSING, UNSEEN, Kind


class Coded(Kind):
    """Columns of int32, the positions of values among the levels of the feature; -1 = missing, -2 = a new level."""

    nothing = MISSING

    def column(self, values: list) -> np.ndarray:
        return np.array([MISSING if value is None else value for value in values], dtype=np.int32)

    def missing(self, values: np.ndarray) -> np.ndarray:
        return values == MISSING

    def known(self, values: np.ndarray) -> np.ndarray:
        return values >= 0

    def seen(self, values: np.ndarray) -> np.ndarray:
        return np.where(values == UNSEEN, MISSING, values).astype(values.dtype)

    def cut_between(self, a: tuple, b: tuple, is_short: bool = False) -> tuple[float, float]:
        return ((a[0] + b[0]) // 2 + 0.5, 0.0)  # a level right in the middle goes down, as "x <= cut" does

    def coded(self, values: np.ndarray, low: np.ndarray | None) -> tuple[np.ndarray, tuple]:
        return np.maximum(values.astype(np.int64), MISSING), ()

    def original(self, number: Any, levels: tuple) -> Any:
        return levels[number]

    @abstractmethod
    def nearest(self, code: int | None, allowed: list[int], count: int) -> tuple[int, float, tuple[int, ...]]:
        """The nearest of some other levels, its distance as a part of the largest one, and those as near."""

    @abstractmethod
    def bounds(self, codes: Collection[int]) -> tuple[float, float]:
        """The lowest and the highest of some codes where their order means something, else no bounds."""

    def for_kernel(self, values: np.ndarray, low: np.ndarray | None, count: int, in_place: bool) -> tuple:
        return self.name, np.ascontiguousarray(values), count
