"""Gamma and Tweedie deviance: the kernel grows the reference's trees, and the best cut is that of numpy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from boxwood import CARTRegressor
from boxwood.growing.grow import grow
from boxwood.growing.memory.source import EncodedColumns, MemorySource
from boxwood.growing.memory.tables import TableSource
from boxwood.statistics.responses.registry import number_kind
from boxwood.tree.tree import Tree
from boxwood.tree.validate import validate
from effort import examples
from oracle.source import ReferenceSource
from twins.brute_force import Problem, assert_same_tree
from twins.numeric_problems import NumericProblem, mixed, problem
from twins.sharded_problems import sharded_tree
from twins.test_codes import by_tables
from twins.test_tables import plainly

MEASURES = ("gamma", "tweedie:1.5", "tweedie:1.1", "tweedie:1.9")


def of_amounts(seed: int, measure: str, rows: int | None = None) -> NumericProblem:
    """The problem of a seed, with amounts of many shapes as response; now and then with exposures."""
    given, rng = (mixed, problem)[seed % 2](seed, rows), np.random.default_rng(2 * 10**6 + seed)
    n = given.exact.n
    first = np.nan_to_num(np.asarray(given.columns.values[0], dtype=np.float64), posinf=9.0, neginf=-9.0)
    level = np.exp(rng.choice([0.3, 2.0]) * np.argsort(np.argsort(first, kind="stable")) / n)
    shapes = (
        level * rng.gamma(rng.choice([0.3, 2.0, 50.0]), 1.0, n) + 1e-6,
        np.ceil(3 * level * rng.random(n)),
        1e6 * level * np.exp(2 * rng.normal(size=n)),
        np.full(n, 2.5),
    )
    y = shapes[rng.integers(len(shapes))]
    if measure != "gamma":
        y = np.where(rng.random(n) < rng.choice([0.0, 0.3, 0.9]), 0.0, y)
    weight = (None, rng.integers(1, 4, n).astype(float), rng.gamma(2.0, 1.0, n) + 1e-3)[rng.integers(3)]
    exposure = rng.choice([0.5, 1.0, 2.0, 2.7], n) if rng.random() < 0.3 else None
    response = number_kind(measure).from_settings("y", {"criterion": measure})
    criterion = replace(given.recipe.criterion, measure=measure)
    termination = replace(given.recipe.termination, min_impurity_decrease=0.0)
    recipe = replace(given.recipe, criterion=criterion, termination=termination, min_risk=0.0)
    return given._replace(response=response, exact=response.exact(y, weight, exposure), recipe=recipe)


def in_memory(given: NumericProblem) -> Tree:
    """The tree of the kernel."""
    rows = np.arange(given.exact.n, dtype=np.uint32)
    tree = grow(MemorySource(EncodedColumns(given.columns, 1), rows, given.response, given.exact), given.recipe, {})
    validate(tree)
    return tree


@pytest.mark.sample(2)
@pytest.mark.parametrize("measure", MEASURES)
def test_kernel_equals_the_reference(measure):
    for seed in range(40_000, 40_000 + examples(60)):
        given = of_amounts(seed, measure, 30)
        expected = grow(ReferenceSource(given.columns, given.response, given.exact), given.recipe, {})
        assert_same_tree(in_memory(given), expected)


@pytest.mark.sample(2)
@pytest.mark.parametrize("measure", MEASURES)
def test_tables_of_numpy_and_shards_grow_the_tree_of_the_kernel(measure):
    for seed in range(50_000, 50_000 + examples(20)):
        given = of_amounts(seed, measure, 60)
        plain = NumericProblem(*plainly(Problem(*given)))
        source = TableSource(plain.columns, np.arange(plain.exact.n), plain.response, plain.exact)
        assert_same_tree(grow(source, plain.recipe, {}), in_memory(plain))
        shards = sharded_tree(given.columns, given.response, given.exact, given.recipe, seed, 7)
        assert_same_tree(shards, in_memory(given))


@pytest.mark.sample(2)
@pytest.mark.parametrize("measure", MEASURES)
def test_bounds_never_hold_back_the_best_cut(measure):
    for seed in range(60_001, 60_001 + 2 * examples(20), 2):
        given = of_amounts(seed, measure)
        assert_same_tree(by_tables(given), in_memory(given))


@pytest.mark.sample(2)
@pytest.mark.parametrize("measure", ["tweedie:1.5", "poisson"])
def test_branches_of_positive_means(measure):
    """Kernel, shards and reference refuse the same splits, and no leaf of a node with events has a mean of 0."""
    for seed in range(70_000, 70_000 + examples(40)):
        given = of_amounts(seed, measure, 30)
        criterion = replace(given.recipe.criterion, positive_rates=True)
        given = given._replace(recipe=replace(given.recipe, criterion=criterion))
        tree = in_memory(given)
        assert_same_tree(tree, grow(ReferenceSource(given.columns, given.response, given.exact), given.recipe, {}))
        assert_same_tree(by_tables(given), tree)
        assert_same_tree(sharded_tree(given.columns, given.response, given.exact, given.recipe, seed, 7), tree)
        with_rows = tree.rows > 0
        assert (tree.value[with_rows] > 0).all() or tree.value[0] == 0


def deviance(y: np.ndarray, power: float, weight: np.ndarray) -> float:
    """Sum of unit deviances about the mean, as the textbook writes them."""
    m = np.average(y, weights=weight)
    if power == 2:
        return float((2 * weight * (y / m - 1 - np.log(y / m))).sum())
    p, q = power, 2 - power
    return float((2 * weight * (y**q / (1 - p) / q - y * m ** (1 - p) / (1 - p) + m**q / q)).sum()) if m > 0 else 0.0


@pytest.mark.parametrize(("measure", "power"), [("gamma", 2.0), ("tweedie", 1.5), ("tweedie:1.9", 1.9)])
def test_the_best_cut_of_every_column(measure, power):
    rng = np.random.default_rng(3)
    for _ in range(examples(20)):
        n = int(rng.integers(4, 90))
        X = np.column_stack([rng.normal(size=n), rng.integers(0, 4, n)])
        y, weight = np.exp(X[:, 0]) * rng.gamma(1.0, 1.0, n) + 1e-9, rng.integers(1, 4, n).astype(float)
        y = np.where((power < 2) & (rng.random(n) < 0.3), 0.0, y)
        for x in X.T:
            whole = deviance(y, power, weight)
            cuts = [x <= value for value in np.unique(x)[:-1]]
            best = max(whole - deviance(y[c], power, weight[c]) - deviance(y[~c], power, weight[~c]) for c in cuts)
            model = CARTRegressor(criterion=measure, pruning=None, max_depth=1)
            tree = model.fit(x[:, None], y, sample_weight=weight).tree_
            risk = tree.impurity() * tree.weight
            assert risk[0] == pytest.approx(whole, rel=1e-9)
            assert risk[0] - risk[1:].sum() == pytest.approx(best, rel=1e-7, abs=1e-9 * whole)
