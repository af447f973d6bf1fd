"""The one-leaf-removed sequence: greedy, one twig per step, the same as the reference, lazily made trees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.errors import ParameterError
from boxwood.pruning.cost_complexity import risk_of
from boxwood.pruning.one_leaf import one_leaf_fewer
from pruning.rpart_frames import data_sets, tree_of_fit
from pruning.trees import chain_shape, classes, random_shape, shape_only, tree_of

IRIS = ("length", (50, 0, 0), ("width", (0, 49, 5), (0, 1, 45)))


@pytest.mark.parametrize(("name", "data"), data_sets().items())
def test_sequences_of_rpart_trees(name, data):
    fits = {fit["id"]: fit for fit in data["fits"]}
    for expected in data["sequences"]:
        tree, risk, numbers = tree_of_fit(fits[expected["tree"]])
        path = one_leaf_fewer(tree, risk)
        steps = expected["one_leaf_removed"]
        assert path.n_leaves.tolist() == [step["leaves"] for step in steps], name
        np.testing.assert_allclose(path.risks, [step["risk"] for step in steps], rtol=1e-9, atol=1e-10 * risk[0])
        assert numbers[path.nodes].tolist() == [step["collapsed"] for step in steps[1:]], name


@given(st.integers(0, 2**32), st.integers(2, 15), st.sampled_from(["level", "depth"]))
def test_each_step_is_the_cheapest_twig(seed, n_leaves, ties):
    rng = np.random.default_rng(seed)
    tree = shape_only(random_shape(rng, n_leaves, branches=3))
    risk = rng.integers(0, 5, tree.n_nodes).astype(float)
    path = one_leaf_fewer(tree, risk, ties)
    leaf = tree.is_leaf.copy()
    for step, collapsed in enumerate(path.nodes, start=1):
        increases = {}
        for t in np.flatnonzero(~leaf):
            children = np.arange(tree.first_child[t], tree.first_child[t] + tree.n_children[t])
            if leaf[children].all():
                increases[int(t)] = risk[t] - risk[children].sum()
        ties_of_least = [t for t, rise in increases.items() if rise == min(increases.values())]
        assert collapsed in ties_of_least
        if ties == "level":
            assert collapsed == min(ties_of_least)
        leaf[collapsed] = True
        assert path[step].n_leaves == path.n_leaves[step]
        assert path.risks[step] == pytest.approx(path.risks[step - 1] + increases[int(collapsed)])
    assert leaf[0]
    assert (np.diff(path.n_leaves) < 0).all()


def test_trees_are_made_on_request():
    tree = tree_of(IRIS, classes(3))
    path = one_leaf_fewer(tree, risk_of(tree, "error"))
    assert len(path) == 3
    assert [smaller.n_leaves for smaller in path] == [3, 2, 1]
    assert path[0].n_nodes == 5
    assert path[-1].n_nodes == 1
    assert path.collapses_at.tolist() == [2, 0, 1, 0, 0]
    with pytest.raises(IndexError):
        path[3]


def test_ties_by_level_or_by_depth():
    tree = shape_only([2, 2, 2, 2, 0, 0, 0, 0, 0])
    risk = np.zeros(9)
    assert one_leaf_fewer(tree, risk).nodes.tolist() == [2, 3, 1, 0]
    assert one_leaf_fewer(tree, risk, ties="depth").nodes.tolist() == [3, 1, 2, 0]
    with pytest.raises(ParameterError, match="ties must be one of 'level', 'depth'; got 'random'"):
        one_leaf_fewer(tree, risk, ties="random")


def test_the_price_of_a_leaf_or_validation_chooses():
    tree = tree_of(IRIS, classes(3))
    path = one_leaf_fewer(tree, risk_of(tree, "error"))
    assert [path.best_for(alpha) for alpha in (0.0, 43.0, 44.0, 49.0, 50.0, 1e9)] == [0, 0, 1, 1, 2, 2]
    assert path.best_by_validation(np.array([0.3, 0.2, 0.4])) == 1
    assert path.best_by_validation(np.array([0.2, 0.2 * (1 + 1e-12), 0.4])) == 1
    with pytest.raises(ParameterError, match="alpha must be a finite number"):
        path.best_for(-1.0)
    with pytest.raises(ParameterError, match="one number for each of the 3"):
        path.best_by_validation(np.array([0.3]))


def test_a_lone_leaf_is_its_own_sequence():
    tree = tree_of((3, 4), classes(2))
    path = one_leaf_fewer(tree, risk_of(tree))
    assert (len(path), path.n_leaves.tolist(), path.risks.tolist()) == (1, [1], [3.0])


def test_a_deep_chain():
    tree = shape_only(chain_shape(20_001))
    path = one_leaf_fewer(tree, np.arange(20_001, 0, -1.0), ties="depth")
    assert len(path) == 10_001
    assert path[5000].n_leaves == 5001
