"""A split is data: cut a value by breaks, look the interval or level up in an index, get a branch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class SplitTable:
    """Many splits as a struct of arrays; row s is one split.

    Threshold, subset, multiway and ordinal splits are all this one type. The value of ``feature[s]`` becomes a
    position: numeric x -> number of breaks < x (``searchsorted(breaks, x, side="left")``, so ``x <= break`` is
    position 0); ordinal level code -> the same, breaks being codes + 0.5; nominal level code -> the code itself (no
    breaks).
    The positions that have a branch are listed with it; a position (interval or level) that is not listed was not seen
    here, and what happens to a row with such a value is the policy for unseen levels. Only present levels need be
    listed, so a feature may have any number of them.

    Attributes
    ----------
    feature : int32, shape (S,)
        Column tested; -1 = no split (a leaf).
    breaks_start : int32, shape (S + 1,)
    breaks, breaks_low : float64, shape (B,)
        Cut points; the exact cut is ``breaks + breaks_low`` (low parts are 0 except for integers beyond 2**53).
    n_positions : int32, shape (S,)
        Number of intervals, or of levels in the schema; 0 for an empty split.
    index_start : int32, shape (S + 1,)
    position, index : int32, shape (I,)
        Positions with a branch, rising within a split, and their branches.
    """

    feature: np.ndarray
    breaks_start: np.ndarray
    breaks: np.ndarray
    breaks_low: np.ndarray
    n_positions: np.ndarray
    index_start: np.ndarray
    position: np.ndarray
    index: np.ndarray

    def __len__(self) -> int:
        return len(self.feature)

    def breaks_of(self, s: int) -> np.ndarray:
        """Cut points of split ``s``."""
        return self.breaks[self.breaks_start[s] : self.breaks_start[s + 1]]

    def index_of(self, s: int) -> np.ndarray:
        """Branch of each interval or level of split ``s``, int32, shape (n_positions[s],); -1 = not seen here."""
        listed = slice(self.index_start[s], self.index_start[s + 1])
        branch = np.full(self.n_positions[s], -1, dtype=np.int32)
        branch[self.position[listed]] = self.index[listed]
        return branch

    def take(self, rows: np.ndarray) -> SplitTable:
        """The splits at ``rows`` (integer positions), in that order; -1 gives an empty split (a leaf)."""
        rows = np.asarray(rows, dtype=np.int64)
        kept = rows >= 0
        feature, n_positions = np.full(len(rows), -1, np.int32), np.zeros(len(rows), np.int32)
        feature[kept], n_positions[kept] = self.feature[rows[kept]], self.n_positions[rows[kept]]
        breaks_start, at = take_ragged(self.breaks_start, rows)
        index_start, index_at = take_ragged(self.index_start, rows)
        breaks, lows = self.breaks[at], self.breaks_low[at]
        position, index = self.position[index_at], self.index[index_at]
        return SplitTable(feature, breaks_start, breaks, lows, n_positions, index_start, position, index)

    @staticmethod
    def empty(size: int) -> SplitTable:
        """``size`` empty splits."""
        return SplitTable.of([-1] * size, [()] * size, [()] * size)

    @staticmethod
    def of(feature: Sequence[int], breaks: Sequence[Sequence], branches: Sequence[Sequence[int]]) -> SplitTable:
        """Splits given one by one.

        Parameters
        ----------
        feature : sequence of int, length S
            -1 for an empty split.
        breaks : sequence of S sequences
            Cut points of each split: numbers, or (value, low part) pairs.
        branches : sequence of S sequences of int
            Branch of every position of each split, -1 = not seen here.
        """
        pairs = [b if isinstance(b, tuple) else (b, 0.0) for cuts in breaks for b in cuts]
        listed = [(p, b) for branch in branches for p, b in enumerate(branch) if b != -1]
        return SplitTable(
            np.array(feature, dtype=np.int32),
            offsets([len(cuts) for cuts in breaks]),
            np.array([value for value, _ in pairs], dtype=np.float64),
            np.array([low for _, low in pairs], dtype=np.float64),
            np.array([len(branch) for branch in branches], dtype=np.int32),
            offsets([sum(b != -1 for b in branch) for branch in branches]),
            np.array([p for p, _ in listed], dtype=np.int32),
            np.array([b for _, b in listed], dtype=np.int32),
        )


def offsets(sizes: Sequence[int] | np.ndarray) -> np.ndarray:
    """Offsets of a ragged list from the sizes of its rows, shape (len(sizes) + 1,), int32."""
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int32)


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
        The positions of the values of the new list in the old one.
    """
    kept = rows >= 0
    size = np.zeros(len(rows), dtype=np.int64)
    size[kept] = start[rows[kept] + 1] - start[rows[kept]]
    new = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(size, out=new[1:])
    first = np.where(kept, start[rows], 0)
    at = np.repeat(first - new[:-1], size) + np.arange(new[-1])
    return new.astype(np.int32), at


@dataclass(frozen=True, eq=False)
class LevelSplits:
    """The best splits of a level: the arrays of Tree for its L nodes; feature -1 = the node stays a leaf."""

    splits: SplitTable
    missing: np.ndarray
    heuristic: np.ndarray
    score: np.ndarray
    surrogate_start: np.ndarray
    surrogates: SplitTable
    agreement: np.ndarray
    adjusted: np.ndarray
    competitor_start: np.ndarray
    competitors: SplitTable
    competitor_score: np.ndarray
    log_p: np.ndarray | None = None
