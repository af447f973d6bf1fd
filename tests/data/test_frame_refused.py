"""What cannot be read is refused in one sentence that names it."""

import datetime
import decimal
import fractions
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from boxwood import CARTClassifier
from boxwood.data.frames.frame import learn_columns
from boxwood.errors import (
    ColumnError,
    DataError,
    DataTypeError,
)

UNION = pa.UnionArray.from_sparse(pa.array([0, 1], pa.int8()), [pa.array([1, 2]), pa.array(["a", "b"])])
TIME = [datetime.datetime(2020, 1, 1), datetime.datetime(2021, 1, 1)]


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame({"when": pd.period_range("2020", periods=2)}),
        {"when": [TIME[0], TIME[1].replace(tzinfo=datetime.UTC)]},
        {"when": [TIME[0], TIME[1] - TIME[0]]},
        {"when": [TIME[0], 3]},
        {"when": [TIME[0], "2021-01-01"]},
        {"when": [TIME[0].date(), TIME[1].time()]},
        {"when": np.array(TIME, dtype="M8[ps]")},
        {"when": [[1], [2, 3]]},
        {"when": [{"a": 1}, None]},
        {"when": [b"a", b"b"]},
        pl.DataFrame({"when": [[1], [2]]}),
        pl.DataFrame({"when": [{"a": 1}, {"a": 2}]}),
        pa.table({"when": [b"a", b"b"]}),
        pd.DataFrame({"when": [{1}, {2}]}),
        pa.table({"when": UNION}),
        pa.table({"when": pa.array([[("a", 1)], [("b", 2)]], pa.map_(pa.string(), pa.int64()))}),
    ],
)
def test_refused_columns_are_named(X):
    with pytest.raises(DataTypeError, match="Column 'when'"):
        learn_columns(X)


@pytest.mark.parametrize(
    ("X", "text"),
    [
        (None, "got scalar array"),
        ("text", "got scalar array"),
        (3, "got scalar array"),
        ({1, 2}, "set"),
        ((v for v in [1]), "generator; pass a numpy array, .*Arrow C stream.*sparse matrix.*list of rows"),
    ],
)
def test_refused_containers(X, text):
    with pytest.raises(DataTypeError, match=text):
        learn_columns(X)


def test_sparse_is_refused_with_the_remedy():
    class Sparse:
        nnz = 3

        def toarray(self):
            raise AssertionError

    with pytest.raises(DataTypeError, match=r"(?i)sparse.*X\.toarray\(\)"):
        learn_columns(Sparse())


def test_strings_mixed_with_numbers_name_the_first_row_of_each():
    with pytest.raises(
        DataTypeError, match=r"Column 'x1' mixes strings \('b' in row 2\) with other values \(7 in row 1"
    ):
        learn_columns([[1, None], [2, 7], [3, "b"]])
    with pytest.raises(DataTypeError, match="mixes strings"):
        learn_columns([[True], ["b"]])


def test_other_objects_are_refused_in_the_words_scikit_learn_looks_for():
    with pytest.raises(TypeError, match=r"Column 'x0', row 1 .*argument must be .* string.* number"):
        learn_columns(np.array([[1.0, 2.0], [{"foo": "bar"}, 1.0]], dtype=object))


@pytest.mark.parametrize("X", [np.ones((3, 2)) + 1j, [[1 + 2j]], pd.DataFrame({"a": [1j]})])
def test_complex_is_refused(X):
    with pytest.raises(ValueError, match="Complex data not supported: "):
        learn_columns(X)


def test_long_doubles_are_exact_or_refused():
    assert learn_columns(np.array([[0.5], [np.nan], [np.inf]], dtype=np.longdouble)).values[0][0] == 0.5
    third = np.longdouble(1) / 3
    if third != float(third):
        for X in (np.array([[third]]), [[1.0], [third]]):
            with pytest.raises(DataError, match="does not fit a float64 exactly"):
                learn_columns(X)


@pytest.mark.parametrize("value", [2**64, -(2**63) - 1, 10**400, 10**6000], ids=["2**64", "-2**63-1", "400", "6000"])
def test_integers_beyond_64_bits_are_refused(value):
    levels = pd.Index([1, value], dtype=object)  # pandas 2.2.0 itself fails where it may choose the type
    for X in ({"a": [1, value]}, pd.DataFrame({"a": pd.Categorical.from_codes([0, 1], categories=levels)})):
        with pytest.raises(DataError, match=r"Column 'a'.* does not fit 64 bits"):
            learn_columns(X)


@pytest.mark.parametrize("value", [decimal.Decimal("1e400"), fractions.Fraction(10**400)], ids=["decimal", "fraction"])
def test_finite_numbers_do_not_become_infinite(value):
    with pytest.raises(DataError, match="Column 'a', row 1"):
        learn_columns({"a": [1.5, value]})


@pytest.mark.parametrize(
    ("X", "text"),
    [
        (np.zeros(3), "Expected 2D array, got 1D array instead"),
        (np.zeros(3), "Reshape your data"),
        ([1, 2, 3], "Expected 2D array, got 1D array instead"),
        (["a", "b"], "Expected 2D array, got 1D array instead"),
        (pd.Series([1, 2]), "Expected 2D array, got 1D array instead"),
        (pl.Series([1, 2]), "Expected 2D array, got 1D array instead"),
        (pa.chunked_array([[1, 2]]), "Expected 2D array, got 1D array instead"),
        (pa.array([1, 2]), "Expected 2D array, got 1D array instead"),
        (np.array(3.0), "got scalar array instead"),
        (
            np.zeros((0, 3)),
            "Found array with 0 sample(s) (shape=(0, 3)) while a minimum of 1 is required: X has no rows.",
        ),
        (
            np.zeros((10, 0)),
            "Found array with 0 feature(s) (shape=(10, 0)) while a minimum of 1 is required: X has no columns.",
        ),
        (
            np.zeros((0, 3), dtype=int),
            "Found array with 0 sample(s) (shape=(0, 3)) while a minimum of 1 is required: X has no rows.",
        ),
        (pd.DataFrame({"a": []}), "Found array with 0 sample(s) (shape=(0, 1))"),
        (pd.DataFrame(index=range(3)), "Found array with 0 feature(s) (shape=(3, 0))"),
        (pl.DataFrame({"a": []}), "Found array with 0 sample(s)"),
        ([], "Found array with 0 sample(s)"),
        ([[], []], "Found array with 0 feature(s) (shape=(2, 0))"),
        ({}, "0 feature(s) (shape=(0, 0)) while a minimum of 1 is required: X has no columns."),
        ({"a": []}, "0 sample(s)"),
        ({"a": [1, 2], "b": np.ones((2, 2))}, "Column 'b' of X must be one-dimensional"),
        (np.zeros((2, 2, 2)), "Found array with dim 3"),
        ([[[1]], [[2]]], "Found array with dim 3"),
        ([[1, 2], [3]], "Row 1 of X (counted from 0) has 1 values where row 0 has 2"),
        ({"a": [1, 2], "b": [1]}, "Column 'b' of X has 1 values where Column 'a' has 2"),
        ([{"a": 1}, {"b": 1}], "Row 1 of X (counted from 0) and row 0 have different columns"),
    ],
)
def test_shapes(X, text):
    with pytest.raises(DataError, match=re.escape(text)):
        learn_columns(X)


@pytest.mark.parametrize(
    ("X", "text"),
    [
        ("people.csv", "read a file with fit_stream(path, target)"),
        ((frame for frame in ()), "fit_stream(X, target) learns from an iterator of tables"),
        (pd.DataFrame({"m": pd.period_range("2020-01", periods=3, freq="M")}), "convert the column with .dt.to_timest"),
        (pd.DataFrame({"a": [{f"key {i}": 1 for i in range(99)}]}), "but the argument must be a string or a number"),
    ],
)
def test_what_to_do_instead(X, text):
    with pytest.raises(DataTypeError, match=re.escape(text)) as refused:
        learn_columns(X)
    assert len(str(refused.value)) < 320


@pytest.mark.parametrize("row", [dict, pd.Series])
def test_a_row_that_lacks_a_feature(row):
    model = CARTClassifier(pruning=None).fit(pd.DataFrame({"나이": [1, 2], "소득": [3, 4]}), [0, 1])
    with pytest.raises(ColumnError, match="The row lacks '소득'"):
        model.predict(row({"나이": 1, "이름": "김"}))


INFINITE = [1.0, float("inf"), 2.0]


@pytest.mark.parametrize(
    ("X", "listed"),
    [
        ({"a": INFINITE}, "all"),
        ({"a": np.array(INFINITE)}, ["a"]),
        (pd.DataFrame({"a": pd.Categorical(INFINITE)}), "from_dtype"),
        (pd.DataFrame({"a": pd.Categorical(INFINITE, ordered=True)}), "from_dtype"),
        (pl.DataFrame({"a": INFINITE}), [0]),
        (pa.table({"a": pa.array(INFINITE).dictionary_encode()}), "from_dtype"),
    ],
)
def test_infinity_is_no_level(X, listed):
    with pytest.raises(DataError, match=r"(?i)column 'a', row 1 \(counted from 0\), has the level inf.*let the column"):
        learn_columns(X, categorical_features=listed)


def test_a_declared_level_that_is_infinite_is_refused_where_it_has_a_row():
    X = pd.DataFrame({"a": pd.Categorical([1.0, 2.0], [1.0, 2.0, -np.inf])})
    assert learn_columns(X).schema[0].levels == (1.0, 2.0)
    ordered = pd.CategoricalDtype([-np.inf, 1.0, 2.0], ordered=True)
    assert learn_columns(X.astype({"a": ordered})).schema[0].levels == (1.0, 2.0)
    with pytest.raises(DataError, match="has the level -inf"):
        learn_columns(pd.DataFrame({"a": pd.Categorical([-np.inf, 1.0, 2.0], dtype=ordered)}))
    assert learn_columns(X, categorical_features=None).schema[0].kind == "numeric"  # its two values are finite
