"""Critical values: a split stays while it, or one below it, reaches the value."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.errors import ParameterError
from boxwood.pruning.cost_complexity import risk_of
from boxwood.pruning.critical_value import below_threshold, critical_value_family, split_scores, strongest_below
from boxwood.tree.rebuild import keep_nodes
from pruning.trees import classes, random_shape, tree_from_arrays


def scored(seed: int, n_leaves: int):
    """A random tree with few different scores."""
    rng = np.random.default_rng(seed)
    count = random_shape(rng, n_leaves, 3)
    parent = np.concatenate(([-1], np.repeat(np.arange(len(count)), count)))
    moments = np.where((count == 0)[:, None], rng.integers(1, 5, (len(count), 2)), 0).astype(float)
    for t in range(len(count) - 1, 0, -1):
        moments[parent[t]] += moments[t]
    score = np.where(count > 0, rng.integers(0, 5, len(count)) / 7, np.nan)
    return tree_from_arrays(count, moments, classes(2), score=score)


@given(st.integers(0, 2**32), st.integers(2, 12), st.integers(0, 6))
def test_a_split_stays_while_one_at_or_below_it_is_strong(seed, n_leaves, sevenths):
    tree, threshold = scored(seed, n_leaves), sevenths / 7
    small = keep_nodes(tree, below_threshold(tree, threshold))
    strong = [t for t in np.flatnonzero(~tree.is_leaf) if tree.score[t] >= threshold - 1e-15]
    kept = {t for s in strong for t in tree.path(int(s)).tolist()}
    assert np.count_nonzero(~small.is_leaf) == len(kept)


@given(st.integers(0, 2**32), st.integers(2, 12))
def test_the_family_has_every_tree_of_every_threshold(seed, n_leaves):
    tree = scored(seed, n_leaves)
    risk = risk_of(tree, "error")
    family = critical_value_family(tree, risk)
    assert (np.diff(family.values) > 0).all()
    assert (np.diff(family.n_leaves) < 0).all()
    assert family.n_leaves[[0, -1]].tolist() == [tree.n_leaves, 1]
    for row, low in enumerate(family.values):
        high = family.values[row + 1] if row + 1 < len(family.values) else low + 2
        small = family.cut(row)
        assert small.n_leaves == family.n_leaves[row]
        assert risk_of(small, "error")[small.is_leaf].sum() == pytest.approx(family.risks[row])
        assert keep_nodes(tree, below_threshold(tree, (low + high) / 2)).n_leaves == small.n_leaves


def test_scores_by_another_measure():
    moments = [[4.0, 4.0], [4.0, 0.0], [0.0, 4.0]]
    tree = tree_from_arrays([2, 0, 0], moments, classes(2), score=[0.1, np.nan, np.nan])
    assert split_scores(tree)[0] == 0.1
    assert split_scores(tree, "entropy")[0] == 1.0
    assert split_scores(tree, "gini")[0] == 0.5
    assert strongest_below(tree, split_scores(tree)).tolist() == [0.1, -np.inf, -np.inf]
    with pytest.raises(ParameterError, match="measure must be None or one of gini, entropy, error"):
        split_scores(tree, "variance")


def test_a_leaf_alone():
    tree = tree_from_arrays([0], [[2.0, 1.0]], classes(2))
    family = critical_value_family(tree, risk_of(tree, "error"))
    assert family.n_leaves.tolist() == [1]
    assert family.values.tolist() == [0.0]
