"""Statistics of the nodes of a level before they are split, from the summed words of all shards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class LevelStats:
    """Statistics of L nodes.

    Attributes
    ----------
    rows : int64, shape (L,)
    words : int64, shape (L, W)
        Added replies to "stats".
    by_low : uint8, shape (L,)
        Of a numeric target: only the low part of its numbers differs.
    closed : uint8, shape (L,)
        The node is not split, whatever its features offer.
    moments : float64, shape (L, M)
        The rows of ``Tree.moments``.
    """

    rows: np.ndarray
    words: np.ndarray
    by_low: np.ndarray
    closed: np.ndarray
    moments: np.ndarray

    @property
    def class_weights(self) -> np.ndarray:
        """Of classes: the weight of each, int64, shape (L, K)."""
        return self.words[:, 1:]


def level_stats(core, reply: dict, is_root: bool) -> LevelStats:
    """Begin a level of a search (``core``, of the kernel) with the added replies to "stats"."""
    rows, by_low, closed, moments = core.start(reply["words"], reply["ends"], is_root)
    n = len(rows)
    return LevelStats(rows, reply["words"].reshape(n, -1), by_low, closed, moments.reshape(n, -1))
