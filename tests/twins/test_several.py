"""Several responses: the kernel grows the reference's trees, and those of scikit-learn where splits are unique."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from boxwood import CARTClassifier, CARTRegressor
from boxwood.growing.grow import grow
from boxwood.growing.memory.source import EncodedColumns, MemorySource
from boxwood.statistics.responses.classes import Classes
from boxwood.statistics.responses.means import Means
from boxwood.statistics.responses.several import Several, SeveralClasses, SeveralNumbers
from boxwood.tree.tree import Tree
from boxwood.tree.validate import validate
from effort import examples
from oracle.source import ReferenceSource
from twins.brute_force import assert_same_tree
from twins.numeric_problems import NumericProblem, mixed


def several(seed: int, rows: int | None = None) -> NumericProblem:
    """A random problem with columns of all kinds whose y is two to four numbers, or classes."""
    given, rng = mixed(seed, rows), np.random.default_rng(3 * 10**6 + seed)
    n, q = given.columns.n, int(rng.integers(2, 5))
    weight = (None, None, rng.integers(1, 4, n).astype(float), rng.gamma(2.0, 1.0, n) + 1e-3)[rng.integers(4)]
    score = np.nan_to_num(given.columns.values[0], nan=0.0, posinf=9.0, neginf=-9.0)
    score = np.argsort(np.argsort(score, kind="stable")) / n
    numbers = np.column_stack([score * rng.normal() + rng.choice([0.1, 1.0]) * rng.normal(size=n) for _ in range(q)])
    response: Several
    if rng.random() < 0.5:
        y = np.round(numbers, 1) if rng.random() < 0.3 else numbers * rng.choice([1.0, 1e6, 1e-9], q)
        response = SeveralNumbers("y", tuple(Means(f"数{r}") for r in range(q)), tuple(rng.uniform(0.5, 2.0, q)))
    else:
        sizes = rng.integers(2, 5, q)
        y = np.column_stack(
            [np.digitize(c, np.quantile(c, np.arange(1, k) / k)) for c, k in zip(numbers.T, sizes, strict=True)]
        )
        each = tuple(Classes(f"類{r}", tuple(range(k)), (1.0,) * k) for r, k in enumerate(sizes.tolist()))
        response = SeveralClasses("y", each, (1.0,) * q)
    exact = response.exact(y, weight, None)
    response = response.with_root(exact)
    criterion = replace(given.recipe.criterion, measure=response.measures[0])
    recipe = replace(given.recipe, criterion=criterion, min_risk=0.0)
    return NumericProblem(given.columns, response, exact, recipe)


def grown(given: NumericProblem) -> Tree:
    """The tree of the kernel."""
    rows = np.arange(given.exact.n, dtype=np.uint32)
    source = MemorySource(EncodedColumns(given.columns, 1), rows, given.response, given.exact)
    tree = grow(source, given.recipe, {"measure": given.recipe.criterion.measure})
    validate(tree)
    return tree


@pytest.mark.sample(60)
@pytest.mark.parametrize("seed", range(400))
def test_kernel_equals_the_reference(seed):
    given = several(seed, 30 if seed % 3 else 80)
    expected = grow(ReferenceSource(given.columns, given.response, given.exact), given.recipe, {})
    found = replace(grown(given), made_by={})
    if expected.heuristic.any():  # few rows of many levels have several directions that are equally good
        np.testing.assert_array_equal(found.splits.feature[0], expected.splits.feature[0])
        np.testing.assert_allclose(found.score[0], expected.score[0], rtol=1e-9)
    else:
        assert_same_tree(found, expected)


def test_many_levels_are_cut_along_the_principal_direction():
    rng = np.random.default_rng(8)
    level = rng.integers(0, 40, 600)
    effect = rng.normal(size=40)
    town = np.array([f"町{k}" for k in range(40)])[level]
    Y = np.column_stack([effect[level] * by + 0.1 * rng.normal(size=600) for by in (3.0, -1.0, 0.5)])
    tree = CARTRegressor(pruning=None, max_depth=1, level_correction=False).fit({"町": town}, Y).tree_
    assert tree.heuristic[0]
    means = np.array([Y[level == k].mean(axis=0) for k in range(40)])
    order = np.argsort(means[:, 0])  # the direction is nearly that of one effect
    left = tree.apply({"町": [f"町{k}" for k in order]}) == 1
    assert np.count_nonzero(np.diff(left.astype(int))) == 1


def test_large_nodes_equal_small_ones():
    """Bounds open all bins that hold the best cut: as lists of the same rows find it."""
    for seed in range(examples(12)):
        given = several(7_000 + seed, 2_500)
        rows = np.arange(2_500, dtype=np.uint32)
        recipe = replace(given.recipe, termination=replace(given.recipe.termination, max_depth=2))
        trees = []
        for sizes in ((1 << 30, 1), (1 << 14, 1024)):
            source = MemorySource(EncodedColumns(given.columns, 1), rows, given.response, given.exact)
            grower = source._binary_grower(recipe)
            assert grower is not None
            trees.append(grow(source, recipe, {}) if sizes[1] > 1 else grower.finish()[0])
        assert_same_tree(replace(trees[0], made_by={}), replace(trees[1], made_by={}))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", [60, 500, 3_000])
def test_numbers_as_in_scikit_learn(n, weighted):
    rng = np.random.default_rng(n)
    X, weight = rng.normal(size=(n, 5)), rng.uniform(0.1, 3.0, n) if weighted else None
    Y = rng.normal(size=(n, 3)) + X[:, :1] * np.arange(3) * 2
    limits = {"max_depth": 7, "min_samples_leaf": 4}
    model = CARTRegressor(pruning=None, response_weights="equal", **limits).fit(X, Y, sample_weight=weight)
    other = DecisionTreeRegressor(**limits, random_state=0).fit(X, Y, sample_weight=weight)
    assert model.tree_.n_nodes == other.tree_.node_count
    np.testing.assert_allclose(model.predict(X), other.predict(X), atol=1e-9)
    np.testing.assert_allclose(model.tree_.impurity()[0], other.tree_.impurity[0], rtol=1e-9)


def test_classes_as_in_scikit_learn():
    rng = np.random.default_rng(5)
    n = 2_000
    X, weight = rng.normal(size=(n, 5)), rng.uniform(0.1, 3.0, n)
    score = X[:, [0, 1, 0]] + rng.normal(size=(n, 3))
    Y = np.column_stack([np.digitize(score[:, r], [-1.0, 0.5, 2.0][: 1 + r]) for r in range(3)])
    limits = {"max_depth": 7, "min_samples_leaf": 4}
    model = CARTClassifier(pruning=None, response_weights="equal", **limits).fit(X, Y, sample_weight=weight)
    other = DecisionTreeClassifier(**limits, random_state=0).fit(X, Y, sample_weight=weight)
    assert model.tree_.n_nodes == other.tree_.node_count
    for mine, theirs in zip(model.predict_proba(X), other.predict_proba(X), strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-12)
    np.testing.assert_array_equal(model.predict(X), other.predict(X))
    np.testing.assert_allclose(model.tree_.impurity()[0], other.tree_.impurity[0], rtol=1e-12)
