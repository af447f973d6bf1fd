"""Programs that read trees of scikit-learn take a tree with columns of text, and the matrix of its sets of levels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import export_graphviz, export_text

from boxwood.sklearn import DecisionTreeClassifier
from estimators.test_sklearn_programs import follow


@pytest.fixture(scope="module")
def towns():
    """A fitted object, X, and the matrix that its ``tree_`` is about."""
    rng = np.random.default_rng(0)
    n = 300
    X = pd.DataFrame({"城市": rng.choice(["京都", "Ulm", "Bonn", "北京"], n), "高度": rng.normal(size=n).round(2)})
    far = X["城市"].isin(["Ulm", "北京"]) & (X["高度"] > -1) | (X["高度"] > 1) & (X["城市"] != "京都")
    model = DecisionTreeClassifier(max_depth=4).fit(X, np.where(far, "好", "坏"))
    tree = model.cart_.tree_
    codes = pd.DataFrame(
        tree.to_codes(X, levels="indicators"), columns=tree.to_sklearn(levels="indicators").feature_names_in_
    )
    return model, X, codes.astype("float32")


def test_its_columns_are_numbers_and_sets_of_levels(towns):
    model, _, codes = towns
    assert list(codes) == ["城市 in {Bonn, 京都}", "高度", "城市 = 京都"]
    assert model.tree_.n_features == 3


def test_names_of_features_are_right_or_refused(towns):
    model, X, _ = towns
    with pytest.raises(IndexError):  # the second set of 城市 has no name, rather than that of another feature
        export_graphviz(model, feature_names=list(X))
    one_set = DecisionTreeClassifier().fit(X.assign(untested="京都")[["untested", *X]], X["城市"] == "京都")
    assert export_text(one_set, feature_names=["untested", *X]).startswith("|--- 城市 <= 0.50\n")


def test_the_rules_of_export_text(towns):
    model, X, codes = towns
    lines = export_text(model, feature_names=list(codes), decimals=17).splitlines()
    found = [follow(lines, row) for _, row in codes.iterrows()]
    assert found == [f"class: {label}" for label in model.predict(X)]


def test_the_sums_of_shap(towns):
    shap = pytest.importorskip("shap", reason="shap is not installed")
    model, X, codes = towns
    explainer = shap.TreeExplainer(model)
    found = explainer.expected_value + explainer.shap_values(codes).sum(axis=1)
    np.testing.assert_allclose(found, model.predict_proba(X), rtol=0, atol=1e-9)


def test_the_code_of_m2cgen(towns):
    m2cgen = pytest.importorskip("m2cgen", reason="m2cgen is not installed")
    model, X, codes = towns
    program: dict = {}
    exec(m2cgen.export_to_python(model), program)
    assert np.array_equal([program["score"](row) for row in codes.to_numpy().tolist()], model.predict_proba(X))


def test_the_model_of_skl2onnx(towns):
    skl2onnx = pytest.importorskip("skl2onnx", reason="skl2onnx is not installed")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    model, X, codes = towns
    rows = codes.to_numpy()
    written = skl2onnx.to_onnx(model, rows[:1], options={"zipmap": False})
    session = runtime.InferenceSession(written.SerializeToString(), providers=["CPUExecutionProvider"])
    labels, probabilities = session.run(None, {"X": rows})
    assert np.array_equal(labels, model.predict(X))
    np.testing.assert_allclose(probabilities, model.predict_proba(X), rtol=0, atol=1e-6)


def test_the_joint_contributions_of_treeinterpreter(towns):
    """It takes X itself, and counts contributions by the columns of the matrix."""
    interpreter = pytest.importorskip("treeinterpreter.treeinterpreter", reason="treeinterpreter is not installed")
    model, X, _ = towns
    predicted, bias, parts = interpreter.predict(model, X, joint_contribution=True)
    totals = [base + sum(of_row.values()) for base, of_row in zip(bias, parts, strict=True)]
    np.testing.assert_allclose(totals, predicted, rtol=0, atol=1e-9)
    assert np.array_equal(predicted, model.predict_proba(X))
