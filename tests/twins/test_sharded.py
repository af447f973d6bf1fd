"""Shards grow the tree that memory grows, bit for bit: any number of shards, any bins, any part of it handed over."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.growing.grow import grow
from boxwood.growing.memory.source import EncodedColumns, MemorySource
from boxwood.tree.tree import Tree
from boxwood.tree.validate import validate
from effort import examples
from twins.brute_force import problems
from twins.multiway import multiway_problems
from twins.numeric_problems import problem
from twins.sharded_problems import sharded_tree
from twins.test_codes import assert_equal


def in_memory(given) -> Tree:
    rows = np.arange(given.exact.n, dtype=np.uint32)
    return grow(MemorySource(EncodedColumns(given.columns, 1), rows, given.response, given.exact), given.recipe, {})


@settings(max_examples=examples(1000), deadline=None)
@given(problems(outliers=True), st.integers(0, 2**32), st.sampled_from((0, 0, 0, 3, 6)))
def test_shards_grow_the_tree_of_memory(given, seed, capacity):
    tree = sharded_tree(given.columns, given.response, given.exact, given.recipe, seed, capacity)
    validate(tree)
    assert_equal(tree, in_memory(given))


@pytest.mark.parametrize("seed", range(examples(60)))
def test_larger_tables(seed):
    given = problem(seed)
    capacity = int(np.random.default_rng(seed).choice([0, 30, 200]))
    tree = sharded_tree(given.columns, given.response, given.exact, given.recipe, seed, capacity)
    assert_equal(tree, in_memory(given))


@settings(max_examples=examples(800), deadline=None)
@given(multiway_problems(ordinal_levels=True), st.integers(0, 2**32), st.sampled_from((0, 0, 0, 3, 6)))
def test_shards_grow_the_multiway_tree_of_memory(given, seed, capacity):
    given = given._replace(recipe=replace(given.recipe, rank_cuts=False))
    tree = sharded_tree(given.columns, given.response, given.exact, given.recipe, seed, capacity)
    validate(tree)
    assert_equal(tree, in_memory(given))
