"""Nodes that draw features: kernel, sparse columns and the level loop grow the reference's trees."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood import CARTClassifier, CARTRegressor
from boxwood.growing.draws import Draws
from boxwood.growing.grow import grow
from boxwood.tree.validate import validate
from effort import examples
from oracle.draws import inspected, path_below, root_path
from oracle.source import ReferenceSource
from twins.brute_force import Problem, assert_same_tree, problems
from twins.multiway import ByLevel, tree_of
from twins.numeric_problems import mixed
from twins.test_codes import assert_equal, sized
from twins.test_sharded import in_memory
from twins.test_sparse import both, source_of, thinned


def drawn(problem, max_features: int, seed: int, random_cuts: bool = False):
    """The problem, of whose features each node draws some, and perhaps the splits too."""
    return problem._replace(recipe=replace(problem.recipe, draws=Draws(max_features, random_cuts, seed)))


@settings(max_examples=examples(600), deadline=None)
@given(problems(outliers=True), st.integers(0, 3), st.integers(0, 2**64 - 1), st.booleans())
def test_kernel_equals_the_reference(problem: Problem, max_features: int, seed: int, random_cuts: bool):
    problem = drawn(problem, max_features, seed, random_cuts)
    expected = grow(ReferenceSource(problem.columns, problem.response, problem.exact), problem.recipe, {})
    found = tree_of(problem)
    validate(found)
    assert_same_tree(found, expected)
    assert_same_tree(tree_of(problem, ByLevel), expected)


@pytest.mark.sample(2)
@pytest.mark.parametrize("surrogates", [0, 2])
def test_larger_problems_equal_the_reference(surrogates: int):
    for seed in range(examples(60)):
        problem = drawn(mixed(seed, 45), seed % 4, seed, seed % 2 == 0)
        missing = replace(problem.recipe.missing, max_surrogates=surrogates)
        problem = problem._replace(recipe=replace(problem.recipe, missing=missing))
        expected = grow(ReferenceSource(problem.columns, problem.response, problem.exact), problem.recipe, {})
        assert_same_tree(replace(in_memory(problem), made_by={}), expected)


@pytest.mark.sample(2)
@pytest.mark.parametrize("block", range(4))
def test_tables_lists_and_sparse_columns_draw_the_same(block: int):
    for seed in range(100 * block, 100 * block + 50):
        given = drawn(mixed(seed), 1 + seed % 3, seed, seed % 5 == 0)
        for kind in (sized(64, 16), sized(10**6, 1), sized(5, 1), ByLevel):
            assert_equal(tree_of(given, kind), tree_of(given))
        given, X = thinned(seed)
        given = drawn(given, 2, seed)
        assert_equal(*(grow(source_of(given, encoded), given.recipe, {}) for encoded in both(X)))


@pytest.mark.parametrize("surrogates", [0, 2])
def test_many_rows_by_any_number_of_threads(surrogates: int):
    for seed in range(7000, 7006):
        given = drawn(mixed(seed, 20_000), 2, seed, seed % 2 == 0)
        missing = replace(given.recipe.missing, policy="surrogate", max_surrogates=surrogates)
        given = given._replace(recipe=replace(given.recipe, missing=missing))
        expected = tree_of(given, sized(10**6, 1), 2)
        for threads in (1, 2):
            assert_equal(tree_of(given, threads=threads), expected)


def test_each_feature_is_drawn_as_often_as_it_should_be():
    """Over nodes and seeds: each of 10 features in 3 draws of 10, and each pair in 1 of 15."""
    together = np.zeros((10, 10), dtype=int)
    for seed in range(60):
        path = root_path(Draws(3, seed=seed))
        for node in range(50):
            path = path_below(path, node % 2)
            features = next(inspected(Draws(3), path, 10))
            together[np.ix_(features, features)] += 1
    n = 60 * 50
    single, pairs = together.diagonal(), together[np.triu_indices(10, 1)]
    assert ((single - n * 0.3) ** 2 / (n * 0.3)).sum() < 22  # the 99 % point of chi-square with 9 degrees, enlarged
    assert ((pairs - n / 15) ** 2 / (n / 15)).sum() < 75


@pytest.mark.parametrize("estimator", [CARTClassifier, CARTRegressor])
def test_the_kernel_draws_features_evenly(estimator):
    """The root's feature, where all are copies of one another but for noise, by seed."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 8)), np.arange(60) % 2
    roots = [
        estimator(max_features=1, max_depth=1, random_state=seed).fit(X, y).tree_.splits.feature[0]
        for seed in range(800)
    ]
    counts = np.bincount(roots, minlength=8)
    assert ((counts - 100) ** 2 / 100).sum() < 24
