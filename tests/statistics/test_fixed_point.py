"""Fixed points found from parts are those of the whole; exact sums do not depend on the order."""

from __future__ import annotations

import math
from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.statistics.exact_sums import exact_sums, masses, rounded
from boxwood.statistics.fixed_point import LOW_BITS, MeanScale, WeightSummary, multiples, weight_scale

POSITIVE = st.floats(min_value=5e-324, max_value=1e300)


@given(st.lists(POSITIVE | st.just(0.0), min_size=1, max_size=30))
def test_exact_sums_are_rounded_once(values):
    assert rounded(exact_sums(np.array(values))[0]) == math.fsum(values)


@given(st.lists(st.tuples(POSITIVE, st.integers(0, 2)), min_size=1, max_size=30), st.integers(0, 30))
def test_sums_of_parts_add_up_by_group(pairs, cut):
    values, groups = np.array([v for v, _ in pairs]), np.array([g for _, g in pairs])
    whole = exact_sums(values, groups, 3)
    parts = [exact_sums(values[s], groups[s], 3) for s in (slice(cut), slice(cut, None))]
    assert whole == [a + b for a, b in zip(*parts, strict=True)]
    expected = [math.fsum(values[groups == g]) for g in range(3)]
    assert masses(groups, values, 3).tolist() == expected


def test_a_sum_beyond_the_largest_number_is_infinite():
    assert rounded(exact_sums(np.array([1.7e308, 1.7e308]))[0]) == math.inf


@pytest.mark.parametrize(
    "weight",
    [[1, 1, 1], [1, 2, 5], [0.3, 0.6, 0.9], [1 / 7, 3 / 7, 5 / 7], [0.1, 0.25, math.pi], [1e-9, 1.0, 2.0**41]],
)
def test_facts_of_parts_give_the_scale_of_the_whole(weight):
    weight = np.array(weight, dtype=float)
    facts = reduce(WeightSummary.merged, [WeightSummary.of(weight[i : i + 1]) for i in (2, 0, 1)])
    scale = facts.unit_known
    if scale is None:
        units = facts.candidates
        fits = [all(flags) for flags in zip(*[multiples(weight[i : i + 1], units) for i in range(3)], strict=True)]
        total = sum(exact_sums(weight[i : i + 1])[0] for i in range(3))
        scale = type(weight_scale(weight, 40))(units[fits.index(True)]) if True in fits else facts.by_bits(total, 40)
    assert scale == weight_scale(weight, 40)


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=40))
def test_a_numeric_target_becomes_the_whole_numbers_that_numpy_finds(values):
    y = np.array(values * 3)
    scale = MeanScale.of(float(y.min()), float(y.max()))
    scaled = (y - scale.center) / scale.scale
    high = np.rint(scaled)
    low = np.rint((scaled - high) * 2.0**LOW_BITS)
    found = scale.whole(y)
    assert np.array_equal(found[0], high.astype(np.int64))
    assert np.array_equal(found[1], low.astype(np.int64))
    assert np.array_equal(scale.whole(y[::2])[0], found[0][::2])
