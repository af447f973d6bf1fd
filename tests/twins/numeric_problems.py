"""Random tables of columns of all kinds with responses of every kind: what the search over codes serves."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import NOMINAL, NUMERIC, ORDINAL, Feature, Schema
from boxwood.data.frames.frame import learn_columns
from boxwood.growing.branching import Binary
from boxwood.growing.impurity_decrease import ImpurityDecrease
from boxwood.growing.missing import Missing
from boxwood.growing.recipe import Recipe
from boxwood.growing.termination import Termination
from boxwood.statistics.exact import Exact, exact_classes, exact_mean, exact_rate
from boxwood.statistics.responses.classes import Classes
from boxwood.statistics.responses.means import Means
from boxwood.statistics.responses.rates import Rates
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from boxwood.statistics.responses.response import Response


class NumericProblem(NamedTuple):
    """A table, a response and a recipe."""

    columns: Columns
    response: Response
    exact: Exact
    recipe: Recipe


def column(rng: np.random.Generator, n: int) -> np.ndarray:
    """Values of one of many shapes: ties, heavy tails, heaps, neighbours, extremes."""
    normal = rng.normal(size=n)
    shapes = (
        lambda: normal,
        lambda: np.round(normal, 1),
        lambda: rng.integers(0, 3, n).astype(float),
        lambda: np.where(rng.random(n) < 0.7, 0.0, normal),
        lambda: rng.standard_cauchy(n) ** 3,
        lambda: 1e9 + rng.integers(0, 5, n) * np.spacing(1e9),
        lambda: 1.0 + rng.integers(0, 40, n) * np.spacing(1.0),
        lambda: normal * 1e300,
        lambda: np.where(rng.random(n) < 0.1, np.inf, np.where(rng.random(n) < 0.1, -np.inf, normal)),
        lambda: np.where(rng.random(n) < 0.5, -0.0, 0.0) + (rng.random(n) < 0.2),
        lambda: np.full(n, 3.25),
        lambda: np.exp(8 * normal),
        lambda: np.repeat(rng.normal(size=n // 2 + 1), 2)[:n],
        lambda: np.where(np.arange(n) == 0, 1e6, normal),
    )
    return shapes[rng.integers(len(shapes))]()


def table(rng: np.random.Generator, n: int) -> np.ndarray:
    """1 to 6 columns, now and then one of them twice; by row or by column in memory."""
    p = int(rng.integers(1, 7))
    X = np.column_stack([column(rng, n) for _ in range(p)])
    if p > 1 and rng.random() < 0.2:
        X[:, -1] = X[:, 0]
    return X if rng.random() < 0.5 else np.asfortranarray(X)


def weights(rng: np.random.Generator, n: int) -> np.ndarray | None:
    """Weights of many shapes, mostly none: whole, of a common unit, of many digits, far apart."""
    shapes = (
        lambda: rng.integers(1, 4, n).astype(float),
        lambda: rng.integers(1, 9, n) * 0.3,
        lambda: rng.gamma(2.0, 1.0, n) + 1e-3,
        lambda: np.exp(12 * rng.normal(size=n)),
        lambda: np.where(np.arange(n) == n // 2, 1e9, 1.0),
    )
    return shapes[rng.integers(len(shapes))]() if rng.random() < 0.4 else None


def response(rng: np.random.Generator, X: np.ndarray) -> tuple[Response, Exact]:
    """Classes, a numeric target or events in exposure, with signal, with noise, or at random."""
    n = len(X)
    noise = rng.choice([0.0, 0.3, 3.0])
    score = (
        np.argsort(np.argsort(X[:, 0], kind="stable")) / n
        + np.sin(5 * np.clip(X[:, -1], -9, 9))
        + noise * rng.normal(size=n)
    )
    kind = rng.choice([CLASSES, CLASSES, MEAN, RATE])
    weight = weights(rng, n)
    if kind == CLASSES:
        k = int(rng.choice([2, 2, 2, 3, 7, 40]))
        codes = np.digitize(score, np.quantile(score, np.arange(1, k) / k)).astype(np.int32)
        factors = rng.choice([0.01, 0.5, 1.0, 1.7, 30.0], k) if rng.random() < 0.25 else np.ones(k)
        return Classes(labels=tuple(range(k)), factors=tuple(factors.tolist())), exact_classes(codes, weight)
    if kind == RATE:
        exposures = (np.ones(n), rng.integers(1, 5, n).astype(float), rng.gamma(1.0, 1.0, n) + 0.01)
        exposure = exposures[rng.integers(3)]
        events = rng.poisson(np.exp(np.clip(score, -3, 3)) * exposure * rng.choice([0.2, 1.0])).astype(float)
        events *= rng.choice([1.0, 1.0, 0.37])
        return Rates(), exact_rate(exposure, events, weight)
    shapes = (score, np.round(score), score + 1e12, np.exp(6 * score), np.where(rng.random(n) < 0.01, 1e15, score))
    return Means(), exact_mean(shapes[rng.integers(len(shapes))], weight)


def ragged(rng: np.random.Generator, X: np.ndarray) -> Columns:
    """The columns of a table, some of them made to levels, few or many, some with missing values."""
    n = len(X)
    features, values = [], []
    kinds = [NUMERIC, NUMERIC, ORDINAL] + ([NOMINAL, NOMINAL] if rng.random() < 0.6 else [])
    for j, x in enumerate(X.T):
        gaps = rng.random(n) < rng.choice([0.0, 0.0, 0.1, 0.5, 0.97])
        kind = str(rng.choice(kinds))
        levels = ()
        if kind == NUMERIC:
            value = np.where(gaps, np.nan, x)
        else:
            n_levels = int(rng.choice([1, 2, 4, 12, 40, 300, 1500]))
            places = np.argsort(np.argsort(x, kind="stable")) * n_levels // max(n, 1)
            names = rng.permutation(n_levels) if kind == NOMINAL else np.arange(n_levels)
            value = np.where(gaps, -1, names[places]).astype(np.int32)
            levels = tuple(f"層{k}" for k in range(n_levels))
        features.append(Feature(f"x{j}", kind, levels))
        values.append(value)
    return Columns(Schema(tuple(features)), n, tuple(values), (None,) * len(values), {})


def mixed(seed: int, rows: int | None = None) -> NumericProblem:
    """The problem of a seed with columns of all kinds, missing values, and what concerns them in the recipe."""
    given, rng = problem(seed, rows), np.random.default_rng(10**6 + seed)
    columns = ragged(rng, np.column_stack(given.columns.values))
    p = len(columns.schema)
    branching = Binary(
        int(rng.choice([2, 10, 5])),
        int(rng.choice([1, 1, 3, 10])),
        int(rng.choice([0, 0, 100])),
        bool(rng.random() < 0.3),
    )
    costs = tuple(rng.choice([0.5, 1.0, 3.0], p).tolist()) if rng.random() < 0.2 else None
    criterion = replace(given.recipe.criterion, feature_costs=costs)
    recipe = replace(given.recipe, branching=branching, criterion=criterion)
    return given._replace(columns=columns, recipe=recipe)


def problem(seed: int, rows: int | None = None) -> NumericProblem:
    """The same problem for the same seed; few rows mostly, up to 3,000, where their number is not given."""
    rng = np.random.default_rng(seed)
    n = rows or int(
        rng.choice(
            [rng.integers(1, 12), rng.integers(12, 80), rng.integers(80, 700), rng.integers(700, 3000)],
            p=[0.2, 0.4, 0.3, 0.1],
        )
    )
    X = table(rng, n)
    of, exact = response(rng, X)
    measures = {CLASSES: ["gini", "entropy", "error"], MEAN: ["variance"], RATE: ["poisson"]}
    measure = str(rng.choice(measures[of.kind]))
    if measure == "error" and (exact.weight is not None or any(f != 1.0 for f in of.factors)):
        measure = "gini"  # codes do not serve errors that weigh
    depth = rng.choice([0, 1, 3, 0, 0])
    recipe = Recipe(
        ImpurityDecrease(measure, min_share=float(rng.choice([-1.0, -1.0, 1e-10, 0.01]))),
        Binary(),
        Termination(
            int(depth) or None,
            int(rng.choice([2, 2, 5, 20])),
            int(rng.choice([1, 1, 2, 7])),
            float(rng.choice([0.0, 0.0, 0.01])),
            min_weight_fraction_leaf=float(rng.choice([0.0, 0.0, 0.004, 0.05])),
        ),
        Missing(
            str(rng.choice(["surrogate", "majority", "learned", "own_branch"])),
            int(rng.choice([0, 0, 1, 5])),
            style=int(rng.choice([0, 1])),
            otherwise=str(rng.choice(["majority", "stay"])),
        ),
        max_competitors=0,
        min_risk=float(rng.choice([0.0, 0.0, 0.0, 0.3, 3.0, 30.0])),
    )
    return NumericProblem(learn_columns(X), of, exact, recipe)
