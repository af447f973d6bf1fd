"""Best-first: the same tree as opening nodes one at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.errors import ParameterError
from boxwood.pruning.best_first import best_first
from pruning.trees import chain_shape, classes, random_shape, shape_only, tree_from_arrays


@given(st.integers(0, 2**32), st.integers(2, 20), st.integers(1, 25))
def test_it_opens_the_best_open_node(seed, n_leaves, limit):
    rng = np.random.default_rng(seed)
    count = random_shape(rng, n_leaves)
    score = np.where(count > 0, rng.integers(0, 4, len(count)) / 4, np.nan)
    weight = rng.integers(1, 4, (len(count), 1)).astype(float)
    tree = tree_from_arrays(count, weight, classes(1), score=score)
    opened, waiting = set(), [0]
    while len(opened) + 1 < limit and any(count[t] for t in waiting):
        best = max((t for t in waiting if count[t]), key=lambda t: (weight[t, 0] * score[t], -t))
        waiting.remove(best)
        opened.add(best)
        waiting += [tree.first_child[best], tree.first_child[best] + 1]
    found = best_first(tree, limit)
    assert found.n_leaves == len(opened) + 1
    inner = np.flatnonzero(~found.is_leaf)
    kept = sorted(opened)
    assert found.score[inner].tolist() == score[kept].tolist()
    assert found.weight[inner].tolist() == weight[kept, 0].tolist()


def test_a_split_with_too_many_branches_stays_closed():
    score = [0.1, 0.9, 0.5, np.nan, np.nan, np.nan, np.nan, np.nan]
    tree = tree_from_arrays([2, 3, 2, 0, 0, 0, 0, 0], np.ones((8, 1)), classes(1), score=score)
    assert best_first(tree, 3).n_children.tolist() == [2, 0, 2, 0, 0]
    assert best_first(tree, 4).n_children.tolist() == [2, 3, 0, 0, 0, 0]


def test_enough_leaves_keep_the_whole_tree():
    tree = shape_only(chain_shape(20_001))
    assert best_first(tree, 10**6).n_nodes == 20_001
    assert best_first(tree, 1).n_nodes == 1
    assert best_first(shape_only([0]), 5).n_nodes == 1


def test_no_leaf_at_all_is_no_tree():
    with pytest.raises(ParameterError, match="max_leaf_nodes must be 1 or larger; got 0"):
        best_first(shape_only([0]), 0)
