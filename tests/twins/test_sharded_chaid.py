"""Shards grow the CHAID tree that memory grows, bit for bit: any shards, coarse bins, weights and part handed over."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood.growing.grow import grow
from boxwood.sources.memory import EncodedColumns, MemorySource
from boxwood.tree.validate import validate
from twins.merged_problems import merged_problem
from twins.sharded_problems import sharded_tree
from twins.test_codes import assert_equal


def in_memory(given):
    rows = np.arange(given.exact.n, dtype=np.uint32)
    return grow(MemorySource(EncodedColumns(given.columns, 1), rows, given.response, given.exact), given.recipe, {})


@pytest.mark.parametrize("block", range(20))
def test_shards_grow_the_tree_of_memory(block):
    for seed in range(20 * block, 20 * (block + 1)):
        given = merged_problem(seed)
        capacity = int(np.random.default_rng(seed).choice([0, 0, 5, 30, 200]))
        tree = sharded_tree(given.columns, given.response, given.exact, given.recipe, seed, capacity)
        validate(tree)
        assert_equal(tree, in_memory(given))
