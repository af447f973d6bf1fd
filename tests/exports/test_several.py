"""Exports of trees that predict several responses: each by its name, the same as predict."""

import json

import numpy as np
import pytest

import boxwood
from boxwood import CARTClassifier, CARTRegressor
from boxwood.errors import ParameterError
from boxwood.exports.json_tree import SCHEMA

N = 200
RNG = np.random.default_rng(1)
AGE, TOWN = RNG.normal(size=N).round(2), RNG.choice(["Ulm", "京都", "Bonn"], N)
X = {"年齢": np.where(RNG.random(N) < 0.1, np.nan, AGE), "town": TOWN}
NUMBERS = {"身長": 160 + 10 * (AGE > 0) + RNG.normal(size=N), "weight": 60 - 5 * (TOWN == "京都") + RNG.normal(size=N)}
CLASSES = {"色": np.where(AGE > 0, "red", "青"), "大きい": TOWN == "京都", "n": np.where(TOWN == "Ulm", 1, 2)}
CASES = [(CARTRegressor, NUMBERS), (CARTClassifier, CLASSES)]
by_case = pytest.mark.parametrize(("kind", "y"), CASES, ids=["numbers", "classes"])


@by_case
@pytest.mark.parametrize("format", ["python", "json", "sql"])
@pytest.mark.parametrize("missing", ["surrogate", "own_branch", "stay"])
def test_it_predicts_what_the_tree_predicts(kind, y, format, missing):
    model = kind(max_depth=3, missing=missing).fit(X, y)
    verdict = model.verify_export(format, X)
    assert verdict, str(verdict)
    assert verdict.rows == N
    assert model.tree_.verify_export(format, X, unseen="error")


@by_case
def test_a_changed_export_differs(kind, y):
    model = kind(max_depth=1).fit(X, y)
    text = model.export("python")
    for t in model.tree_.leaves.tolist():
        text = text.replace(f"    {t}: {{'{next(iter(y))}': ", f"    {t}: {{'{next(iter(y))}': 0 and ", 1)
    assert model.verify_export("python", X, content=text).mismatches > 0


@by_case
def test_sql_has_a_column_for_each_response(kind, y):
    model = kind(max_depth=2).fit(X, y)
    text = model.export("sql", dialect="sqlite", key="id")
    assert all(f'AS "predicted_{name}"' in text for name in y)
    assert ('AS "probability_色_青"' in text) == (kind is CARTClassifier)
    assert model.verify_export("sql", X, dialect="sqlite", key="id")
    wrong = text.replace(f'AS "predicted_{next(iter(y))}"', '+ 1 AS "predicted_x"')
    assert model.verify_export("sql", X, dialect="sqlite", key="id", content=wrong).mismatches > 0


def test_python_gives_dictionaries():
    program = {}
    model = CARTClassifier(max_depth=2).fit(X, CLASSES)
    exec(model.export("python"), program)
    row = {"年齢": 1.0, "town": "京都"}
    given = {name: [value] for name, value in row.items()}
    assert program["predict"](row) == dict(zip(CLASSES, model.predict(given)[0].tolist(), strict=True))
    shares = program["predict_proba"](row)
    assert list(shares) == list(CLASSES)
    for found, expected in zip(shares.values(), model.predict_proba(given), strict=True):
        assert list(found.values()) == expected[0].tolist()


@by_case
def test_json_is_read_back(kind, y):
    model = kind(max_depth=2).fit(X, y)
    text = model.export("json")
    tree = boxwood.from_json(text)
    np.testing.assert_array_equal(tree.predict(X), model.predict(X))
    assert tree.export("json") == text
    leaf = json.loads(text)["nodes"][-1]["responses"]
    assert list(leaf) == list(y)
    part = tree.of_response(0)
    values = part.predict(X)[part.apply(X) == part.n_nodes - 1]
    assert set(values.tolist()) == {leaf[next(iter(y))]["value"]}


@by_case
def test_json_keeps_to_the_schema(kind, y):
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(json.loads(kind(max_depth=2).fit(X, y).export("json")), json.loads(SCHEMA.read_text()))


@by_case
@pytest.mark.parametrize("format", ["c", "js", "r", "dot", "xlsx", "pmml", "dmn", "onnx", "treelite", "sklearn"])
def test_other_formats_are_refused_by_name(kind, y, format):
    with pytest.raises(ParameterError, match=f"the format '{format}' reads one response, and the model predicts"):
        kind(max_depth=1).fit(X, y).export(format)
