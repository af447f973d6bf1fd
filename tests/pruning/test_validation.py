"""Held-out losses of a whole family equal those of its trees one by one; grid and choice are rpart's."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood import CARTClassifier
from boxwood.errors import ParameterError
from boxwood.pruning.cost_complexity import risk_of, weakest_links
from boxwood.pruning.losses import HeldOutLosses, class_losses
from boxwood.pruning.nested import NestedFamily
from boxwood.pruning.one_leaf import one_leaf_fewer
from boxwood.pruning.selection import choose, grid
from boxwood.pruning.ties import equalize_ties
from boxwood.pruning.validation import HeldOutRows, heldout_losses, losses_by
from boxwood.statistics.responses.means import Means
from boxwood.statistics.responses.rates import Rates
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from pruning.rpart_frames import data_sets
from pruning.trees import chain_shape, classes, random_shape, shape_only, tree_from_arrays

RESPONSES = (
    classes(3, factors=(0.5, 1.0, 2.0), costs=((0.0, 1.0, 4.0), (2.0, 0.0, 1.0), (1.0, 1.0, 0.0))),
    classes(2),
    Means(),
    Rates(),
    Rates(shrink=1.0),
)


def random_case(seed, response, n_leaves=10, n_rows=30):
    """A random tree, its path, and rows that end in any of its nodes."""
    rng = np.random.default_rng(seed)
    count = random_shape(rng, n_leaves, branches=3)
    size = len(count)
    leaf_moments = rng.integers(1, 6, (size, response.width)).astype(float)
    if response.kind == RATE:
        leaf_moments[:, 2] *= rng.integers(0, 2, size)
        leaf_moments[:, 3] = 0.0
    tree = tree_from_arrays(count, leaf_moments, response)
    risk = rng.integers(0, 4, size).astype(float)
    for t in range(size - 1, 0, -1):
        risk[tree.parent[t]] += risk[t]
    node = np.where(rng.random(n_rows) < 0.2, rng.integers(0, size, n_rows), rng.choice(tree.leaves, n_rows))
    if response.kind == CLASSES:
        y = rng.integers(0, response.width, n_rows)
    elif response.kind == MEAN:
        y = rng.normal(size=n_rows)
    else:
        y = np.column_stack([rng.random(n_rows) + 0.5, rng.integers(0, 3, n_rows)])
    return tree, weakest_links(tree, risk), HeldOutRows(node, y, rng.integers(1, 4, n_rows).astype(float))


def loss_of_row(tree, t, y):
    """Loss of one row that ends in node ``t``, written out."""
    response, predicted = tree.response, tree.value[t]
    if response.kind == CLASSES:
        return response.cost_matrix()[y, predicted] * response.factors[y]
    if response.kind == MEAN:
        return (y - predicted) ** 2
    exposure, events = y
    expected = predicted * exposure
    if events == 0:
        return 2 * expected
    return np.inf if expected == 0 else 2 * (events * np.log(events / expected) - (events - expected))


def end_in_family(tree, collapses_at, beta, t):
    """Where a row that ends in ``t`` of the full tree ends in T(beta)."""
    path = tree.path(int(t))
    stops = [s for s in path if collapses_at[s] <= beta]
    return stops[0] if stops else int(t)


@given(st.integers(0, 2**32), st.sampled_from(RESPONSES))
def test_losses_are_those_of_the_trees_one_by_one(seed, response):
    tree, path, rows = random_case(seed, response)
    betas = np.sort(np.append(grid(path.alphas), path.alphas[-1] / 3))
    found = heldout_losses(tree, path.collapses_at, betas, rows)
    for s, beta in enumerate(betas):
        ends = [end_in_family(tree, path.collapses_at, beta, t) for t in rows.node]
        losses = np.array([loss_of_row(tree, t, y) for t, y in zip(ends, rows.y, strict=True)])
        assert found.totals[s] == pytest.approx((rows.weight * losses).sum(), abs=1e-9)
        assert found.sums[:, 2, s].sum() == pytest.approx((rows.weight**2 * losses**2).sum(), abs=1e-9)
    assert found.weight == rows.weight.sum()


@given(st.integers(0, 2**32), st.sampled_from(RESPONSES))
def test_the_order_of_rows_changes_no_bit(seed, response):
    tree, path, rows = random_case(seed, response)
    other = np.random.default_rng(seed).permutation(len(rows.node))
    mixed = HeldOutRows(rows.node[other], rows.y[other], rows.weight[other])
    one, two = (heldout_losses(tree, path.collapses_at, path.alphas, r) for r in (rows, mixed))
    assert one.totals.tolist() == two.totals.tolist()
    assert one.sums[:, :3].tolist() == two.sums[:, :3].tolist()
    assert one.weight == two.weight


def test_a_weight_is_one_row_and_as_many_rows_only_in_rpart():
    tree, path, rows = random_case(5, classes(2))
    repeat = np.repeat(np.arange(len(rows.node)), rows.weight.astype(int))
    single = HeldOutRows(rows.node[repeat], rows.y[repeat], np.ones(len(repeat)))
    family = (path.collapses_at, path.alphas)
    one, counted, two = (
        losses_by(tree, family, r, (None,), count)[0] for r, count in ((rows, False), (rows, True), (single, False))
    )
    assert one.totals.tolist() == two.totals.tolist() == counted.totals.tolist()
    assert counted.standard_error().tolist() == two.standard_error().tolist()
    assert (one.standard_error() > two.standard_error()).all()


def test_equal_weights_change_no_standard_error():
    tree, path, rows = random_case(5, classes(2))
    units = [
        heldout_losses(tree, path.collapses_at, path.alphas, replace(rows, weight=np.full(len(rows.node), unit)))
        for unit in (1.0, 100.0)
    ]
    assert units[0].mean().tolist() == units[1].mean().tolist()
    np.testing.assert_allclose(units[0].standard_error(), units[1].standard_error(), rtol=1e-12)
    np.testing.assert_allclose(units[0].above_last()[1], units[1].above_last()[1], rtol=1e-9, atol=1e-12)


def test_the_difference_from_the_root_is_taken_row_by_row():
    tree, path, rows = random_case(11, classes(3))
    rows = replace(rows, weight=np.ones(len(rows.node)))
    losses = heldout_losses(tree, path.collapses_at, path.alphas, rows, "brier")
    less, error = losses.above_last()
    of_row = class_losses(tree, "brier", np.arange(tree.n_nodes))
    for s, alpha in enumerate(path.alphas.tolist()):
        ends = [end_in_family(tree, path.collapses_at, alpha, t) for t in rows.node]
        difference = of_row[0, rows.y] - of_row[ends, rows.y]
        assert less[s] == pytest.approx(difference.mean(), abs=1e-12)
        assert error[s] == pytest.approx(difference.std() / np.sqrt(len(difference)), abs=1e-7)


def test_class_weights_change_the_mean_but_not_how_many_rows_there_are():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(600, 2)), (rng.random(600) < 0.05).astype(int)
    model = CARTClassifier(pruning=None, class_weight={0: 1.0, 1: 19.0}, max_depth=2).fit(X, y)
    tree = replace(model.tree_, response=replace(model.tree_.response, class_weights=(1.0, 19.0)))
    rows = HeldOutRows(model.apply(X), y, np.ones(600))
    losses = heldout_losses(tree, np.where(tree.is_leaf, 0.0, np.inf), np.zeros(1), rows, "error")
    weight = np.where(y == 1, 19.0, 1.0)
    wrong = (tree.value[rows.node] != y) * 1.0
    mean = (weight * wrong).sum() / weight.sum()
    assert losses.mean()[0] == pytest.approx(mean)
    assert losses.standard_error()[0] == pytest.approx(np.sqrt((weight**2 * (wrong - mean) ** 2).sum()) / weight.sum())


def test_steps_of_the_one_leaf_sequence_are_a_family_too():
    tree, _, rows = random_case(7, classes(2))
    path = one_leaf_fewer(tree, risk_of(tree))
    losses = heldout_losses(tree, path.collapses_at, np.arange(len(path)), rows)
    root_value = tree.value[0]
    assert losses.totals[-1] == rows.weight[rows.y != root_value].sum()
    assert 0 <= path.best_by_validation(losses.totals) < len(path)


@pytest.mark.parametrize("seed", range(5))
def test_confusion_of_a_family_needs_no_tree(seed):
    tree, path, rows = random_case(seed, classes(3))
    family = NestedFamily(tree, path.alphas, path.n_leaves, path.risks, path.collapses_at)
    confusions = family.confusions(lambda _: rows)
    points = [*path.alphas.tolist(), path.alphas[-1] + 1.0]
    expected = []
    for beta in points:
        found = np.zeros((3, 3))
        for t, y, weight in zip(rows.node, rows.y, rows.weight, strict=True):
            found[y, tree.value[end_in_family(tree, path.collapses_at, beta, t)]] += weight
        expected.append(found)
    kept = weakref.ref(tree)
    del tree, family
    gc.collect()
    assert kept() is None
    for beta, found in zip(points, expected, strict=True):
        np.testing.assert_array_equal(confusions(beta), found)


def test_folds_add_up():
    def losses(wrong: list, rows: float) -> HeldOutLosses:
        return HeldOutLosses(np.array([[wrong] * 4]), np.array([[rows, rows]]), np.ones(1))

    both = losses([1.0, 4.0], 6.0) + losses([2.0, 2.0], 4.0)
    assert both.mean().tolist() == [0.3, 0.6]
    assert both.mean(5.0).tolist() == pytest.approx([0.6, 1.2])
    assert both.standard_error() == pytest.approx(np.sqrt([0.21, 0.24]) / np.sqrt(10))


def test_events_where_none_were_thought_possible_are_an_infinite_loss():
    tree = tree_from_arrays([2, 0, 0], [[2, 4, 2, 0], [1, 2, 0, 0], [1, 2, 2, 0]], Rates())
    rows = HeldOutRows(np.array([1, 2]), np.array([[1.0, 1.0], [1.0, 1.0]]), np.ones(2))
    losses = heldout_losses(tree, np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0]), rows)
    assert losses.totals[0] == losses.sums[0, 2, 0] == np.inf
    assert losses.totals[1] == pytest.approx(4 * (np.log(2) - 0.5))
    assert losses.standard_error()[0] == np.inf
    assert choose([0.0, 1.0], losses.mean(), losses.standard_error(), "1se") == 1


def test_no_rows_have_no_loss():
    tree = shape_only([2, 0, 0])
    rows = HeldOutRows(np.zeros(0, int), np.zeros(0, int), np.zeros(0))
    assert heldout_losses(tree, np.array([1.0, 0, 0]), np.array([0.0, 2.0]), rows).totals.tolist() == [0.0, 0.0]


def test_a_deep_chain_is_walked_only_where_a_node_answers():
    tree = shape_only(chain_shape(20_001))
    risk = np.arange(20_001, 0, -1.0)
    rows = HeldOutRows(np.repeat(tree.leaves[-10:], 100), np.zeros(1000, int), np.ones(1000))
    path = weakest_links(tree, risk)
    assert heldout_losses(tree, path.collapses_at, grid(path.alphas), rows).totals.tolist() == [0.0] * len(path.alphas)


def test_wrong_families_are_named():
    tree = shape_only([2, 0, 0])
    rows = HeldOutRows(np.zeros(0, int), np.zeros(0, int), np.zeros(0))
    for betas in ([1.0, 0.0], [np.nan]):
        with pytest.raises(ParameterError, match="betas must rise"):
            heldout_losses(tree, np.zeros(3), np.array(betas), rows)
    for family in ([0.0, 1.0, 0.0], [0.0, 0.0]):
        with pytest.raises(ParameterError, match="a number for each of the 3 nodes, not above its parent's"):
            heldout_losses(tree, np.array(family), np.zeros(1), rows)


@pytest.mark.parametrize(("name", "data"), data_sets().items())
def test_cross_validation_of_rpart(name, data):
    for fit in data["fits"]:
        held = fit["validation"]
        if held is None:
            continue
        table = np.array(fit["cptable"])
        np.testing.assert_allclose(grid(table[::-1, 0])[-2::-1], held["cp"][1:], rtol=1e-5, err_msg=name)
        predicted, y = np.array(held["values"], float), np.array(held["y"])[:, None]
        if fit["method"] == "class":
            loss = (predicted != y).astype(float)
        elif fit["method"] == "anova":
            loss = (predicted - y) ** 2
        else:
            loss = 2 * (y * np.log(np.where(y > 0, y, 1.0) / predicted) - (y - predicted))
        weight = np.array(held["weight"])
        sums = np.stack([weight @ loss, weight @ loss, weight @ loss**2, weight @ loss])
        losses = HeldOutLosses(sums[None], np.array([[weight.sum()] * 2]), np.ones(1))
        unit = fit["frame"]["dev"][0]
        np.testing.assert_allclose(losses.mean(unit), table[:, 3], rtol=1e-6, err_msg=name)
        np.testing.assert_allclose(losses.standard_error(unit), table[:, 4], rtol=1e-6, err_msg=name)
        assert choose(table[:, 0], table[:, 3]) + 1 == held["min_row"]
        assert choose(table[:, 0], table[:, 3], table[:, 4], rule="1se") + 1 == held["one_se_row"]


def test_grid():
    assert grid(np.array([0.0, 1.0, 4.0])).tolist() == [0.0, 2.0, np.inf]
    assert grid(np.array([0.0])).tolist() == [np.inf]
    assert np.isfinite(grid(np.array([0.0, 1e200, 1e300]))[:-1]).all()
    for alphas in ([1.0, 0.0], [-1.0, 0.0], [np.nan]):
        with pytest.raises(ParameterError, match="alphas must rise"):
            grid(np.array(alphas))


def test_choose():
    alphas = [0.0, 1.0, 2.0, 3.0]
    mean, error = [0.3, 0.3 * (1 + 1e-12), 0.33, 0.9], [0.1, 0.04, 0.1, 0.1]
    assert choose(alphas, mean) == 1
    assert choose(alphas, mean, error, rule="1se") == 2
    assert choose(alphas[::-1], mean[::-1], error[::-1], rule="1se") == 1
    assert choose(alphas, [np.inf] * 4) == 3
    with pytest.raises(ParameterError, match="rule must be one of 'min', '1se'; got 'max'"):
        choose(alphas, mean, error, rule="max")
    with pytest.raises(ParameterError, match='rule "1se" needs the standard errors'):
        choose(alphas, mean, rule="1se")
    for wrong in ([1.0], [np.nan] * 4):
        with pytest.raises(ParameterError, match="one number for each of the 4 alphas"):
            choose(alphas, wrong)


def test_ties_become_the_smallest_of_their_group():
    assert equalize_ties(np.array([1.0, 1.05, 1.2, 0.0]), 0.1).tolist() == [1.0, 1.0, 1.2, 0.0]
    assert equalize_ties(np.array([np.inf, 0.0]), 0.1).tolist() == [np.inf, 0.0]
    assert equalize_ties(np.zeros(0), 0.1).tolist() == []
