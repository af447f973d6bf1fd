"""Importance adds up to what the tree takes away, and with surrogates it is rpart's number."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.errors import ParameterError
from boxwood.statistics.responses.means import Means
from boxwood.statistics.responses.rates import Rates
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from boxwood.views.importance import mdi, with_surrogates
from pruning.rpart_frames import data_sets, tree_of_fit
from pruning.trees import Stays, Surrogates, classes, tree_from_arrays, tree_of
from tree.random_trees import random_tree

MEASURES = [(CLASSES, "gini"), (CLASSES, "entropy"), (CLASSES, "error"), (MEAN, "variance")]


@given(st.integers(0, 10_000), st.sampled_from(MEASURES))
def test_the_sum_is_what_the_leaves_no_longer_have(seed, kind_and_measure):
    kind, measure = kind_and_measure
    tree = random_tree(seed, kind)
    share, impurity = tree.weight / tree.weight[0], tree.impurity(measure)
    left = share[tree.is_leaf] @ impurity[tree.is_leaf]
    assert mdi(tree, measure, normalize=False).sum() == pytest.approx(impurity[0] - left, abs=1e-9)


@given(st.integers(0, 10_000), st.sampled_from([CLASSES, MEAN, RATE]))
def test_unused_features_have_none_and_shares_add_to_1(seed, kind):
    tree = random_tree(seed, kind)
    shares = mdi(tree)
    unused = np.setdiff1d(np.arange(len(tree.schema)), tree.splits.feature)
    assert shares.shape == with_surrogates(tree).shape == (len(tree.schema),)
    assert (shares[unused] == 0).all()
    assert shares.sum() == pytest.approx(1.0) or not shares.any()


def test_rows_that_stay_keep_the_impurity_of_their_node():
    tree = tree_of(Stays((6, 6), ("x", (4, 0), (0, 4))), classes(2))
    assert mdi(tree, "gini", normalize=False) == pytest.approx([8 / 12 * 0.5])


def test_an_empty_branch_adds_nothing():
    tree = tree_of(("x", (3, 0), (0, 0), (0, 1)), classes(2))
    assert mdi(tree, "entropy", normalize=False) == pytest.approx([2.0 - 0.75 * np.log2(3)])


def test_priors_weigh_the_nodes():
    tree = tree_of(("x", ("z", (6, 0), (1, 1)), (2, 1)), classes(2, factors=(0.5, 3.0)))
    equal = tree_of(("x", ("z", (3, 0), (0.5, 3)), (1, 3)), classes(2))
    for measure in ("gini", "entropy", "error"):
        assert mdi(tree, measure) == pytest.approx(mdi(equal, measure))


def test_costs_weigh_the_nodes_where_the_search_saw_them():
    costly = classes(2, altered=(0.5, 3.0), costs=((0.0, 1.0), (6.0, 0.0)))
    tree = tree_of(("x", ("z", (6, 0), (1, 1)), (2, 1)), costly)
    equal = tree_of(("x", ("z", (3, 0), (0.5, 3)), (1, 3)), classes(2))
    assert mdi(tree, "gini", normalize=False) == pytest.approx(mdi(equal, "gini", normalize=False))
    risk = np.array([9.0, 6.0, 2.0, 0.0, 1.0])  # of root, z, leaf (2, 1), leaf (6, 0), leaf (1, 1)
    assert tree.response.risk(tree.moments, "error") == pytest.approx(risk)
    assert mdi(tree, "error", normalize=False) == pytest.approx(np.array([1.0, 5.0]) / 11)


def test_the_measure_of_growth_by_default():
    nested = ("x", ("z", (5, 1), (1, 2)), (0, 4))
    grown = tree_of(nested, classes(2), made_by={"measure": "entropy"})
    assert mdi(grown).tolist() == mdi(grown, "entropy").tolist() != mdi(grown, "gini").tolist()
    assert mdi(tree_of(nested, classes(2))).tolist() == mdi(grown, "gini").tolist()
    with pytest.raises(ParameterError, match="measure must be one of gini, entropy, error"):
        mdi(grown, "variance")


def test_rates_and_means():
    means = tree_of(("x", (2, 1.0, 0.0), (2, 3.0, 0.0)), Means())
    assert mdi(means, normalize=False).tolist() == [1.0]
    rates = tree_of(("x", (2, 2, 4, 4 * np.log(2)), (2, 2, 2, 0.0)), Rates())
    assert mdi(rates, normalize=False) == pytest.approx([(8 * np.log(2) - 12 * np.log(1.5)) / 4])


@pytest.mark.parametrize(("name", "data"), data_sets().items())
def test_with_surrogates_is_the_importance_of_rpart(name, data):
    for fit in data["fits"]:
        tree, _, _ = tree_of_fit(fit)
        found = dict(zip(tree.schema.names, with_surrogates(tree).tolist(), strict=True))
        positive = {feature: value for feature, value in found.items() if value > 0}
        assert positive == pytest.approx(fit["importance"], rel=1e-9), f"{name} {fit['id']}"


def test_surrogates_take_their_part_of_the_decrease():
    surrogates = Surrogates(node=[0, 0, 2], feature=[1, 2, 0], adjusted=[0.5, 0.25, 1.0])
    tree = tree_from_arrays(
        [2, 0, 2, 0, 0],
        [[10.0], [6.0], [4.0], [1.0], [3.0]],
        classes(1),
        feature=[0, -1, 1, -1, -1],
        names=("a", "b", "c"),
        score=[0.4, np.nan, 0.5, np.nan, np.nan],
        surrogates=surrogates,
    )
    assert with_surrogates(tree).tolist() == [4.0 + 2.0, 2.0 + 2.0, 1.0]


def test_a_lone_leaf_has_no_importance():
    leaf = tree_from_arrays([0], [[3.0, 2.0]], classes(2), names=("a", "b"))
    assert mdi(leaf).tolist() == mdi(leaf, normalize=False).tolist() == with_surrogates(leaf).tolist() == [0.0, 0.0]
