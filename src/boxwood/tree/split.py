"""A split is data: cut a value by breaks, look the interval or level up in an index, get a branch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class SplitTable:
    """Many splits as a struct of arrays; row s is one split.

    Threshold, subset, multiway and ordinal splits are all this one type. The value of ``feature[s]`` becomes a
    position: numeric x -> number of breaks < x (``searchsorted(breaks, x, side="left")``, so ``x <= break`` is
    position 0); ordinal level code -> the same, breaks being codes + 0.5; nominal level code -> the code itself (no
    breaks).
    ``index[position]`` is the branch; -1 = this level was not seen here, treated like a missing value.

    Attributes
    ----------
    feature : int32, shape (S,)
        Column tested; -1 = no split (a leaf).
    breaks_start : int32, shape (S + 1,)
    breaks, breaks_low : float64, shape (B,)
        Cut points; the exact cut is ``breaks + breaks_low`` (low parts are 0 except for integers beyond 2**53).
    index_start : int32, shape (S + 1,)
    index : int32, shape (I,)
        Position -> branch.
    """

    feature: np.ndarray
    breaks_start: np.ndarray
    breaks: np.ndarray
    breaks_low: np.ndarray
    index_start: np.ndarray
    index: np.ndarray

    def __len__(self) -> int:
        return len(self.feature)

    def breaks_of(self, s: int) -> np.ndarray:
        """Cut points of split ``s``."""
        return self.breaks[self.breaks_start[s] : self.breaks_start[s + 1]]

    def index_of(self, s: int) -> np.ndarray:
        """Branch of each interval or level of split ``s``."""
        return self.index[self.index_start[s] : self.index_start[s + 1]]

    def take(self, rows: np.ndarray) -> SplitTable:
        """The splits at ``rows`` (integer positions), in that order; -1 gives an empty split (a leaf)."""
        rows = np.asarray(rows, dtype=np.int64)
        kept = rows >= 0
        feature = np.full(len(rows), -1, np.int32)
        feature[kept] = self.feature[rows[kept]]
        breaks_start, at = take_ragged(self.breaks_start, rows)
        index_start, index_at = take_ragged(self.index_start, rows)
        return SplitTable(
            feature, breaks_start, self.breaks[at], self.breaks_low[at], index_start, self.index[index_at]
        )

    @staticmethod
    def empty(size: int) -> SplitTable:
        """``size`` empty splits."""
        zero = np.zeros(size + 1, dtype=np.int32)
        none = np.zeros(0)
        return SplitTable(np.full(size, -1, np.int32), zero, none, none, zero.copy(), np.zeros(0, np.int32))


def take_ragged(start: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """New offsets and source positions when rows of a ragged list are taken; row -1 is empty.

    Parameters
    ----------
    start : int32, shape (S + 1,)
        Item s of the list is ``start[s]:start[s + 1]`` of its values.
    rows : int64, shape (R,)

    Returns
    -------
    new_start : int32, shape (R + 1,)
    at : int64, shape (new_start[-1],)
        Where the values of the new list stand in the old one.
    """
    kept = rows >= 0
    size = np.zeros(len(rows), dtype=np.int64)
    size[kept] = start[rows[kept] + 1] - start[rows[kept]]
    new = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(size, out=new[1:])
    first = np.where(kept, start[rows], 0)
    at = np.repeat(first - new[:-1], size) + np.arange(new[-1])
    return new.astype(np.int32), at
