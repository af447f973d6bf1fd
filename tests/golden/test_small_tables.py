"""Small tables that were given to rpart 4.1.19 and to J48 of Weka 3.9.7: one rule each, with what they printed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, CostComplexity, ErrorBased
from boxwood.algorithms import REGISTRY
from boxwood.algorithms.fitting.cluster_learning import Cluster, fit_cluster
from boxwood.algorithms.fitting.parts_learning import PartsLearning
from boxwood.growing.parts.layout import Roles
from cluster.in_process import InProcess

#: 24 rows of which J48 makes three leaves; at the root both branches hold 12 of them.
EQUAL = {
    "a": [1.0, 0, 1, 2, 2, 0, 3, 2, 3, 0, 2, 1, 1, 2, 1, 0, 3, 3, 3, 3, 0, 1, 1, 2],
    "b": [3.0, 0, 1, 0, 0, 3, 1, 1, 2, 3, 1, 3, 0, 0, 1, 2, 0, 2, 1, 3, 0, 0, 2, 0],
}
ANSWER = list("000111110010001001100010")
#: The midpoint of -0.11 and 0.21 is 0.049999999999999996, less than the 0.05 of another branch.
NEAR = {"g": ["u"] * 12 + ["v"] * 12, "x": [-0.11] * 6 + [0.21] * 6 + [0.02, 0.05] * 6}
CLASSES = ["p"] * 6 + ["q"] * 6 + ["r"] * 12
#: Ten rows without x, 14 below the cut and 16 above.
GAPS = {"x": [1.0] * 14 + [2.0] * 16 + [np.nan] * 10}
RESPONSE = [0] * 12 + [1] * 2 + [1] * 13 + [0] * 3 + [0, 1] * 5
RPART = {"compat": "rpart", "min_samples_split": 20, "min_samples_leaf": 7, "pruning": None}


def held(tree) -> list[list]:
    return [part.tolist() for part in (tree.rows, tree.missing, tree.moments, tree.splits.feature, tree.splits.breaks)]


def assert_the_same_elsewhere(model, X: dict, y: list, name: str, settings: dict, monkeypatch) -> None:
    """The same tree from a stream of three batches, whose rows are never brought together, and from two workers."""
    expected = held(model.tree_)
    monkeypatch.setattr(PartsLearning, "capacity", property(lambda self: 3))
    frame = pd.DataFrame(X | {"y": y})
    batches = [frame.iloc[i::3] for i in range(3)]
    assert held(model.fit_stream(batches, "y").tree_) == expected
    cluster = Cluster(InProcess(), rows=3)
    found = fit_cluster(REGISTRY[name], batches, Roles("y"), "classification", settings, cluster)
    assert held(found.tree) == expected


def cut_of_x(model) -> list[float]:
    splits = model.tree_.splits
    return splits.breaks_of(int(np.flatnonzero(splits.feature == 1)[0])).tolist()


def test_j48_raises_the_last_of_equally_large_branches(monkeypatch):
    model = C45Classifier(compat="j48").fit(EQUAL, ANSWER)
    assert model.tree_.rows[model.tree_.is_leaf].tolist() == [12, 9, 3]
    assert_the_same_elsewhere(model, EQUAL, ANSWER, "c45", {"compat": "j48"}, monkeypatch)
    assert C45Classifier().fit(EQUAL, ANSWER).get_n_leaves() == 2
    assert C45Classifier(pruning=ErrorBased(largest="last")).fit(EQUAL, ANSWER).get_n_leaves() == 3


@pytest.mark.parametrize("settings", [{"compat": "j48"}, {"compat": "c45"}, {}], ids=str)
def test_a_data_cut_is_not_above_the_midpoint_as_rounded(settings, monkeypatch):
    settings = {"pruning": None} | settings
    model = C45Classifier(**settings).fit(NEAR, CLASSES)
    assert cut_of_x(model) == [0.02]
    assert_the_same_elsewhere(model, NEAR, CLASSES, "c45", settings, monkeypatch)
    assert cut_of_x(C45Classifier(data_cuts=False, cuts="exact", **settings).fit(NEAR, CLASSES)) == [(-0.11 + 0.21) / 2]


def test_rpart_without_surrogates_keeps_rows_in_training_and_sends_them_on_in_prediction(monkeypatch):
    settings = RPART | {"max_surrogates": 0}
    model = CARTClassifier(**settings).fit(GAPS, RESPONSE)
    assert model.tree_.rows.tolist() == [40, 14, 16]
    np.testing.assert_allclose(model.predict_proba({"x": [np.nan]}), [[3 / 16, 13 / 16]])
    assert_the_same_elsewhere(model, GAPS, RESPONSE, "cart", settings, monkeypatch)
    assert CARTClassifier(missing="stay", **RPART).fit(GAPS, RESPONSE).apply({"x": [np.nan]}).tolist() == [0]
    plain = {"max_surrogates": 0, "max_depth": 1, "pruning": None}
    assert CARTClassifier(**plain).fit(GAPS, RESPONSE).tree_.rows.tolist() == [40, 14, 26]


def test_splits_of_rpart_without_surrogates_are_explained_by_the_rows_that_went_down():
    X = GAPS | {"z": [float(i % 2) for i in range(40)]}
    model = CARTClassifier(compat="rpart", max_surrogates=0, min_samples_leaf=5, pruning=None).fit(X, RESPONSE)
    rows = model.tree_.rows
    children = model.tree_.first_child[0]
    for node in (children, children + 1):
        assert model.explain_split(X, RESPONSE, node=int(node)).rows == rows[node]


@pytest.mark.parametrize(
    ("target", "rows"),
    [("second class", [22, 13, 9]), ("first class", [22, 10, 12]), ("counts", [22, 13, 9]), ("mean", [22, 12, 10])],
)
def test_rpart_orders_levels_from_the_highest_share_or_rate_and_from_the_lowest_mean(target, rows):
    x = {"x": list("ppp" + "q" * 6 + "r" * 6 + "s" * 7)}
    y = np.array([1.0, 1, 0] + [0] * 19)  # q, r and s are equal, and p alone is too small for a leaf
    settings = {"compat": "rpart", "min_samples_leaf": 5, "max_depth": 1, "pruning": None}
    if target == "counts":
        model = CARTRegressor(criterion="poisson", shrink=1, **settings).fit(x, y)
    elif target == "mean":
        model = CARTRegressor(**settings).fit(x, y)
    else:
        model = CARTClassifier(**settings).fit(x, y if target == "second class" else 1 - y)
    assert model.tree_.rows.tolist() == rows


@pytest.mark.parametrize("costs", [[[0, 4], [5, 0]], [[0, 5], [4, 0]]], ids=str)
def test_the_root_has_an_xerror_of_one_whatever_the_losses(costs):
    rng = np.random.default_rng(1)
    x = rng.random(200)
    y = np.where(x + rng.normal(size=200) * 0.4 > 0.5, "b", "a")
    pruning = CostComplexity(rule="none", folds=np.arange(200) % 10, cp=0.01, style="rpart", risk="error")
    model = CARTClassifier(**RPART | {"pruning": pruning}, costs=costs).fit({"x": x}, y)
    assert model.cp_table()[0]["xerror"] == pytest.approx(1.0)  # rpart prints 1.25 or 0.8


def test_the_order_by_mean_finds_the_best_sets_unless_a_limit_of_rows_bars_them():
    x = {"x": list("aaabbbccccddddd")}
    y = [0.0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1]
    free = CARTRegressor(pruning=None, max_depth=1).fit(x, y).tree_
    assert free.score[0] == pytest.approx(max(gains(x["x"], y, 1)))
    for least in (4, 5, 6, 7):
        barred = CARTRegressor(pruning=None, max_depth=1, min_samples_leaf=least).fit(x, y).tree_
        assert np.nan_to_num(barred.score[0]) <= max(gains(x["x"], y, least)) + 1e-12


def gains(x: list[str], y: list[float], least: int) -> list[float]:
    """What each pair of sets of levels with enough rows takes away from the variance."""
    values, levels = np.array(y), sorted(set(x))
    found = []
    for number in range(1, 2 ** len(levels) - 1):
        low = np.isin(x, [level for i, level in enumerate(levels) if number >> i & 1])
        if min(low.sum(), (~low).sum()) >= least:
            found.append(values.var() - low.mean() * values[low].var() - (~low).mean() * values[~low].var())
    return found
