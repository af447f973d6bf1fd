"""The items of notes S2 to S4 that concern measures: gain, gain ratio, Gini and any other impurity, by item."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from boxwood import datasets, measures
from theory.tables import CLOSE, COUNTS, TABLES, gains, table


def test_s2_05_s2_06_weights_are_shares_of_rows():
    X, y = table("watermelon_2")
    before = measures.entropy(y=y)
    rest = 0.0
    for value in sorted(set(X["色泽"])):
        inside = [label for label, v in zip(y, X["色泽"], strict=True) if v == value]
        rest += len(inside) / len(y) * measures.entropy(y=inside)  # |D^v| / |D|; the note has |D^v| / D
    assert measures.information_gain(y=y, x=X["色泽"]) == pytest.approx(before - rest) == pytest.approx(0.1081251653)


def test_s2_07_id3_takes_the_largest_gain():
    for name, best, worst in (("watermelon_2", "纹理", "触感"), ("loan", "有工作", "年龄")):
        gain = gains(name)
        assert max(gain, key=gain.get) == best
        assert min(gain, key=gain.get) == worst  # what the note's argmin would take
    assert gains("watermelon_2")["触感"] == pytest.approx(0.0060, abs=5e-5)


@pytest.mark.parametrize(("n", "v", "k"), [(200, 2, 2), (200, 5, 2), (800, 5, 2), (800, 4, 3)])
def test_s2_08_gain_of_pure_noise(n, v, k):
    rng = np.random.default_rng(20240208)
    trials = 2000
    x, y = rng.integers(0, v, (trials, n)), rng.integers(0, k, (trials, n))
    cells = np.zeros((trials, v, k))
    np.add.at(cells, (np.arange(trials)[:, None], x, y), 1)
    expected = (v - 1) * (k - 1) / (2 * n * math.log(2))
    found = measures.information_gain(cells)
    assert found.mean() == pytest.approx(expected, abs=5 * found.std() / math.sqrt(trials), rel=0.02)


def test_s2_09_printed_intrinsic_values():
    X, _ = table("watermelon_2")
    printed = {"触感": 0.874, "色泽": 1.580}
    for name, value in printed.items():
        assert measures.intrinsic_value(x=X[name]) == pytest.approx(value, abs=5e-4)
    # The book prints 4.088 for the row number; log2 17 is 4.087.
    assert measures.intrinsic_value(x=datasets.load("watermelon_2")["编号"]) == pytest.approx(4.0874628413, abs=5e-11)


@given(COUNTS)
def test_s2_10_intrinsic_value_grows_with_the_values(of_x):
    cells = of_x[:, None]
    assert measures.intrinsic_value(cells) <= math.log2(len(of_x)) + 1e-12
    halves = np.vstack([cells / 2, cells / 2])
    assert measures.intrinsic_value(halves) == pytest.approx(measures.intrinsic_value(cells) + 1)


@given(COUNTS)
def test_s2_11_s3_02_gini_is_the_chance_that_two_draws_differ(counts):
    p = counts / counts.sum()
    differ = sum(a * b for i, a in enumerate(p) for j, b in enumerate(p) if i != j)
    assert measures.gini(counts) == pytest.approx(differ, abs=1e-12)
    assert measures.gini(counts) == pytest.approx(float((p * (1 - p)).sum()), abs=1e-12)


def test_s2_11_draws_are_with_replacement():
    assert measures.gini([8, 9]) == pytest.approx(144 / 289) == pytest.approx(0.4982698962)
    assert measures.gini([8, 9]) != pytest.approx(9 / 17, abs=1e-3)


@given(COUNTS)
def test_s3_02_three_impurities(counts):
    p = counts / counts.sum()
    assert measures.classification_error(counts) == pytest.approx(1 - p.max())
    assert measures.entropy(counts) == pytest.approx(-sum(v * math.log2(v) for v in p if v > 0), abs=1e-12)
    pure = np.count_nonzero(counts) == 1
    for measure in (measures.gini, measures.entropy, measures.classification_error):
        assert (measure(counts) <= 1e-12) == pure


@pytest.mark.parametrize("measure", ["entropy", "gini", "error"])
@given(TABLES)
def test_s3_04_decrease_of_any_impurity(measure, cells):
    of = {"entropy": measures.entropy, "gini": measures.gini, "error": measures.classification_error}[measure]
    total = cells.sum()
    after = sum(row.sum() / total * of(row) for row in cells) if total else 0.0
    assert measures.split_impurity(cells, measure) == pytest.approx(after, **CLOSE)
    before = of(cells.sum(axis=0))
    assert measures.impurity_decrease(cells, measure) == pytest.approx(max(before - after, 0.0), **CLOSE)
    assert measures.impurity_decrease(cells, of) == pytest.approx(before - after, **CLOSE)


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=12), st.integers(1, 3))
def test_s3_04_decrease_of_variance(y, k):
    x = [i % k for i in range(len(y))]
    after = sum(
        np.sum(np.equal(x, v)) / len(y) * np.var([b for a, b in zip(x, y, strict=True) if a == v]) for v in set(x)
    )
    assert measures.impurity_decrease(y=y, x=x, measure="variance") == pytest.approx(np.var(y) - after, abs=1e-9)


@given(arrays(np.int64, (4, 3, 2), elements=st.integers(1, 20)))
def test_s3_08_least_conditional_entropy_is_the_largest_gain(cells):
    # Features of one node: the same rows, so the same classes in all tables.
    cells[:, -1] = cells[:, :-1].sum(axis=1).max(axis=0) + 1 - cells[:, :-1].sum(axis=1)
    gain, rest = measures.information_gain(cells), measures.conditional_entropy(cells)
    assert gain[np.argmin(rest)] == pytest.approx(gain.max(), abs=1e-12)


def test_s4_12_the_row_number_of_the_watermelons():
    X, y = table("watermelon_2")
    number = datasets.load("watermelon_2")["编号"]
    assert measures.information_gain(y=y, x=number) == pytest.approx(0.9975025464, abs=5e-11)
    assert measures.intrinsic_value(x=number) == pytest.approx(4.0874628413, abs=5e-11)
    assert measures.gain_ratio(y=y, x=number) == pytest.approx(0.2440395387, abs=5e-11)
    best = max(measures.gain_ratio(y=y, x=column) for column in X.values())
    assert best == pytest.approx(0.2630853587, abs=5e-11)
