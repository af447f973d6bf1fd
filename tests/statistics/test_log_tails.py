"""The kernel's log tails of chi-squared and F: against scipy, against exact sums, and where floats underflow."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy.stats import chi2, f

from boxwood import _kernel


def chi2_tails(statistic, df) -> np.ndarray:
    return _kernel.log_chi2_tails(*(np.ascontiguousarray(a, dtype=float) for a in np.broadcast_arrays(statistic, df)))


def f_tails(statistic, df1, df2) -> np.ndarray:
    given = np.broadcast_arrays(statistic, df1, df2)
    return _kernel.log_f_tails(*(np.ascontiguousarray(a, dtype=float) for a in given))


def even_chi2(statistic: float, df: int) -> float:
    """ln of exp(-x/2) sum (x/2)^j / j!, exact for an even number of degrees of freedom."""
    with localcontext() as context:
        context.prec = 60
        half, term = Decimal(statistic) / 2, Decimal(1)
        total = term
        for j in range(1, df // 2):
            term *= half / j
            total += term
        return float(-half + total.ln())


def even_f(statistic: float, df1: int, df2: float) -> float:
    """ln of x^a sum (a)_j / j! (1-x)^j, exact for an even first number of degrees of freedom."""
    with localcontext() as context:
        context.prec = 60
        a, x = Decimal(df2) / 2, Decimal(df2) / (Decimal(df2) + Decimal(df1) * Decimal(statistic))
        term = total = Decimal(1)
        for j in range(1, df1 // 2):
            term *= (a + j - 1) / j * (1 - x)
            total += term
        return float(a * x.ln() + total.ln())


@pytest.mark.parametrize("df", [1, 2, 3, 5, 10, 57, 999])
def test_chi2_equals_scipy(df):
    statistic = df * np.exp(np.linspace(-4, 3, 60))
    want = chi2.logsf(statistic, df)
    direct = np.isfinite(want) & (want > -600) & (want < -1e-6)  # elsewhere scipy's logarithm goes through p itself
    np.testing.assert_allclose(chi2_tails(statistic, df)[direct], want[direct], rtol=3e-12)


@pytest.mark.parametrize("df2", [1, 2.5, 10, 400, 1e5])
@pytest.mark.parametrize("df1", [1, 2, 3, 12])
def test_f_equals_scipy(df1, df2):
    statistic = np.exp(np.linspace(-5, 3, 60))
    want = f.logsf(statistic, df1, df2)
    direct = np.isfinite(want) & (want > -600) & (want < -1e-6)
    np.testing.assert_allclose(f_tails(statistic, df1, df2)[direct], want[direct], rtol=1e-10)


@pytest.mark.parametrize("df", [2, 4, 10, 200, 1000])
@pytest.mark.parametrize("statistic", [1e-3, 0.5, 7.0, 190.0, 3e3, 1e6])
def test_chi2_is_exact(statistic, df):
    assert chi2_tails([statistic], [df])[0] == pytest.approx(even_chi2(statistic, df), rel=1e-13)


@pytest.mark.parametrize(("df1", "df2"), [(2, 3.0), (2, 1e6), (8, 20.5), (30, 1e6), (10, 1e4)])
@pytest.mark.parametrize("statistic", [0.01, 0.9, 1.33, 5.0, 500.0, 1e5])
def test_f_is_exact(statistic, df1, df2):
    assert f_tails([statistic], [df1], [df2])[0] == pytest.approx(even_f(statistic, df1, df2), rel=1e-13)


def test_ends():
    assert chi2_tails([0.0, np.inf], [3, 3]).tolist() == [0.0, -math.inf]
    assert f_tails([0.0, np.inf], [3, 3], [5, 5]).tolist() == [0.0, -math.inf]
    far = chi2_tails([1e8], [1])[0]
    assert far == pytest.approx(-5e7 - math.log(math.sqrt(2 * math.pi * 1e8) / 2), rel=1e-12)
    with pytest.raises(ValueError, match="degrees of freedom"):
        _kernel.log_chi2_tails(np.ones(2), np.ones(3))
    with pytest.raises(ValueError, match="degrees of freedom"):
        _kernel.log_f_tails(np.ones(2), np.ones(2), np.ones(3))
