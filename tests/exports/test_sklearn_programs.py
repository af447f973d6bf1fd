"""Programs that read trees of scikit-learn read what ``to_sklearn`` returns: pictures, Shapley values, code."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.tree import export_text, plot_tree

from boxwood import CARTClassifier, CARTRegressor
from exports.test_sklearn import numbers


def explained(model_class=CARTClassifier, **settings):
    X, signal = numbers()
    y = np.digitize(signal, [0.0, 1.0]) if model_class is CARTClassifier else signal
    model = model_class(pruning=None, max_depth=3, missing="majority", **settings).fit(X, y)
    return model, model.to_sklearn(), X, y


def test_pictures_of_scikit_learn():
    _, native, _, _ = explained()
    assert export_text(native).startswith("|--- feature_")
    import matplotlib.pyplot as plt

    plot_tree(native)
    plt.close("all")


@pytest.mark.parametrize("model_class", [CARTClassifier, CARTRegressor])
def test_shap_explains_it(model_class):
    shap = pytest.importorskip("shap", reason="shap is not installed")
    model, native, X, _ = explained(model_class)
    explainer = shap.TreeExplainer(native)
    values = np.asarray(explainer.shap_values(X))
    total = values.sum(axis=1).reshape(len(X), -1) + np.reshape(explainer.expected_value, (1, -1))
    predicted = model.predict_proba(X) if model_class is CARTClassifier else model.predict(X)[:, None]
    np.testing.assert_allclose(total, predicted, rtol=0, atol=1e-6)


def test_treeinterpreter_explains_it():
    """Classes only: treeinterpreter 0.2.3 fails on any regression tree of scikit-learn with numpy 2.4."""
    interpreter = pytest.importorskip("treeinterpreter.treeinterpreter", reason="treeinterpreter is not installed")
    model, native, X, _ = explained()
    predicted, bias, parts = interpreter.predict(native, X)
    np.testing.assert_allclose(predicted, model.predict_proba(X), rtol=0, atol=1e-12)
    np.testing.assert_allclose(bias + parts.sum(axis=1), model.predict_proba(X), rtol=0, atol=1e-9)


@pytest.mark.parametrize("model_class", [CARTClassifier, CARTRegressor])
def test_m2cgen_translates_it(model_class):
    m2cgen = pytest.importorskip("m2cgen", reason="m2cgen is not installed")
    model, native, X, _ = explained(model_class)
    program: dict = {}
    exec(m2cgen.export_to_python(native), program)
    expected = model.predict_proba(X) if model_class is CARTClassifier else model.predict(X)
    assert np.array_equal([program["score"](row) for row in X.tolist()], expected)


@pytest.mark.filterwarnings("ignore")  # of the fonts and packages that dtreeviz uses
@pytest.mark.parametrize("model_class", [CARTClassifier, CARTRegressor])
def test_dtreeviz_reads_it(model_class):
    dtreeviz = pytest.importorskip("dtreeviz", reason="dtreeviz is not installed")
    _, native, X, y = explained(model_class)
    classes = {"class_names": ["a", "b", "c"]} if model_class is CARTClassifier else {}
    drawn = dtreeviz.model(native, X, y, feature_names=["q", "r", "s", "t"], target_name="y", **classes)
    assert drawn.shadow_tree.nnodes() == native.tree_.node_count
    assert drawn.explain_prediction_path(X[0])


@pytest.mark.filterwarnings("ignore")  # of the packages that supertree uses
@pytest.mark.parametrize("model_class", [CARTClassifier, CARTRegressor])
def test_supertree_reads_it(model_class, tmp_path):
    supertree = pytest.importorskip("supertree", reason="supertree is not installed")
    _, native, X, y = explained(model_class)
    labels = ["a", "b", "c"] if model_class is CARTClassifier else "y"
    drawn = supertree.SuperTree(native, X, y, ["q", "r", "s", "t"], labels)
    drawn.save_html(str(tmp_path / "tree"))
    (page,) = tmp_path.iterdir()
    assert "treeclass" in page.read_text(encoding="utf-8")
