"""Training and held-out losses of a pruning sequence are measured alike, whatever risk is weighed against leaves."""

import numpy as np
import pytest

from boxwood import CARTClassifier, CARTRegressor, CostComplexity, datasets, pruners
from boxwood.model.pruning_path import cp_rows

PRUNING = CostComplexity(folds=5)


def titanic():
    """Features without missing values, so that all rows end in leaves."""
    X = datasets.load("titanic")
    return {name: X[name] for name in ("class", "sex", "siblings_spouses", "parents_children")}, np.array(X["survived"])


def costly(predicted, y):
    """Mean cost where a survivor taken for dead costs 5."""
    return np.mean(np.where(predicted == y, 0.0, np.where(y == "yes", 5.0, 1.0)))


def balanced(predicted, y):
    """Mean of the shares of errors of the classes: uniform priors."""
    return np.mean([np.mean(predicted[y == label] != label) for label in ("no", "yes")])


@pytest.mark.parametrize(
    ("settings", "loss"),
    [
        ({}, lambda predicted, y: np.mean(predicted != y)),
        ({"criterion": "entropy"}, lambda predicted, y: np.mean(predicted != y)),
        ({"ccp_risk": "error"}, lambda predicted, y: np.mean(predicted != y)),
        ({"costs": [[0, 1], [5, 0]]}, costly),
        ({"priors": "uniform"}, balanced),
        ({"class_weight": "balanced"}, balanced),
    ],
)
def test_training_losses_of_classes(settings, loss):
    X, y = titanic()
    model = CARTClassifier(pruning=PRUNING, loss=None if "costs" in settings else "error", **settings).fit(X, y)
    path, sequence, table = model.cost_complexity_path_, model.pruning_path_, model.cp_table()[::-1]
    assert np.array_equal(path.training_losses, sequence.training_losses)
    assert sequence.to_frame("dict")["training_loss"] == sequence.training_losses.tolist()
    for row in (0, len(path.n_leaves) // 2, len(path.n_leaves) - 1):
        model.prune(alpha=float(path.ccp_alphas[row]))
        expected = loss(model.predict(X), y)
        assert path.training_losses[row] == pytest.approx(expected, rel=1e-12)
        assert table[row]["rel_error"] == pytest.approx(expected / path.training_losses[-1], rel=1e-12)
        assert table[row]["xerror"] == pytest.approx(path.cv_mean[row] / path.training_losses[-1], rel=1e-12)
    assert (np.diff(path.training_losses) >= 0).all()


@pytest.mark.parametrize("loss", ["brier", "log_loss"])
def test_training_losses_of_probabilities(loss):
    X, y = titanic()
    model = CARTClassifier(pruning=PRUNING, loss=loss).fit(X, y)
    path, table = model.cost_complexity_path_, model.cp_table()[::-1]
    truth = (y == "yes").astype(int)
    for row in (0, len(path.n_leaves) // 2, len(path.n_leaves) - 1):
        right = model.prune(alpha=float(path.ccp_alphas[row])).predict_proba(X)[np.arange(len(y)), truth]
        expected = np.mean((1.0 - right) ** 2 if loss == "brier" else -np.log(right))
        assert path.training_losses[row] == pytest.approx(expected, rel=1e-12)
        assert table[row]["rel_error"] == pytest.approx(expected / path.training_losses[-1], rel=1e-12)


def deviance(events, exposure, rate):
    """Mean Poisson deviance of counts."""
    expected = rate * exposure
    log = np.log(np.where(events > 0, events / np.where(expected > 0, expected, 1.0), 1.0))
    return np.mean(2.0 * (events * log - (events - expected)))


@pytest.mark.parametrize("shrink", [0.0, 0.5])
def test_training_losses_of_rates(shrink):
    generator = np.random.default_rng(8)
    X, exposure = generator.integers(0, 6, (300, 3)), generator.integers(1, 5, 300) / 2
    events = generator.poisson(exposure * (0.5 + X[:, 0])).astype(float)
    model = CARTRegressor(criterion="poisson", shrink=shrink, pruning=PRUNING).fit(X, events, exposure=exposure)
    path, table = model.cost_complexity_path_, model.cp_table()[::-1]
    for row in (0, len(path.n_leaves) - 1):
        model.prune(alpha=float(path.ccp_alphas[row]))
        expected = deviance(events, exposure, model.predict(X))
        assert path.training_losses[row] == pytest.approx(expected, rel=1e-9)
        assert table[row]["rel_error"] == pytest.approx(expected / path.training_losses[-1], rel=1e-9)


def test_training_losses_of_numbers_are_the_risks():
    X, y = np.arange(40.0)[:, None], np.sin(np.arange(40.0))
    path = CARTRegressor(pruning=PRUNING).fit(X, y).cost_complexity_path_
    np.testing.assert_allclose(path.training_losses, path.impurities, rtol=1e-12)


def test_prices_stay_in_the_risk_of_pruning():
    X, y = titanic()
    model = CARTClassifier(pruning=PRUNING).fit(X, y)
    path = model.cost_complexity_path_
    cps = [row["CP"] for row in cp_rows(model.model_)][::-1]
    np.testing.assert_allclose(cps, path.ccp_alphas / path.impurities[-1], rtol=1e-12)
    assert model.cp_table()[0]["rel_error"] == 1.0


@pytest.mark.parametrize("pruner", [PRUNING, CostComplexity(rule="1se", folds=5), pruners.OneLeaf(holdout=0.3)])
def test_sizes_that_are_as_good_as_the_best(pruner):
    X = datasets.load("iris")
    y = X.pop("species")
    model = CARTClassifier(pruning=pruner).fit(X, y)
    path = model.pruning_path_
    best = np.flatnonzero(path.losses <= path.losses.min() * (1 + 1e-9))[-1]
    good = path.n_leaves[path.losses <= path.losses[best] + path.errors[best]]
    assert path.leaves_within_1se == (good.min(), good.max()) == model.model_.cv["leaves_within_1se"]
    assert good.min() < good.max()
    assert good.min() <= model.get_n_leaves() <= good.max()
    assert CARTClassifier(pruning=None).fit(X, y).pruning_path_.leaves_within_1se is None
