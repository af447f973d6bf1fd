"""Folds and holdouts drawn by the position of a row in the order of its content's hash."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class FoldDraw:
    """Folds of equal size along the order of the hashes of a stratum.

    Attributes
    ----------
    n_folds : int

    Examples
    --------
    >>> import numpy as np
    >>> FoldDraw(2).labels(np.array([0.1, 0.4, 0.6, 0.9]), np.uint64(3)).tolist()
    [1, 1, 0, 0]
    """

    n_folds: int

    def labels(self, middle: np.ndarray, first: np.uint64) -> np.ndarray:
        """Fold of each row, int64; the first fold is drawn by the stratum's own content, its least hash ``first``."""
        of_group = np.minimum((middle * self.n_folds).astype(np.int64), self.n_folds - 1)
        return (of_group + int(first % np.uint64(self.n_folds))) % self.n_folds

    def edges(self, first: np.uint64) -> np.ndarray:
        """Places from 0 to 1 at which the label changes."""
        return np.arange(1, self.n_folds) / self.n_folds


@dataclass(frozen=True)
class HoldoutDraw:
    """A share of the rows of a stratum, in one piece along the order of its hashes: label 1 is held out.

    Attributes
    ----------
    share : float
    """

    share: float

    def labels(self, middle: np.ndarray, first: np.uint64) -> np.ndarray:
        """1 for each row that is held out, else 0; int64."""
        return ((middle + float(first) / 2.0**64) % 1.0 < self.share).astype(np.int64)

    def edges(self, first: np.uint64) -> np.ndarray:
        """Places at which the label changes; those outside 0 to 1 do not count."""
        begin = float(first) / 2.0**64
        return np.array([1.0 - begin, self.share - begin, self.share - begin + 1.0])


def middles(rows: np.ndarray, before: int, total: int) -> np.ndarray:
    """Where the middle of each group of rows lies, from 0 to 1 of a stratum; float64, shape (G,).

    Parameters
    ----------
    rows : int64, shape (G,)
        Of each group of equal hash, in the order of the hashes: nearly always one.
    before, total : int
        Rows of the groups before these, and of all groups of the stratum.

    Examples
    --------
    >>> import numpy as np
    >>> middles(np.array([1, 1, 2]), 0, 4).tolist()
    [0.125, 0.375, 0.75]
    """
    twice = 2 * (np.cumsum(rows) + before) - rows
    return twice.astype(np.float64) / float(2 * total)


def drawn_by(content: np.ndarray, salt: int | None) -> np.ndarray:
    """The hashes that decide, uint64: those of the content, or other ones for another salt."""
    if salt is None:
        return content
    return _mixed(_mixed(content) ^ _mixed(np.array([salt], dtype=np.uint64)))


def scattered(x: np.ndarray) -> np.ndarray:
    """64-bit numbers with their bits scattered (finaliser of a hash, Stafford's variant 13, 2011)."""
    with np.errstate(over="ignore"):
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))


def _mixed(x: np.ndarray) -> np.ndarray:
    """Scatters the bits of 64-bit numbers (splitmix64, Steele et al. 2014): 1 and 2 share nothing."""
    return scattered(x + np.uint64(0x9E3779B97F4A7C15))
