"""Tables that are left when the siblings' are taken away are those that counting finds."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import NUMERIC, Feature, Schema
from boxwood.growing.grow import grow
from boxwood.growing.impurity_decrease import ImpurityDecrease
from boxwood.growing.memory.source import EncodedColumns, MemorySource
from boxwood.growing.missing import Missing
from boxwood.growing.recipe import BINARY, Recipe
from boxwood.growing.shards.engine import LocalEngine
from boxwood.growing.shards.siblings import Siblings, table_left
from boxwood.growing.termination import Termination
from boxwood.statistics.exact import exact_classes, exact_mean, exact_rate
from boxwood.statistics.responses.classes import Classes
from boxwood.statistics.responses.means import Means
from boxwood.statistics.responses.rates import Rates
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from twins.numeric_problems import NumericProblem
from twins.sharded_problems import sharded_source
from twins.test_codes import assert_equal


def table_of(values: np.ndarray, weight: np.ndarray, bins: np.ndarray, n_bins: int) -> tuple:
    """Rows, words and spread of a numeric target by bin, in whole numbers of any size."""
    words, spread = [], []
    for b in range(n_bins):
        d = [int(v) for v in values[bins == b]]
        w = weight[bins == b].tolist()
        total = sum(x * y for x, y in zip(w, d, strict=True))
        words += [sum(w), total & (2**32 - 1), (total >> 32) & (2**32 - 1), total >> 64]
        spread.append(float(sum(x * y * y for x, y in zip(w, d, strict=True))))
    return np.bincount(bins, minlength=n_bins), np.array(words), np.array(spread)


def sums_of(words: np.ndarray) -> list[int]:
    return [w[1] + (w[2] << 32) + (w[3] << 64) for w in words.reshape(-1, 4).tolist()]


@pytest.mark.parametrize("seed", range(40))
def test_what_is_left_of_a_numeric_target(seed):
    rng = np.random.default_rng(seed)
    n, n_bins, size = int(rng.integers(3, 60)), 5, int(rng.choice([10, 2**40, 2**52]))
    values, weight = rng.integers(-size, size, n), rng.integers(1, rng.choice([2, 2**20]), n)
    bins, child = rng.integers(0, n_bins, n), rng.integers(0, 3, n)
    whole = table_of(values, weight, bins, n_bins)
    parts = [table_of(values[child == c], weight[child == c], bins[child == c], n_bins) for c in (0, 1)]
    left = table_left(whole, parts)
    wanted = table_of(values[child == 2], weight[child == 2], bins[child == 2], n_bins)
    np.testing.assert_array_equal(left[0], wanted[0])
    np.testing.assert_array_equal(left[1].reshape(-1, 4)[:, 0], wanted[1].reshape(-1, 4)[:, 0])
    assert sums_of(left[1]) == sums_of(wanted[1])
    assert (left[2] >= wanted[2]).all()
    terms = 4.0 * n * float(weight.max()) * (4.0 * size) ** 2
    assert (left[2] - wanted[2] <= 1e-11 * terms).all()


def a_problem(kind: str) -> NumericProblem:
    """400 rows, three columns, noise and signal."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(400, 3))
    score = X[:, 0] + np.sin(3 * X[:, 1]) + rng.normal(size=400)
    features = tuple(Feature(f"x{j}", NUMERIC, ()) for j in range(3))
    columns = Columns(Schema(features), 400, tuple(X.T.copy()), (None,) * 3, {})
    if kind == CLASSES:
        response, exact, measure = (
            Classes(labels=(0, 1)),
            exact_classes((score > 0).astype(np.int32), None),
            "gini",
        )
    elif kind == MEAN:
        response, exact, measure = Means(), exact_mean(score, None), "variance"
    else:
        events = rng.poisson(np.exp(score)).astype(float)
        response, exact, measure = Rates(), exact_rate(np.ones(400), events, None), "poisson"
    recipe = Recipe(ImpurityDecrease(measure), BINARY, Termination(min_samples_leaf=3), Missing("majority"))
    return NumericProblem(columns, response, exact, recipe)


@pytest.mark.parametrize("kind", [CLASSES, MEAN, RATE])
def test_half_of_the_tables_below_the_root_are_not_requested(kind, monkeypatch):
    arguments, derived = [], []
    request, tables = LocalEngine.request, Siblings.tables

    def watched(engine, name, given):
        arguments.extend(given["nodes"].tolist() if name == "tables" else ())
        return request(engine, name, given)

    monkeypatch.setattr(LocalEngine, "request", watched)
    monkeypatch.setattr(Siblings, "tables", lambda self, i, known: derived.append(i) or tables(self, i, known))
    given = a_problem(kind)
    tree = grow(sharded_source(*given[:3], np.random.default_rng(0), 20), given.recipe, {})
    memory = MemorySource(EncodedColumns(given.columns, 1), np.arange(given.exact.n, dtype=np.uint32), *given[1:3])
    assert_equal(tree, grow(memory, given.recipe, {}))
    searched = (tree.rows > 20) & (tree.impurity(given.recipe.criterion.measure) > 0)
    both = sum(searched[[c, c + 1]].all() for c in tree.first_child[tree.first_child >= 0])
    assert len(derived) == both > 5
    assert len(arguments) == searched.sum() - both
