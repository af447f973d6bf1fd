"""PSI, Kolmogorov-Smirnov and Holm against scipy, numpy and simulation."""

import numpy as np
import pytest
from scipy import stats

from boxwood.statistics.two_samples import holm, kolmogorov_smirnov, stability


@pytest.mark.parametrize("shift", [0.0, 0.2, 0.5])
@pytest.mark.parametrize("sizes", [(40, 60), (1000, 300)])
def test_kolmogorov_smirnov_is_that_of_scipy(shift, sizes):
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=sizes[0]), rng.normal(shift, size=sizes[1])
    everything = np.sort(np.concatenate([a, b]))
    first, second = (np.isin(everything, part).astype(int) for part in (a, b))
    distance, log_p = kolmogorov_smirnov(first, second)
    expected = stats.ks_2samp(a, b)
    assert distance == pytest.approx(expected.statistic)
    assert np.exp(log_p) == pytest.approx(expected.pvalue, rel=0.1, abs=0.02)


def test_the_tail_does_not_underflow():
    _, log_p = kolmogorov_smirnov(np.array([100_000, 0]), np.array([0, 100_000]))
    assert log_p == pytest.approx(-100_000, rel=0.01)


def test_without_drift_psi_exceeds_its_expectation_in_five_of_a_hundred_samples():
    rng = np.random.default_rng(5)
    p = np.array([0.1, 0.2, 0.3, 0.25, 0.15])
    found = [stability(rng.multinomial(800, p), rng.multinomial(400, p)) for _ in range(2000)]
    assert np.mean([one.psi > one.expected_95 for one in found]) == pytest.approx(0.05, abs=0.015)
    assert np.mean([one.log_p < np.log(0.05) for one in found]) == pytest.approx(0.05, abs=0.015)


def test_the_scale_is_chi_squared():
    found = stability(np.array([500, 300, 200]), np.array([200, 500, 300]))
    unit = 1 / 1000 + 1 / 1000
    assert found.expected_95 == pytest.approx(unit * stats.chi2.ppf(0.95, 2), rel=1e-6)
    assert found.log_p == pytest.approx(stats.chi2.logsf(found.psi / unit, 2))


def test_samples_without_rows_or_with_one_bin_have_no_drift():
    assert stability(np.array([0, 0]), np.array([3, 4])).psi == 0.0
    assert stability(np.array([7, 0]), np.array([3, 0])).log_p == 0.0
    assert kolmogorov_smirnov(np.array([0]), np.array([3])) == (0.0, 0.0)


def test_holm_is_that_of_scipy_definition():
    p = np.array([0.001, 0.2, 0.012, 0.04, 0.012])
    order = np.argsort(p, kind="stable")
    expected = np.empty(5)
    expected[order] = np.minimum(1, np.maximum.accumulate(p[order] * np.arange(5, 0, -1)))
    assert np.exp(holm(np.log(p))) == pytest.approx(expected)
    assert holm(np.array([])).shape == (0,)
