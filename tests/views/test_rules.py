"""Rules: one for each end, their sums, words for every kind of split, and the gain table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CHAIDClassifier,
    ID3Classifier,
    datasets,
)
from boxwood.errors import ParameterError
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from boxwood.tree.descend import route
from boxwood.views.given_condition import fulfilled
from boxwood.views.rules import rules_of
from tree.random_trees import random_tree


def titanic():
    X = datasets.load("titanic")
    return X, X.pop("survived")


@given(st.integers(0, 10_000), st.sampled_from([CLASSES, MEAN, RATE]))
def test_rules_of_any_tree_can_be_printed(seed, kind):
    tree = random_tree(seed, kind)
    rules = rules_of(tree)
    assert [rule.node for rule in rules if rule.stays_for is None] != []
    assert {rule.node for rule in rules} >= set(tree.leaves.tolist())
    assert sum(rule.share for rule in rules) == pytest.approx(1.0)
    assert len(rules.to_text(max_rules=None).split("\nIf ")) == len(rules)
    frame = rules.to_frame()
    assert len(frame) == len(rules)
    for rule in rules:
        low, high = rule.interval
        number = rule.confidence if kind == CLASSES else rule.value
        if kind != RATE:  # a shrunken rate may lie outside
            assert np.isnan(low) or low - 1e-12 <= number <= high + 1e-12


@pytest.mark.parametrize("missing", ["surrogate", "majority", "stay", "own_branch", "learned"])
def test_rows_of_training_are_in_exactly_one_rule(missing):
    X, y = titanic()
    model = CARTClassifier(max_depth=4, pruning=None, missing=missing).fit(X, y)
    rules = model.rules()
    ends, counts = np.unique(model.apply(X), return_counts=True)
    assert {rule.node: rule.rows for rule in rules if rule.rows} == dict(
        zip(ends.tolist(), counts.tolist(), strict=True)
    )
    _, columns = model._read(X)
    known = ~np.any([columns.missing(j) for j in range(len(columns.schema))], axis=0)
    node = route(model.tree_, columns).node
    for rule in rules:
        if rule.stays_for is None:
            np.testing.assert_array_equal(fulfilled(rule.ranges, columns)[known], node[known] == rule.node)


def test_words_of_every_kind_of_split():
    X, y = titanic()
    rule = CARTClassifier(max_depth=2, pruning=None).fit(X, y).rules()[3]
    assert rule.conditions() == ("sex = female", "class in {1st, 2nd}")
    assert rule.to_text() == (
        "If sex is female and class is 1st or 2nd, then y is yes.\n"
        "  probability 0.939 (95 % interval 0.897 to 0.965), 198 rows, 17.9 % of all, lift 2.504\n"
        "  Missing values of sex lead here only if a surrogate decides so; of class lead here unless a surrogate"
        " decides otherwise."
    )
    multiway = C45Classifier(min_branch_weight=5).fit(X, y).rules()
    assert any("Missing values of" in rule.to_text() and "in part" in rule.to_text() for rule in multiway)
    floating = CHAIDClassifier().fit(X, y).rules()
    assert sum(rule.rows for rule in floating) == len(y)
    stays = CARTClassifier(max_depth=2, pruning=None, missing="stay").fit(X, y).rules()
    assert ("sex = male", "age is missing") in [rule.conditions() for rule in stays]
    loan = datasets.load("loan")
    id3 = ID3Classifier().fit({k: v for k, v in loan.items() if k not in ("id", "类别")}, loan["类别"]).rules()
    assert "If 有工作 is 否 and 有房子 is 是, then y is 是." in id3.to_text()
    assert "Missing" not in id3.to_text()  # such rows are refused


def test_ordinal_levels_run_from_one_to_another():
    import pandas as pd

    grades = pd.Categorical(["低", "中", "高", "极高"] * 5, ["低", "中", "高", "极高"], ordered=True)
    tree = CARTRegressor(pruning=None).fit(pd.DataFrame({"等级": grades}), [1, 5, 5, 9] * 5)
    heads = [rule.to_text().splitlines()[0] for rule in tree.rules()]
    assert heads == [
        "If 等级 is 低, then y is 1.",
        "If 等级 is 中 to 高, then y is 5.",
        "If 等级 is 极高, then y is 9.",
    ]


def test_empty_leaves_predict_what_is_above_and_have_no_interval():
    X = {"c": ["a", "a", "b", "b"], "d": ["x", "y", "y", "x"]}
    rules = ID3Classifier().fit(X, [0, 1, 1, 1]).rules()
    empty = [rule for rule in rules if rule.rows == 0]
    assert all(np.isnan(rule.interval).all() for rule in empty)
    one = CARTClassifier(pruning=None).fit([[1], [1]], ["a", "a"]).rules()
    assert (
        one.to_text()
        == "y is always a.\n  probability 1.000 (95 % interval 0.342 to 1.000), 2 rows, 100.0 % of all, lift 1.000\n"
        "The only leaf holds fewer than 7 rows."
    )


def test_priors_move_the_interval_with_the_share():
    X, y = titanic()
    rule = CARTClassifier(max_depth=1, pruning=None, priors=[0.5, 0.5]).fit(X, y).rules()[0]
    plain = CARTClassifier(max_depth=1, pruning=None).fit(X, y).rules()[0]
    low, high = rule.interval
    assert low < rule.confidence < high
    factor = (0.5 / (693 / 1109)) / (0.5 / (416 / 1109))
    odds = [p / (1 - p) for p in plain.interval]
    np.testing.assert_allclose([low / (1 - low), high / (1 - high)], np.array(odds) * factor)


def test_gains_are_those_of_the_counts():
    X, y = titanic()
    model = CARTClassifier(max_depth=3, pruning=None).fit(X, y)
    table = model.rules().gains("yes").to_records()
    is_yes = np.array(y) == "yes"
    node = model.apply(X)
    assert table["gain_n"] == [float(is_yes[node == t].sum()) for t in table["node"]]
    assert table["n"] == [float((node == t).sum()) for t in table["node"]]
    np.testing.assert_allclose(table["index"], np.array(table["response"]) / is_yes.mean())
    assert table["response"] == sorted(table["response"], reverse=True)
    assert table["cumulative_n"][-1] == len(y)
    assert table["cumulative_gain_percent"][-1] == table["cumulative_percent"][-1] == 100.0
    assert table["cumulative_index"][-1] == pytest.approx(100.0)
    assert model.rules().gains("yes").to_text().splitlines()[3] == (
        "  13  197  17.8     186    44.7        94.4  251.7   197   17.8     186    44.7        94.4  251.7"
    )


@pytest.mark.parametrize("missing", ["surrogate", "stay"])
def test_gains_of_means(missing):
    X = {"x": [1, 2, 3, 4, 5, None], "z": list("aabbcc")}
    y = np.array([1.0, 2, 3, 10, 11, 12])
    model = CARTRegressor(max_depth=1, pruning=None, missing=missing).fit(X, y)
    table = model.rules().gains().to_records()
    node = model.apply(X)
    np.testing.assert_allclose(table["mean"], [y[node == t].mean() for t in table["node"]])
    np.testing.assert_allclose(table["index"], [100 * y[node == t].mean() / y.mean() for t in table["node"]])
    assert table["cumulative_mean"][-1] == pytest.approx(y.mean())
    assert "gain_n" not in table


def test_the_profit_of_each_leaf():
    X, y = titanic()
    model = CARTClassifier(max_depth=3).fit(X, y)
    table = model.rules().gains("yes", costs=(3, 1))
    records, leaves = table.to_records(), model.apply(X)
    for node, profit, per_row in zip(records["node"], records["profit"], records["profit_per_row"], strict=True):
        here = np.array(y)[leaves == node]
        assert profit == pytest.approx(3 * (here == "yes").sum() - (here == "no").sum())
        assert per_row == pytest.approx(profit / len(here))
    assert records["cumulative_profit"] == pytest.approx(np.cumsum(records["profit"]).tolist())
    assert str(table).startswith("Gains for y = yes (cost of a miss 3, of a false alarm 1)\n")
    assert "profit" not in model.rules().gains("yes").to_records()
    with pytest.raises(ParameterError, match="costs must be two numbers"):
        model.rules().gains("yes", costs=(1, -1))
    with pytest.raises(ParameterError, match="costs are of classes; leave them out"):
        CARTRegressor(pruning=None).fit([[1], [2]], [1.0, 2.0]).rules().gains(costs=(1, 1))


def test_gains_of_rates():
    model = CARTRegressor(criterion="poisson", pruning=None, max_depth=1, shrink=0.0)
    model.fit({"x": [1, 2, 3, 4]}, [1, 0, 4, 6], exposure=[1.0, 2.0, 1.0, 1.0])
    table = model.rules().gains().to_records()
    np.testing.assert_allclose(table["rate"], [5.0, 1 / 3])
    low, high = model.rules()[0].interval
    assert low < 1 / 3 < high


def test_targets_that_are_not_there_are_refused():
    X, y = titanic()
    rules = CARTClassifier(max_depth=1, pruning=None).fit(X, y).rules()
    with pytest.raises(ParameterError, match=r"target_class must be one of 'no', 'yes'; got 'maybe'"):
        rules.gains("maybe")
    assert rules.gains().to_text() == rules.gains("yes").to_text()
    with pytest.raises(ParameterError, match="the class of interest"):
        CARTClassifier(pruning=None).fit([[1], [2], [3]], [1, 2, 3]).rules().gains()
    with pytest.raises(ParameterError, match="max_rules"):
        rules.to_text(0)
    assert [rule.value for rule in rules.of("yes")] == ["yes"]
    means = CARTRegressor(pruning=None).fit([[1], [2]], [0, 1]).rules()
    with pytest.raises(ParameterError, match="predicts a mean"):
        means.gains("yes")
    assert "... 1 more rule; to_text(max_rules=None) shows all" in means.to_text(1)
    with pytest.raises(ParameterError, match="level must be"):
        CARTRegressor(pruning=None).fit([[1], [2]], [0, 1]).rules(95)
