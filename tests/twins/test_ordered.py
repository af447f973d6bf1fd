"""Splits whose means must be in an order: all engines of the kernel, levels and shards grow the reference's trees."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from boxwood.growing.constraints import FeatureConstraints
from boxwood.growing.grow import grow
from boxwood.growing.memory.source import MemorySource
from boxwood.tree.validate import validate
from effort import examples
from oracle.source import ReferenceSource
from twins.brute_force import assert_same_tree
from twins.numeric_problems import NumericProblem, mixed, problem
from twins.sharded_problems import sharded_tree
from twins.test_codes import assert_equal, by_tables, sized, tree_of
from twins.test_sharded import in_memory
from twins.test_sparse import both, source_of, thinned


def ordered(given: NumericProblem, seed: int, more: int = 0) -> NumericProblem:
    """The problem, with an order of features that can have one, and perhaps a feature that is forbidden.

    ``more``: so many columns that are numeric take the place of the problem's.
    """
    rng, schema = np.random.default_rng(seed), given.columns.schema
    has_order = [True] * more or [feature.type.has_cuts for feature in schema]
    signs = [int(rng.integers(-1, 2)) if can else 0 for can in has_order]
    masks = tuple(int(free) for free in rng.random(len(signs)) > 0.15) if rng.random() < 0.5 else ()
    monotonic = tuple(signs) if any(signs) and len(given.response.labels) <= 2 else ()
    missing = replace(given.recipe.missing, otherwise="majority", rpart_quirk=False)
    criterion = replace(given.recipe.criterion, order_by_mean=False)
    recipe = replace(given.recipe, missing=missing, criterion=criterion)
    return given._replace(recipe=replace(recipe, constraints=FeatureConstraints(monotonic, masks)))


def with_order(made, count: int) -> list[NumericProblem]:
    """Problems of numbers or two classes, some features of which have an order."""
    found = []
    for seed in range(3000, 3000 + 6 * count):
        given = ordered(made(seed), seed)
        if given.recipe.constraints.monotonic:
            found.append(given)
    return found[:count]


@pytest.mark.sample(2)
@pytest.mark.parametrize("made", [mixed, problem])
def test_kernel_equals_the_reference(made):
    for given in with_order(lambda seed: made(seed, 35), examples(150)):
        constraints = replace(given.recipe.constraints, groups=())
        given = given._replace(recipe=replace(given.recipe, constraints=constraints))
        expected = grow(ReferenceSource(given.columns, given.response, given.exact), given.recipe, {})
        found = in_memory(given)
        validate(found)
        assert_same_tree(replace(found, made_by={}), expected)


@pytest.mark.sample(2)
@pytest.mark.parametrize("made", [mixed, problem])
def test_tables_lists_and_levels_find_the_same(made):
    for given in with_order(made, examples(60)):
        expected = by_tables(given)
        for kind in (MemorySource, sized(64, 16), sized(5, 1)):
            assert_equal(tree_of(given, kind), expected)
        termination = replace(given.recipe.termination, stop=lambda node: False)
        by_levels = given._replace(recipe=replace(given.recipe, termination=termination))
        assert_equal(tree_of(by_levels, MemorySource), expected)


def test_sparse_columns_grow_the_tree_of_dense_ones():
    found = 0
    for seed in range(3000, 3000 + examples(150)):
        given, X = thinned(seed)
        given = ordered(given, seed, X.shape[1])
        if given.recipe.constraints.monotonic:
            dense, sparse = both(X)
            tree = grow(source_of(given, sparse), given.recipe, {})
            assert_equal(tree, grow(source_of(given, dense), given.recipe, {}))
            found += 1
    assert found


def test_shards_grow_the_tree_of_memory():
    for seed, given in enumerate(with_order(problem, examples(80))):
        tree = sharded_tree(given.columns, given.response, given.exact, given.recipe, seed, 30)
        assert_equal(tree, in_memory(given))
