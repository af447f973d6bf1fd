"""Trees whose leaves are smoothed, or hold a model of one's own."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsRegressor

import boxwood
from boxwood import TreeClassifier, TreeRegressor
from boxwood.errors import ParameterError
from estimators.composed import same_tree


@pytest.mark.parametrize(("leaf", "expected"), [("majority", 1.0), ("laplace", 5 / 6), (2, 5 / 6), (4.0, 6 / 8)])
def test_what_a_leaf_predicts(tmp_path, leaf, expected):
    X, y = [[1], [1], [1], [1], [2]], ["a", "a", "a", "a", "b"]
    model = TreeClassifier(leaf=leaf).fit(X, y)
    assert model.predict_proba([[1]])[0].tolist() == pytest.approx([expected, 1 - expected])
    assert model.predict([[1], [2]]).tolist() == ["a", "b"]
    model.save(tmp_path / "m.box")
    loaded = boxwood.load(tmp_path / "m.box")
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(loaded.fit(X, y).predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("leaf", [0, -1.0, True, float("inf"), [1]])
def test_a_leaf_that_predicts_nothing_is_refused(leaf):
    with pytest.raises(ParameterError, match="leaf must be 'majority', 'laplace' or a number of rows above 0"):
        TreeClassifier(leaf=leaf).fit([[1], [2]], ["a", "b"])


def test_linear_leaves_are_least_squares_of_their_rows(two_lines):
    X, y = two_lines
    weight = np.random.default_rng(2).integers(0, 4, size=len(y))
    model = TreeRegressor(leaf=LinearRegression(), termination={"max_depth": 1}).fit(X, y, sample_weight=weight)
    plain = TreeRegressor(termination={"max_depth": 1}).fit(X, y, sample_weight=weight)
    assert same_tree(model, plain)
    ends = model.apply(X)
    for leaf in (1, 2):
        there = ends == leaf
        line = LinearRegression().fit(X[there], y[there], weight[there])
        np.testing.assert_allclose(model.predict(X)[there], line.predict(X[there]), rtol=1e-12)
    assert model.score(X, y) > 0.99 > plain.score(X, y)


def test_leaves_of_classes_and_leaves_that_predict_one_value(two_lines):
    X, y = two_lines
    labels = np.where(y > 0.5, "high", "low")
    labels[X[:, 0] > 0.5] = "low"
    model = TreeClassifier(leaf=LogisticRegression(), termination={"max_depth": 1}).fit(X, labels)
    ends, found = model.apply(X), model.predict_proba(X)
    pure = [leaf for leaf in (1, 2) if len(set(labels[ends == leaf])) == 1]
    assert len(pure) == 1
    assert (found[ends == pure[0]] == [0.0, 1.0]).all()
    there = ends == 3 - pure[0]
    expected = LogisticRegression().fit(X[there], labels[there]).predict_proba(X[there])
    np.testing.assert_allclose(found[there], expected, atol=1e-4)
    assert model.predict(X).tolist() == np.array(["high", "low"])[found.argmax(axis=1)].tolist()


def test_a_class_that_a_leaf_does_not_have_gets_no_probability():
    X = [[1], [2], [3], [4], [11], [12], [13], [14]]
    y = ["a", "b", "a", "b", "c", "a", "c", "c"]
    model = TreeClassifier(leaf=LogisticRegression(), termination=lambda node: node.depth == 1).fit(X, y)
    found = model.predict_proba(X)
    assert found.shape == (8, 3)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    absent = {leaf: {"a", "b", "c"} - {y[i] for i in np.flatnonzero(model.apply(X) == leaf)} for leaf in (1, 2)}
    assert all(found[i, "abc".index(lost)] == 0.0 for i in range(8) for lost in absent[model.apply(X)[i]])


def test_rows_that_are_shared_out_mix_their_leaves(two_lines):
    X, y = two_lines
    X = np.where(np.arange(600).reshape(X.shape) % 37 == 0, np.nan, X)
    X[:, 1] = np.nan_to_num(X[:, 1])
    model = TreeRegressor(leaf=Mean(), missing="fractional", termination={"max_depth": 2}).fit(X, y)
    plain = TreeRegressor(missing="fractional", termination={"max_depth": 2}).fit(X, y)
    assert model.routing(X).count()["shared"] > 0
    np.testing.assert_allclose(model.predict(X), plain.predict(X), rtol=1e-9)


class Mean:
    """The weighted mean, in a person's own words."""

    def fit(self, X, y, weights):
        self.value = np.average(y, weights=weights)

    def predict(self, X):
        return np.full(len(X), self.value)


def test_own_leaves_are_copied_cloned_and_pickled_but_not_saved(tmp_path, two_lines):
    X, y = two_lines
    prototype = LinearRegression()
    model = TreeRegressor(leaf=prototype, termination={"max_depth": 2}, pruning="cv").fit(X, y)
    assert not hasattr(prototype, "coef_")
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    np.testing.assert_array_equal(clone(model).fit(X, y).predict(X), model.predict(X))
    with pytest.raises(ParameterError, match=r"a model file holds no code.*LinearRegression.*pickle the"):
        model.save(tmp_path / "own.box")
    assert not (tmp_path / "own.box").exists()
    with pytest.raises(ParameterError, match="fit again with pruning="):
        model.prune(n_leaves=2)
    for use in (model.explain, model.shap_values, lambda rows: model.export("sql"), lambda rows: model.explore()):
        with pytest.raises(ParameterError, match=r"needs leaves that predict a constant.*leaf='mean'"):
            use(X[:2])
    assert "chosen" in str(model.explain_split(X, y, 0))


@pytest.mark.parametrize(
    ("leaf", "words"),
    [
        (LinearRegression, r"leaf must be 'mean', or an object with fit\(X, y\) and predict\(X\)"),
        (3, "leaf must be 'mean', or an object"),
        (object(), "leaf must be 'mean', or an object"),
        (KNeighborsRegressor(300), r"KNeighborsRegressor\(n_neighbors=300\): predict failed at leaf 1: ValueError"),
    ],
)
def test_leaves_that_cannot_be_fitted_are_refused(two_lines, leaf, words):
    with pytest.raises(ParameterError, match=words):
        TreeRegressor(leaf=leaf, termination={"max_depth": 1}).fit(*two_lines)


def test_leaves_that_predict_nonsense_are_named(two_lines):
    for answer, words in ((lambda X: X, "must return shape"), (lambda X: np.full(len(X), np.nan), "finite numbers")):
        leaf = Mean()
        leaf.predict = answer
        with pytest.raises(ParameterError, match=words):
            TreeRegressor(leaf=leaf, termination={"max_depth": 1}).fit(*two_lines)
