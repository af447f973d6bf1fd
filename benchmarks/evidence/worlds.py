"""Simulated tables with known probabilities, among them those in which the choice by errors went wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

#: New rows on which figures are expected values.
FRESH = 20_000


@dataclass(frozen=True)
class World:
    """A distribution of tables of two classes.

    Attributes
    ----------
    name : str
    rows : int
        To learn from.
    draw : callable
        (generator, n) -> frame of n rows, probability of class 1 of each.
    events : int or None
        If given, exactly so many rows to learn from are of class 1.
    balanced : bool
        Whether the methods weight classes.
    """

    name: str
    rows: int
    draw: Callable[[np.random.Generator, int], tuple[pd.DataFrame, np.ndarray]]
    events: int | None = None
    balanced: bool = False


def drawn(world: World, seed: int) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """One table: rows to learn from, then new ones; the classes of the former and the probabilities of the latter."""
    rng = np.random.default_rng(seed)
    X, p = world.draw(rng, world.rows + FRESH)
    y = (rng.random(world.rows) < p[: world.rows]).astype(np.int64)
    if world.events is not None:
        y = rng.permutation((np.arange(world.rows) < world.events).astype(np.int64))
    return X, y, p[world.rows :]


def _logistic(score: np.ndarray) -> np.ndarray:
    return 1.0 / (1.0 + np.exp(-score))


def _share(score: np.ndarray, share: float) -> np.ndarray:
    """Probabilities on the logistic scale whose mean is a share."""
    low, high = -40.0, 40.0
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if _logistic(score + middle).mean() < share else (low, middle)
    return _logistic(score + low)


def _letters(codes: np.ndarray) -> pd.Categorical:
    names = [f"l{k}" for k in range(codes.max() + 1)]
    return pd.Categorical.from_codes(codes, names)


def _numbers(values: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame({f"x{j}": values[:, j] for j in range(values.shape[1])})


def _yes_no(rng, n):
    """Ten columns of 0 and 1, all combinations; one matters."""
    X = _numbers(rng.integers(0, 2, (n, 10)))
    return X, 0.2 + 0.6 * X["x0"].to_numpy()


def _titanic(rng, n):
    """Passengers and crew of the Titanic, drawn again and again: 14 patterns with their shares of survivors."""
    from boxwood import datasets

    X = pd.DataFrame(datasets.load("titanic_crew")).astype("category")
    survived = X.pop("survived") == "Yes"
    p = survived.groupby([X[name] for name in X], observed=True).transform("mean").to_numpy()
    rows = rng.integers(0, len(X), n)
    return X.iloc[rows].reset_index(drop=True), p[rows]


def _few_levels(rng, n):
    """Four nominal columns of 2, 3, 4 and 5 levels, whose effects add up."""
    columns = {f"c{k}": rng.integers(0, k, n) for k in (2, 3, 4, 5)}
    score = sum(rng.normal(scale=0.8, size=codes.max() + 1)[codes] for codes in columns.values())
    return pd.DataFrame({name: _letters(codes) for name, codes in columns.items()}), _logistic(score)


def _smooth(share):
    def draw(rng, n):
        values = rng.normal(size=(n, 8))
        return _numbers(values), _share(0.9 * values[:, 0] + 0.6 * values[:, 1] - 0.5 * values[:, 2], share)

    return draw


def _nominal(share):
    def draw(rng, n):
        columns = {f"c{j}": rng.integers(0, 6, n) for j in range(8)}
        score = sum(np.linspace(-1.2, 1.2, 6)[columns[f"c{j}"]] for j in range(2))
        return pd.DataFrame({name: _letters(codes) for name, codes in columns.items()}), _share(score, share)

    return draw


def _segments(share):
    def draw(rng, n):
        values = rng.random((n, 8))
        risky = (values[:, 0] > 0.7) & (values[:, 1] > 0.5)
        return _numbers(values), _share(2.5 * risky + 1.0 * (values[:, 2] > 0.6), share)

    return draw


def _noise(rng, n):
    """Three columns of noise."""
    return _numbers(rng.normal(size=(n, 3))), np.full(n, 42 / 4_000)


WORLDS = (
    World("all combinations of ten 0/1 columns", 20_000, _yes_no),
    World("14 patterns as on the Titanic", 2_201, _titanic),
    World("levels 2 × 3 × 4 × 5", 3_000, _few_levels),
    World("7 % events, smooth", 5_000, _smooth(0.07)),
    World("7 % events, nominal", 5_000, _nominal(0.07)),
    World("10 % events, segments", 3_000, _segments(0.10)),
    World("10 % events, smooth", 2_000, _smooth(0.10)),
    World("noise, 42 of 4,000 events, balanced weights", 4_000, _noise, events=42, balanced=True),
)

#: Shares of class 1 in tables of pure noise.
NOISE_SHARES = (0.005, 0.02, 0.1, 0.3, 0.5)


def noise_tables(share: float) -> list[tuple[pd.DataFrame, np.ndarray]]:
    """Twelve tables in which no column depends on the class: four sizes of three kinds of columns."""
    found = []
    for number, rows in enumerate((500, 1_000, 2_000, 5_000)):
        rng = np.random.default_rng([number, round(1_000 * share)])
        values = _numbers(rng.normal(size=(rows, 10)))
        nominal = pd.DataFrame({f"c{j}": _letters(rng.integers(0, 5, rows)) for j in range(10)})
        mixed = pd.concat((values.iloc[:, :5].round(1), nominal.iloc[:, :5]), axis=1)
        for X in (values, nominal, mixed):
            found.append((X, rng.permutation((np.arange(rows) < share * rows).astype(np.int64))))
    return found
