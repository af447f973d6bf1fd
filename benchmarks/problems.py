"""Problems to time: generated learning sets with a name, a task and limits of the tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Problem:
    """One thing to time.

    Attributes
    ----------
    name : str
    task : {"classification", "regression"}
    make : callable
        () -> (X float64 of shape (n, p), y of shape (n,)); the same at every call.
    max_depth : int or None
    quick : bool
        Small enough for the two-minute run.
    """

    name: str
    task: str
    make: Callable[[], tuple[np.ndarray, np.ndarray]]
    max_depth: int | None = None
    quick: bool = False


def _signal(n: int, p: int = 20) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, p))
    return X, X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3]) + 0.5 * rng.normal(size=n)


def two_classes(n: int):
    """20 continuous columns, four of them matter; labels from a noisy score."""
    X, score = _signal(n)
    return X, (score > 0).astype(np.int64)


def seven_classes(n: int):
    """The same score cut into seven classes."""
    X, score = _signal(n)
    return X, np.digitize(score, [-2.0, -1.2, -0.4, 0.4, 1.2, 2.0])


def quantity(n: int):
    """The noisy score itself."""
    return _signal(n)


def few_values(n: int):
    """Every column rounded to about 20 distinct values."""
    X, score = _signal(n)
    return np.round(X * 3) / 3, (score > 0).astype(np.int64)


def pure_noise(n: int):
    """Labels that have nothing to do with X."""
    rng = np.random.default_rng(1)
    return rng.normal(size=(n, 20)), rng.integers(0, 2, n)


def _problems() -> list[Problem]:
    out = []
    for n in (1_000, 100_000, 1_000_000):
        quick = n <= 100_000
        for depth in (8, None):
            limit = "depth 8" if depth else "unpruned"
            out.append(
                Problem(f"2 classes, {n:,} rows, {limit}", "classification", lambda n=n: two_classes(n), depth, quick)
            )
            if n == 1_000_000:
                continue
            out.append(Problem(f"regression, {n:,} rows, {limit}", "regression", lambda n=n: quantity(n), depth, quick))
    for name, make in (("7 classes", seven_classes), ("few values", few_values), ("noise", pure_noise)):
        for depth in (8, None):
            limit = "depth 8" if depth else "unpruned"
            out.append(
                Problem(f"{name}, 100,000 rows, {limit}", "classification", lambda make=make: make(100_000), depth)
            )
    return out


PROBLEMS = _problems()
