"""Levels in the order of their class shares along one direction (Coppersmith, Hong and Hosking 1999)."""

from __future__ import annotations

import numpy as np

#: Places this close are equal, and lengths and sizes this close as a share of the largest.
_CLOSE = 1e-9
_LEAST = 1e-300


def along_principal_direction(moments: np.ndarray) -> np.ndarray:
    """Class shares of each level along the direction in which they differ most, shape (V,).

    Of several such directions it is the nearest to a class, or to a level where these are fewer, and to the first such
    one; its largest part points upwards.

    Parameters
    ----------
    moments : float64, shape (V, K)
        Sums of weights of the classes in each level.
    """
    mass = moments.sum(axis=1)
    share = moments / mass[:, None]
    off = share - mass @ share / mass.sum()
    length, directions = np.linalg.eigh((off * mass[:, None]).T @ off)
    longest = directions[:, length >= length[-1] * (1 - _CLOSE)]
    near = np.eye(len(length)) if np.count_nonzero(moments.any(axis=0)) <= len(mass) else off * np.sqrt(mass)[:, None]
    near = near @ longest @ longest.T
    vector = near[_largest((near**2).sum(axis=1))]
    vector = vector * np.sign(vector[_largest(np.abs(vector))])
    return _joined(share @ (vector / max(float(np.linalg.norm(vector)), _LEAST)))


def _largest(size: np.ndarray) -> int:
    """The first of the largest numbers, which are equal but for rounding."""
    return int(np.flatnonzero(size * (1 + _CLOSE) >= size.max())[0])


def _joined(place: np.ndarray) -> np.ndarray:
    """Places of which those that differ by rounding alone are one, so that ties keep the order of levels."""
    order = np.argsort(place, kind="stable")
    first = np.diff(place[order], prepend=-np.inf) >= _CLOSE
    joined = np.empty_like(place)
    joined[order] = place[order][np.maximum.accumulate(np.where(first, np.arange(len(place)), 0))]
    return joined
