"""Weakest links: nested, minimal by brute force, the same as the reference sequences, and fast on any shape."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.errors import ParameterError
from boxwood.pruning.cost_complexity import alpha_for_leaves, risk_of, subtree, weakest_links
from boxwood.statistics.responses.means import Means
from boxwood.statistics.responses.rates import Rates
from pruning.rpart_frames import data_sets, tree_of_fit
from pruning.trees import (
    Stays,
    bushy_shape,
    chain_shape,
    classes,
    pruned_trees,
    random_shape,
    shape_only,
    tree_of,
)

IRIS = ("length", (50, 0, 0), ("width", (0, 49, 5), (0, 1, 45)))


@st.composite
def trees_with_risks(draw, may_rise=True):
    """A random tree of at most 12 leaves and risks with many ties or none; a split may even raise the risk."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    tree = shape_only(random_shape(rng, draw(st.integers(2, 12)), branches=3))
    own = rng.integers(0, 4, tree.n_nodes).astype(float) if draw(st.booleans()) else rng.random(tree.n_nodes)
    own[~tree.is_leaf] -= draw(st.sampled_from([0.0, 1.0])) if may_rise else 0.0
    return tree, sums_from_below(tree, own)


def sums_from_below(tree, own):
    """Sum of ``own`` over each node and all below it, shape (T,)."""
    total = own.copy()
    for t in range(tree.n_nodes - 1, 0, -1):
        total[tree.parent[t]] += total[t]
    return total


def leaves_of(tree, path, alpha):
    """Leaves of T(alpha) in numbers of the full tree."""
    leaf = (path.collapses_at <= alpha) | tree.is_leaf
    hidden = np.zeros(tree.n_nodes, bool)
    for t in range(1, tree.n_nodes):
        hidden[t] = hidden[tree.parent[t]] or leaf[tree.parent[t]]
    return tuple(np.flatnonzero(leaf & ~hidden).tolist())


@given(trees_with_risks())
def test_every_tree_of_the_family_is_the_smallest_of_least_cost(case):
    tree, risk = case
    path = weakest_links(tree, risk)
    everything = pruned_trees(tree)
    risks = np.array([risk[list(leaves)].sum() for leaves in everything])
    sizes = np.array([len(leaves) for leaves in everything])
    between = (path.alphas[:-1] + path.alphas[1:]) / 2
    for alpha in (*path.alphas, *between, path.alphas[-1] + 1.0):
        cost = risks + alpha * sizes
        close = cost <= cost.min() + 1e-8 * max(1.0, abs(risk[0]))
        leaves = leaves_of(tree, path, alpha)
        assert len(leaves) == sizes[close].min()
        assert risk[list(leaves)].sum() + alpha * len(leaves) == pytest.approx(cost.min(), abs=1e-8)


@given(trees_with_risks())
def test_rows_are_nested_rise_and_end_at_the_root(case):
    tree, risk = case
    path = weakest_links(tree, risk)
    assert path.alphas[0] == 0.0
    assert (np.diff(path.alphas) > 0).all()
    assert (np.diff(path.n_leaves) < 0).all()
    assert path.n_leaves[-1] == 1
    assert path.risks[-1] == path.root_risk == risk[0]
    assert (path.collapses_at[tree.is_leaf] == 0).all()
    assert (path.collapses_at[1:] <= path.collapses_at[tree.parent[1:]]).all()
    for alpha, n_leaves, total in zip(path.alphas, path.n_leaves, path.risks, strict=True):
        leaves = leaves_of(tree, path, alpha)
        assert len(leaves) == n_leaves == subtree(tree, path, alpha).n_leaves
        assert risk[list(leaves)].sum() == pytest.approx(total, abs=1e-9)


@given(trees_with_risks(may_rise=False))
def test_it_is_the_sequence_of_collapsing_the_weakest_links_one_after_the_other(case):
    tree, risk = case
    path = weakest_links(tree, risk)
    tolerance = 1e-10 * abs(risk[0])
    leaf, alphas, sizes = tree.is_leaf.copy(), [0.0], []
    alpha = 0.0
    while True:
        while weak := [g for g in weakest(tree, risk, leaf) if g[0] <= alpha + tolerance]:
            leaf[weak[0][1]] = True
        sizes.append(len(below(tree, leaf, 0)))
        links = weakest(tree, risk, leaf)
        if not links:
            break
        alpha = min(links)[0]
        alphas.append(alpha)
    np.testing.assert_allclose(path.alphas, alphas, rtol=1e-9, atol=1e-9)
    assert path.n_leaves.tolist() == sizes


def below(tree, leaf, t):
    """Leaves of the branch at ``t``."""
    if leaf[t]:
        return [t]
    first = tree.first_child[t]
    return [s for c in range(first, first + tree.n_children[t]) for s in below(tree, leaf, c)]


def weakest(tree, risk, leaf):
    """(g, node) of every inner node that can be reached, from the root down."""
    found, queue = [], [0]
    for t in queue:
        if not leaf[t]:
            leaves = below(tree, leaf, t)
            found.append(((risk[t] - risk[leaves].sum()) / (len(leaves) - 1), t))
            queue.extend(range(tree.first_child[t], tree.first_child[t] + tree.n_children[t]))
    return found


@pytest.mark.parametrize(("name", "data"), data_sets().items())
def test_sequences_of_rpart_trees(name, data):
    fits = {fit["id"]: fit for fit in data["fits"]}
    for expected in data["sequences"]:
        tree, risk, _ = tree_of_fit(fits[expected["tree"]])
        path = weakest_links(tree, risk)
        rows = [(row["alpha"], row["leaves"], row["risk"]) for row in expected["weakest_link"]]
        found = np.column_stack([path.alphas, path.n_leaves, path.risks])
        np.testing.assert_allclose(found, rows, rtol=1e-9, atol=1e-10 * risk[0], err_msg=name)


def test_records_have_the_scales_of_rpart():
    tree = tree_of(IRIS, classes(3))
    records = weakest_links(tree, risk_of(tree, "error")).to_records()
    assert records == [
        {"alpha": 0.0, "n_leaves": 3, "n_splits": 2, "risk": 6.0, "cp": 0.0, "relative_risk": 0.06},
        {"alpha": 44.0, "n_leaves": 2, "n_splits": 1, "risk": 50.0, "cp": 0.44, "relative_risk": 0.5},
        {"alpha": 50.0, "n_leaves": 1, "n_splits": 0, "risk": 100.0, "cp": 0.5, "relative_risk": 1.0},
    ]


def test_scaled_is_per_unit_of_weight():
    tree = tree_of(IRIS, classes(3))
    path = weakest_links(tree, risk_of(tree, "gini")).scaled(150.0)
    # As scikit-learn's cost_complexity_pruning_path has them for this tree.
    assert path.risks[-1] == pytest.approx(2 / 3)
    assert path.alphas[-1] == pytest.approx(1 / 3)
    assert subtree(tree, path, 0.3).n_leaves == 2
    assert path.root_risk == pytest.approx(2 / 3)
    for weight in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(ParameterError, match="weight must be a positive number"):
            path.scaled(weight)


def test_a_lone_leaf_has_one_row():
    tree = tree_of((3, 4), classes(2))
    path = weakest_links(tree, risk_of(tree))
    assert path.to_records() == [
        {"alpha": 0.0, "n_leaves": 1, "n_splits": 0, "risk": 3.0, "cp": 0.0, "relative_risk": 1.0}
    ]
    assert subtree(tree, path, 0.0).n_nodes == 1
    pure = tree_of((3, 0), classes(2))
    assert weakest_links(pure, risk_of(pure)).to_records()[0]["relative_risk"] == 0.0


def test_splits_without_gain_go_at_alpha_0():
    tree = tree_of(("x", ("z", (4, 1), (8, 2)), (0, 9)), classes(2))
    path = weakest_links(tree, risk_of(tree, "gini"))
    assert path.alphas[0] == 0.0
    assert path.n_leaves.tolist() == [2, 1]
    assert subtree(tree, path, 0.0).n_leaves == 2


def test_alphas_that_rounding_alone_keeps_apart_are_one_row():
    tree = shape_only([2, 2, 2, 0, 0, 0, 0])
    risk = np.array([10.0, 0.1 + 0.2, 0.3, 0.0, 0.0, 0.0, 0.0])
    assert weakest_links(tree, risk).n_leaves.tolist() == [4, 2, 1]


def test_a_single_branch_that_lowers_the_risk_never_collapses():
    tree = shape_only([1, 2, 0, 0])
    path = weakest_links(tree, np.array([5.0, 3.0, 1.0, 1.0]))
    assert path.n_leaves.tolist() == [2, 1]
    assert path.collapses_at.tolist() == [np.inf, 1.0, 0.0, 0.0]
    assert path.risks.tolist() == [2.0, 3.0]
    assert weakest_links(tree, np.array([3.0, 3.0, 1.0, 1.0])).collapses_at.tolist() == [1.0, 1.0, 0.0, 0.0]


def test_infinite_alpha_leaves_the_root():
    tree = tree_of(IRIS, classes(3))
    assert subtree(tree, weakest_links(tree, risk_of(tree)), np.inf).n_nodes == 1


def test_alpha_for_leaves_takes_the_largest_tree_that_fits():
    tree = tree_of(IRIS, classes(3))
    path = weakest_links(tree, risk_of(tree))
    assert [alpha_for_leaves(path, n) for n in (1, 2, 3, 99)] == [50.0, 44.0, 0.0, 0.0]
    with pytest.raises(ParameterError, match="n_leaves must be at least 1; got 0"):
        alpha_for_leaves(path, 0)


def test_wrong_settings_are_named():
    tree = tree_of(IRIS, classes(3))
    path = weakest_links(tree, risk_of(tree))
    for alpha in (-1.0, np.nan):
        with pytest.raises(ParameterError, match="alpha must be 0 or larger"):
            subtree(tree, path, alpha)
    with pytest.raises(ParameterError, match="path was made from a tree of 5 nodes, but tree has 1"):
        subtree(tree_of((1, 1, 1), classes(3)), path, 0.0)
    for risk in (np.ones(4), np.full(5, np.nan)):
        with pytest.raises(ParameterError, match="one finite number for each of the 5 nodes"):
            weakest_links(tree, risk)
    with pytest.raises(ParameterError, match="risk must be one of error, gini, entropy for classes; got 'variance'"):
        risk_of(tree, "variance")


def test_risks_by_name():
    tree = tree_of(IRIS, classes(3))
    assert risk_of(tree, "error").tolist() == [100.0, 0.0, 50.0, 5.0, 1.0]
    assert risk_of(tree).tolist() == risk_of(tree, "error").tolist()
    assert risk_of(tree, "gini")[0] == pytest.approx(100.0)
    assert risk_of(tree, "entropy")[2] == pytest.approx(100.0)
    grown_by = tree_of(IRIS, classes(3), made_by={"measure": "entropy"})
    assert risk_of(grown_by).tolist() == risk_of(tree, "entropy").tolist()
    spread = tree_of(("x", (2, 1.0, 0.5), (2, 4.0, 0.0)), Means())
    assert risk_of(spread).tolist() == [9.5, 0.5, 0.0]
    assert risk_of(spread, "variance").tolist() == risk_of(spread, "squared_error").tolist()
    counts = tree_of(("x", (2, 2, 4, 4 * np.log(2)), (2, 2, 2, 0.0)), Rates())
    assert risk_of(counts) == pytest.approx([8 * np.log(2) - 12 * np.log(1.5), 0, 0])
    assert risk_of(counts, "poisson").tolist() == risk_of(counts, "deviance").tolist()


def test_costs_and_priors_enter_the_error():
    costly = classes(2, costs=((0.0, 1.0), (3.0, 0.0)))
    assert risk_of(tree_of((8, 2), costly), "error").tolist() == [6.0]
    with_prior = classes(2, factors=(0.5, 3.0))
    assert risk_of(tree_of((10, 2), with_prior), "error") == pytest.approx([5.0])


def test_an_empty_branch_costs_nothing():
    tree = tree_of(("x", (3, 0), (0, 0), (0, 2)), classes(2))
    for name in ("error", "gini", "entropy"):
        assert risk_of(tree, name)[1:].tolist() == [0.0, 0.0, 0.0]


def test_rows_that_stay_can_make_a_split_worse_than_nothing():
    tree = tree_of(Stays((5, 5), ("x", (1, 1), (1, 1))), classes(2))
    path = weakest_links(tree, risk_of(tree, "error"))
    assert path.n_leaves.tolist() == [2, 1]
    assert path.risks.tolist() == [2.0, 5.0]


@pytest.mark.parametrize("shape", [chain_shape(20_001), bushy_shape(100_001)])
def test_large_trees_of_any_shape(shape):
    tree = shape_only(shape)
    own = np.zeros(tree.n_nodes)
    own[~tree.is_leaf] = np.linspace(2.0, 1.0, (~tree.is_leaf).sum())
    path = weakest_links(tree, sums_from_below(tree, own))
    assert path.n_leaves[0] == tree.n_leaves
    assert path.n_leaves[-1] == 1
