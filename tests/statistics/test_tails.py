"""Logarithms of tails: against scipy where it does not underflow, against closed forms far out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from boxwood import _kernel


def log_chi_squared_tail(x, df):
    return float(_kernel.log_chi2_tails(np.array([x]), np.array([float(df)]))[0])


def log_f_tail(x, df1, df2):
    return float(_kernel.log_f_tails(np.array([x]), np.array([float(df1)]), np.array([float(df2)]))[0])


def log_of(distribution, x):
    """Logarithm of the tail as scipy knows it best: a tail near 1 by what is below it."""
    below = distribution.cdf(x)
    return math.log1p(-below) if below < 0.5 else math.log(distribution.sf(x))


DF = [1, 2, 3, 7, 30, 101, 1000]


@pytest.mark.parametrize("df", DF)
@pytest.mark.parametrize("quantile", [1e-12, 0.01, 0.3, 0.5, 0.7, 0.99, 1 - 1e-12])
def test_chi_squared_agrees_with_scipy(df, quantile):
    x = stats.chi2.ppf(quantile, df)
    assert log_chi_squared_tail(x, df) == pytest.approx(log_of(stats.chi2(df), x), rel=1e-11)


@pytest.mark.parametrize("df1", DF)
@pytest.mark.parametrize("df2", [1, 2, 5, 40, 999])
@pytest.mark.parametrize("quantile", [1e-9, 0.05, 0.5, 0.95, 1 - 1e-9])
def test_f_agrees_with_scipy(df1, df2, quantile):
    x = stats.f.ppf(quantile, df1, df2)
    assert log_f_tail(x, df1, df2) == pytest.approx(log_of(stats.f(df1, df2), x), rel=1e-9)


@given(st.integers(1, 40), st.floats(0.01, 1e6))
def test_chi_squared_of_even_df_is_a_poisson_sum(half, x):
    logs = [k * math.log(x / 2) - x / 2 - math.lgamma(k + 1) for k in range(half)]
    top = max(logs)
    expected = top + math.log(math.fsum(math.exp(v - top) for v in logs))
    assert log_chi_squared_tail(x, 2 * half) == pytest.approx(expected, rel=1e-11, abs=1e-13)


@given(st.floats(1e-6, 1e12), st.floats(0.5, 1e5))
def test_f_with_two_degrees_above_has_a_closed_form(x, df2):
    expected = -df2 / 2 * math.log1p(2 * x / df2)
    assert log_f_tail(x, 2, df2) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("tail", [lambda x: log_chi_squared_tail(x, 3), lambda x: log_f_tail(x, 3, 5)])
def test_ends(tail):
    assert tail(0.0) == 0.0
    assert tail(-1.0) == 0.0
    assert tail(math.inf) == -math.inf


def test_nothing_underflows():
    assert log_chi_squared_tail(1e9, 4) == pytest.approx(-5e8 + math.log(5e8), rel=1e-13)
    assert log_f_tail(1e9, 2, 2000) == pytest.approx(-1000 * math.log1p(1e6), rel=1e-13)
