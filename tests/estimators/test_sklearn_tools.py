"""Tools of scikit-learn give with trees of ``boxwood.sklearn`` what they give with scikit-learn's own trees."""

from __future__ import annotations

import copy
import pickle

import joblib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import sklearn
import sklearn.tree
from joblib.externals.loky import get_reusable_executor
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    GradientBoostingRegressor,
    StackingClassifier,
    StackingRegressor,
    VotingClassifier,
    VotingRegressor,
)
from sklearn.exceptions import NotFittedError
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.feature_selection import RFE, SelectFromModel, SequentialFeatureSelector
from sklearn.impute import IterativeImputer
from sklearn.inspection import (
    DecisionBoundaryDisplay,
    PartialDependenceDisplay,
    partial_dependence,
    permutation_importance,
)
from sklearn.linear_model import LinearRegression, RANSACRegressor
from sklearn.model_selection import (
    GridSearchCV,
    TunedThresholdClassifierCV,
    cross_val_predict,
    cross_validate,
    learning_curve,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier, MultiOutputRegressor, RegressorChain
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import boxwood.sklearn

NAMES = ["長さ", "幅", "重さ", "色"]
CLASSIFIER, REGRESSOR = "DecisionTreeClassifier", "DecisionTreeRegressor"
both = pytest.mark.parametrize("name", [CLASSIFIER, REGRESSOR])
SETTINGS = {"max_depth": 3, "min_samples_leaf": 25, "random_state": 0}


def data(name: str):
    """400 rows on which no two splits are equally good, with y as text or as numbers."""
    rng = np.random.default_rng(8)
    X = pd.DataFrame(rng.normal(size=(400, 4)).round(3), columns=NAMES)
    signal = X["長さ"] + 2 * (X["幅"] > 0.3) + rng.normal(scale=1.2, size=len(X))
    return X, np.where(signal > 1, "好", "坏") if name == CLASSIFIER else signal.to_numpy()


def pair(name: str, **settings):
    """The tree of boxwood and that of scikit-learn, with the same settings."""
    settings = SETTINGS | settings
    return getattr(boxwood.sklearn, name)(**settings), getattr(sklearn.tree, name)(**settings)


def answer(model, X) -> np.ndarray:
    return model.predict_proba(X) if is_classifier(model) else model.predict(X)


def of_classes(make):
    return pytest.param(CLASSIFIER, make, id=make(None).__class__.__name__)


def of_numbers(make):
    return pytest.param(REGRESSOR, make, id=make(None).__class__.__name__)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        of_classes(lambda tree: CalibratedClassifierCV(tree, cv=3)),
        of_classes(lambda tree: BaggingClassifier(tree, n_estimators=5, random_state=0)),
        of_classes(lambda tree: AdaBoostClassifier(tree, n_estimators=5, random_state=0)),
        of_classes(lambda tree: StackingClassifier([("tree", tree)], GaussianNB(), cv=3)),
        of_classes(lambda tree: VotingClassifier([("tree", tree), ("bayes", GaussianNB())], voting="soft")),
        of_classes(lambda tree: TunedThresholdClassifierCV(tree, scoring="balanced_accuracy", cv=3)),
        of_classes(lambda tree: GridSearchCV(tree, {"max_depth": [1, 3], "ccp_alpha": [0.0, 0.01]}, cv=3)),
        of_classes(lambda tree: make_pipeline(StandardScaler(), tree)),
        of_classes(OneVsRestClassifier),
        of_numbers(lambda tree: BaggingRegressor(tree, n_estimators=5, random_state=0)),
        of_numbers(lambda tree: AdaBoostRegressor(tree, n_estimators=5, random_state=0)),
        of_numbers(lambda tree: GradientBoostingRegressor(init=tree, n_estimators=3, random_state=0)),
        of_numbers(lambda tree: StackingRegressor([("tree", tree)], LinearRegression(), cv=3)),
        of_numbers(lambda tree: VotingRegressor([("tree", tree), ("line", LinearRegression())])),
        of_numbers(lambda tree: TransformedTargetRegressor(tree, func=np.sinh, inverse_func=np.arcsinh)),
        of_numbers(lambda tree: GridSearchCV(tree, {"max_depth": [1, 3], "ccp_alpha": [0.0, 0.01]}, cv=3)),
        of_numbers(lambda tree: make_pipeline(StandardScaler(), tree)),
        of_numbers(lambda tree: RANSACRegressor(tree, min_samples=0.5, random_state=0)),
    ],
)
def test_a_model_around_a_tree_predicts_the_same(name, make):
    X, y = data(name)
    ours, theirs = (make(tree).fit(X, y) for tree in pair(name))
    np.testing.assert_allclose(answer(ours, X), answer(theirs, X), rtol=1e-12, atol=1e-12)
    if is_classifier(ours):
        assert np.array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize(
    ("name", "make"),
    [
        of_classes(MultiOutputClassifier),
        of_classes(lambda tree: ClassifierChain(tree, random_state=0)),
        of_numbers(MultiOutputRegressor),
        of_numbers(lambda tree: RegressorChain(tree, random_state=0)),
    ],
)
def test_several_responses_with_a_tree_for_each(name, make):
    X, y = data(name)
    Y = np.column_stack([np.unique(y, return_inverse=True)[1], X["幅"] > 0]) if name == CLASSIFIER else X + y[:, None]
    ours, theirs = (make(tree).fit(X, Y) for tree in pair(name))
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-12, atol=1e-12)


@both
def test_permutation_importance(name):
    X, y = data(name)
    ours, theirs = (permutation_importance(tree.fit(X, y), X, y, random_state=0) for tree in pair(name))
    np.testing.assert_allclose(ours.importances, theirs.importances, rtol=0, atol=1e-12)


@pytest.mark.filterwarnings("ignore:Glyph")  # the font of the test machine may lack them
@both
def test_partial_dependence(name):
    X, y = data(name)
    ours, theirs = (tree.fit(X, y) for tree in pair(name))
    for method in ["brute"] if name == CLASSIFIER else ["brute", "recursion"]:
        found, expected = (partial_dependence(tree, X, ["長さ"], method=method) for tree in (ours, theirs))
        np.testing.assert_allclose(found["average"], expected["average"], rtol=1e-12, atol=1e-12)
    PartialDependenceDisplay.from_estimator(ours, X, ["長さ", ("長さ", "幅")], grid_resolution=5)
    DecisionBoundaryDisplay.from_estimator(
        clone(ours).fit(X[["長さ", "幅"]], y), X[["長さ", "幅"]], response_method="auto", grid_resolution=5
    )
    plt.close("all")


@both
def test_cross_validation_and_learning_curves(name):
    X, y = data(name)
    method = "predict_proba" if name == CLASSIFIER else "predict"
    ours, theirs = (cross_val_predict(tree, X, y, cv=3, method=method) for tree in pair(name))
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)
    ours, theirs = (learning_curve(tree, X, y, cv=3, train_sizes=[0.5, 1.0])[2] for tree in pair(name))
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)


@both
def test_selection_of_features(name):
    X, y = data(name)
    ours, theirs = (SelectFromModel(tree).set_output(transform="pandas").fit(X, y) for tree in pair(name))
    pd.testing.assert_frame_equal(ours.transform(X), theirs.transform(X))
    ours, theirs = (RFE(tree, n_features_to_select=2).fit(X, y) for tree in pair(name))
    assert np.array_equal(ours.ranking_, theirs.ranking_)
    ours, theirs = (SequentialFeatureSelector(tree, n_features_to_select=2, cv=3).fit(X, y) for tree in pair(name))
    assert np.array_equal(ours.support_, theirs.support_)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_trees_fill_gaps():
    X, _ = data(REGRESSOR)
    X = X.mask(np.random.default_rng(1).random(X.shape) < 0.1)
    ours, theirs = (IterativeImputer(tree, max_iter=2, random_state=0).fit_transform(X) for tree in pair(REGRESSOR))
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


@both
def test_a_pipeline_hands_frames_on(name):
    X, y = data(name)
    scale = ColumnTransformer([("幅", StandardScaler(), ["幅"])], remainder="passthrough").set_output(
        transform="pandas"
    )
    pipeline = make_pipeline(scale, pair(name)[0]).fit(X, y)
    assert pipeline[-1].feature_names_in_.tolist() == ["幅__幅", "remainder__長さ", "remainder__重さ", "remainder__色"]
    with pytest.raises(ValueError, match="feature names should match"):
        pipeline[-1].predict(X)


@both
def test_weights_are_routed(name):
    X, y = data(name)
    weight = np.linspace(0.5, 2.0, len(X))
    with sklearn.config_context(enable_metadata_routing=True):
        ours, theirs = (
            cross_validate(
                tree.set_fit_request(sample_weight=True).set_score_request(sample_weight=True),
                X, y, cv=3, params={"sample_weight": weight},
            )["test_score"]
            for tree in pair(name)
        )  # fmt: skip
        through = make_pipeline(FunctionTransformer(), pair(name)[0].set_fit_request(sample_weight=True))
        through.fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)
    direct = pair(name)[0].fit(X, y, sample_weight=weight)
    assert np.array_equal(through.predict(X), direct.predict(X))


@both
def test_clones_have_the_settings_and_no_tree(name):
    X, y = data(name)
    ours, theirs = (tree.fit(X, y) for tree in pair(name, ccp_alpha=0.01))
    again = clone(ours)
    assert type(again) is type(ours)
    assert again.get_params() == ours.get_params() == theirs.get_params()
    assert is_classifier(again) == is_classifier(theirs)
    assert is_regressor(again) == is_regressor(theirs)
    with pytest.raises(NotFittedError):
        again.predict(X)


@both
def test_reprs(name):
    ours, theirs = pair(name)
    assert repr(ours) == repr(theirs)
    assert name in ours._repr_html_()
    X, y = data(name)
    assert "max_depth" in ours.fit(X, y)._repr_html_()


def load_skops(model, folder):
    skops = pytest.importorskip("skops.io", reason="skops is not installed")
    skops.dump(model, folder / "tree.skops")
    unknown = skops.get_untrusted_types(file=folder / "tree.skops")
    return skops.load(folder / "tree.skops", trusted=unknown)


def load_joblib(model, folder):
    joblib.dump(model, folder / "tree.joblib", compress=3)
    return joblib.load(folder / "tree.joblib")


@pytest.mark.parametrize(
    "copied",
    [
        lambda model, _: pickle.loads(pickle.dumps(model)),
        lambda model, _: copy.deepcopy(model),
        load_joblib,
        load_skops,
    ],
    ids=["pickle", "deepcopy", "joblib", "skops"],
)
@both
def test_stored_trees_predict_the_same(name, copied, tmp_path):
    X, y = data(name)
    model = pair(name)[0].fit(X, y)
    again = copied(model, tmp_path)
    assert np.array_equal(answer(again, X), answer(model, X))
    assert np.array_equal(again.apply(X), model.apply(X))
    assert np.array_equal(again.tree_.threshold, model.tree_.threshold)
    assert again.get_params() == model.get_params()


@pytest.fixture
def no_workers_left():
    """Worker processes of joblib wait for more work; other tests count what runs."""
    yield
    get_reusable_executor().shutdown(wait=True)


@pytest.mark.usefixtures("no_workers_left")
def test_trees_in_several_processes_and_threads():
    X, y = data(CLASSIFIER)
    ours = pair(CLASSIFIER)[0]
    alone = cross_val_predict(ours, X, y, cv=3)
    for backend in ("loky", "threading"):
        with joblib.parallel_config(backend=backend):
            assert np.array_equal(cross_val_predict(ours, X, y, cv=3, n_jobs=2), alone)
