"""Explanations of rows: contributions add up, predictions agree, and the words tell what happened."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood import CARTClassifier, CARTRegressor, datasets
from boxwood.errors import ParameterError
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from boxwood.views.explanation import explain_rows
from tree.random_trees import random_tree
from tree.test_trace import random_columns


@given(st.integers(0, 10_000), st.sampled_from([CLASSES, MEAN, RATE]))
def test_contributions_add_up_to_the_prediction_less_the_root(seed, kind):
    tree, columns = random_tree(seed, kind), random_columns(seed, 8)
    for row in explain_rows(tree, columns):
        predicted = row.prediction if row.probability is None else row.probability
        total = sum(step.contribution for step in row.steps)
        np.testing.assert_allclose(total, predicted - row.baseline, atol=1e-12 * max(1.0, np.max(np.abs(predicted))))
        by_feature = sum(row.contributions.values())
        np.testing.assert_allclose(by_feature, total, atol=1e-12 * max(1.0, np.max(np.abs(predicted))))


def test_predictions_are_those_of_predict():
    table = datasets.load("titanic")
    y = table.pop("survived")
    model = CARTClassifier(max_depth=4, pruning=None).fit(table, y)
    why = model.explain(table)
    assert [row.prediction for row in why] == model.predict(table).tolist()
    np.testing.assert_array_equal([row.probability for row in why], model.predict_proba(table))
    assert why.count() == {**model.routing(table).count(), "shared": 0}
    assert len(why.to_frame()) == sum(len(row.steps) for row in why)


def test_costs_decide_as_they_do_in_predict():
    X, y = [[1], [2], [3], [4]], ["a", "a", "a", "b"]
    model = CARTClassifier(min_samples_split=9, pruning=None, costs=[[0, 1], [9, 0]]).fit(X, y)
    assert model.explain(X)[0].prediction == model.predict(X)[0] == "b"


def test_numbers_have_values_and_contributions():
    model = CARTRegressor(pruning=None, max_depth=1).fit({"面积": [1, 2, 3, 4]}, [1.0, 1.0, 5.0, 7.0])
    why = model.explain({"面积": [4]})
    assert why[0].contributions == {"面积": 2.5}
    assert why.to_text() == (
        "row 0: y = 6\n"
        "node 0 (4 rows): 3.5 [-1.27367, 8.27367]; 面积 = 4 → 面积 > 2.5 (+2.500)\n"
        "  node 2 (2 rows): 6 [-6.7062, 18.7062]"
    )  # fmt: skip
    assert why.to_records()["contribution"] == [2.5, 0.0]


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        ("surrogate", "颜色 is missing; surrogate 1 (agrees in 1.000): size <= 2.5"),
        ("majority", "颜色 is missing; the branch with most weight"),
        ("stay", "颜色 is missing; the row stays at this node"),
        ("learned", "颜色 is missing; the side that was better in training"),
    ],
)
def test_what_decided_is_reported(missing, words):
    X = {"颜色": ["红", "红", "绿", "绿", "绿"], "size": [1, 2, 3, 4, 5]}
    model = CARTClassifier(pruning=None, missing=missing, max_surrogates=5).fit(X, [0, 0, 1, 1, 1])
    step = model.explain({"颜色": [None], "size": [1]})[0].steps[0]
    assert (step.met, step.decided, step.value) == ("missing", words, "missing")


@pytest.mark.filterwarnings("ignore::boxwood.UnseenLevelWarning")
def test_levels_that_training_did_not_have_are_named():
    X = {"颜色": ["红", "红", "绿", "绿", "绿"]}
    model = CARTClassifier(pruning=None, unseen="majority").fit(X, [0, 0, 1, 1, 1])
    step = model.explain({"颜色": ["蓝"]})[0].steps[0]
    assert (step.met, step.decided) == ("unseen", "颜色 = 蓝 was not seen here; the branch with most weight")
    two = model.explain({"颜色": ["蓝", "黑"]})
    assert two[0].steps[0].decided.startswith("颜色 = a level that did not occur in training")
    assert two.count()["unseen"] == 2


def test_long_texts_are_cut_and_rows_counted():
    model = CARTRegressor(pruning=None).fit([[1], [2]], [0, 1])
    why = model.explain([[1]] * 9)
    assert why.to_text(2).endswith("... 7 more rows; to_text(max_rows=None) shows all")
    assert repr(why) == "<Explanation of 9 rows>"
    assert why[-1].row == 8
    with pytest.raises(IndexError, match="there is no row 9"):
        why[9]
    with pytest.raises(ParameterError, match="max_rows"):
        why.to_text(0)


def test_whole_values_are_written_without_a_fraction():
    model = CARTClassifier(pruning=None).fit({"年龄": [30.5, 40.0, 20.0, 50.0]}, ["a", "b", "a", "b"])
    assert "年龄 = 35 → " in str(model.explain({"年龄": [35]}))
    assert "年龄 = 35.25 → " in str(model.explain({"年龄": [35.25]}))
