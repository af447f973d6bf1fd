"""Statistics of the nodes of a level before they are split, from the summed words of all shards."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...statistics.response import CLASSES, MEAN


@dataclass(frozen=True, eq=False)
class LevelStats:
    """Statistics of L nodes.

    Attributes
    ----------
    rows : int64, shape (L,)
    words : int64, shape (L, W)
        As the kernel reads them: class weights, or weight and wide sums.
    pure, fine : uint8, shape (L,)
        All rows have the same response; of a numeric target, only its fine half differs.
    about : float64, shape (L,)
        Of a numeric target: sum of w d^2, d counted from ``shift``.
    shift : int64, shape (L,)
        Of a numeric target: its rounded mean.
    """

    rows: np.ndarray
    words: np.ndarray
    pure: np.ndarray
    fine: np.ndarray
    about: np.ndarray
    shift: np.ndarray


def level_stats(kind: str, reply: dict, n_nodes: int) -> LevelStats:
    """Statistics from the added replies to "stats"."""
    words = reply["words"].reshape(n_nodes, -1)
    rows = words[:, 0].copy()
    plain, zeros = np.zeros(n_nodes, dtype=np.uint8), np.zeros(n_nodes)
    if kind == CLASSES:
        return LevelStats(rows, words[:, 1:].copy(), plain, plain, zeros, zeros.astype(np.int64))
    if kind == MEAN:
        return _of_means(rows, words, reply["ends"].reshape(n_nodes, 4))
    pure = reply["ends"].reshape(n_nodes, 3)[:, 2].astype(np.uint8)
    return LevelStats(rows, words[:, 1:].copy(), pure, plain, zeros, zeros.astype(np.int64))


def _of_means(rows: np.ndarray, words: np.ndarray, ends: np.ndarray) -> LevelStats:
    """The shift and the squares about it, in whole numbers of any size."""
    same_high, same_low = ends[:, 0] == ends[:, 1], ends[:, 2] == ends[:, 3]
    fine = (same_high & ~same_low).astype(np.uint8)
    about, shift = np.zeros(len(rows)), np.zeros(len(rows), dtype=np.int64)
    for i, w in enumerate(words.tolist()):
        weight = w[1]
        total, squares = (_wide(w[5:8]), _long(w[13:18])) if fine[i] else (_wide(w[2:5]), _long(w[8:13]))
        middle = (2 * total + weight) // (2 * weight)
        shift[i] = middle
        about[i] = _as_double(squares - 2 * middle * total + middle * middle * weight)
    kept = np.concatenate([words[:, 1:2], words[:, 2:8]], axis=1)
    return LevelStats(rows, np.ascontiguousarray(kept), (same_high & same_low).astype(np.uint8), fine, about, shift)


def _wide(limbs: list[int]) -> int:
    return limbs[0] + (limbs[1] << 32) + (limbs[2] << 64)


def _long(limbs: list[int]) -> int:
    return limbs[0] + (limbs[1] << 32) + (_wide(limbs[2:]) << 64)


def _as_double(whole: int) -> float:
    """As the kernel rounds a long sum: its upper and its lower 64 bits one after the other."""
    return math.ldexp(float(whole >> 64), 64) + float(whole & (2**64 - 1))
