"""scikit-learn's callbacks: the tasks of a fit, for every estimator; nothing where scikit-learn has none."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.fixes import parse_version

from boxwood import (
    C45Classifier,
    C45Rules,
    CARTClassifier,
    CARTRegressor,
    CHAIDClassifier,
    CHAIDRegressor,
    CLSClassifier,
    ID3Classifier,
    MARSClassifier,
    MARSRegressor,
    MARSTransformer,
    TreeClassifier,
    TreeRegressor,
)
from boxwood.pruners import CostComplexity

has_callbacks = parse_version(sklearn.__version__) >= parse_version("1.9")
needs_callbacks = pytest.mark.skipif(not has_callbacks, reason="callbacks came with scikit-learn 1.9")
X, Y = load_iris(return_X_y=True)
EVERY = [
    C45Classifier(), C45Rules(), CARTClassifier(), CARTRegressor(), CHAIDClassifier(), CHAIDRegressor(),
    CLSClassifier(categorical_features="all"), ID3Classifier(categorical_features="all"), MARSClassifier(),
    MARSRegressor(), MARSTransformer(), TreeClassifier(), TreeRegressor(),
]  # fmt: skip

IN_THREE_FOLDS = [CARTClassifier(pruning=CostComplexity(folds=3)), MARSRegressor(backward="cv", cv_folds=3)]


class Recorder:
    """A callback that writes down what it is called for."""

    def __init__(self, fails: bool = False):
        self.calls, self.parts, self.fails = [], [], fails

    def setup(self, estimator, context):
        self.calls.append(("setup", type(estimator).__name__, context.task_name))

    def on_fit_task_begin(self, estimator, context, *, X=None, y=None, metadata=None, fitted_estimator=None):
        if context.task_name != "fit":
            self.parts.append(("begin", context.task_name, context.task_id, context.max_subtasks))
            return
        self.calls.append(("begin", np.shape(X), np.shape(y), metadata))
        if self.fails:
            raise ValueError("stopped by a callback")

    def on_fit_task_end(self, estimator, context, *, X=None, y=None, metadata=None, fitted_estimator=None):
        if context.task_name != "fit":
            self.parts.append(("end", context.task_name, context.task_id))
            return
        self.calls.append(("end", fitted_estimator))

    def teardown(self, estimator, context):
        self.calls.append(("teardown", type(estimator).__name__))


@needs_callbacks
@pytest.mark.filterwarnings("ignore::boxwood.PruningWarning")
@pytest.mark.parametrize("estimator", EVERY, ids=lambda estimator: type(estimator).__name__)
def test_every_estimator(estimator):
    recorder, model = Recorder(), clone(estimator)
    y = Y if hasattr(model, "predict_proba") or isinstance(model, C45Rules) else X[:, 3]
    assert model.set_callbacks(recorder) is model
    model.fit(X[:, :3], y)
    name = type(model).__name__
    assert [call[0] for call in recorder.calls] == ["setup", "begin", "end", "teardown"]
    assert recorder.calls[0] == ("setup", name, "fit")
    assert recorder.calls[1] == ("begin", (150, 3), (150,), None)
    fitted = recorder.calls[2][1]
    assert type(fitted) is type(model)
    method = "transform" if isinstance(model, MARSTransformer) else "predict"
    assert np.array_equal(getattr(fitted, method)(X[:, :3]), getattr(model, method)(X[:, :3]))


@needs_callbacks
def test_weights_streams_failures_and_no_callbacks():
    recorder = Recorder()
    model = CARTClassifier(pruning=None).set_callbacks(recorder).fit(X, Y, sample_weight=np.ones(150))
    assert recorder.calls[1][3]["sample_weight"].shape == (150,)
    recorder.calls.clear()
    model.fit_stream({"a": X[:, 0].tolist(), "y": Y.tolist()}, "y")
    assert [call[0] for call in recorder.calls] == ["setup", "begin", "end", "teardown"]
    before, failing = model.model_, Recorder(fails=True)
    with pytest.raises(ValueError, match="stopped by a callback"):
        model.set_callbacks(failing).fit(X, Y)
    assert failing.calls[-1][0] == "teardown"
    assert model.model_ is before
    assert "_skl_callbacks" not in vars(model.set_callbacks().fit(X, Y))


@needs_callbacks
@pytest.mark.parametrize(
    "model",
    [CARTClassifier(pruning=CostComplexity(folds=3)), MARSRegressor(backward="cv", cv_folds=3)],
    ids=["cart", "mars"],
)
def test_folds_are_tasks_inside_the_fit(model):
    recorder = Recorder()
    expected = clone(model).fit(X, Y).predict(X)
    assert np.array_equal(clone(model).set_callbacks(recorder).fit(X, Y).predict(X), expected)
    folds = [(what, "fold", i, *most) for i in range(3) for what, most in (("begin", (0,)), ("end", ()))]
    assert recorder.parts == [("begin", "folds", 0, 3), *folds, ("end", "folds", 0)]


@needs_callbacks
def test_levels_are_tasks_inside_a_fit_in_parts(tmp_path):
    recorder, rows = (
        Recorder(),
        {f"x{j}": np.tile(X[:, j], 400).tolist() for j in range(4)} | {"y": np.tile(Y, 400).tolist()},
    )
    parquet.write_table(pa.table(rows), tmp_path / "a.parquet")
    CARTClassifier(max_depth=3).set_callbacks(recorder).fit_stream(tmp_path / "a.parquet", "y", memory="32MB")
    assert recorder.parts[0] == ("begin", "levels", 0, None)
    assert ("end", "level", 0) in recorder.parts
    assert ("begin", "folds", 1, 10) in recorder.parts


@needs_callbacks
def test_callbacks_of_scikit_learn_inside_its_own_tools(capsys):
    from sklearn.callback import ProgressBar, ScoringMonitor

    monitor = ScoringMonitor(scoring="accuracy")
    model = CARTClassifier().set_callbacks(monitor).fit(X, Y)
    assert model.score(X, Y) > 0.9
    search = GridSearchCV(
        make_pipeline(StandardScaler(), CARTClassifier()), {"cartclassifier__max_depth": [1, 2]}, cv=3
    )
    try:
        search.set_callbacks(ProgressBar())
    except ImportError:
        return  # its package rich is not there
    assert search.fit(X, Y).best_params_ == {"cartclassifier__max_depth": 2}


def test_scikit_learn_without_callbacks():
    code = (
        "import sys, sklearn.base; sys.modules['sklearn.callback'] = None\n"
        "from boxwood.estimators.callbacks import CallbackSupportMixin\n"
        "assert CallbackSupportMixin.__module__ == 'boxwood.estimators.callbacks'\n"
        "from boxwood import CARTClassifier\n"
        "assert CARTClassifier(pruning=None).fit([[1], [2]], [0, 1]).predict([[2]]).tolist() == [1]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
