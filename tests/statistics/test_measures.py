"""The public measures: counts and columns give the same, many tables at once, and what is refused."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from boxwood import measures
from boxwood.errors import DataError, ParameterError, WeightError

ONE = ["entropy", "gini", "classification_error"]
TABLE = ["joint_entropy", "conditional_entropy", "information_gain", "intrinsic_value", "gain_ratio", "gini_index"]
TESTS = ["chi_squared", "likelihood_ratio"]
COUNTS = arrays(np.int64, st.tuples(st.integers(1, 4), st.integers(1, 4)), elements=st.integers(0, 20))

Y = ["是", "否", "否", "是", "是", None, "否", "是"]
X = ["高", "低", "低", "高", None, "低", "高", "低"]
CELLS = [[2.0, 1.0], [1.0, 2.0]]  # rows 低, 高; columns 否, 是


def of(name):
    return getattr(measures, name)


# From counts and from columns


@pytest.mark.parametrize("name", TABLE)
def test_columns_give_what_their_table_gives(name):
    assert of(name)(y=Y, x=X) == of(name)(CELLS) == of(name)(measures.table(Y, X))


@pytest.mark.parametrize("name", ONE)
def test_one_column_gives_what_its_counts_give(name):
    assert of(name)(y=Y) == of(name)([3, 4])


@pytest.mark.parametrize("name", TESTS)
def test_tests_of_columns(name):
    assert of(name)(y=Y, x=X).log_p == of(name)(CELLS).log_p


@pytest.mark.parametrize(
    "container",
    [
        list,
        tuple,
        lambda v: np.array(v, dtype=object),
        pd.Series,
        lambda v: pd.Series(v, dtype="category"),
        pl.Series,
        pa.array,
        lambda v: pd.DataFrame({"column": v}),
    ],
)
def test_any_container(container):
    assert measures.information_gain(y=container(Y), x=container(X)) == measures.information_gain(CELLS)


@pytest.mark.parametrize("values", [[1, 0, 0, 1], [1.5, 0.0, 0.0, 1.5], [True, False, False, True]])
def test_numbers_and_booleans_are_labels_too(values):
    assert measures.entropy(y=values) == 1.0


def test_levels_keep_an_order_they_have_and_empty_ones_change_nothing():
    unordered = measures.table(["n", "y", "y"], pd.Categorical(["b", "a", "b"], categories=["c", "b", "a"]))
    assert unordered.values == ("a", "b", "c")
    x = pd.Categorical(["b", "a", "b"], categories=["c", "b", "a"], ordered=True)
    found = measures.table(["n", "y", "y"], x)
    assert found.values == ("c", "b", "a")
    assert found.cells.tolist() == [[0, 0], [1, 1], [0, 1]]
    assert measures.information_gain(found) == pytest.approx(measures.information_gain([[1, 1], [0, 1]]))


def test_missing_values_are_left_out_or_a_value():
    found = measures.table(Y, X)
    assert found.known == 6 / 8
    kept = measures.table(Y, X, missing="level")
    assert kept.values == ("低", "高", None)
    assert kept.cells.tolist() == [*CELLS, [0.0, 1.0]]
    assert kept.known == 7 / 8


def test_intrinsic_value_needs_no_y():
    assert measures.intrinsic_value(x=X) == measures.entropy([4, 3])
    assert measures.intrinsic_value(y=Y, x=X) == 1.0


@pytest.mark.parametrize("weights", [[3, 1, 2, 5], [0.3, 0.1, 0.2, 0.5], [3e10, 1e10, 2e10, 5e10]])
def test_weights_are_counts(weights):
    y, x = ["a", "a", "b", "b"], ["l", "r", "l", "l"]
    assert measures.information_gain(y=y, x=x, sample_weight=weights) == pytest.approx(
        measures.information_gain([[3, 7], [1, 0]])
    )
    assert measures.gini(y=y, sample_weight=weights) == pytest.approx(measures.gini([4, 7]))


@given(st.permutations(range(8)))
def test_the_order_of_rows_changes_no_bit(order):
    y, x, w = [0, 1, 1, 0, 2, 1, 0, 2], list("abcabcab"), [0.1, 0.7, 0.3, 1 / 3, 2.5, 1e-3, 0.2, 9.1]
    number = [v * 0.1 + 1e6 for v in y]
    pick = lambda values: [values[i] for i in order]  # noqa: E731
    assert np.array_equal(measures.table(y, x, w).cells, measures.table(pick(y), pick(x), pick(w)).cells)
    before, after = measures.group_moments(number, x, w), measures.group_moments(pick(number), pick(x), pick(w))
    assert np.array_equal(before.cells, after.cells)


# Many tables at once


@pytest.mark.parametrize("name", TABLE)
@given(cells=arrays(np.int64, (2, 3, 4, 2), elements=st.integers(0, 9)))
def test_leading_axes_are_tables(name, cells):
    found = of(name)(cells)
    assert found.shape == (2, 3)
    for i in np.ndindex(2, 3):
        np.testing.assert_equal(found[i], of(name)(cells[i]))


@given(arrays(np.int64, (5, 3, 2), elements=st.integers(0, 9)))
def test_leading_axes_of_tests(cells):
    found = measures.chi_squared(cells)
    each = [measures.chi_squared(cell) for cell in cells]
    assert found.statistic.tolist() == [one.statistic for one in each]
    assert found.df.tolist() == [one.df for one in each]
    assert found.p.tolist() == [one.p for one in each]


@given(COUNTS)
def test_scale_changes_nothing(cells):
    for name in TABLE:
        np.testing.assert_allclose(of(name)(cells * 0.125), of(name)(cells), atol=1e-14)


# Nothing at all


@pytest.mark.parametrize("name", [*ONE, *TABLE])
def test_no_weight_no_impurity(name):
    found = of(name)([[0, 0], [0, 0]] if name in TABLE else [0, 0])
    assert math.isnan(found) if name == "gain_ratio" else found == 0.0


@pytest.mark.parametrize("cells", [[[0, 0], [0, 0]], [[3, 4], [0, 0]], [[3, 0], [4, 0]]])
@pytest.mark.parametrize("name", TESTS)
def test_a_table_without_two_rows_and_columns_has_nothing_to_test(name, cells):
    found = of(name)(cells)
    assert (found.statistic, found.df, found.log_p, found.p) == (0.0, 0.0, 0.0, 1.0)


# Against scipy and against exact arithmetic


@given(COUNTS)
def test_chi_squared_and_likelihood_ratio_of_scipy(cells):
    present = cells[cells.any(axis=1)][:, cells.any(axis=0)]
    if min(present.shape, default=0) < 2:
        return
    for name, power in (("chi_squared", 1), ("likelihood_ratio", 0)):
        expected = stats.chi2_contingency(present, correction=False, lambda_=power)
        found = of(name)(cells)
        assert found.statistic == pytest.approx(expected.statistic, abs=1e-10)
        assert found.df == expected.dof
        assert found.p == pytest.approx(expected.pvalue, abs=1e-12)


@given(COUNTS)
def test_likelihood_ratio_is_a_multiple_of_the_gain(cells):
    found = measures.likelihood_ratio(cells)
    assert found.statistic == pytest.approx(2 * cells.sum() * measures.information_gain(cells, base=math.e), abs=1e-9)


@given(COUNTS)
def test_gini_index_by_fractions(cells):
    total = int(cells.sum())
    exact = Fraction(0)
    for row in cells.tolist():
        if sum(row):
            exact += Fraction(sum(row), total) * (1 - sum(Fraction(n, sum(row)) ** 2 for n in row))
    assert measures.gini_index(cells) == pytest.approx(float(exact), abs=1e-15)


@given(st.lists(st.lists(st.integers(-5, 5), min_size=2, max_size=6), min_size=2, max_size=4))
def test_f_of_scipy(groups):
    y = [v for group in groups for v in group]
    x = [i for i, group in enumerate(groups) for _ in group]
    found = measures.f_statistic(y=y, x=x)
    assert found.df == (len(groups) - 1, len(y) - len(groups))
    if all(len(set(group)) == 1 for group in groups):
        same = len(set(y)) == 1
        assert (found.statistic, found.p) == ((0.0, 1.0) if same else (math.inf, 0.0))
    else:
        expected = stats.f_oneway(*groups)
        assert found.statistic == pytest.approx(expected.statistic, abs=1e-9)
        assert found.p == pytest.approx(expected.pvalue, abs=1e-9)


@pytest.mark.parametrize(("y", "x"), [([1.0, 2.0], ["a", "b"]), ([0.1] * 6, list("aaabbb")), ([1.0, 2.0], ["a", "a"])])
def test_f_with_nothing_to_test(y, x):
    found = measures.f_statistic(y=y, x=x)
    assert (found.statistic, found.log_p) == (0.0, 0.0)


def test_f_of_weights_is_f_of_repeated_rows():
    once = measures.f_statistic(y=[1, 2, 4, 4.5], x=list("aabb"), sample_weight=[2, 1, 3, 1])
    again = measures.f_statistic(y=[1, 1, 2, 4, 4, 4, 4.5], x=list("aaabbbb"))
    assert (once.statistic, once.df) == (pytest.approx(again.statistic), again.df)


def test_regression_error_far_from_zero():
    assert measures.regression_error(y=[1e9 + v for v in (1, 2, 3, 6)]) == 3.5
    assert measures.regression_error([[4, 3, 14], [0, 0, 0]]).tolist() == [3.5, 0.0]
    assert measures.regression_error(y=[1, None, 3], sample_weight=[1, 5, 1]) == 1.0


# Any measure


def test_a_measure_of_ones_own():
    root_gini = lambda counts: np.sqrt(measures.gini(counts))  # noqa: E731
    assert measures.split_impurity(CELLS, root_gini) == pytest.approx(math.sqrt(4 / 9))
    assert measures.impurity_decrease(CELLS, root_gini) == pytest.approx(math.sqrt(0.5) - math.sqrt(4 / 9))


def test_a_measure_must_reduce_one_axis():
    with pytest.raises(DataError, match="reduce the last axis only"):
        measures.split_impurity(CELLS, np.asarray)


def test_variance_of_groups():
    y, x = [1, 2, 3, 6], list("aabb")
    assert measures.impurity_decrease(y=y, x=x, measure="variance") == 3.5 - 1.25
    assert measures.impurity_decrease(measures.group_moments(y, x), "variance") == 2.25


# What is refused


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: measures.entropy([1, -1]), DataError, r"counts\[1\] is -1.0"),
        (lambda: measures.entropy([1, math.nan]), DataError, "at least 0"),
        (lambda: measures.gini(["a", "b"]), DataError, "keyword"),
        (lambda: measures.gini([[1], [1, 2]]), DataError, "array of numbers"),
        (lambda: measures.gini(["1", "2"]), DataError, "keyword"),
        (lambda: measures.gini(np.array([1j])), DataError, "array of numbers"),
        (lambda: measures.gini(np.array([1, "2"], dtype=object)), DataError, "keyword"),
        (lambda: measures.gini_index([1, 2]), DataError, "last 2 axes"),
        (lambda: measures.entropy([]), DataError, "at least one of each"),
        (lambda: measures.entropy(), ParameterError, "needs counts as its first argument, or y="),
        (lambda: measures.gain_ratio(y=Y), ParameterError, "x is not given"),
        (lambda: measures.entropy([1, 2], y=Y), ParameterError, "not both"),
        (lambda: measures.entropy([1, 2], sample_weight=[1, 2]), ParameterError, "not both"),
        (lambda: measures.entropy([1, 2], base=1), ParameterError, "base must be a number above 1"),
        (lambda: measures.entropy([1, 2], base="e"), ParameterError, "math.e"),
        (lambda: measures.self_information(1.5), DataError, "between 0 and 1"),
        (lambda: measures.self_information([math.nan]), DataError, "between 0 and 1"),
        (lambda: measures.table([1, 2], [1]), DataError, "y has 2 rows and x has 1"),
        (lambda: measures.table([1, 2], [None, None]), DataError, "x holds no value"),
        (lambda: measures.table([None], [1]), DataError, "y holds no value"),
        (lambda: measures.table([], []), DataError, "y has no rows"),
        (lambda: measures.table(np.ones((2, 2)), [1, 2]), DataError, "y must be one column"),
        (lambda: measures.table([1, 2], [1, 2], missing="keep"), ParameterError, "missing must be"),
        (lambda: measures.table([1, 2], sample_weight=[1, -1]), WeightError, "sample_weight, row 1"),
        (lambda: measures.regression_error(y=[1, math.inf]), DataError, "row 1"),
        (lambda: measures.regression_error([1, 2]), DataError, "by keyword: y="),
        (lambda: measures.f_statistic([[[1, 0, -1], [1, 0, 0]]]), DataError, "at least 0"),
        (lambda: measures.split_impurity(CELLS, "Gini"), ParameterError, "'gini'"),
    ],
)
def test_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_public_module():
    import boxwood

    assert boxwood.measures.__all__ == measures.__all__
    assert set(measures.__all__) <= set(dir(boxwood.measures))


@pytest.mark.parametrize("name", measures.__all__)
def test_every_measure_has_an_example(name):
    assert ">>> from boxwood import" in of(name).__doc__


def test_numbers_of_any_type_are_counts():
    for counts in (np.array([1, 1], dtype=np.uint8), [Fraction(1, 2), Fraction(1, 2)], [True, True], pd.Series([2, 2])):
        assert measures.entropy(counts) == 1.0
    assert measures.gini_index(pd.crosstab(pd.Series(list("aab")), pd.Series([0, 1, 1]))) == pytest.approx(1 / 3)
