"""Least squares with sign constraints, for monotone features."""

from __future__ import annotations

import numpy as np

from .backward import LeastSquares, Subsets

#: A coefficient of the wrong sign that is smaller than this share of the largest gradient is taken for 0.
_TINY = 1e-11


def constrained(problem: LeastSquares, chosen: list[int], sign: np.ndarray) -> tuple[np.ndarray, float]:
    """Coefficients of some terms, each of its sign or 0, and their RSS.

    Parameters
    ----------
    problem : LeastSquares
    chosen : list of int
    sign : float64, shape (M,)
        1, -1, or 0 = any sign.

    Returns
    -------
    coefficients : float64, shape (len(chosen), K)
    rss : float

    Notes
    -----
    The active set method of Lawson and Hanson (Solving Least Squares Problems, 1974, chapter 23); free coefficients are
    always in.
    """
    a = problem.triangle[:, chosen]
    s = sign[chosen]
    outside = problem.rss
    found = np.column_stack([_one(a, z, s) for z in problem.with_y.T])
    rss = outside + float(np.sum((problem.with_y - a @ found) ** 2))
    return found, rss


def _one(a: np.ndarray, z: np.ndarray, s: np.ndarray) -> np.ndarray:
    """One response."""
    flip = np.where(s < 0, -1.0, 1.0)
    a = a * flip
    free = s == 0
    inside = free.copy()
    x = np.zeros(a.shape[1])
    x[inside] = _solve(a[:, inside], z)
    for _ in range(10 * a.shape[1] + 10):
        gradient = a.T @ (z - a @ x)
        bound = _TINY * float(np.abs(a.T @ z).max(initial=0.0))
        waiting = ~inside & (gradient > bound)
        if not waiting.any():
            break
        inside[int(np.argmax(np.where(waiting, gradient, -np.inf)))] = True
        while True:
            tried = np.zeros_like(x)
            tried[inside] = _solve(a[:, inside], z)
            wrong = inside & ~free & (tried <= 0.0)
            if not wrong.any():
                x = tried
                break
            step = np.min(x[wrong] / (x[wrong] - tried[wrong]))
            x = x + step * (tried - x)
            inside &= free | (x > 1e-14 * np.abs(x).max(initial=0.0))
            x[~inside] = 0.0
    return x * flip


def _solve(a: np.ndarray, z: np.ndarray) -> np.ndarray:
    return np.linalg.lstsq(a, z, rcond=None)[0] if a.shape[1] else np.zeros(0)


def constrained_subsets(problem: LeastSquares, sign: np.ndarray) -> Subsets:
    """Plain elimination with signs kept: the term whose removal costs least is removed, one by one."""
    left = list(range(problem.size))
    members, rss = [tuple(left)], [constrained(problem, left, sign)[1]]
    while len(left) > 1:
        tried = [constrained(problem, left[:i] + left[i + 1 :], sign)[1] for i in range(1, len(left))]
        left.pop(1 + int(np.argmin(tried)))
        members.append(tuple(left))
        rss.append(min(tried))
    return Subsets(tuple(members[::-1]), np.array(rss[::-1]))
