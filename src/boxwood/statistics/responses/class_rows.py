"""Classes of rows: read, with exact weights, and what each row adds to the moments of a node."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.columns.levels import LevelCodes
from ...data.columns.schema import NOMINAL
from ...data.frames.class_labels import known_classes
from ..exact import Exact, exact_classes
from .addends import Addends
from .rows import ResponseRows


class ClassRows(ResponseRows):
    """The part of :class:`boxwood.statistics.responses.classes.Classes` that is about rows."""

    labels: tuple = ()

    @property
    def width(self) -> int:
        """Number of classes."""
        return len(self.labels)

    def read(self, y: Any) -> np.ndarray:
        return known_classes(y, self.labels)

    def exact(self, y: np.ndarray, weight: np.ndarray | None, exposure: np.ndarray | None) -> Exact:
        return exact_classes(y, weight)

    def as_columns(self, exact: Exact) -> list[np.ndarray]:
        return [exact.codes]

    def content_kinds(self, weighted: bool) -> list[str]:
        return [NOMINAL, *super().content_kinds(weighted)[1:]]

    def strata(self, exact: Exact) -> np.ndarray:
        return exact.codes

    def truth(self, exact: Exact) -> np.ndarray:
        return exact.codes

    def split(self, y: np.ndarray) -> tuple[Any, np.ndarray | None]:
        return LevelCodes(y, self.labels), None

    def addends(self, exact: Exact, unit: float, rows: np.ndarray, weight: np.ndarray) -> Addends:
        parts = np.zeros((len(rows), self.width), dtype=np.int64)
        parts[np.arange(len(rows)), exact.codes[rows]] = weight
        return Addends(parts, lambda sums: sums.astype(np.float64) * unit)

    @staticmethod
    def weight_of_words(words: np.ndarray) -> np.ndarray:
        return words.sum(axis=1)

    @staticmethod
    def joined_ends(ends: tuple[np.ndarray, np.ndarray], words: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        return ends[0]  # the sums are enough

    def all_equal(self, exact: Exact, rows: np.ndarray) -> bool:
        return bool((exact.codes[rows] == exact.codes[rows[0]]).all())
