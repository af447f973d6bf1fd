"""Kolmogorov-Smirnov against scipy, Holm against its definition."""

import numpy as np
import pytest
from scipy import stats

from boxwood.statistics.two_samples import holm, kolmogorov_smirnov


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


def test_samples_without_rows_do_not_differ():
    assert kolmogorov_smirnov(np.array([0]), np.array([3])) == (0.0, 0.0)


def test_holm_is_its_definition():
    p = np.array([0.001, 0.2, 0.012, 0.04, 0.012])
    order = np.argsort(p, kind="stable")
    expected = np.empty(5)
    expected[order] = np.minimum(1, np.maximum.accumulate(p[order] * np.arange(5, 0, -1)))
    assert np.exp(holm(np.log(p))) == pytest.approx(expected)
    assert holm(np.array([])).shape == (0,)
