"""Problems to time: a name, facts by which libraries tell whether they can, a table that is the same at every call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks import tables

CLASSIFICATION, REGRESSION = "classification", "regression"


@dataclass(frozen=True)
class Data:
    """A learning set as a user would have it.

    Attributes
    ----------
    X : float64 array or pandas frame of shape (n, p)
        A frame where some columns are nominal (categories) or ordinal (ordered categories).
    y : array of shape (n,)
        Classes as whole numbers from 0, or numbers.
    weight : float64 array of shape (n,) or None
    """

    X: object
    y: np.ndarray
    weight: np.ndarray | None = None


@dataclass(frozen=True)
class Problem:
    """One thing to time.

    Attributes
    ----------
    name : str
    task : {"classification", "regression"}
    make : callable
        (rows, seed) -> Data; other seeds draw other rows from the same generator.
    rows : int
    classes : int
        0 in regression.
    levels : int
        Levels of the nominal column that has most; 0 = no nominal column.
    missing, weighted, ordered : bool
        Whether it has missing values, weights, ordered categories.
    criterion : str or None
        Measure of impurity in our words; None = the usual one.
    depths : tuple
        Limits of depth to time; None = unpruned.
    against : tuple of str or None
        The only libraries to compare with; None = all.
    variants : bool
        Whether our other settings (surrogates, defaults) are timed as well.
    group : {"standard", "combination", "curve"}
    quick : bool
        Belongs to the two-minute run, with its first depth.
    """

    name: str
    task: str
    make: Callable[[int, int], Data]
    rows: int = 100_000
    classes: int = 2
    levels: int = 0
    missing: bool = False
    weighted: bool = False
    ordered: bool = False
    criterion: str | None = None
    depths: tuple[int | None, ...] = (8, None)
    against: tuple[str, ...] | None = None
    variants: bool = False
    group: str = "standard"
    quick: bool = False

    def data(self) -> Data:
        """The rows to learn from."""
        return self.make(self.rows, 0)

    def held_out(self) -> Data:
        """Held-out rows from the same generator."""
        return self.make(20_000, 1)


def signal(n: int, p: int = 20, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Normal columns and a score by four of them, with noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3]) + 0.5 * rng.normal(size=n)


def two_classes(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """20 continuous columns, four of them matter; labels from a noisy score."""
    X, score = signal(n, seed=seed)
    return X, (score > 0).astype(np.int64)


def _two(n: int, seed: int, p: int = 20) -> Data:
    X, score = signal(n, p, seed)
    return Data(X, (score > 0).astype(np.int64))


def _many(n: int, seed: int, classes: int = 7) -> Data:
    """The same score cut into classes of about the same size."""
    X, score = signal(n, seed=seed)
    cuts = np.quantile(signal(20_000, 4, seed=2)[1], np.arange(1, classes) / classes)
    return Data(X, np.digitize(score, cuts))


def _amount(n: int, seed: int) -> Data:
    return Data(*signal(n, seed=seed))


def _few(n: int, seed: int) -> Data:
    """Every column rounded to about 20 distinct values."""
    data = _two(n, seed)
    return Data(np.round(data.X * 3) / 3, data.y)


def _noise(n: int, seed: int) -> Data:
    """Labels that have nothing to do with X."""
    rng = np.random.default_rng(10 + seed)
    return Data(rng.normal(size=(n, 20)), rng.integers(0, 2, n))


def _weights(data: Data, seed: int) -> Data:
    """A weight of several digits for each row."""
    return Data(data.X, data.y, np.random.default_rng(20 + seed).uniform(0.2, 3.0, len(data.y)).round(3))


def _holes(data: Data, seed: int) -> Data:
    """A tenth of all values missing."""
    data.X[np.random.default_rng(30 + seed).random(data.X.shape) < 0.1] = np.nan
    return data


def _counts(n: int, seed: int) -> Data:
    """Events whose rate is the exponential of the score."""
    X, score = signal(n, seed=seed)
    return Data(X, np.random.default_rng(40 + seed).poisson(np.exp(score / 3)).astype(float))


_QUICK_LARGE = ("scikit-learn", "LightGBM", "HistGradientBoosting")


def _standard() -> list[Problem]:
    two, amount = "2 classes", "regression"
    return [
        Problem(two, CLASSIFICATION, _two, rows=1_000, quick=True),
        Problem(two, CLASSIFICATION, _two, variants=True, quick=True),
        Problem(two, CLASSIFICATION, _two, rows=1_000_000),
        Problem(amount, REGRESSION, _amount, rows=1_000, classes=0),
        Problem(amount, REGRESSION, _amount, classes=0, variants=True, quick=True),
        Problem(amount, REGRESSION, _amount, rows=1_000_000, classes=0),
        Problem("7 classes", CLASSIFICATION, _many, classes=7, quick=True),
        Problem("few distinct values", CLASSIFICATION, _few, quick=True),
        Problem("pure noise", CLASSIFICATION, _noise),
        Problem("weighted", CLASSIFICATION, lambda n, s: _weights(_two(n, s), s), weighted=True),
        Problem("missing", CLASSIFICATION, lambda n, s: _holes(_two(n, s), s), missing=True, variants=True, quick=True),
        Problem("flights-like", CLASSIFICATION, lambda n, s: Data(*tables.flights(n, s)), rows=261_877, levels=4_037,
                missing=True, variants=True),
        Problem("diamonds-like", REGRESSION, lambda n, s: Data(*tables.diamonds(n, s)), rows=43_152, classes=0,
                levels=8, quick=True),
        Problem("wide", CLASSIFICATION, lambda n, s: _two(n, s, 1_000), rows=20_000),
    ]  # fmt: skip


def _combinations() -> list[Problem]:
    """What else CART offers, one at a time, beside the only exact peer that offers most of it."""

    def one(name: str, make, task: str = CLASSIFICATION, **facts) -> Problem:
        return Problem(name, task, make, against=("scikit-learn",), group="combination", **facts)

    return [
        one("entropy", _two, criterion="entropy"),
        one("error", _two, criterion="error"),
        one("entropy, 7 classes", _many, criterion="entropy", classes=7),
        one("error, 7 classes", _many, criterion="error", classes=7),
        one("Poisson", _counts, REGRESSION, criterion="poisson", classes=0),
        one("weighted, 7 classes", lambda n, s: _weights(_many(n, s), s), classes=7, weighted=True),
        one("weighted regression", lambda n, s: _weights(_amount(n, s), s), REGRESSION, classes=0, weighted=True),
        one("missing, 7 classes", lambda n, s: _holes(_many(n, s), s), classes=7, missing=True),
        one("missing, regression", lambda n, s: _holes(_amount(n, s), s), REGRESSION, classes=0, missing=True),
        one("ordinal", lambda n, s: Data(*tables.categories(n, s, 12, ordered=True)), levels=12, ordered=True),
        one("nominal, 2 classes", lambda n, s: Data(*tables.categories(n, s, 12)), levels=12),
        one("nominal, 7 classes", lambda n, s: Data(*tables.categories(n, s, 12, classes=7)), classes=7, levels=12),
        one("nominal, regression", lambda n, s: Data(*tables.categories(n, s, 12, classes=0)), REGRESSION, classes=0,
            levels=12),
    ]  # fmt: skip


def _curves() -> list[Problem]:
    """One size at a time: rows, columns, classes, levels."""

    def one(name: str, make, **facts) -> Problem:
        return Problem(name, CLASSIFICATION, make, depths=(8,), against=_QUICK_LARGE, group="curve", **facts)

    rows = [one(f"rows = {n}", _two, rows=n) for n in (1_000, 10_000, 100_000, 1_000_000, 10_000_000)]
    columns = [one(f"columns = {p}", lambda n, s, p=p: _two(n, s, p), rows=50_000) for p in (5, 20, 100, 300, 1_000)]
    classes = [one(f"classes = {k}", lambda n, s, k=k: _many(n, s, k), classes=k) for k in (2, 7, 20, 50, 100, 200)]
    levels = [
        one(f"levels = {c}", lambda n, s, c=c: Data(*tables.one_nominal(n, s, c)), rows=200_000, levels=c)
        for c in (2, 10, 100, 1_000, 10_000, 100_000)
    ]  # fmt: skip
    return [*rows, *columns, *classes, *levels]


PROBLEMS = [*_standard(), *_combinations(), *_curves()]
