"""Random tables for models of other programs, and hostile rows about the cuts and codes of such a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

#: LightGBM takes numbers up to this size for 0.
ZERO = float(np.float32(1e-35))
#: Names that a person gives to columns: a blank, other scripts, signs of other formats.
NAMES = ("a", "年龄", "größe", "x 1", "도시", "select", "b-c", "d.e")
#: Levels of each type, in no order.
LEVELS = (
    ("k", "春", "x y", "ü", "5", "nan", "true", "z"),
    (7, 0, 3, -1, 12, 40, 2, 1),
    (2.5, -0.5, 1.0, 1e9, 0.1, 3.0, 7.25, 4.0),
    (True, False),
)
NAN_INF = (np.nan, 0.0, -0.0, 5e-324, -5e-324, 1e-36, -1e-36, ZERO, -ZERO, 1e38, -1e38, np.inf, -np.inf, 1e300, -1e300)
#: What is no category, or one that training never had.
CODES = (-7.0, -1.0, -0.5, -1e-40, -0.0, 0.5, 0.99999999, 1.7, 31.0, 32.0, 63.0, 64.0, 1e3, 2.0**24, 2.0**31, 2.0**33)


@dataclass(frozen=True)
class Drawn:
    """A tree read from a model of another program, rows, and the program's predictions of them."""

    tree: Any
    rows: Any
    predicted: np.ndarray
    probability: np.ndarray | None = None

    def check(self) -> None:
        """The tree predicts the same for every row; of probabilities and rates, within rounding."""
        predicted = self.tree.predict(self.rows)
        if self.predicted.dtype.kind == "f" and self.tree.made_by["algorithm"] == "rpart":
            np.testing.assert_allclose(predicted, self.predicted, rtol=1e-12, atol=1e-13)
        else:
            np.testing.assert_array_equal(predicted, self.predicted)
        if self.probability is not None:
            np.testing.assert_allclose(self.tree.predict_proba(self.rows), self.probability, rtol=0, atol=1e-11)


def numbers(rng: np.random.Generator, n: int) -> np.ndarray:
    """A column of numbers of one of many kinds, some with missing values."""
    kinds = (
        lambda: rng.normal(size=n),
        lambda: rng.normal(size=n).round(1),
        lambda: rng.integers(-3, 4, n).astype(float),
        lambda: np.where(rng.random(n) < 0.8, 0.0, rng.normal(size=n)),
        lambda: rng.choice([-1e-30, -ZERO, -1e-36, 0.0, 1e-36, ZERO, 2e-35, 1e-30], n),
        lambda: rng.normal(size=n) * 1e30,
        lambda: 16777216.0 + rng.integers(0, 9, n),
        lambda: 1.0 + rng.integers(0, 9, n) * 2.0**-24,
        lambda: np.full(n, rng.choice([0.0, 2.5])),
        lambda: np.where(rng.random(n) < 0.5, np.nan, 1.0),
    )
    column = kinds[rng.integers(len(kinds))]()
    return np.where(rng.random(n) < rng.choice([0.0, 0.0, 0.2]), np.nan, column)


def codes(rng: np.random.Generator, n: int) -> np.ndarray:
    """A column of codes of categories, some with missing values."""
    kinds = (
        lambda: rng.integers(0, 5, n),
        lambda: rng.integers(0, 40, n),
        lambda: 1 + 3 * rng.integers(0, 30, n),
        lambda: rng.choice([0, 31, 32, 64, 500], n),
        lambda: np.full(n, 2),
    )
    column = kinds[rng.integers(len(kinds))]().astype(float)
    return np.where(rng.random(n) < rng.choice([0.0, 0.2]), np.nan, column)


def categories(rng: np.random.Generator, n: int, types: int = len(LEVELS)):
    """A pandas Categorical of texts, whole numbers, floats or truth values; sometimes of one value only."""
    import pandas as pd

    levels = LEVELS[rng.integers(types)]
    levels = levels[: rng.integers(2, len(levels) + 1)]
    held = rng.integers(-1 if rng.random() < 0.3 else 0, len(levels), n)
    return pd.Categorical.from_codes(np.zeros(n, int) if rng.random() < 0.2 else held, list(levels))


def response(rng: np.random.Generator, columns: list) -> np.ndarray:
    """A number that depends on the columns, for rows that are known or not."""
    total = 0.3 * rng.normal(size=len(columns[0]))
    for column in columns:
        values = np.asarray(getattr(column, "codes", column), dtype=float)
        ranks = np.unique(np.nan_to_num(values, nan=-9e30), return_inverse=True)[1]
        total += rng.permutation(np.linspace(-1, 1, ranks.max() + 1))[ranks] if len(set(ranks)) < 50 else ranks / 99
    return total


def about(cuts: list[float]) -> list[float]:
    """Cuts with their neighbours in double and in single precision, and the middles between the latter."""
    found = []
    with np.errstate(all="ignore"):
        for cut in cuts:
            single = np.float32(cut)
            near = [np.nextafter(single, np.float32(end)) for end in (-np.inf, np.inf)]
            points = [cut, float(single), *map(float, near), *((float(single) + float(x)) / 2 for x in near)]
            found += [float(np.nextafter(x, end)) for x in points for end in (-np.inf, x, np.inf)]
    return found


def hostile(rng: np.random.Generator, cuts: list[float], n: int) -> np.ndarray:
    """Values about the cuts, and others that a program may take amiss."""
    return rng.choice(np.array([*about(cuts), *NAN_INF]), n)
