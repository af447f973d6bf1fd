"""The kernel's coarse codes are those of numpy's search."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood.sources.sharded.part import MISSING_CODE, coarse_codes


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 100, 4095])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_the_code_is_the_number_of_cuts_below_the_value(n, kind):
    rng = np.random.default_rng(n)
    cuts = np.unique(rng.normal(size=n + 9).astype(np.float32))[:n].astype(np.float64)
    values = np.concatenate([rng.normal(size=101), cuts, [np.nan, np.inf, -np.inf, -0.0]]).astype(kind)
    expected = np.searchsorted(cuts, values.astype(np.float64))
    expected[np.isnan(values)] = MISSING_CODE
    assert coarse_codes(values, cuts).tolist() == expected.tolist()


@pytest.mark.parametrize(
    "cuts", [np.arange(4096.0), np.array([1.0, 1.0]), np.array([2.0, 1.0]), np.array([np.nan, 1.0])]
)
def test_cuts_that_do_not_ascend_or_are_too_many_are_refused(cuts):
    with pytest.raises(ValueError, match="cuts"):
        coarse_codes(np.zeros(3), cuts)
