"""What needs all rows at once learns from a stream too: the model is, byte for byte, that of the rows in memory."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from boxwood import (
    C45Classifier,
    C45Rules,
    CARTClassifier,
    CARTRegressor,
    CostComplexity,
    MARSClassifier,
    MARSRegressor,
    TreeClassifier,
    TreeRegressor,
)
from boxwood.algorithms.fitting.encoding import Budget
from boxwood.errors import DataError, MissingValueError, ParameterError, ResponseError

FEATURES = ["年龄", "x", "城", "grade", "when", "big"]


@pytest.fixture(params=["in memory", "written"], autouse=True)
def room(request, monkeypatch):
    if request.param == "written":
        monkeypatch.setattr(Budget, "room", 1)


@pytest.fixture
def rows():
    rng = np.random.default_rng(5)
    n = 400
    made = pd.DataFrame(
        {
            "年龄": rng.integers(18, 80, n),
            "x": rng.standard_normal(n).astype(np.float32),
            "城": rng.choice(["京都", "Ulm", "서울"], n),
            "grade": pd.Categorical(rng.choice(["b", "a", "c"], n), categories=["c", "b", "a"], ordered=True),
            "when": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D"),
            "big": 2**60 + rng.integers(0, 9, n),
            "w": rng.choice([0.0, 0.5, 3.0], n),
        }
    )
    made["y"] = made["年龄"] * 0.1 + np.abs(made["x"]) * 3 + (made["城"] == "Ulm") + rng.standard_normal(n) * 0.3
    made["kind"] = pd.Categorical(
        np.where(made["y"] > made["y"].median(), "low", "high"), categories=["low", "high"], ordered=True
    )
    made.loc[made["w"] == 0.0, "kind"] = made["kind"][made["w"] == 0.0].where(rng.random((made["w"] == 0).sum()) < 0.5)
    made["kind"] = made["kind"].fillna("high")
    return made


def pieces(rows):
    return [rows.iloc[i : i + 90] for i in range(0, len(rows), 90)]


@pytest.mark.filterwarnings("ignore:the terms separate some rows")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("backwards", [False, True])
def test_mars(rows, weighted, backwards):
    weight = rows["w"] if weighted else None
    others = [] if weighted else ["w"]
    stream = pieces(rows[::-1] if backwards else rows)
    for model, target, other in ((MARSRegressor(max_degree=2), "y", "kind"), (MARSClassifier(), "kind", "y")):
        expected = model.fit(rows[FEATURES], rows[target], sample_weight=weight).model_.to_bytes()
        named = {"sample_weight": "w"} if weighted else {}
        model.fit_stream(stream, target, drop=[other, *others], **named)
        assert model.model_.to_bytes() == expected
        assert len(model.model_.terms) > 2


@pytest.mark.parametrize(
    "model",
    [
        C45Rules(),
        C45Classifier(),  # its pruning divides rows again
        CARTClassifier(pruning="error_based", max_bins=8),
        TreeClassifier(branching="multiway", termination={"max_depth": 4}),
        TreeClassifier(pruning=CostComplexity()),
    ],
    ids=str,
)
def test_trees_and_rules_of_missing_values(rows, model):
    rows.loc[::7, "x"] = np.nan
    rows.loc[::5, "城"] = None
    expected = model.fit(rows[FEATURES], rows["kind"], sample_weight=rows["w"]).model_.to_bytes()
    model.fit_stream(pieces(rows), "kind", drop=["y"], sample_weight="w")
    assert model.model_.to_bytes() == expected


def test_a_users_own_function(rows):
    def spread(children, parent):
        return (parent[2] - children[:, :, 2].sum(axis=1)) / parent[0]

    model = TreeRegressor(criterion=spread, termination={"max_depth": 2})
    expected = model.fit(rows[FEATURES], rows["y"]).predict(rows[FEATURES])
    model.fit_stream(pieces(rows), "y", drop=["kind", "w"])
    assert model.get_n_leaves() > 2
    assert (model.predict(rows[FEATURES]) == expected).all()


def test_a_label_of_rows_without_weight_is_a_class_all_the_same(rows):
    rows["kind"] = np.where(rows["w"] == 0.0, "never", np.where(rows["y"] > 6, "hi", "lo"))
    expected = MARSClassifier().fit(rows[FEATURES], rows["kind"], sample_weight=rows["w"]).model_
    found = MARSClassifier().fit_stream(pieces(rows), "kind", drop=["y"], sample_weight="w").model_
    assert expected.labels == found.labels == ("hi", "lo", "never")
    assert found.to_bytes() == expected.to_bytes()


def test_too_little_memory_is_reported_with_the_size(rows):
    def many():
        return (rows for _ in range(500))

    with pytest.raises(ParameterError, match=r"about 45 MB for 200,000 rows of 6 features. Set memory to '0.1GB'"):
        MARSRegressor().fit_stream(many, "y", drop=["kind", "w"], memory="32MB")
    rows.loc[::7, "x"] = np.nan
    with pytest.raises(ParameterError, match=r"raising=False.*Or set memory to 45MB"):
        C45Classifier().fit_stream(many, "kind", drop=["y", "w"], memory="32MB")


def test_a_code_cache_does_not_hold_what_they_need(rows, tmp_path):
    with pytest.raises(ParameterError, match="mars needs all rows in memory"):
        MARSRegressor().fit_stream(pieces(rows), "y", drop=["kind", "w"], cache=tmp_path / "cache")
    C45Classifier(pruning=None).fit_stream(pieces(rows), "kind", drop=["y", "w"], cache=tmp_path / "cache")
    with pytest.raises(DataError, match="is a code cache"):
        C45Rules().fit_stream(tmp_path / "cache", "kind", drop=["y", "w"])
    rows.loc[::7, "x"] = np.nan
    with pytest.raises(ParameterError, match="raising=False"):
        C45Classifier().fit_stream(pieces(rows), "kind", drop=["y", "w"], cache=tmp_path / "other")


def test_an_iterator_is_read_once(rows):
    expected = MARSRegressor().fit(rows[FEATURES], rows["y"]).model_.to_bytes()
    assert MARSRegressor().fit_stream(iter(pieces(rows)), "y", drop=["kind", "w"]).model_.to_bytes() == expected
    rows.loc[::7, "x"] = np.nan
    with pytest.raises(ParameterError, match="a function that makes the iterator"):
        C45Classifier().fit_stream(iter(pieces(rows)), "kind", drop=["y", "w"])


@pytest.mark.parametrize("model", [MARSRegressor(missing_target="drop"), CARTRegressor(missing_target="drop")])
def test_a_target_without_any_value_is_refused(rows, model):
    rows["y"] = np.nan
    with pytest.raises(ResponseError, match="column 'y' has no value in any row"):
        model.fit_stream(pieces(rows), "y", drop=["kind", "w"])


def test_infinity_is_refused_where_missing_values_are(rows):
    rows.loc[3, "x"] = np.inf
    with pytest.raises(MissingValueError, match="infinite"):
        TreeClassifier(missing="error").fit_stream(pieces(rows), "kind", drop=["y", "w"])
