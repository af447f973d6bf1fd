"""Figures equal those of scikit-learn, and their standard errors those of a bootstrap."""

import warnings

import numpy as np
import pytest
from sklearn import metrics

import boxwood
from boxwood.evaluation.evaluate import evaluated_classes, evaluated_numbers
from boxwood.evaluation.rows import taken

LABELS = ("坏", "好", "보통")


def classes(k: int, weighted: bool, seed: int = 0, n: int = 400, ties: bool = True):
    """Truth, predicted class, probabilities and weights; probabilities as of a tree: few different ones, some of 0."""
    rng = np.random.default_rng(seed)
    leaves = rng.dirichlet(np.full(k, 0.8), 12) if ties else rng.dirichlet(np.full(k, 0.8), n)
    leaves = np.round(leaves, 3) if ties else leaves
    leaves[0] = np.eye(k)[0]
    leaves /= leaves.sum(axis=1, keepdims=True)
    probability = leaves[rng.integers(0, len(leaves), n)]
    truth = np.array([rng.choice(k, p=0.8 * row + 0.2 / k) for row in probability])
    labels = LABELS[:k]
    names = np.array(labels)
    weight = rng.gamma(2.0, size=n) if weighted else None
    return labels, names[truth], names[probability.argmax(axis=1)], probability, weight


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("k", [2, 3])
def test_classes_equal_scikit_learn(k, weighted):
    labels, y, predicted, p, w = classes(k, weighted)
    found = evaluated_classes(labels, y, predicted, p, w)
    codes = np.array([labels.index(label) for label in y])
    expected = {
        "accuracy": metrics.accuracy_score(y, predicted, sample_weight=w),
        "balanced_accuracy": metrics.balanced_accuracy_score(y, predicted, sample_weight=w),
        "log_loss": metrics.log_loss(codes, p, sample_weight=w),
        "brier": metrics.brier_score_loss(codes, p[:, 1] if k == 2 else p, sample_weight=w),
    }
    if k == 2:
        expected["auc"] = metrics.roc_auc_score(codes, p[:, 1], sample_weight=w)
        expected["average_precision"] = metrics.average_precision_score(codes, p[:, 1], sample_weight=w)
        alarms, hits, _ = metrics.roc_curve(codes, p[:, 1], sample_weight=w, drop_intermediate=False)
        expected["ks"] = (hits - alarms).max()
    else:
        expected["auc"] = metrics.roc_auc_score(codes, p, multi_class="ovr", sample_weight=w)
    expected["gini"] = 2 * expected["auc"] - 1
    for name, value in expected.items():
        assert found[name].value == pytest.approx(value, abs=1e-12), name
    each = metrics.precision_recall_fscore_support(y, predicted, labels=list(labels), sample_weight=w)[:3]
    for j, name in enumerate(("precision", "recall", "f1")):
        own = [figure.value for figure in found.by_class if figure.name == name]
        np.testing.assert_allclose(own, each[j], rtol=0, atol=1e-12)
    table = metrics.confusion_matrix(y, predicted, labels=list(labels), sample_weight=w)
    np.testing.assert_allclose(found.confusion, table, rtol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_baselines_are_the_figures_of_constant_predictions(weighted):
    labels, y, predicted, p, w = classes(3, weighted)
    found = evaluated_classes(labels, y, predicted, p, w)
    share = found.rows.share
    constant = np.full(len(y), found.constant)
    codes = np.array([labels.index(label) for label in y])
    probability = np.tile(share, (len(y), 1))
    assert found["accuracy"].baseline == pytest.approx(metrics.accuracy_score(y, constant, sample_weight=w), abs=1e-12)
    assert found["log_loss"].baseline == pytest.approx(metrics.log_loss(codes, probability, sample_weight=w), abs=1e-12)
    again = evaluated_classes(labels, y, constant, probability, w)
    for figure, other in zip((*found.figures, *found.by_class), (*again.figures, *again.by_class), strict=True):
        assert figure.baseline == pytest.approx(other.value, abs=1e-12, nan_ok=True), figure.name
    assert again.headline.startswith(f"No better than always predicting {found.constant}: accuracy")


@pytest.mark.parametrize("weighted", [False, True])
def test_numbers_equal_scikit_learn(weighted):
    rng = np.random.default_rng(1)
    m = rng.gamma(2.0, size=300)
    y = rng.poisson(m).astype(float)
    w = rng.gamma(2.0, size=300) if weighted else None
    found = evaluated_numbers(y, m, w)
    expected = {
        "r2": metrics.r2_score(y, m, sample_weight=w),
        "mse": metrics.mean_squared_error(y, m, sample_weight=w),
        "rmse": metrics.root_mean_squared_error(y, m, sample_weight=w),
        "mae": metrics.mean_absolute_error(y, m, sample_weight=w),
        "poisson_deviance": metrics.mean_poisson_deviance(y, m, sample_weight=w),
        "d2": metrics.d2_tweedie_score(y, m, sample_weight=w, power=1),
    }
    assert [figure.name for figure in found.figures] == ["r2", "rmse", "mae", "mse", "poisson_deviance", "d2"]
    for name, value in expected.items():
        assert found[name].value == pytest.approx(value, abs=1e-12), name
    again = evaluated_numbers(y, np.full(300, found.constant), w)
    for figure, other in zip(found.figures, again.figures, strict=True):
        assert figure.baseline == pytest.approx(other.value, abs=1e-12), figure.name


def test_counts_with_exposure_are_rates_times_exposure():
    rng = np.random.default_rng(2)
    exposure, rate = rng.gamma(2.0, size=200), rng.gamma(2.0, size=200)
    y = rng.poisson(rate * exposure).astype(float)
    found = evaluated_numbers(y, rate, exposure=exposure)
    constant = exposure * y.sum() / exposure.sum()
    assert found["poisson_deviance"].value == pytest.approx(
        metrics.mean_poisson_deviance(y, rate * exposure), abs=1e-12
    )
    assert found["poisson_deviance"].baseline == pytest.approx(metrics.mean_poisson_deviance(y, constant), abs=1e-12)
    assert found["mse"].baseline == pytest.approx(metrics.mean_squared_error(y, constant), abs=1e-12)


def test_a_rate_of_zero_where_events_came_is_infinitely_bad():
    found = evaluated_numbers([0.0, 1.0, 2.0], np.array([0.0, 0.0, 2.0]))
    assert found["poisson_deviance"].value == np.inf
    assert found["d2"].value == -np.inf
    assert '"value": null' in found.to_json()


def bootstrapped(found, figures, rounds=1000):
    """Standard deviation of each figure over samples of rows with replacement."""
    rng = np.random.default_rng(5)
    n, values = found.rows.count, []
    for _ in range(rounds):
        drawn = taken(found.rows, rng.integers(0, n, n))
        again = type(found)(drawn, found.of, found.target)
        values.append([figure.value for figure in figures(again)])
    return np.std(values, axis=0)


def both(found):
    return (*found.figures, *found.by_class)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("k", [2, 3])
def test_standard_errors_of_classes_are_those_of_a_bootstrap(k, weighted):
    found = evaluated_classes(*classes(k, weighted, n=1500, seed=3))
    deviations = bootstrapped(found, both, 400)
    for figure, deviation in zip(both(found), deviations, strict=True):
        # The largest distance of two curves is not smooth: the bootstrap is wider where several scores are near it.
        assert figure.se == pytest.approx(deviation, rel=0.25 if figure.name == "ks" else 0.15, abs=1e-6), figure


@pytest.mark.parametrize("weighted", [False, True])
def test_standard_errors_of_numbers_are_those_of_a_bootstrap(weighted):
    rng = np.random.default_rng(4)
    m = rng.gamma(2.0, size=1500)
    found = evaluated_numbers(rng.poisson(m), m, rng.gamma(4.0, size=1500) if weighted else None)
    deviations = bootstrapped(found, lambda again: again.figures, 400)
    for figure, deviation in zip(found.figures, deviations, strict=True):
        assert figure.se == pytest.approx(deviation, rel=0.15), figure


@pytest.mark.parametrize("name", ["auc", "average_precision", "lift_10", "f1", "balanced_accuracy"])
def test_influences_are_derivatives_by_the_weight(name):
    """Standard errors of smooth figures are those of the infinitesimal jackknife."""
    labels, y, predicted, p, w = classes(2, True, n=60)
    found = evaluated_classes(labels, y, predicted, p, w)
    value = next(f for f in both(found) if f.name == name)
    step, slopes = 1e-6, []
    for i in range(60):
        moved = w.copy()
        moved[i] += step
        again = evaluated_classes(labels, y, predicted, p, moved)
        slopes.append((next(f for f in both(again) if f.name == name).value - value.value) / step)
    assert value.se == pytest.approx(np.sqrt(np.sum((w * np.array(slopes)) ** 2)), rel=1e-4)


def test_rows_of_weight_zero_do_not_count():
    labels, y, predicted, p, _ = classes(3, False)
    weight = np.r_[np.ones(300), np.zeros(100)]
    less = evaluated_classes(labels, y[:300], predicted[:300], p[:300])
    assert evaluated_classes(labels, y, predicted, p, weight).to_json() == less.to_json()


@pytest.mark.parametrize("least", [5e-324, 1e-310, 1e-200, 1e-160])
@pytest.mark.parametrize("k", [2, 3])
def test_a_class_of_vanishing_weight_has_figures(k, least):
    """Its share is a divisor, and the quotient is squared: numpy warned of overflow, and errors were nan."""
    labels, y, predicted, p, _ = classes(k, False)
    light = y == labels[1]
    found = evaluated_classes(labels, y, predicted, p, np.where(light, least, 1.0))
    assert found.to_json() == evaluated_classes(labels, y, predicted, p, np.where(light, 1e-100, 1.0)).to_json()
    assert all(np.isfinite([figure.value, figure.se]).all() for figure in found.figures)


def test_without_rows_of_a_class_its_figures_are_not_defined():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = evaluated_classes(("a", "b"), ["a", "a"], ["a", "b"], np.array([[0.9, 0.1], [0.2, 0.8]]))
        assert np.isnan(found["auc"].value)
        assert found["accuracy"].value == 0.5
        assert found["balanced_accuracy"].value == 0.5
        assert "-" in str(found)
        assert '"value": null' in found.to_json()


@pytest.mark.parametrize("power", [-479, -330, -255, 255, 330, 479])
def test_figures_of_targets_of_any_size_are_those_of_the_scaled_target(power):
    rng = np.random.default_rng(7)
    m = rng.integers(0, 9, 60).astype(float)
    y = m + rng.integers(-2, 3, 60)
    w = rng.gamma(2.0, size=60)
    plain, scaled = evaluated_numbers(y - 3.5, m - 3.5, w), evaluated_numbers(*np.ldexp((y - 3.5, m - 3.5), power), w)
    for figure, other in zip(plain.figures, scaled.figures, strict=True):
        unit = {"rmse": power, "mae": power, "mse": 2 * power}.get(figure.name, 0)
        for name in ("value", "se", "baseline"):
            assert getattr(other, name) == np.ldexp(getattr(figure, name), unit), (figure.name, name)
    assert scaled.headline.split(":")[0].split(" the mean")[0] == plain.headline.split(":")[0].split(" the mean")[0]


@pytest.mark.parametrize("scale", [1e-100, 1e77, 1e140])
@pytest.mark.parametrize("make", [boxwood.CARTRegressor, boxwood.MARSRegressor, boxwood.CHAIDRegressor])
def test_models_of_targets_of_any_size_are_evaluated(make, scale):
    X, new = {"a": np.arange(200.0)}, {"a": np.arange(199.0) + 0.25}
    y = (np.arange(200.0) % 90 + 0.5) * scale
    found = make().fit(X, y).evaluate(new, y[1:])
    expected = make().fit(X, y / scale).evaluate(new, y[1:] / scale)
    for name in ("value", "se"):
        assert getattr(found["r2"], name) == pytest.approx(getattr(expected["r2"], name), rel=0.05)
        assert getattr(found["rmse"], name) / scale == pytest.approx(getattr(expected["rmse"], name), rel=0.05)
    assert found.headline.split(" always")[0] == expected.headline.split(" always")[0]
    assert max(map(len, str(found).splitlines())) < 120
    table = boxwood.compare(X, y, {"m": make()}, folds=3)
    assert table["m"].se == pytest.approx(boxwood.compare(X, y / scale, {"m": make()}, folds=3)["m"].se, rel=0.05)
