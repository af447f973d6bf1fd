"""The items of the lecture notes that concern entropy, information gain and gain ratio, by item."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood import datasets, measures
from theory.tables import CLOSE, COUNTS, TABLES, gains, table

#: The example of note S0: X is 0 or 1 with equal chance, and Y is decided by X.
DECIDED = [[1, 0], [0, 1]]


# Entropy


@given(st.lists(st.sampled_from("甲乙丙丁"), min_size=1), st.permutations("甲乙丙丁"))
def test_s0_01_entropy_depends_on_the_distribution_only(labels, other):
    renamed = [dict(zip("甲乙丙丁", other, strict=True))[v] for v in labels]
    assert measures.entropy(y=renamed) == pytest.approx(measures.entropy(y=labels), **CLOSE)
    assert measures.entropy(y=labels[::-1]) == measures.entropy(y=labels)


@given(st.integers(1, 40))
def test_s0_02_s2_03_uniform_is_the_maximum(n):
    assert measures.entropy(np.ones(n)) == pytest.approx(math.log2(n), abs=1e-14)


@given(COUNTS, st.integers(0, 5), st.integers(0, 5), st.floats(0, 1))
def test_s0_02_the_more_even_the_larger(counts, i, j, share):
    i, j = i % len(counts), j % len(counts)
    even = counts.astype(float)
    moved = share * (even[i] - even[j])  # a transfer from the larger to the smaller: never less even
    even[i], even[j] = even[i] - moved, even[j] + moved
    assert measures.entropy(even) >= measures.entropy(counts) - 1e-12
    assert measures.entropy(counts) <= math.log2(len(counts)) + 1e-12


def test_s0_03_bits_and_nats():
    assert measures.entropy([9, 6]) == pytest.approx(0.9709505945, abs=5e-11)
    assert measures.entropy([9, 6], base=math.e) == pytest.approx(0.6730116670, abs=5e-11)
    assert measures.entropy([9, 6], base=10) == pytest.approx(0.6730116670 / math.log(10), abs=5e-11)


@given(COUNTS)
def test_s0_03_base_is_a_factor(counts):
    assert measures.entropy(counts, base=math.e) == pytest.approx(measures.entropy(counts) * math.log(2), **CLOSE)


@given(COUNTS)
def test_s2_01_s2_02_entropy_is_the_mean_self_information(counts):
    labels = np.repeat(np.arange(len(counts)), counts)
    assert measures.self_information(y=labels).mean() == pytest.approx(measures.entropy(counts), **CLOSE)


def test_s2_01_self_information():
    assert measures.self_information([1 / 2, 1 / 8, 1, 0]).tolist() == [1.0, 3.0, 0.0, math.inf]
    assert measures.self_information(1 / math.e, base=math.e) == pytest.approx(1.0)


def test_s2_03_zero_shares_and_certainty():
    assert measures.entropy([3, 0, 5]) == measures.entropy([3, 5])
    assert measures.entropy([7, 0, 0]) == 0.0


def test_s4_08_the_information_of_an_event_is_not_its_term_of_the_entropy():
    p = 1 / 4
    assert measures.self_information(p) == 2.0
    assert -p * math.log2(p) == 0.5  # what the note calls the entropy of the event: one term of the entropy
    assert measures.entropy([p, 1 - p]) == pytest.approx(0.5 - 0.75 * math.log2(0.75))


# Conditional entropy and gain


@given(TABLES)
def test_s0_04_s0_05_s0_06_s2_04_conditional_entropy_by_its_definition(cells):
    total, expected = cells.sum(), 0.0
    for row in cells:  # the sum goes over the values of x
        for cell in row:
            if cell > 0:  # 0 log 0 = 0; a value that does not occur has no P(Y | X = x)
                expected -= row.sum() / total * (cell / row.sum()) * math.log2(cell / row.sum())
    assert measures.conditional_entropy(cells) == pytest.approx(expected, **CLOSE)


@given(TABLES)
def test_s0_06_the_chain_rule(cells):
    whole = measures.intrinsic_value(cells) + measures.conditional_entropy(cells)
    assert measures.joint_entropy(cells) == pytest.approx(whole, **CLOSE)


def test_s0_07_s0_08_s0_09_s0_10_s0_11_s0_14_the_worked_example_with_the_right_values():
    for given_x in DECIDED:
        assert measures.entropy(given_x) == 0.0  # the note has -2; an entropy is never negative
    assert measures.conditional_entropy(DECIDED) == 0.0  # the note has -2
    assert measures.intrinsic_value(DECIDED) == measures.entropy([1, 1]) == 1.0
    assert measures.information_gain(DECIDED) == 1.0  # the note has 3
    assert measures.gain_ratio(DECIDED) == 1.0


@given(TABLES)
def test_s0_09_s0_11_s0_12_bounds(cells):
    gain = measures.information_gain(cells)
    of_x, of_y = measures.intrinsic_value(cells), measures.entropy(cells.sum(axis=0))
    assert measures.conditional_entropy(cells) >= 0.0
    assert 0.0 <= gain <= min(of_x, of_y) + 1e-12
    assert measures.conditional_entropy(cells) <= of_y + 1e-12


@given(COUNTS, COUNTS)
def test_s0_12_no_gain_when_independent(of_x, of_y):
    assert measures.information_gain(np.outer(of_x, of_y)) == pytest.approx(0.0, abs=1e-12)


@given(TABLES)
def test_s0_12_some_gain_when_dependent(cells):
    total, apart = cells.sum(), np.outer(cells.sum(axis=1), cells.sum(axis=0))
    if (cells * total != apart).any():
        assert measures.information_gain(cells) > 1e-9


@given(TABLES)
def test_s0_13_the_gain_is_symmetric(cells):
    assert measures.information_gain(cells.T) == pytest.approx(measures.information_gain(cells), **CLOSE)


# Bias to many values, gain ratio


def test_s0_15_s4_10_a_row_number_has_the_largest_gain():
    _, y = table("loan")
    numbers = datasets.load("loan")["id"]
    assert measures.conditional_entropy(y=y, x=numbers) == 0.0
    assert measures.information_gain(y=y, x=numbers) == measures.entropy(y=y) == pytest.approx(0.9709505945, abs=5e-11)
    assert measures.information_gain(y=y, x=numbers) > max(gains("loan").values())


@given(TABLES, st.integers(0, 4), st.floats(0, 1))
def test_s0_15_a_finer_partition_never_gains_less(cells, v, share):
    v %= len(cells)
    part = np.floor(cells[v] * share)
    finer = np.vstack([cells, part])
    finer[v] = cells[v] - part
    assert measures.information_gain(finer) >= measures.information_gain(cells) - 1e-12


def test_s0_16_s0_17_s4_11_the_ratio_of_a_row_number():
    X, y = table("loan")
    assert measures.intrinsic_value(x=range(15)) == pytest.approx(3.9068905956, abs=5e-11)
    assert measures.intrinsic_value(x=range(17)) == pytest.approx(4.0874628413, abs=5e-11)
    ratio = measures.gain_ratio(y=y, x=range(15))
    assert ratio == pytest.approx(0.2485225963, abs=5e-11)
    assert ratio < measures.gain_ratio(y=y, x=X["有工作"]) == pytest.approx(0.4325380678, abs=5e-11)


@given(st.integers(2, 60))
def test_s0_17_the_ratio_of_a_row_number_falls_with_the_rows(n):
    assert measures.intrinsic_value(x=range(n)) == pytest.approx(math.log2(n))
    labels = [i % 2 for i in range(2 * n)]
    assert measures.gain_ratio(y=labels, x=range(2 * n)) == pytest.approx(1 / math.log2(2 * n))


def test_s0_18_empirical_entropy():
    assert measures.entropy(y=table("loan")[1]) == pytest.approx(0.9709505945, abs=5e-11)
    assert measures.entropy(y=table("watermelon_2")[1]) == pytest.approx(0.9975025464, abs=5e-11)


def test_s0_19_shares_within_a_value_not_joint_shares():
    X, y = table("loan")
    cells = measures.table(y, X["有房子"]).cells
    joint = cells / cells.sum()
    middle_line = sum(
        -row.sum() * sum(p * math.log2(p) for p in row if p > 0) for row in joint
    )  # the note's middle line puts P(A_i and C_j) inside
    assert middle_line == pytest.approx(0.807403, abs=5e-7)
    assert measures.conditional_entropy(cells) == pytest.approx(0.5509775004, abs=5e-11)


@given(TABLES)
def test_s0_20_s4_09_gain_and_ratio_from_their_parts(cells):
    gain = measures.entropy(cells.sum(axis=0)) - measures.conditional_entropy(cells)
    assert measures.information_gain(cells) == pytest.approx(max(gain, 0.0), **CLOSE)
    cost = measures.entropy(cells.sum(axis=1))
    if cost > 0:
        assert measures.gain_ratio(cells) == pytest.approx(measures.information_gain(cells) / cost, **CLOSE)
    else:
        assert math.isnan(measures.gain_ratio(cells))


def test_s0_27_above_average_gain_first_then_the_ratio():
    X, y = table("h1")
    gain = gains("h1")
    ratio = {name: measures.gain_ratio(y=y, x=column) for name, column in X.items()}
    assert ratio == pytest.approx({"A": 0.1812140773, "B": 0.1390359526}, abs=5e-11)
    average = sum(gain.values()) / len(gain)
    assert average == pytest.approx(0.1649855327, abs=5e-11)
    assert max(ratio, key=ratio.get) == "A"
    assert max((name for name in gain if gain[name] >= average), key=ratio.get) == "B"
