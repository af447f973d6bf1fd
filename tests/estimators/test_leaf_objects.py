"""Objects of scikit-learn in the leaves: pipelines, classifiers without probabilities, and weights by name."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Perceptron, Ridge, RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from boxwood import TreeClassifier, TreeRegressor
from boxwood.errors import BoxwoodWarning, ParameterError
from boxwood.growing.leaf import weights_name

#: Two leaves in all tests.
STUMP = {"max_depth": 1}


@pytest.fixture
def rows():
    """Columns of two numbers, three classes that a line divides on each side of 0.5, and weights 0 to 3."""
    random = np.random.default_rng(5)
    X = random.uniform(size=(240, 2))
    y = np.array(["low", "mid", "top"])[np.where(X[:, 0] < 0.5, 0, 1) + (X[:, 1] > 0.5)]
    return X, y, random.integers(0, 4, 240)


@pytest.fixture
def gaps(rows):
    """The same with every eighth value missing."""
    X, y, weight = rows
    return np.where(np.arange(X.size).reshape(X.shape) % 8 == 3, np.nan, X), y, weight


CLASSIFIERS = [
    LogisticRegression(),
    KNeighborsClassifier(3),
    Perceptron(),
    RidgeClassifier(),
    make_pipeline(StandardScaler(), Perceptron()),
]


@pytest.mark.parametrize("leaf", CLASSIFIERS, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_leaves_are_the_object_fitted_to_their_rows(rows, leaf, weighted):
    X, y, weight = rows
    given = {"sample_weight": weight} if weighted else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BoxwoodWarning)
        model = TreeClassifier(leaf=leaf, termination=STUMP).fit(X, y, **given)
    assert model.get_n_leaves() == 2
    ends, labels = model.apply(X), model.predict(X)
    name = weights_name(leaf)
    for end in np.unique(ends):
        there = (ends == end) & (weight > 0 if weighted else True)
        by_name = {name: weight[there]} if weighted and name else {}
        alone = leaf.__class__(**leaf.get_params(deep=False)).fit(X[there], y[there], **by_name)
        assert (labels[ends == end] == alone.predict(X[ends == end])).all()
    assert model.predict_proba(X).shape == (240, 3)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
    assert model.score(X, y) > TreeClassifier(termination=STUMP).fit(X, y).score(X, y)


@pytest.mark.parametrize("leaf", [Perceptron(), RidgeClassifier()], ids=str)
def test_a_classifier_without_probabilities_is_a_hard_hypothesis(rows, leaf):
    X, y, _ = rows
    model = TreeClassifier(leaf=leaf, termination=STUMP).fit(X, y)
    found = model.predict_proba(X)
    assert set(found.ravel().tolist()) == {0.0, 1.0}
    assert (model.classes_[found.argmax(axis=1)] == model.predict(X)).all()


def test_a_pipeline_fills_gaps(gaps):
    X, y, _ = gaps
    with pytest.raises(ParameterError, match=r"(?s)fit failed at leaf 1: ValueError.*make_pipeline\(SimpleImputer"):
        TreeClassifier(leaf=LogisticRegression(), termination=STUMP).fit(X, y)
    model = TreeClassifier(leaf=make_pipeline(SimpleImputer(), LogisticRegression()), termination=STUMP).fit(X, y)
    ends = model.apply(X)
    for end in (1, 2):
        there = ends == end
        alone = make_pipeline(SimpleImputer(), LogisticRegression()).fit(X[there], y[there])
        assert (model.predict(X)[there] == alone.predict(X[there])).all()


@pytest.mark.parametrize("missing", ["majority", "fractional"])
def test_leaves_of_numbers_in_a_pipeline(tmp_path, gaps, missing):
    X, _, weight = gaps
    y = np.nan_to_num(X[:, 0]) * 3 + np.nan_to_num(X[:, 1])
    leaf = make_pipeline(SimpleImputer(), StandardScaler(), Ridge())
    model = TreeRegressor(leaf=leaf, missing=missing, termination=STUMP).fit(X, y, sample_weight=weight)
    plain = TreeRegressor(missing=missing, termination=STUMP).fit(X, y, sample_weight=weight)
    assert model.score(X, y) > plain.score(X, y)
    model.plot(tmp_path / "tree.svg")
    with pytest.raises(ParameterError, match=r"a model file holds no code.*leaf=Pipeline\(\.\.\.\)"):
        model.save(tmp_path / "own.box")
    assert str(model.tree_) == str(plain.tree_)


def test_names_of_weights():
    class Own:
        def fit(self, X, y, w):
            """The third parameter has no default: it is the weights."""

    class Plain:
        def fit(self, X, y, *more, **options):
            """Takes no weights by name."""

    nested = make_pipeline(StandardScaler(), make_pipeline(StandardScaler(), Ridge()))
    for model, name in (
        (Ridge(), "sample_weight"),
        (KNeighborsRegressor(), None),
        (make_pipeline(StandardScaler(), Ridge()), "ridge__sample_weight"),
        (make_pipeline(StandardScaler(), KNeighborsRegressor()), None),
        (nested, "pipeline__ridge__sample_weight"),
        (Own(), "w"),
        (Plain(), None),
    ):
        assert weights_name(model) == name


def test_weights_that_an_object_does_not_take_are_reported_once(rows):
    X, y, weight = rows
    model = TreeClassifier(leaf=KNeighborsClassifier(3), termination=STUMP)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(X, y)
    with pytest.warns(BoxwoodWarning, match=r"KNeighborsClassifier\(n_neighbors=3\): fit has no parameter") as reported:
        model.fit(X, y, sample_weight=weight + 1)
    assert len(reported) == 1


def test_a_leaf_with_one_class_keeps_its_constant_and_absent_classes_get_nothing():
    X = np.array([[0.0], [0.1], [0.2], [0.3], [1.0], [1.1], [1.2], [1.3]])
    y = np.array(["a", "a", "a", "a", "b", "c", "b", "c"])
    model = TreeClassifier(leaf=Perceptron(), termination=STUMP).fit(X, y)
    assert list(model.model_.leaves.fitted) == [2]
    found = model.predict_proba(X)
    assert (found[:4] == [1, 0, 0]).all()
    assert (found[4:, 0] == 0).all()


def test_a_regression_in_the_leaves_of_classes_is_refused(rows):
    X, y, _ = rows
    with pytest.raises(ParameterError, match=r"Ridge\(\): predict must return class numbers from 0 to 2"):
        TreeClassifier(leaf=Ridge(), termination=STUMP).fit(X, y)


def test_messages_of_branchings_and_criteria_name_functions():
    for choice, function in (("branching", "values -> partitions"), ("criterion", r"\(children, parent\) -> scores")):
        with pytest.raises(ParameterError, match=f"{choice} must be one of .*, or a function {function}; got 3"):
            TreeClassifier(**{choice: 3}).fit([[1], [2]], ["a", "b"])
