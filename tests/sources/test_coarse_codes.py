"""The kernel's coarse codes are those of numpy's search."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood.growing.shards.part import MISSING_CODE, coarse_codes


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 100, 4095])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_the_code_is_the_number_of_cuts_below_the_value(n, kind):
    rng = np.random.default_rng(n)
    cuts = np.unique(rng.normal(size=n + 9).astype(np.float32))[:n].astype(np.float64)
    values = np.concatenate([rng.normal(size=101), cuts, [np.nan, np.inf, -np.inf, -0.0]]).astype(kind)
    expected = np.searchsorted(cuts, values.astype(np.float64))
    expected[np.isnan(values)] = MISSING_CODE
    assert coarse_codes(values, cuts).tolist() == expected.tolist()


SPREADS = {
    "close together": lambda rng, n: 1000 + 1e-9 * rng.integers(0, 500, n),
    "far apart": lambda rng, n: rng.choice([-1.0, 1.0], n) * np.exp(rng.uniform(-740, 709, n)),
    "equal": lambda rng, n: rng.choice([-0.0, 0.0, 5e-324, -5e-324, np.inf, -np.inf, 1.7e308, 3.5e38], n),
    "whole": lambda rng, n: rng.integers(-40, 40, n).astype(float),
}


@pytest.mark.parametrize("spread", SPREADS.values(), ids=SPREADS.keys())
@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("n", [1, 5, 63, 3000])
def test_cuts_may_share_a_cell_or_lie_anywhere(spread, kind, n):
    rng = np.random.default_rng(n)
    cuts = np.unique(spread(rng, n))
    with np.errstate(over="ignore"):
        values = np.concatenate(
            [spread(rng, 1001), cuts, np.nextafter(cuts, np.inf), np.nextafter(cuts, -np.inf)]
        ).astype(kind)
    expected = np.searchsorted(cuts, values.astype(np.float64))
    assert coarse_codes(values, cuts).tolist() == expected.tolist()


@pytest.mark.parametrize(
    "cuts", [np.arange(4096.0), np.array([1.0, 1.0]), np.array([2.0, 1.0]), np.array([np.nan, 1.0])]
)
def test_cuts_that_do_not_ascend_or_are_too_many_are_refused(cuts):
    with pytest.raises(ValueError, match="cuts"):
        coarse_codes(np.zeros(3), cuts)
