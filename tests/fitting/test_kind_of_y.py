"""A kind of y defined here, in one class and registered, goes through everything that a tree can do."""

from __future__ import annotations

import json
import re
import sqlite3
from dataclasses import dataclass

import numpy as np
import pytest

import boxwood
from boxwood import ImpurityDecrease
from boxwood.statistics.responses.registry import NUMBERS
from boxwood.statistics.responses.response import Response


@dataclass(frozen=True)
class Durations(Response):
    """Positive numbers by the exponential deviance; moments are (sum w, sum w y, sum w ln y)."""

    kind = "duration"
    measures = ("exponential",)
    losses = {"exponential": "mean exponential deviance"}  # noqa: RUF012
    risks = {"exponential": "exponential"}  # noqa: RUF012
    moment_names = ("weight", "total", "logs")

    name: str = "y"

    def terms(self, y, exposure):
        return y, np.log(y)

    def deviance(self, moments):
        weight, total, logs = moments.T
        return 2.0 * np.maximum(weight * np.log(total / weight) - logs, 0.0)

    def row_losses(self, y, predicted):
        return 2.0 * (y / predicted - 1.0 - np.log(y / predicted))


@pytest.fixture
def model(monkeypatch):
    monkeypatch.setitem(NUMBERS, "duration", Durations)
    rng = np.random.default_rng(3)
    X = {"size": rng.normal(size=300).round(2), "town": rng.choice(["Ulm", "Bonn", "Jena"], 300)}
    y = rng.exponential(np.where(X["size"] > 0, 5.0, 1.0) * np.where(X["town"] == "Ulm", 3.0, 1.0))
    kept = boxwood.TreeRegressor(criterion=ImpurityDecrease("exponential"), termination={"min_samples_leaf": 10})
    return kept.fit(X, y), X, y


def test_it_is_grown_by_its_deviance(model):
    fitted, X, y = model
    tree = fitted.tree_
    assert tree.response == Durations("y")
    assert tree.n_leaves > 3
    assert sorted(tree.splits.feature[:2].tolist()) == [0, 1]
    assert tree.score[0] == pytest.approx(tree.impurity()[0] - tree.weight[1:3] @ tree.impurity()[1:3] / tree.weight[0])
    np.testing.assert_allclose(fitted.predict(X).sum(), y.sum())


def test_it_is_pruned(model):
    fitted, X, y = model
    full = fitted.tree_.n_leaves
    assert fitted.prune(X, y[::-1].copy(), pruner="reduced_error").tree_.n_leaves < full
    assert fitted.prune(alpha=0.0).tree_.n_leaves == full
    assert fitted.prune(alpha=0.1).tree_.n_leaves < full


def test_it_is_written_and_drawn(model):
    fitted, X, _ = model
    text, rules = fitted.tree_.to_text(), str(fitted.rules())
    assert "size" in text
    assert "size" in rules
    assert "mean of y" in fitted.to_svg()
    assert "size" in fitted.explain({name: column[:1] for name, column in X.items()})[0].to_text()


def test_it_is_stored_and_exported(model, tmp_path):
    fitted, X, _ = model
    fitted.save(tmp_path / "model.boxwood")
    again = boxwood.load(tmp_path / "model.boxwood")
    np.testing.assert_array_equal(again.predict(X), fitted.predict(X))
    assert json.loads(fitted.export("json"))["response"]["kind"] == "duration"
    names = {}
    exec(fitted.export("python"), names)
    row = {"size": float(X["size"][0]), "town": str(X["town"][0])}
    assert names["predict"](row) == pytest.approx(fitted.predict(X)[0])


@dataclass(frozen=True)
class Prospects(Durations):
    """Durations of which a leaf predicts the mean, and the low and the high end of a range about it."""

    kind = "prospect"
    measures = ("prospect",)
    losses = {"prospect": "mean exponential deviance"}  # noqa: RUF012
    risks = {"prospect": "prospect"}  # noqa: RUF012
    further = ("low", "high")

    def further_of(self, moments):
        return np.outer(self.value(moments), [0.5, 2.0])


@pytest.fixture(params=["majority", "fractional"])
def prospect(monkeypatch, request):
    monkeypatch.setitem(NUMBERS, "prospect", Prospects)
    rng = np.random.default_rng(3)
    X = {"size": rng.normal(size=300).round(2), "town": rng.choice(["Ulm", "Bonn", "Jena"], 300)}
    y = rng.exponential(np.where(X["size"] > 0, 5.0, 1.0) * np.where(X["town"] == "Ulm", 3.0, 1.0))
    X["size"][:20] = np.nan
    kept = boxwood.TreeRegressor(
        criterion=ImpurityDecrease("prospect"), termination={"min_samples_leaf": 30}, missing=request.param
    )
    return kept.fit(X, y), X


def test_a_record_is_predicted(prospect):
    fitted, X = prospect
    found = fitted.predict_fields(X)
    assert list(found) == ["value", "low", "high"]
    np.testing.assert_array_equal(found["value"], fitted.predict(X))
    np.testing.assert_allclose(found["low"], found["value"] / 2)
    np.testing.assert_allclose(fitted.tree_.predict_fields(X)["high"], found["value"] * 2)


def test_a_record_is_shown(prospect):
    fitted, X = prospect
    tree = fitted.tree_
    explained = str(fitted.explain({name: column[-1:] for name, column in X.items()})[0])
    for text in (tree.to_text(), str(fitted.rules()), fitted.to_svg(), explained):
        assert re.search(r"low [0-9.]+, high [0-9.]+|>low [0-9.]+<", text)
    table = tree.to_frame("dict")
    assert table["low"] == tree.further[:, 0].tolist()


def test_a_record_is_stored_and_exported(prospect, tmp_path):
    fitted, X = prospect
    fitted.save(tmp_path / "model.boxwood")
    for again in (boxwood.load(tmp_path / "model.boxwood"), boxwood.from_json(fitted.export("json"))):
        np.testing.assert_array_equal(again.predict_fields(X)["high"], fitted.predict_fields(X)["high"])
    node = json.loads(fitted.export("json"))["nodes"][0]
    assert node["further"] == {"low": node["value"] / 2, "high": node["value"] * 2}
    names = {}
    exec(fitted.export("python"), names)
    row = {"size": None, "town": str(X["town"][0])}
    assert names["predict_further"](row) == pytest.approx({k: fitted.predict_fields(X)[k][0] for k in ("low", "high")})
    with pytest.raises(boxwood.errors.ParameterError, match=r"holds one number a node.* low, high"):
        fitted.export("c")


def test_a_record_is_columns_of_sql(prospect):
    fitted, X = prospect
    query = fitted.export("sql", dialect="sqlite", key="id")
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE data (id INTEGER, size DOUBLE PRECISION, town TEXT)")
    size = [None if v != v else v for v in X["size"].tolist()]
    base.executemany("INSERT INTO data VALUES (?, ?, ?)", zip(range(300), size, X["town"].tolist(), strict=True))
    rows = base.execute(f"SELECT id, predicted, low, high FROM ({query.rstrip().rstrip(';')}) ORDER BY id").fetchall()
    expected = fitted.predict_fields(X)
    np.testing.assert_allclose(np.array(rows)[:, 1:], np.column_stack(list(expected.values())), rtol=1e-12)


@pytest.mark.parametrize(
    ("format", "options", "right", "wrong"),
    [
        ("python", {}, "zip(FURTHER, ", "zip(FURTHER[::-1], "),
        ("sql", {"dialect": "sqlite", "key": "id"}, 'END AS "high"', 'END + 1 AS "high"'),
    ],
)
def test_verification_compares_all_that_is_predicted(prospect, format, options, right, wrong):
    fitted, X = prospect
    assert fitted.verify_export(format, X, **options)
    content = fitted.export(format, **options)
    assert content.count(right) == 1
    verdict = fitted.verify_export(format, X, content.replace(right, wrong), **options)
    assert verdict.mismatches > 0
    assert {each.what for each in verdict.examples} == {"further"}


def test_verification_refuses_formats_of_one_number(prospect):
    fitted, X = prospect
    with pytest.raises(boxwood.errors.ParameterError, match=r"holds one number a node.* low, high"):
        fitted.verify_export("c", X)
