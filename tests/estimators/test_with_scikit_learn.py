"""The estimators inside scikit-learn's own tools, with mixed data and missing values."""

import copy
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from joblib.externals.loky import get_reusable_executor
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, BaggingRegressor, StackingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.fixes import parse_version

from boxwood import CARTClassifier, CARTRegressor, CostComplexity, datasets

IRIS = load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def titanic():
    frame = pd.DataFrame(datasets.load("titanic")).sample(frac=1.0, random_state=0)  # the file is sorted by class
    return frame.drop(columns="survived"), frame["survived"]


def test_pipeline_with_a_column_transformer_keeps_the_frame(titanic):
    X, y = titanic
    scale = ColumnTransformer([("numbers", StandardScaler(), ["age", "fare"])], remainder="passthrough")
    model = make_pipeline(scale.set_output(transform="pandas"), CARTClassifier()).fit(X, y)
    assert model.score(X, y) > 0.75
    assert "remainder__sex" in model[-1].feature_names_in_


def test_grid_search_over_alpha_and_pruning(titanic):
    X, y = titanic
    search = GridSearchCV(CARTClassifier(pruning=None), {"ccp_alpha": [0.0, 0.005, 0.5]}, cv=3).fit(X, y)
    assert search.best_params_["ccp_alpha"] in (0.0, 0.005)
    assert search.best_score_ > 0.75
    grid = {"pruning": [CostComplexity(folds=3), CostComplexity("1se", folds=3)], "criterion": ["gini", "entropy"]}
    assert GridSearchCV(CARTClassifier(), grid, cv=3).fit(X, y).best_score_ > 0.75


@pytest.fixture
def no_workers_left():
    """Worker processes of joblib wait for more work; other tests count what runs."""
    yield
    get_reusable_executor().shutdown(wait=True)


@pytest.mark.usefixtures("no_workers_left")
def test_cross_validation_in_several_processes(titanic):
    X, y = titanic
    model = CARTClassifier(pruning=None, max_depth=3)
    alone = cross_val_score(model, X, y, cv=3)
    assert np.array_equal(alone, cross_val_score(model, X, y, cv=3, n_jobs=2))
    assert alone.min() > 0.7
    assert cross_val_score(CARTRegressor(), *load_diabetes(return_X_y=True), cv=3).mean() > 0.2
    assert cross_val_predict(model, X, y, cv=3, method="predict_proba").shape == (len(y), 2)


def test_bagging_and_boosting_hand_over_plain_arrays(titanic):
    X, y = titanic
    base = CARTClassifier(pruning=None, max_depth=4)
    assert BaggingClassifier(base, n_estimators=5, random_state=0).fit(X, y).score(X, y) > 0.75
    assert BaggingClassifier(base, n_estimators=3, max_features=3, random_state=0).fit(*IRIS).score(*IRIS) > 0.9
    stumps = CARTClassifier(max_depth=1, pruning=None)
    assert AdaBoostClassifier(stumps, n_estimators=10, random_state=0).fit(*IRIS).score(*IRIS) > 0.9
    diabetes = load_diabetes(return_X_y=True)
    assert BaggingRegressor(CARTRegressor(pruning=None), 5, random_state=0).fit(*diabetes).score(*diabetes) > 0.5


def test_stacking_and_permutation_importance(titanic):
    X, y = titanic
    trees = [("small", CARTClassifier()), ("large", CARTClassifier(pruning=None, min_samples_leaf=5))]
    stack = StackingClassifier(trees, LogisticRegression(), cv=3).fit(X, y)
    assert stack.score(X, y) > 0.75
    found = permutation_importance(CARTClassifier().fit(X, y), X, y, n_repeats=2, random_state=0)
    assert X.columns[np.argmax(found.importances_mean)] == "sex"


@pytest.mark.parametrize("in_pipeline", [False, True], ids=["model", "pipeline"])
def test_sample_weight_is_routed_through_a_search(titanic, in_pipeline):
    if in_pipeline and parse_version(sklearn.__version__) < parse_version("1.8"):
        pytest.skip(
            "a search of scikit-learn before 1.8 does not pass weights on to the score of a pipeline's last step"
        )
    X, y = titanic
    weight = np.where(y == "yes", 5.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        model = CARTClassifier(pruning=None, max_depth=3).set_fit_request(sample_weight=True)
        model.set_score_request(sample_weight=True)
        searched = make_pipeline(model) if in_pipeline else model
        name = "cartclassifier__max_depth" if in_pipeline else "max_depth"
        search = GridSearchCV(searched, {name: [2, 3]}, cv=3)
        search.fit(X, y, sample_weight=weight)
        best = search.best_estimator_[-1] if in_pipeline else search.best_estimator_
        again = pickle.loads(pickle.dumps(best))
        assert again.get_metadata_routing().fit.requests["sample_weight"] is True
        assert cross_validate(model, X, y, params={"sample_weight": weight}, cv=3)["test_score"].min() > 0.5
    assert best.tree_.weight[0] == weight.sum()


def test_exposure_is_routed_to_the_regressor():
    rng = np.random.default_rng(0)
    X, exposure = rng.normal(size=(300, 2)), rng.uniform(0.5, 2.0, 300)
    events = rng.poisson(exposure * np.where(X[:, 0] > 0, 3.0, 1.0))
    with sklearn.config_context(enable_metadata_routing=True):
        model = CARTRegressor(criterion="poisson", max_depth=1, pruning=None).set_fit_request(exposure=True)
        pipeline = make_pipeline(StandardScaler(), model).fit(X, events, exposure=exposure)
    assert sorted(set(pipeline.predict(X).round())) == [1.0, 3.0]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))], ids=["copy", "pickle"])
def test_copies_are_the_same_model(titanic, copied, tmp_path):
    X, y = titanic
    model = CARTClassifier(pruning=CostComplexity(folds=np.arange(len(y)) % 4), class_weight={"yes": 2.0}).fit(X, y)
    again = copied(model)
    assert again.model_.to_bytes() == model.model_.to_bytes()
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert np.array_equal(again.pruning.folds, model.pruning.folds)
    assert again.fit(X, y).model_.to_bytes() == model.model_.to_bytes()


def test_a_pickle_holds_parameters_and_the_model_file_and_nothing_else(titanic):
    model = CARTClassifier(max_depth=2, pruning=None).fit(*titanic)
    state = model.__getstate__()
    assert state == {**model.get_params(), "model_": model.model_.to_bytes()}


def test_joblib_dump_and_parallel(titanic, tmp_path):
    X, y = titanic
    model = CARTClassifier().fit(X, y)
    joblib.dump(model, tmp_path / "model.joblib")
    assert np.array_equal(joblib.load(tmp_path / "model.joblib").predict(X), model.predict(X))
    with joblib.parallel_config(backend="threading"):
        fits = joblib.Parallel(n_jobs=2)(joblib.delayed(clone(model).fit)(X, y) for _ in range(4))
    assert {fit.model_.to_bytes() for fit in fits} == {model.model_.to_bytes()}


def test_clone_and_set_params_forget_and_keep(titanic):
    model = CARTClassifier(max_depth=2, pruning=None).fit(*titanic)
    with pytest.raises(NotFittedError):
        clone(model).predict(titanic[0])
    before = model.model_.to_bytes()
    model.set_params(max_depth=1)
    assert model.model_.to_bytes() == before
    assert model.fit(*titanic).get_depth() == 1


def test_before_fit_there_are_no_fitted_attributes():
    model = CARTClassifier()
    names = ["tree_", "classes_", "n_classes_", "n_features_in_", "feature_names_in_", "feature_importances_"]
    assert not any(hasattr(model, name) for name in [*names, "model_", "cost_complexity_path_"])
    for call in (model.get_depth, model.get_n_leaves, model.cp_table, lambda: model.prune(alpha=0.1)):
        with pytest.raises(NotFittedError):
            call()


@pytest.mark.parametrize("missing", ["surrogate", "error"])
def test_tags_tell_what_data_are_welcome(missing):
    tags = CARTRegressor(criterion="poisson", missing=missing).__sklearn_tags__()
    assert tags.input_tags.categorical
    assert tags.input_tags.string
    assert tags.input_tags.sparse
    assert tags.input_tags.allow_nan == (missing != "error")
    assert tags.target_tags.positive_only
