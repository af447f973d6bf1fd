"""Minimum weight of a branch: scikit-learn's trees, laws, and one tree whatever the rows come from."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from boxwood import CARTClassifier, CARTRegressor, Gain, Multiway, ParameterError, Scored, TreeClassifier
from estimators.composed import same_tree

USED = {"pruning": None, "identifiers": "use"}
PLAIN = USED | {"max_surrogates": 0}


def weighted(n: int, seed: int = 0):
    """Numbers without ties, three classes, a target and weights of all sizes."""
    rng = np.random.default_rng(seed)
    X = rng.permuted(np.tile(np.arange(n, dtype=float), (4, 1)), axis=1).T
    score = X[:, 0] - 0.5 * X[:, 1] + n / 2 * rng.normal(size=n)
    return X, np.digitize(score, [0, n / 2]), score, np.exp(1.5 * rng.normal(size=n))


def lightest(tree) -> float:
    """The least weight of a leaf, as a fraction of the root's."""
    return float(tree.weight[tree.is_leaf].min() / tree.weight[0])


@pytest.mark.parametrize("n", [60, 300, 3000, 60000])
@pytest.mark.parametrize("fraction", [0.003, 0.05, 0.21])
@pytest.mark.parametrize("class_weight", [None, {0: 0.2, 1: 3.0, 2: 1.0}])
def test_classes_are_those_of_scikit_learn(n, fraction, class_weight):
    X, y, _, weight = weighted(n)
    given = {"min_weight_fraction_leaf": fraction, "class_weight": class_weight, "max_depth": 6}
    ours = CARTClassifier(**PLAIN, **given).fit(X, y, sample_weight=weight)
    theirs = DecisionTreeClassifier(**given, random_state=0).fit(X, y, sample_weight=weight)
    assert ours.get_n_leaves() == theirs.get_n_leaves() > 1
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-9, atol=1e-12)
    assert lightest(ours.tree_) >= fraction


@pytest.mark.parametrize("n", [60, 300, 3000, 60000])
@pytest.mark.parametrize("fraction", [0.003, 0.05, 0.21])
@pytest.mark.parametrize("weighs", [False, True])
def test_numbers_are_those_of_scikit_learn(n, fraction, weighs):
    X, _, y, weight = weighted(n, 1)
    given = {"min_weight_fraction_leaf": fraction, "max_depth": 6}
    weight = weight if weighs else None
    ours = CARTRegressor(**PLAIN, **given).fit(X, y, sample_weight=weight)
    theirs = DecisionTreeRegressor(**given, random_state=0).fit(X, y, sample_weight=weight)
    assert ours.get_n_leaves() == theirs.get_n_leaves() > 1
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9, atol=1e-9 * n)
    assert lightest(ours.tree_) >= fraction


@pytest.mark.parametrize("fraction", [0.01, 0.1, 0.3])
def test_rows_of_equal_weight_are_counted(fraction):
    X, y, score, _ = weighted(500, 2)
    rows = {"min_samples_leaf": int(np.ceil(fraction * 500))}
    weight = {"min_weight_fraction_leaf": fraction}
    for kind, target in ((CARTClassifier, y), (CARTRegressor, score)):
        assert same_tree(kind(**PLAIN, **rows).fit(X, target), kind(**PLAIN, **weight).fit(X, target))
    counts = np.abs(score).round() % 7
    poisson = PLAIN | {"criterion": "poisson"}
    assert same_tree(CARTRegressor(**poisson, **rows).fit(X, counts), CARTRegressor(**poisson, **weight).fit(X, counts))


@pytest.mark.parametrize("missing", ["surrogate", "majority", "learned", "own_branch"])
@pytest.mark.parametrize("n", [200, 5000])
def test_streams_levels_and_missing_values(missing, n):
    rng = np.random.default_rng(n)
    X, y, score, weight = weighted(n, 3)
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["town"] = rng.choice(["Ulm", "京都", "서울", "Wien", None], n)
    frame.loc[rng.random(n) < 0.3, "a"] = np.nan
    for kind, target, criterion in (
        (CARTClassifier, y, "gini"),
        (CARTRegressor, score, "variance"),
        (CARTRegressor, np.abs(score).round() % 5, "poisson"),
    ):
        model = kind(criterion=criterion, min_weight_fraction_leaf=0.06, missing=missing, **USED)
        whole = model.fit(frame, target, sample_weight=weight).tree_
        rows = frame.assign(y=target, w=weight)
        parts = [rows[at : at + n // 5 + 1] for at in range(0, n, n // 5 + 1)]
        streamed = model.fit_stream(parts, "y", sample_weight="w").tree_
        np.testing.assert_array_equal(streamed.moments, whole.moments)
        np.testing.assert_array_equal(streamed.splits.breaks, whole.splits.breaks)
        if missing in ("surrogate", "majority"):
            assert lightest(whole) >= 0.06


def test_sparse_tables():
    rng = np.random.default_rng(5)
    X = np.where(rng.random((600, 10)) < 0.2, rng.integers(-3, 6, (600, 10)), 0.0)
    y, weight = X @ rng.normal(size=10) + rng.normal(size=600), rng.exponential(size=600)
    for kind, target in ((CARTRegressor, y), (CARTClassifier, y > 0)):
        model = kind(**PLAIN, min_weight_fraction_leaf=0.04)
        dense = model.fit(X, target, sample_weight=weight).tree_
        sparse = model.fit(sp.csr_matrix(X), target, sample_weight=weight).tree_
        np.testing.assert_array_equal(sparse.moments, dense.moments)
        assert lightest(sparse) >= 0.04


def test_composed_trees():
    X, y, _, weight = weighted(300, 6)
    limits = {"min_weight_fraction_leaf": 0.08}

    def gini(children, parent):
        n = children.sum(axis=2)
        return ((children**2).sum(axis=2) / n).sum(axis=1) / n.sum(axis=1)

    expected = CARTClassifier(**PLAIN, **limits).fit(X, y, sample_weight=weight)
    for criterion in ("gini", Scored("gini", gini)):
        found = TreeClassifier(criterion=criterion, termination=limits).fit(X, y, sample_weight=weight)
        np.testing.assert_allclose(found.tree_.moments, expected.tree_.moments, rtol=1e-12)
    tree = (
        TreeClassifier(branching=Multiway(), criterion=Gain(), termination=limits).fit(X, y, sample_weight=weight).tree_
    )
    assert tree.n_leaves > 1
    assert lightest(tree) >= 0.08


def test_no_effect_at_zero_and_no_split_above_half():
    X, y, _, weight = weighted(200, 7)
    plain = CARTClassifier(pruning=None).fit(X, y, sample_weight=weight)
    assert same_tree(plain, CARTClassifier(pruning=None, min_weight_fraction_leaf=0.0).fit(X, y, sample_weight=weight))
    heavy = np.r_[300.0, np.ones(199)]
    assert CARTClassifier(pruning=None, min_weight_fraction_leaf=0.5).fit(X, y, heavy).get_n_leaves() == 1
    for wrong in (0.6, -0.1):
        with pytest.raises(ParameterError, match="min_weight_fraction_leaf"):
            CARTClassifier(min_weight_fraction_leaf=wrong).fit(X, y)
    merged = TreeClassifier(branching="merged", criterion="significance", termination={"min_weight_fraction_leaf": 0.1})
    with pytest.raises(ParameterError, match="min_weight_fraction_leaf do not go"):
        merged.fit(X, y)
