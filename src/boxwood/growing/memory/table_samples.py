"""The samples of a node: rows with whole weights, divided where a value is missing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..tables import UNKNOWN

#: Shares are kept to this many bits below the unit of weights, or fewer, so that the total stays below 2**62.
SHARE_BITS, TOTAL_BITS = 40, 62


@dataclass(frozen=True, eq=False)
class Samples:
    """The samples of one node.

    Attributes
    ----------
    rows : int64, shape (n,)
        Each at most once.
    weight : int64, shape (n,)
        Whole and positive.
    used : frozenset of int
        Features that may not be tested again on this path.
    """

    rows: np.ndarray
    weight: np.ndarray
    used: frozenset[int] = frozenset()


def share_shift(total: int) -> int:
    """Bits by which weights of a total are raised before they are shared out, so that shares hardly round."""
    return max(min(TOTAL_BITS - total.bit_length(), SHARE_BITS), 0)


def divide(samples: Samples, branch: np.ndarray, weights: list[int], used: frozenset[int]) -> list[Samples]:
    """The samples of each branch of a node.

    Parameters
    ----------
    samples : Samples
    branch : int64, shape (n,)
        Of each sample; -1 = it goes down every branch that has weight, by its share.
    weights : list of int
        Weight of the known samples of each branch.
    used : frozenset of int
        Features that the children may not test.
    """
    unknown = branch == UNKNOWN
    whole = sum(weights)
    children = []
    for c, of_branch in enumerate(weights):
        weight = np.where(branch == c, samples.weight, 0)
        if of_branch and unknown.any():
            weight[unknown] = [_share(w, of_branch, whole) for w in samples.weight[unknown].tolist()]
        there = weight > 0
        children.append(Samples(samples.rows[there], weight[there], used))
    return children


def _share(weight: int, part: int, whole: int) -> int:
    """weight * part / whole, halves upwards, in whole numbers (docs/c45.md)."""
    return (2 * weight * part + whole) // (2 * whole)
