"""Programs that read trees of scikit-learn take the fitted object of ``boxwood.sklearn`` and answer as it predicts."""

from __future__ import annotations

import re
import shutil

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.base import is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, VotingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import export_graphviz, export_text, plot_tree

from boxwood.sklearn import DecisionTreeClassifier, DecisionTreeRegressor

NAMES = ["長さ", "幅", "重さ", "色"]
KINDS = ["two", "three", "numbers", "one leaf"]
kinds = pytest.mark.parametrize("kind", KINDS)
gaps = pytest.mark.parametrize("gaps", [False, True], ids=["complete", "missing"])


def problem(kind: str, gaps: bool = False):
    """240 rows with numbers that single precision holds exactly, and y of two or three classes or of numbers."""
    rng = np.random.default_rng(5)
    X = pd.DataFrame(rng.integers(0, 40, size=(240, 4)) / 8, columns=NAMES)
    signal = X["長さ"] + 2 * (X["幅"] > 2.3) + rng.normal(scale=0.4, size=len(X))
    if gaps:
        X = X.mask(rng.random(X.shape) < 0.12)
        signal = signal.mask(X["長さ"].isna(), 0.5)  # missing lengths belong with the small ones
    if kind == "numbers":
        return X, signal.to_numpy()
    cuts = [2.5, 4.5] if kind == "three" else [3.0]
    return X, np.array(["坏", "好", "很好"])[np.digitize(signal, cuts)]


def fitted(kind: str, gaps: bool = False, **settings):
    """The fitted object, and the rows on which its answers are compared."""
    X, y = problem(kind, gaps)
    made = DecisionTreeRegressor if kind == "numbers" else DecisionTreeClassifier
    least = len(X) if kind == "one leaf" else 1
    model = made(max_depth=4, min_samples_leaf=least, random_state=0, **settings).fit(X, y)
    if gaps and kind != "one leaf":
        assert model.tree_.missing_go_to_left.any()
    return model, pd.concat([X, edges(model, X)], ignore_index=True)


def edges(model, X) -> pd.DataFrame:
    """Rows at every threshold: the nearest number of single precision, and its neighbours on both sides."""
    rows = []
    for feature, threshold in zip(model.tree_.feature, model.tree_.threshold, strict=True):
        if feature >= 0 and np.isfinite(threshold):  # not where only missing values go right
            at = np.float32(threshold)
            for number in (np.nextafter(at, np.float32(-np.inf)), at, np.nextafter(at, np.float32(np.inf))):
                row = X.iloc[len(rows) % len(X)].to_numpy(copy=True)
                row[feature] = number
                rows.append(row)
    return pd.DataFrame(rows, columns=X.columns)


def answers(model, X) -> np.ndarray:
    """Probabilities of classes, or predicted numbers; a column for each."""
    return model.predict_proba(X) if is_classifier(model) else model.predict(X)[:, None]


def follow(lines: list[str], row: pd.Series) -> str:
    """What the rules of ``export_text`` predict for a row."""
    depth = 0
    for line in lines:
        indent, rule = line.split("|--- ")
        if len(indent) // 4 != depth:
            continue
        if test := re.fullmatch(r"(.*) (<=|>) +(\S+)", rule):
            value = np.float32(row[test[1]])
            depth += (value <= float(test[3])) == (test[2] == "<=")
        else:
            return rule
    raise AssertionError("no rule holds")


@kinds
def test_the_rules_of_export_text_predict_the_same(kind):
    model, X = fitted(kind)
    lines = export_text(model, feature_names=NAMES, decimals=17, max_depth=9).splitlines()
    found = [follow(lines, row) for _, row in X.iterrows()]
    if kind == "numbers":
        values = [float(rule.removeprefix("value: [").removesuffix("]")) for rule in found]
        np.testing.assert_allclose(values, model.predict(X), rtol=0, atol=1e-12)
    else:
        assert found == [f"class: {label}" for label in model.predict(X)]


@pytest.mark.filterwarnings("ignore:Glyph")  # the font of the test machine may lack them
@kinds
@gaps
def test_the_pictures_of_scikit_learn_have_a_box_for_each_node(kind, gaps):
    model, _ = fitted(kind, gaps)
    labels = list(model.classes_) if is_classifier(model) else None
    drawn = plot_tree(model, feature_names=NAMES, class_names=labels)
    plt.close("all")
    assert sum("samples = " in box.get_text() for box in drawn) == model.tree_.node_count
    assert drawn[0].get_text().startswith("gini" if kind == "one leaf" else tuple(NAMES))
    dot = export_graphviz(model, feature_names=NAMES, class_names=labels)
    assert len(re.findall(r"^\d+ \[label=", dot, re.M)) == model.tree_.node_count
    assert len(re.findall(r"^\d+ -> \d+", dot, re.M)) == model.tree_.node_count - 1


@pytest.mark.filterwarnings("ignore")  # of the fonts and packages that dtreeviz uses
@kinds
def test_dtreeviz_draws_it(kind, tmp_path, monkeypatch):
    """dtreeviz takes classes as 0, 1, ... alone; the whole picture needs Graphviz, those of the nodes do not."""
    dtreeviz = pytest.importorskip("dtreeviz", reason="dtreeviz is not installed")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))  # where it writes the pictures of the nodes
    X, y = problem(kind)
    labels = {}
    if kind != "numbers":
        names, y = np.unique(y, return_inverse=True)
        labels = {"class_names": list(names)}
    made = DecisionTreeRegressor if kind == "numbers" else DecisionTreeClassifier
    model = made(max_depth=3, min_samples_leaf=len(X) if kind == "one leaf" else 1).fit(X, y)
    drawn = dtreeviz.model(model, X, y, feature_names=NAMES, target_name="級", **labels)
    assert drawn.shadow_tree.nnodes() == model.tree_.node_count
    found = [drawn.shadow_tree.predict(row) for row in X.to_numpy()[:50]]
    np.testing.assert_allclose(found, model.predict(X[:50]))
    view = drawn.view()
    pictures = re.findall(r'<img src="([^"]+\.svg)"', view.dot)
    assert len(pictures) >= model.tree_.node_count
    for picture in pictures:
        with open(picture, encoding="utf-8") as file:
            assert "<svg" in file.read()
    if shutil.which("dot"):
        assert view.svg().startswith("<svg")
    plt.close("all")


@kinds
@gaps
def test_the_sums_of_shap_are_the_predictions(kind, gaps):
    shap = pytest.importorskip("shap", reason="shap is not installed")
    model, X = fitted(kind, gaps)
    explainer = shap.TreeExplainer(model)
    values = np.asarray(explainer.shap_values(X))
    total = values.sum(axis=1).reshape(len(X), -1) + np.reshape(explainer.expected_value, (1, -1))
    np.testing.assert_allclose(total, answers(model, X), rtol=0, atol=1e-9)


@kinds
def test_the_code_of_m2cgen_gives_the_predictions(kind):
    m2cgen = pytest.importorskip("m2cgen", reason="m2cgen is not installed")
    model, X = fitted(kind)
    program: dict = {}
    exec(m2cgen.export_to_python(model), program)
    found = np.array([program["score"](row) for row in X.to_numpy().tolist()])
    assert np.array_equal(found.reshape(len(X), -1), answers(model, X))


@kinds
def test_the_model_of_skl2onnx_gives_the_predictions(kind):
    """In single precision; onnxruntime 1.32 refuses the double precision that skl2onnx 1.20 writes for any tree."""
    skl2onnx = pytest.importorskip("skl2onnx", reason="skl2onnx is not installed")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    model, X = fitted(kind)
    rows = X.to_numpy(np.float32)
    options = {"zipmap": False} if is_classifier(model) else None
    written = skl2onnx.to_onnx(model, rows[:1], options=options)
    session = runtime.InferenceSession(written.SerializeToString(), providers=["CPUExecutionProvider"])
    first, *others = session.run(None, {session.get_inputs()[0].name: rows})
    np.testing.assert_allclose(others[0] if others else first, answers(model, X), rtol=1e-6, atol=1e-6)
    if others:
        assert np.array_equal(first, model.predict(X))


@pytest.mark.parametrize(
    "around",
    [
        lambda tree: make_pipeline(StandardScaler(), tree),
        lambda tree: BaggingClassifier(tree, n_estimators=4, random_state=0),
        lambda tree: AdaBoostClassifier(tree, n_estimators=4, random_state=0),
        lambda tree: CalibratedClassifierCV(tree, cv=3),
        lambda tree: VotingClassifier([("tree", tree)], voting="soft", flatten_transform=False),
    ],
    ids=["pipeline", "bagging", "boosting", "calibrated", "voting"],
)
def test_skl2onnx_translates_models_around_trees(around):
    skl2onnx = pytest.importorskip("skl2onnx", reason="skl2onnx is not installed")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    X, y = problem("three")
    rows = X.to_numpy(np.float32)
    model = around(DecisionTreeClassifier(max_depth=3, random_state=0)).fit(rows, y)
    written = skl2onnx.to_onnx(model, rows[:1], options={"zipmap": False})
    session = runtime.InferenceSession(written.SerializeToString(), providers=["CPUExecutionProvider"])
    _, probabilities = session.run(None, {"X": rows})
    np.testing.assert_allclose(probabilities, model.predict_proba(rows), rtol=0, atol=1e-6)


@kinds
@gaps
def test_the_contributions_of_treeinterpreter_sum_to_the_predictions(kind, gaps):
    """For numbers only joint contributions: the others fail on every regression tree of scikit-learn with numpy 2.4."""
    interpreter = pytest.importorskip("treeinterpreter.treeinterpreter", reason="treeinterpreter is not installed")
    model, X = fitted(kind, gaps)
    predicted, bias, parts = interpreter.predict(model, X, joint_contribution=True)
    assert np.array_equal(predicted, answers(model, X))
    totals = [base + sum(of_row.values()) for base, of_row in zip(bias, parts, strict=True)]
    np.testing.assert_allclose(totals, predicted, rtol=0, atol=1e-9)
    if kind != "numbers":
        predicted, bias, parts = interpreter.predict(model, X)
        np.testing.assert_allclose(bias + parts.sum(axis=1), predicted, rtol=0, atol=1e-9)
