"""Medians and quantiles: the kernel grows the reference's trees, predicts scikit-learn's medians and never crosses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from boxwood import CARTRegressor, Quantile
from boxwood.errors import ParameterError
from boxwood.growing.constraints import FREE
from boxwood.growing.grow import grow
from boxwood.growing.memory.source import EncodedColumns, MemorySource
from boxwood.statistics.responses.registry import number_kind
from boxwood.tree.validate import validate
from effort import examples
from oracle.source import ReferenceSource
from twins.brute_force import assert_same_tree
from twins.numeric_problems import NumericProblem, mixed, problem

MEASURES = ("absolute_error", "quantile:0.5", "quantile:0.9,0.1,0.5", "quantile:0.03")


def by_quantiles(seed: int, measure: str, rows: int) -> NumericProblem:
    """The problem of a seed, with numbers of many shapes as response."""
    given, rng = (mixed, problem)[seed % 2](seed, rows), np.random.default_rng(3 * 10**6 + seed)
    n = given.exact.n
    first = np.nan_to_num(np.asarray(given.columns.values[0], dtype=np.float64), posinf=9.0, neginf=-9.0)
    shapes = (
        first + rng.normal(size=n), rng.integers(0, 4, n).astype(float), rng.standard_cauchy(n) * 1e6,
        1e9 + rng.random(n) * 1e-6, np.full(n, 2.5), np.round(rng.normal(size=n), 1),
    )  # fmt: skip
    y = shapes[rng.integers(len(shapes))]
    weight = (None, rng.integers(1, 4, n).astype(float), rng.gamma(2.0, 1.0, n) + 1e-3)[rng.integers(3)]
    response = number_kind(measure).from_settings("y", {"criterion": measure})
    criterion = replace(given.recipe.criterion, measure=measure, order_by_mean=False)
    termination = replace(given.recipe.termination, min_impurity_decrease=0.0)
    recipe = replace(given.recipe, criterion=criterion, termination=termination, min_risk=0.0, constraints=FREE)
    return given._replace(response=response, exact=response.exact(y, weight, None), recipe=recipe)


@pytest.mark.sample(2)
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("threads", [1, 2])
def test_kernel_equals_the_reference(measure, threads):
    for seed in range(60_000, 60_000 + examples(60)):
        given = by_quantiles(seed, measure, 26)
        rows = np.arange(given.exact.n, dtype=np.uint32)
        source = MemorySource(EncodedColumns(given.columns, threads), rows, given.response, given.exact, threads)
        tree = grow(source, given.recipe, {})
        validate(tree)
        expected = grow(ReferenceSource(given.columns, given.response, given.exact), given.recipe, {})
        assert_same_tree(tree, expected)


def test_the_loss_of_unequal_weights():
    """Checked by hand: the best of four cuts leaves a loss of 3."""
    model = CARTRegressor(criterion="absolute_error", max_depth=1, pruning=None)
    tree = model.fit([[1], [2], [3], [4], [5]], [1, 1, 3, 1, 2], sample_weight=[3, 3, 2, 1, 2]).tree_
    assert tree.splits.breaks.tolist() == [2.5]
    assert tree.moments[1:, 2].sum() == 3.0


@pytest.mark.parametrize("weighted", [False, True])
def test_the_best_cut_is_as_good_as_that_of_scikit_learn(weighted):
    """Equal losses are frequent, so that the cuts themselves may differ."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(300, 4)).astype(np.float32)
        y = X[:, 0] + np.abs(X[:, 1]) + rng.standard_t(2, size=300)
        weight = rng.integers(1, 5, 300).astype(float) if weighted else None
        theirs = DecisionTreeRegressor(criterion="absolute_error", max_depth=1).fit(X, y, weight).tree_
        ours = CARTRegressor(criterion="absolute_error", max_depth=1, pruning=None).fit(X, y, sample_weight=weight)
        loss = (theirs.weighted_n_node_samples * theirs.impurity)[1:].sum()
        np.testing.assert_allclose(ours.tree_.moments[1:, 2].sum(), loss, rtol=1e-10)
        np.testing.assert_allclose(ours.tree_.value[0], theirs.value[0, 0, 0], rtol=1e-12)


def test_quantiles_of_leaves_are_those_of_their_rows():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(500, 3)), rng.gamma(1.0, 1.0, 500)
    model = CARTRegressor(criterion=Quantile((0.9, 0.5, 0.1)), max_leaf_nodes=9, pruning=None).fit(X, y)
    leaf = model.apply(X)
    for node in np.unique(leaf):
        found = [model.tree_.value[node], *model.tree_.further[node]]
        assert np.allclose(found, np.quantile(y[leaf == node], [0.9, 0.5, 0.1], method="averaged_inverted_cdf"))
    assert model.tree_.response.further == ("q50", "q10")


@pytest.mark.parametrize("levels", [(0.5, 0.5), 0.0, 1.0, (), "x", (0.1, True)])
def test_shares_that_are_none(levels):
    with pytest.raises(ParameterError, match="levels of Quantile"):
        Quantile(levels)
