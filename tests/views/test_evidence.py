"""Weights change the search and never the evidence: counts, intervals and words come from the rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from boxwood import C45Classifier, C45Rules, CARTClassifier, CARTRegressor
from boxwood.exports.json_tree import read
from boxwood.pictures.branch_words import note
from boxwood.statistics.intervals import mean_interval, rate_interval, wilson
from boxwood.tree.rebuild import keep_nodes
from boxwood.tree.store import from_bytes, to_bytes
from boxwood.views.confidence import node_intervals, row_intervals
from boxwood.views.rules import rules_of
from boxwood.views.text import to_text

X = {"x": [0] * 10 + [1] * 10}
Y = ["a"] * 8 + ["b"] * 2 + ["b"] * 8 + ["a"] * 2
HEAVY = {"a": 50, "b": 1}


def weighted():
    return CARTClassifier(class_weight=HEAVY, pruning=None).fit(X, Y)


def smoothed(tree, rows: float = 2.0):
    added = tuple((rows * tree.probability[0]).tolist())
    return replace(tree, response=replace(tree.response, smoothing=added))


def test_class_weights_leave_counts_and_intervals_of_rows():
    tree = weighted().tree_
    assert tree.response.class_weights == (50.0, 1.0)
    assert tree.counts.tolist() == [[10, 10], [8, 2], [2, 8]]
    assert tree.row_weight.tolist() == tree.effective_rows.tolist() == [20, 10, 10]
    assert tree.weight_squares is None
    low, high = row_intervals(tree, np.array([2]))
    assert np.allclose([low[0, 0], high[0, 0]], [0.0566822, 0.5098375])  # 2 of 10, by hand
    weighted_ends = [50 * p / (50 * p + 1 - p) for p in (low[0, 0], high[0, 0])]
    assert np.allclose([end[0, 0] for end in node_intervals(tree, np.array([2]))], weighted_ends)


def test_rows_are_beside_a_weighted_share_in_every_text():
    model = weighted()
    assert str(model.rules()).splitlines()[4] == (
        "  probability 0.926 (95 % interval 0.750 to 0.981), 2 of 10 rows, 20.0 % (interval 5.7 % to 51.0 %), "
        "50.0 % of all, lift 0.944"
    )
    assert to_text(model.tree_).splitlines()[1:] == [
        "all rows (a 0.980, 10 of 20 rows, 50.0 %)",
        "├─ x = 0 or missing → a 0.995 (8 of 10 rows, 80.0 %)",
        "└─ x = 1 → a 0.926 (2 of 10 rows, 20.0 %)",
    ]
    assert "node 2 (2 of 10 rows, 20.0 %): a 0.926 [0.750, 0.981]" in str(model.explain({"x": [1]}))
    assert r"a 0.926\n2 of 10 rows, 20.0 %" in model.export("dot")
    assert note(model.tree_, 2).splitlines()[1:] == ["10 rows", "a: 0.926 (2, 20.0 %)", "b: 0.074 (8, 80.0 %)"]


def test_rows_are_beside_a_weighted_share_in_tables_and_reports():
    model = weighted()
    rules = model.rules()
    records = rules.to_records()
    assert (records["n_a"], records["n_b"], records["weight"]) == ([8, 2], [2, 8], [10, 10])
    assert rules.gains("a").to_records()["response"] == [80.0, 20.0]
    frame = model.tree_.to_frame("dict")
    assert (frame["n_a"], frame["weight"]) == ([10, 8, 2], [20, 10, 10])
    assert model.explain({"x": [1]}).to_records()["n_b"] == [10, 8]
    assert "2 of 10 rows, 20.0 %" in model.to_svg()
    html = model.explore(X, Y).html
    for words in ("a 50.0 %, b 50.0 %", "a 98.0 %, b 2.0 %", '"counts":[10,10,8,2,2,8]', '"altered":2'):
        assert words in html


def test_rules_of_c45rules_count_rows():
    found = C45Rules(class_weight={"a": 5, "b": 1}).fit({"x": [0] * 30 + [1] * 30}, ["a"] * 30 + ["b"] * 27 + ["a"] * 3)
    assert "30 of 30 rows" in found.model_.rule_set.to_text()
    assert type(found.model_).from_bytes(found.model_.to_bytes()).rule_set.class_weights == (5.0, 1.0)


@pytest.mark.parametrize("scale", [100.0, 1e-3, 3.7])
def test_a_weight_of_all_rows_changes_no_interval(scale):
    plain = CARTClassifier(pruning=None).fit(X, Y)
    scaled = CARTClassifier(pruning=None).fit(X, Y, sample_weight=[scale] * 20)
    assert scaled.tree_.weight_squares is None
    for one, other in zip(plain.rules(), scaled.rules(), strict=True):
        assert np.allclose(one.interval, other.interval, rtol=1e-12)
    assert np.allclose(scaled.rules()[0].interval, (0.4901625, 0.9433178))
    some = np.random.default_rng(0).lognormal(size=20)
    both = [CARTClassifier(pruning=None).fit(X, Y, sample_weight=some * c).tree_ for c in (1.0, scale)]
    assert np.allclose(*(tree.effective_rows for tree in both))
    assert np.allclose(*(node_intervals(tree, np.arange(3)) for tree in both))


def test_rows_of_unequal_weights_count_by_their_effective_number():
    weight = np.r_[np.ones(10), np.arange(1.0, 11.0)]
    for class_weight in (None, HEAVY):
        tree = CARTClassifier(pruning=None, class_weight=class_weight).fit(X, Y, sample_weight=weight).tree_
        sums = np.array([weight.sum(), 10, 55])
        squares = np.array([(weight**2).sum(), 10, 385])
        assert np.allclose(tree.weight_squares, squares)
        assert np.allclose(tree.effective_rows, sums**2 / squares)
        ends = row_intervals(tree, np.array([2]))
        share = np.array([19.0 / 55.0])  # the last two rows are of class a
        assert np.allclose([end[0, 0] for end in ends], np.ravel(wilson(share, np.array([55.0**2 / 385.0]))))


def test_means_and_rates_count_rows_by_their_effective_number():
    y, weight = np.r_[np.zeros(10), np.arange(10.0)], np.r_[np.ones(10), np.arange(1.0, 11.0)]
    tree = CARTRegressor(pruning=None, max_depth=1).fit(X, y, sample_weight=weight).tree_
    n, mean = 55.0**2 / 385.0, weight[10:] @ y[10:] / 55
    spread = weight[10:] @ (y[10:] - mean) ** 2 / 55
    expected = mean_interval(np.array([[n, mean, n * spread]]))
    assert np.allclose(np.ravel(node_intervals(tree, np.array([2]))), np.ravel(expected))
    counts = CARTRegressor(criterion="poisson", pruning=None, max_depth=1).fit(X, y, sample_weight=weight).tree_
    events = weight[10:] @ y[10:] * n / 55
    expected = rate_interval(np.array([events]), np.array([n]))
    assert np.allclose(np.ravel(node_intervals(counts, np.array([2]))), np.ravel(expected))


def test_a_divided_row_has_its_share_of_the_square():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(200, 2))
    y = np.where(x[:, 0] + rng.normal(size=200) * 0.3 > 0, "p", "q")
    x[rng.random(200) < 0.2, 0] = np.nan
    tree = C45Classifier(pruning=None, missing="fractional", max_depth=1).fit(x, y, sample_weight=[1, 2] * 100).tree_
    known = ~np.isnan(x[:, 0])
    weight, left = np.array([1, 2] * 100), known & (x[:, 0] <= tree.splits.breaks[0])
    squares = (weight[left] ** 2).sum() + tree.row_weight[1] / tree.row_weight[0] * (weight[~known] ** 2).sum()
    assert np.isclose(tree.weight_squares[1], squares)
    equal = C45Classifier(pruning=None, missing="fractional", max_depth=1).fit(x, y).tree_
    assert equal.weight_squares is None
    assert np.allclose(equal.effective_rows, equal.weight)


def test_squares_stay_with_the_tree_in_files_and_when_it_is_pruned_or_raised():
    rng = np.random.default_rng(0)
    x, weight = rng.normal(size=(300, 3)), rng.lognormal(size=300)
    y = np.where(x[:, 0] + rng.normal(size=300) > 0, "p", "q")
    raised = C45Classifier().fit(x, y, sample_weight=weight)
    node = raised.apply(x)
    for leaf in raised.tree_.leaves:
        assert np.isclose(raised.tree_.weight_squares[leaf], (weight[node == leaf] ** 2).sum())
    full = CARTClassifier(pruning=None).fit(x, y, sample_weight=weight).tree_
    small = keep_nodes(full, full.depth == 1)
    assert np.array_equal(small.weight_squares, full.weight_squares[:3])
    assert np.array_equal(from_bytes(to_bytes(full))[0].weight_squares, full.weight_squares)
    assert np.array_equal(read(full.export("json"))[0].weight_squares, full.weight_squares)
    order = rng.permutation(300)
    again = CARTClassifier(pruning=None).fit(x[order], y[order], sample_weight=weight[order]).tree_
    assert to_bytes(again) == to_bytes(full)


def test_a_smoothed_share_lies_in_its_interval_and_has_the_rows_beside_it():
    model = CARTClassifier(pruning=None).fit({"x": [0] * 49 + [1] * 9}, ["y"] * 46 + ["n"] * 12)
    tree = smoothed(model.tree_)
    assert to_text(tree).splitlines()[2].endswith("→ y 0.933 (46 of 49 rows)")
    assert "46 of 49 rows, 84.5 % of all" in str(rules_of(tree)[0])
    for rows in (1.0, 2.0, 30.0):
        for level in (0.5, 0.95):
            heavy = smoothed(tree, rows)
            low, high = node_intervals(heavy, np.arange(3), level)
            assert ((low <= heavy.probability) & (heavy.probability <= high)).all()


def test_plain_shares_read_as_before():
    model = CARTClassifier(pruning=None).fit(X, Y, sample_weight=[1] * 10 + [2] * 10)
    assert to_text(model.tree_).splitlines()[2] == "├─ x = 0 → a 0.800 (10 rows)"
    assert "0.800 (95 % interval 0.490 to 0.943), 10 rows (weight 20)" in str(model.rules()[1])


def lognormal(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.lognormal(0.0, 0.8, n)


@pytest.mark.parametrize(
    ("least", "most", "n", "class_weight", "weights", "smooth"),
    [
        (0.02, 0.3, 200, {0: 1, 1: 20}, None, False),
        (0.1, 0.9, 200, None, lognormal, False),
        (0.1, 0.5, 200, {0: 1, 1: 5}, lognormal, False),
        (0.005, 0.05, 300, None, None, True),
        (0.01, 0.05, 400, None, lognormal, True),
    ],
)
def test_intervals_of_leaves_cover_the_truth(least, most, n, class_weight, weights, smooth):
    rng, hits = np.random.default_rng(1), []
    x, factors = np.repeat([0.0, 1.0], n)[:, None], np.array([1.0, (class_weight or {1: 1})[1]])
    while len(hits) < 400:
        truth = rng.uniform(least, most, 2)
        y = (rng.random(2 * n) < np.repeat(truth, n)).astype(int)
        w = None if weights is None else weights(rng, 2 * n)
        tree = CARTClassifier(pruning=None, class_weight=class_weight, n_jobs=1).fit(x, y, sample_weight=w).tree_
        if tree.n_nodes == 3:
            low, high = node_intervals(smoothed(tree) if smooth else tree, np.array([1, 2]))
            odds = truth * factors[1] / (truth * factors[1] + 1.0 - truth)
            hits += ((low[:, 1] <= odds) & (odds <= high[:, 1])).tolist()
    assert 0.93 <= np.mean(hits) <= 0.97
