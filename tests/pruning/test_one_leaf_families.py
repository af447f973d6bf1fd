"""The one-leaf sequence as families: by step, by leaves, by lambda."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.errors import ParameterError
from boxwood.pruning.cost_complexity import risk_of
from boxwood.pruning.one_leaf import by_lambda, by_leaves, by_step, one_leaf_fewer
from boxwood.tree.rebuild import keep_nodes
from pruning.trees import classes, random_shape, tree_from_arrays


def sequence(seed: int, n_leaves: int):
    rng = np.random.default_rng(seed)
    count = random_shape(rng, n_leaves, 3)
    parent = np.concatenate(([-1], np.repeat(np.arange(len(count)), count)))
    moments = np.where((count == 0)[:, None], rng.integers(0, 5, (len(count), 2)), 0).astype(float)
    for t in range(len(count) - 1, 0, -1):
        moments[parent[t]] += moments[t]
    tree = tree_from_arrays(count, moments, classes(2))
    return tree, one_leaf_fewer(tree, risk_of(tree, "error"))


@given(st.integers(0, 2**32), st.integers(2, 14))
def test_by_step_and_by_leaves_are_the_sequence(seed, n_leaves):
    tree, path = sequence(seed, n_leaves)
    steps, leaves = by_step(path), by_leaves(path)
    for step, expected in enumerate(path):
        assert steps.cut(step).n_leaves == expected.n_leaves
        allowed = int(path.n_leaves[step])
        assert keep_nodes(tree, leaves.collapses_at <= -allowed).n_leaves == allowed
        assert path.step_for(allowed) == step
    assert keep_nodes(tree, leaves.collapses_at <= -(tree.n_leaves + 5)).n_leaves == tree.n_leaves


@given(st.integers(0, 2**32), st.integers(2, 14), st.floats(0, 6))
def test_by_lambda_has_the_best_tree_for_every_lambda(seed, n_leaves, price):
    _, path = sequence(seed, n_leaves)
    family = by_lambda(path)
    assert (np.diff(family.values) >= 0).all()
    assert family.n_leaves[-1] == 1
    row = int(np.searchsorted(family.values, price, side="right")) - 1
    cost = family.risks[row] + price * family.n_leaves[row]
    assert cost == pytest.approx((path.risks + price * path.n_leaves).min())
    assert family.cut(row).n_leaves == family.n_leaves[row]
    for row in range(len(family.values)):
        small = family.cut(row)
        assert small.n_leaves == family.n_leaves[row]
        assert risk_of(small, "error")[small.is_leaf].sum() == pytest.approx(family.risks[row])


def test_too_few_leaves():
    _, path = sequence(0, 4)
    with pytest.raises(ParameterError, match="n_leaves must be at least 1; got 0"):
        path.step_for(0)
