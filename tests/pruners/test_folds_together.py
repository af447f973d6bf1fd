"""The trees of folds evaluated together, one by one and in threads give the same bits."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, CostComplexity, pruners
from boxwood.pruning.cost_complexity import risk_of
from boxwood.pruning.losses import class_losses
from boxwood.tree.lazy_arrays import changed
from boxwood.tree.side_by_side import figures_of_all, side_by_side

MODELS = {
    "default": (CARTClassifier, {}, 3),
    "seven rows added": (CARTClassifier, {"smoothing": 7.0}, 2),
    "log loss": (CARTClassifier, {"pruning": CostComplexity(loss="log_loss", rule="1se")}, 12),
    "balanced": (CARTClassifier, {"class_weight": "balanced"}, 3),
    "costs": (CARTClassifier, {"costs": [[0, 1, 2], [3, 0, 1], [1.5, 1, 0]]}, 3),
    "rpart": (CARTClassifier, {"compat": "rpart"}, 3),
    "one leaf": (CARTClassifier, {"pruning": pruners.OneLeaf()}, 2),
    "fractions": (C45Classifier, {"pruning": CostComplexity()}, 3),
    "confidences": (C45Classifier, {"pruning": pruners.ErrorBased(confidence=(0.05, 0.25, 0.5), raising=False)}, 2),
    "numbers": (CARTRegressor, {}, 0),
    "counts": (CARTRegressor, {"criterion": "poisson"}, 0),
    "shrunk rates": (CARTRegressor, {"criterion": "poisson", "compat": "rpart"}, 0),
}


def table(classes: int, n: int = 300):
    rng = np.random.default_rng(classes)
    X = np.round(rng.normal(size=(n, 4)), 1)
    score = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n)
    X[rng.random(X.shape) < 0.1] = np.nan
    cuts = np.quantile(score, np.arange(1, classes) / classes) if classes else None
    y = np.digitize(score, cuts) if classes else np.floor(np.exp(score.clip(-2, 2)))
    return X, y, rng.choice([0.3, 1.0, 1 / 3], n)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("weighted", [False, True])
def test_together_and_one_by_one(name, weighted):
    kind, settings, classes = MODELS[name]
    X, y, weight = table(classes)

    def fitted(level: int, n_jobs: int):
        log = logging.getLogger("boxwood")
        before = log.level
        log.setLevel(level)
        try:
            return kind(**settings, n_jobs=n_jobs).fit(X, y, sample_weight=weight if weighted else None)
        finally:
            log.setLevel(before)

    # Whoever watches sees each fold, so folds are evaluated one by one at this level.
    one, *others = fitted(logging.INFO, 1), fitted(logging.WARNING, 1), fitted(logging.WARNING, 2)
    assert one.pruning_path_.losses is not None
    for other in others:
        np.testing.assert_array_equal(other.pruning_path_.losses, one.pruning_path_.losses)
        np.testing.assert_array_equal(other.pruning_path_.errors, one.pruning_path_.errors)
        np.testing.assert_array_equal(other.model_.confusion, one.model_.confusion)
        np.testing.assert_array_equal(other.tree_.moments, one.tree_.moments)


@pytest.mark.parametrize("loss", ["brier", "log_loss", "error"])
def test_figures_side_by_side(loss):
    """Of all trees, of some of them, and of one that is only a root."""
    X, y, weight = table(9)
    grown = [CARTClassifier(pruning=None, max_depth=d).fit(X, y, sample_weight=weight).tree_ for d in (4, 0, 9)]
    smoothings = ((0.1,) * 9, (2.0,) * 9, (0.7,) * 9)
    responses = [changed(t.response, smoothing=s) for t, s in zip(grown, smoothings, strict=True)]
    alone = [changed(t, response=r) for t, r in zip(grown, responses, strict=True)]
    trees = side_by_side([changed(t, response=r) for t, r in zip(grown, responses, strict=True)])
    for one, other in zip(trees, alone, strict=True):
        np.testing.assert_array_equal(one.value, other.value)
        np.testing.assert_array_equal(one.probability, other.probability)
        np.testing.assert_array_equal(risk_of(one, "entropy"), risk_of(other, "entropy"))
    for some in ([0, 1, 2], [1, 2], [2]):
        found = figures_of_all([trees[i] for i in some], ("loss", loss), lambda tree: class_losses(tree, loss))
        np.testing.assert_array_equal(found, np.concatenate([class_losses(alone[i], loss) for i in some]))
