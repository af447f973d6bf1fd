"""Figures of models of quantiles: the pinball loss and the share at or below, beside the quantile of all rows."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import CARTRegressor, Quantile, Tweedie


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1200, 2))
    return X, np.exp(X[:, 0]) + rng.exponential(size=1200)


@pytest.mark.parametrize("criterion", [Quantile((0.9, 0.5)), "quantile:0.9,0.5", "quantile:0.9"])
def test_pinball_loss_and_coverage(rows, criterion):
    X, y = rows
    model = CARTRegressor(criterion=criterion, min_samples_leaf=30, pruning=None).fit(X[:600], y[:600])
    found = model.evaluate(X[600:], y[600:])
    off = y[600:] - model.predict(X[600:])
    assert found["pinball"].value == pytest.approx(np.where(off > 0, 0.9 * off, -0.1 * off).mean())
    assert found["coverage"].value == pytest.approx((off <= 0).mean())
    assert abs(found["coverage"].value - 0.9) < 0.06
    assert found.headline.startswith("Better than always predicting the 0.9 quantile ")
    assert found["pinball"].baseline > found["pinball"].value


def test_medians_are_judged_by_distances(rows):
    X, y = rows
    found = CARTRegressor(criterion="absolute_error", max_depth=3, pruning=None).fit(X[:600], y[:600]).evaluate(X, y)
    assert found["pinball"].value == pytest.approx(found["mae"].value / 2)
    assert found.constant == np.quantile(y, 0.5, method="inverted_cdf")


def test_a_measure_given_as_a_record_is_that_of_the_evaluation(rows):
    X, y = rows
    found = CARTRegressor(criterion=Tweedie(1.5), max_depth=2, pruning=None).fit(X, y).evaluate(X, y)
    assert "tweedie_deviance" in [figure.name for figure in found.figures]


@pytest.mark.parametrize("weight", [None, np.arange(1.0, 601.0)])
def test_the_training_set_is_recognised(rows, weight):
    X, y = rows[0][:600], rows[1][:600]
    model = CARTRegressor(criterion="quantile:0.9", max_depth=3, pruning=None).fit(X, y, sample_weight=weight)
    assert model.evaluate(X, y, weight).of == "training set"
    assert model.evaluate(X, np.roll(y, 1), weight).of != "training set"
    page = model.explore(X, y, **({} if weight is None else {"sample_weight": weight})).html
    assert "0.9 quantile in training" in page
    assert "The baseline always predicts the 0.9 quantile." in page
