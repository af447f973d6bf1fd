"""Intervals of shares, means and rates against scipy's distributions, and their borders."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from boxwood import _kernel
from boxwood.errors import ParameterError
from boxwood.statistics.intervals import mean_interval, rate_interval, wilson


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_shares_are_as_in_the_score_test(level):
    hits, n = np.array([0, 1, 5, 9, 10, 600]), np.array([10, 10, 10, 10, 10, 1000])
    low, high = wilson(hits / n, n.astype(float), level)
    for i in range(len(n)):
        found = stats.binomtest(int(hits[i]), int(n[i])).proportion_ci(level, method="wilson")
        assert (low[i], high[i]) == pytest.approx((found.low, found.high), abs=1e-12)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_means_have_student_s_interval(level):
    moments = np.array([[2.0, 1.0, 0.5], [10.0, -3.0, 40.0], [1e6, 10.0, 1e6], [5.0, 2.0, 0.0]])
    low, high = mean_interval(moments, level)
    n, mean, squares = moments.T
    t = stats.t.ppf((1 + level) / 2, n - 1)
    half = t * np.sqrt(squares / (n - 1) / n)
    np.testing.assert_allclose(high - mean, half, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(mean - low, half, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_rates_have_the_exact_interval(level):
    events, exposure = np.array([0.0, 1.0, 17.0, 2500.0]), np.array([2.0, 0.5, 10.0, 100.0])
    low, high = rate_interval(events, exposure, level)
    beside = (1 - level) / 2
    np.testing.assert_allclose(high, stats.chi2.isf(beside, 2 * events + 2) / 2 / exposure, rtol=1e-10)
    wanted = np.where(events > 0, stats.chi2.ppf(beside, np.maximum(2 * events, 1)) / 2 / exposure, 0.0)
    np.testing.assert_allclose(low, wanted, rtol=1e-10)


def test_too_few_rows_have_no_interval():
    assert np.isnan(wilson(np.array([0.0]), np.array([0.0]))).all()
    assert np.isnan(mean_interval(np.array([[1.0, 5.0, 0.0]]))).all()
    assert np.isnan(rate_interval(np.array([0.0]), np.array([0.0]))).all()


@pytest.mark.parametrize("level", [0, 1, -0.1, 95, "0.9", None, True])
def test_the_level_must_be_a_share(level):
    with pytest.raises(ParameterError, match="level must be a number between 0 and 1"):
        wilson(np.array([0.5]), np.array([9.0]), level)


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_the_interval_of_very_many_events_is_exact(level):
    beside = (1.0 - level) / 2.0
    for events in (0.99e10, 1.01e10, 3e10):
        ends = 2.0 * np.concatenate(rate_interval(np.array([events]), np.array([1.0]), level))
        tails = _kernel.log_chi2_tails(ends, np.array([2.0 * events, 2.0 * events + 2.0]))
        np.testing.assert_allclose(tails, [math.log1p(-beside), math.log(beside)], rtol=1e-8)


def test_the_interval_of_any_number_of_events_takes_no_time():
    """Bisection took 20 seconds for 1e15 events, and ten times as long for a hundred times as many."""
    low, high = rate_interval(np.array([1e18, 1e200, 1e308, 3.0]), np.array([2.0, 1e200, 1.0, 2.0]))
    np.testing.assert_allclose(low, [5e17, 1.0, np.inf, 0.30934], rtol=1e-4)
    np.testing.assert_allclose(high, [5e17, 1.0, np.inf, 4.38364], rtol=1e-4)
