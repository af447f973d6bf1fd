"""boxwood.sklearn: the trees, attributes and methods of scikit-learn's own classes."""

from __future__ import annotations

import pickle
from copy import deepcopy

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn import tree
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import boxwood
from boxwood.sklearn import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor

CLASSES = ("gini", "entropy", "log_loss")
NUMBERS = ("squared_error", "poisson")
#: With weights, and leaves of so many rows, no two splits are equally good.
LIMITS = [
    {"min_samples_leaf": 12}, {"max_depth": 2, "min_samples_leaf": 12}, {"min_samples_leaf": 0.1},
    {"min_samples_split": 0.3, "min_samples_leaf": 12}, {"min_weight_fraction_leaf": 0.1, "min_samples_leaf": 12},
    {"min_impurity_decrease": 0.01, "min_samples_leaf": 12}, {"ccp_alpha": 0.01, "min_samples_leaf": 12},
    {"max_leaf_nodes": 6, "min_samples_leaf": 12},
]  # fmt: skip
TREES = (DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor)
ARRAYS = ("children_left", "children_right", "feature", "threshold", "n_node_samples", "missing_go_to_left")
SUMS = ("impurity", "value", "weighted_n_node_samples")


def problem(seed, gaps):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 3))
    signal = X[:, 0] - X[:, 2] / 2 + rng.normal(size=300)
    if gaps:
        X[rng.random(X.shape) < 0.1] = np.nan
    return X, signal, rng.random(300) + 0.1


def same_trees(ours, theirs):
    for name in ARRAYS:
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name
    for name in SUMS:
        assert np.allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-7, atol=1e-12), name
    assert (ours.max_depth, ours.n_leaves) == (theirs.max_depth, theirs.n_leaves)


def same_fits(ours, theirs, X):
    same_trees(ours.tree_, theirs.tree_)
    assert np.array_equal(ours.apply(X), theirs.apply(X))
    assert (ours.decision_path(X) != theirs.decision_path(X)).nnz == 0
    assert np.allclose(ours.feature_importances_, theirs.feature_importances_)
    assert (ours.get_depth(), ours.get_n_leaves()) == (theirs.get_depth(), theirs.get_n_leaves())


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("criterion", CLASSES)
def test_trees_of_classes_are_theirs(criterion, limits, gaps):
    X, signal, weight = problem(1, gaps)
    y = np.array(["b", "a", "京都"])[np.digitize(signal, [-0.5, 0.7])]
    ours = DecisionTreeClassifier(criterion=criterion, **limits).fit(X, y, weight)
    theirs = tree.DecisionTreeClassifier(criterion=criterion, **limits, random_state=0).fit(X, y, weight)
    same_fits(ours, theirs, X)
    assert np.array_equal(ours.predict(X), theirs.predict(X))
    assert np.allclose(ours.predict_proba(X), theirs.predict_proba(X))
    assert ours.classes_.tolist() == theirs.classes_.tolist()


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("criterion", NUMBERS)
def test_trees_of_numbers_are_theirs(criterion, limits, gaps):
    X, signal, weight = problem(2, gaps)
    y = np.exp(signal) if criterion == "poisson" else signal
    ours = DecisionTreeRegressor(criterion=criterion, **limits).fit(X, y, weight)
    theirs = tree.DecisionTreeRegressor(criterion=criterion, **limits, random_state=0).fit(X, y, weight)
    same_fits(ours, theirs, X)
    assert np.allclose(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_every_alpha_of_the_path_prunes_as_there(criterion):
    X, signal, weight = problem(3, False)
    y = signal > 0
    limits = {"criterion": criterion, "min_samples_leaf": 12}
    path = DecisionTreeClassifier(**limits).cost_complexity_pruning_path(X, y, weight)
    theirs = tree.DecisionTreeClassifier(**limits, random_state=0).cost_complexity_pruning_path(X, y, weight)
    assert np.allclose(path.ccp_alphas, theirs.ccp_alphas)
    assert np.allclose(path.impurities, theirs.impurities)
    for alpha, wanted in zip(path.ccp_alphas, theirs.ccp_alphas, strict=True):
        ours = DecisionTreeClassifier(**limits, ccp_alpha=alpha).fit(X, y, weight)
        pruned = tree.DecisionTreeClassifier(**limits, ccp_alpha=wanted, random_state=0).fit(X, y, weight)
        same_trees(ours.tree_, pruned.tree_)
        assert ours.cart_.tree_.n_leaves == ours.get_n_leaves()


@pytest.mark.parametrize("ours", TREES)
def test_signature_and_bases_are_theirs(ours):
    theirs = getattr(tree, ours.__name__)
    assert issubclass(ours, theirs)
    assert repr(ours().get_params()) == repr(theirs().get_params())
    assert clone(ours(max_depth=3)).max_depth == 3
    with pytest.raises(NotFittedError):
        ours().feature_importances_  # noqa: B018


def test_poisson_deviance_never_predicts_0():
    X = [[0, 0], [0, 1], [0, 2], [0, 3], [1, 0], [1, 2], [1, 2], [1, 3]]
    fitted = DecisionTreeRegressor(criterion="poisson").fit(X, [0, 0, 0, 0, 1, 2, 3, 4])
    assert fitted.predict(X).min() > 0
    assert boxwood.CARTRegressor(criterion="poisson", pruning=None).fit(X, [0] * 4 + [1] * 4).predict(X).min() == 0


def test_missing_values_follow_their_rules():
    """Where training had none: the branch with more rows, at equal numbers the right one, whatever the weights."""
    X = np.array([[0.0], [1.0], [8.0], [9.0]])
    y = [0.0, 0.0, 1.0, 1.0]
    assert DecisionTreeRegressor(max_depth=1).fit(X, y).predict([[np.nan]]).tolist() == [1.0]
    X, y = np.vstack([X, [[1.5]]]), [*y, 0.0]
    fitted = DecisionTreeRegressor(max_depth=1).fit(X, y, [1, 1, 9, 9, 1])
    assert fitted.predict([[np.nan]]).tolist() == fitted.cart_.predict([[np.nan]]).tolist() == [0.0]


def test_a_split_of_missing_from_known_values_is_theirs():
    X, y = [[0.0], [1.0], [2.0], [np.nan]], ["known", "known", "known", "not"]
    fitted = DecisionTreeClassifier().fit(X, y)
    assert fitted.tree_.threshold[0] == np.inf
    assert fitted.predict([[99.0], [np.nan]]).tolist() == ["known", "not"]
    assert fitted.cart_.predict([[99.0], [np.nan]]).tolist() == ["known", "not"]


def test_sparse_rows_and_copies():
    X, signal, _ = problem(4, False)
    X[np.abs(X) < 0.5] = 0.0
    fitted = DecisionTreeRegressor(min_samples_leaf=10).fit(csr_matrix(X), signal)
    dense = DecisionTreeRegressor(min_samples_leaf=10).fit(X, signal)
    same_trees(fitted.tree_, dense.tree_)
    expected = dense.predict(X)
    for copied in (pickle.loads(pickle.dumps(fitted)), deepcopy(fitted)):
        assert np.array_equal(copied.predict(csr_matrix(X)), expected)


def test_a_fit_again_replaces_the_tree():
    fitted = DecisionTreeRegressor().fit([[1], [2]], [0, 1])
    assert fitted.tree_.node_count == 3
    assert fitted.fit([[1], [2]], [1, 1]).tree_.node_count == 1


def test_text_and_dates_are_allowed_beyond_them():
    """tree_ has a column for each set of levels; the importance is that of the columns of X."""
    X = {"城市": ["京都", "Ulm", "Bonn", "京都"] * 6, "面积": [10.0, 20.0, 30.0, 40.0] * 6}
    y = np.array([9.0, 1.0, 2.0, 8.0] * 6)
    fitted = DecisionTreeRegressor(random_state=0).fit(X, y)
    assert fitted.feature_names_in_.tolist() == ["城市", "面积"]
    assert fitted.n_features_in_ == len(fitted.feature_importances_) == 2
    assert fitted.feature_importances_.sum() == pytest.approx(1.0)
    assert np.array_equal(fitted.predict(X), y)
    assert np.array_equal(fitted.predict(X), fitted.cart_.predict(X))
    assert fitted.decision_path(X).shape == (24, fitted.tree_.node_count)
    path = DecisionTreeRegressor().cost_complexity_pruning_path(X, y)
    assert DecisionTreeRegressor(ccp_alpha=path.ccp_alphas[-1]).fit(X, y).get_n_leaves() == 1


def test_a_number_in_text_is_a_number_as_there():
    X = np.array([["1"], ["2"], ["30"]], dtype=object)
    ours, theirs = (cls().fit(X, [0, 1, 1]) for cls in (DecisionTreeClassifier, tree.DecisionTreeClassifier))
    same_trees(ours.tree_, theirs.tree_)
