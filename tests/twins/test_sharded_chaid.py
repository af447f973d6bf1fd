"""Shards grow the CHAID tree that memory grows, bit for bit: any shards, coarse bins, weights and part handed over."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.data.columns.schema import NUMERIC
from boxwood.growing.grow import grow
from boxwood.growing.memory.source import EncodedColumns, MemorySource
from boxwood.tree.validate import validate
from effort import examples
from twins.merged_problems import little_merged_problems, merged_problem
from twins.numeric_problems import NumericProblem, column
from twins.sharded_problems import sharded_source
from twins.test_codes import assert_equal

#: Shares of the distinct values that are cuts between coarse bins; none and all of them among these.
SHARES = (0.0, 0.02, 0.3, 0.3, 1.0)


def in_memory(given: NumericProblem) -> MemorySource:
    rows = np.arange(given.exact.n, dtype=np.uint32)
    return MemorySource(EncodedColumns(given.columns, 1), rows, given.response, given.exact)


def in_shards(given: NumericProblem, seed: int, capacity: int):
    rng = np.random.default_rng(seed)
    return sharded_source(given.columns, given.response, given.exact, rng, capacity, rng.choice(SHARES))


@pytest.mark.sample(3)
@pytest.mark.parametrize("block", range(12))
def test_shards_grow_the_tree_of_memory(block):
    for seed in range(20 * block, 20 * block + 20):
        problem = merged_problem(seed)
        capacity = int(np.random.default_rng(seed).choice([0, 0, 5, 30, 200]))
        tree = grow(in_shards(problem, seed, capacity), problem.recipe, {})
        validate(tree)
        assert_equal(tree, grow(in_memory(problem), problem.recipe, {}))


@settings(max_examples=examples(120), deadline=None)
@given(little_merged_problems(), st.integers(0, 2**32), st.sampled_from((0, 0, 3)))
def test_little_tables(given, seed, capacity):
    tree = grow(in_shards(given, seed, capacity), given.recipe, {})
    assert_equal(tree, grow(in_memory(given), given.recipe, {}))


@pytest.mark.parametrize("seed", range(30))
def test_bins_are_those_of_memory(seed):
    """Many bins, uneven weights, ties: the greatest value of every bin, through the boundaries that the shards find."""
    rng = np.random.default_rng(seed)
    problem = merged_problem(seed, 400)
    values = tuple(
        np.where(rng.random(400) < 0.05, np.nan, column(rng, 400)) if f.kind == NUMERIC else v
        for f, v in zip(problem.columns.schema, problem.columns.values, strict=True)
    )
    problem = problem._replace(columns=replace(problem.columns, values=values))
    for n_bins in (2, 10, 37, 399, 1000):
        recipe = replace(problem.recipe, branching=replace(problem.recipe.branching, n_bins=n_bins))
        source, whole = in_shards(problem, seed + n_bins, 0), in_memory(problem)
        source.root(recipe)
        for j, ends in enumerate(source._search.above().ends):
            np.testing.assert_array_equal(np.zeros((2, 0)) if ends is None else ends, whole.bins(recipe, j))
