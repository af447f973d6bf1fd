"""Trees of folds are grown no further than their prices need, and predict the same as whole ones."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import CARTClassifier, CARTRegressor, CostComplexity
from boxwood.pruning.growth import Growth

SEEDS = range(8)
CLASSES = {
    "gini": {"criterion": "gini"},
    "gini, evaluated by errors": {"criterion": "gini", "ccp_risk": "error"},
    "entropy": {"criterion": "entropy"},
    "entropy, evaluated by gini": {"criterion": "entropy", "ccp_risk": "gini"},
    "error": {"criterion": "error"},
    "weighed classes": {"class_weight": "balanced", "ccp_risk": "error"},
}


class Grown:
    """What the trees of folds are, whole or only as far as prices need."""

    def __init__(self, monkeypatch):
        self._patch, self._trees, self._of_folds = monkeypatch, Growth.trees, Growth.of_folds

    def fitted(self, model, X, y, *, whole: bool):
        """The fitted model, and how many nodes the trees of its folds have."""
        nodes = []

        def counted(growth, learning, keeps):
            trees = self._trees(growth, learning, keeps)
            nodes.extend(tree.n_nodes for tree in trees)
            return trees

        def of_folds(growth, learning, rank_cuts, min_risk=0.0):
            return self._of_folds(growth, learning, rank_cuts, 0.0 if whole else min_risk)

        self._patch.setattr(Growth, "trees", counted)
        self._patch.setattr(Growth, "of_folds", of_folds)
        return model.fit(X, y), sum(nodes)


@pytest.fixture
def grown(monkeypatch):
    return Grown(monkeypatch)


def table(seed: int, n: int = 400):
    """Five columns with gaps and ties, the last one of levels; a score that depends on two."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, 5)), 1 + seed % 3)
    X[:, 4] = rng.integers(0, 6, n)
    score = X[:, 0] + (X[:, 4] > 2) + rng.normal(size=n)
    X[rng.random(X.shape) < 0.05 * (seed % 2)] = np.nan
    return X, score


def assert_same(one, other):
    """The same tree was chosen, and held-out rows lose the same in all trees, but for the order of sums."""
    assert one.tree_.n_nodes == other.tree_.n_nodes
    a, b = one.pruning_path_, other.pruning_path_
    np.testing.assert_array_equal(a.values, b.values)
    np.testing.assert_allclose(a.losses, b.losses, rtol=1e-11)
    np.testing.assert_allclose(a.errors, b.errors, rtol=1e-9)


@pytest.mark.sample(20)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("style", ["exact", "rpart"])
@pytest.mark.parametrize("name", CLASSES)
def test_classes(grown, name, style, seed):
    X, score = table(seed)
    pruning = CostComplexity(rule="1se", cp=0.02, style=style, loss="error")
    model = CARTClassifier(pruning=pruning, categorical_features=[4], **CLASSES[name])
    y = np.digitize(score, [0.0, 1.5])
    short, few = grown.fitted(model, X, y, whole=False)
    whole, many = grown.fitted(CARTClassifier(**model.get_params()), X, y, whole=True)
    assert_same(short, whole)
    assert few < many


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("criterion", ["squared_error", "poisson"])
def test_numbers(grown, criterion, seed):
    X, score = table(seed)
    y = score if criterion == "squared_error" else np.random.default_rng(seed).poisson(np.exp(score / 2))
    model = CARTRegressor(pruning=CostComplexity(cp=0.005), categorical_features=[4], criterion=criterion)
    short, few = grown.fitted(model, X, y, whole=False)
    whole, many = grown.fitted(CARTRegressor(**model.get_params()), X, y, whole=True)
    assert_same(short, whole)
    assert few < 0.8 * many


@pytest.mark.parametrize(
    "settings",
    [
        {"pruning": CostComplexity(cp=0.0)},
        {"pruning": CostComplexity(cp=0.02, risk="error"), "costs": [[0, 3], [1, 0]]},
        {"pruning": CostComplexity(cp=0.02, risk="gini"), "criterion": "error"},
        {"pruning": CostComplexity(cp=0.02, loss="error"), "max_leaf_nodes": 20},
        {"pruning": CostComplexity(cp=0.02)},
    ],
)
def test_whole_where_less_might_change_the_result(grown, settings):
    X, score = table(1)
    _, few = grown.fitted(CARTClassifier(**settings), X, (score > 0).astype(int), whole=False)
    _, many = grown.fitted(CARTClassifier(**settings), X, (score > 0).astype(int), whole=True)
    assert few == many


def test_the_full_tree_is_kept_whole():
    X, score = table(2)
    model = CARTRegressor(pruning=CostComplexity(cp=0.05)).fit(X, score)
    everything = CARTRegressor(pruning=None).fit(X, score).get_n_leaves()
    assert model.get_n_leaves() < everything == model.prune(alpha=0.0).get_n_leaves()
