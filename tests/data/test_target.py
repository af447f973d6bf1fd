"""The response: labels in the type they came in, finite numbers, and every message."""

import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.data.frames.target import encode_classes, read_classes, read_numbers
from boxwood.errors import ResponseError

UNION = pa.chunked_array(
    [
        pa.UnionArray.from_dense(
            pa.array([0, 1], pa.int8()), pa.array([0, 0], pa.int32()), [pa.array([1]), pa.array(["a"])]
        )
    ]
)

SERIES = {
    "list": list,
    "tuple": tuple,
    "objects": lambda v: np.array(v, dtype=object),
    "numpy": np.array,
    "pandas": pd.Series,
    "index": pd.Index,
    "polars": pl.Series,
    "pyarrow": lambda v: pa.chunked_array([v]),
    "pyarrow array": pa.array,
    "category": lambda v: pd.Series(pd.Categorical(v)),
    "categorical": pd.Categorical,
}


@pytest.mark.parametrize("name", SERIES)
@pytest.mark.parametrize(
    "values", [["是", "否", "是"], [3, -1, 3], [2.0, 1.0, 2.0], [True, False, True], [2**60 + 1, 2**60, 2**60 + 1]]
)
def test_labels_keep_type_and_value(name, values):
    y = SERIES[name](values)
    labels, codes = read_classes(y)
    assert labels == tuple(sorted(set(values)))
    assert {type(v) for v in labels} == {type(values[0])}
    assert codes.dtype == np.int32
    assert [labels[c] for c in codes] == values
    assert encode_classes(y, labels).tolist() == codes.tolist()


@given(
    st.one_of(
        st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1),
        st.lists(st.text().map(lambda t: t.rstrip("\0")), min_size=1),
    )
)
def test_labels_are_sorted_unique_values(values):
    labels, codes = read_classes(values)
    assert labels == tuple(sorted(set(values)))
    assert [labels[c] for c in codes] == values


def test_ordered_categories_keep_their_order_and_lose_levels_that_do_not_occur():
    y = pd.Series(pd.Categorical(["中", "低", "中"], ["低", "中", "高"], ordered=True))
    assert read_classes(y)[0] == ("低", "中")
    y = pd.Categorical(["b", "a", "b"], ["c", "b", "a"], ordered=True)
    assert read_classes(y)[0] == ("b", "a")
    assert read_classes(pd.Categorical(["b", "a", "b"], ["c", "b", "a"]))[0] == ("a", "b")


def test_labels_not_seen_before_are_minus_one():
    assert encode_classes(["b", "z", "a"], ("a", "b")).tolist() == [1, -1, 0]
    assert encode_classes([1.0, 2.0], (1,)).tolist() == [0, -1]
    assert encode_classes([True], (0, 1)).tolist() == [-1]
    assert encode_classes([1, 0], (False, True)).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("y", "text"),
    [
        (None, "requires y to be passed, but the target y is None"),
        ([1.0, np.nan], "Input y contains NaN. Row 1 "),
        (["a", None], "Input y contains NaN. Row 1 "),
        (pd.array([True, None], "boolean"), "Input y contains NaN. Row 1 "),
        (pl.Series(["a", None]), "Input y contains NaN. Row 1 "),
        ([1.0, np.inf], "Input y contains infinity or a value too large for dtype('float64')."),
        ([1.0, 2.5], "Unknown label type: continuous. y, row 1 (counted from 0) is 2.5"),
        (np.zeros((3, 2)), "y should be a 1d array, got 2 columns"),
        ([[1, 2], [3, 4]], "y should be a 1d array, got 2 columns"),
        (pd.DataFrame({"a": [1], "b": [2]}), "y should be a 1d array, got 2 columns"),
        ({"a": [1], "b": [2]}, "y should be a 1d array, got 2 columns"),
        ([], "Found array with 0 sample(s) in y"),
        (["a", 1], "y mixes strings"),
        (pd.Categorical(["a", 1]), "y mixes labels of different types"),
        ([1j], "Complex data not supported"),
        (pd.to_datetime(["2020"]), "holds dates"),
        ([{"a": 1}], "argument must be a string or a number"),
        (np.array(3), "one-dimensional"),
        (["a", "x", "x\0"], "y, row 2 (counted from 0) holds the label 'x\\x00', which ends in a NUL character"),
        (object(), "y cannot be read: its type is object"),
        (UNION, "y is of type dense_union"),
        (3, "y must be one-dimensional, one value per row; got the single value 3"),
    ],
)
def test_refused_classes(y, text):
    with pytest.raises(ResponseError, match=re.escape(text)):
        read_classes(y)


@pytest.mark.parametrize(
    "y", [np.array([[1], [0]]), [[1], [0]], pd.DataFrame({"y": [1, 0]}), pl.DataFrame({"y": [1, 0]}), {"y": [1, 0]}]
)
def test_a_column_is_taken_with_a_warning(y):
    class OwnWarning(UserWarning):
        pass

    with pytest.warns(OwnWarning, match="A column-vector y was passed when a 1d array was expected"):
        labels, codes = read_classes(y, column_warning=OwnWarning)
    assert labels == (0, 1)
    assert codes.tolist() == [1, 0]
    with pytest.warns(OwnWarning, match="A column-vector y"):
        assert read_numbers(y, column_warning=OwnWarning).tolist() == [1.0, 0.0]


@pytest.mark.parametrize("name", SERIES)
@pytest.mark.parametrize("values", [[1.5, -2.0], [1, 2], [True, False]])
def test_numbers(name, values):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = read_numbers(SERIES[name](values))
    assert found.dtype == np.float64
    assert found.tolist() == values


@pytest.mark.parametrize(
    ("y", "text"),
    [
        (None, "requires y to be passed, but the target y is None"),
        ([1.0, None], "Input y contains NaN. Row 1 "),
        (
            [1.0, -np.inf],
            "Input y contains infinity or a value too large for dtype('float64'). Row 1 (counted from 0) is -inf",
        ),
        (["1", "2"], "y, row 0 (counted from 0) holds the string '1'"),
        (np.zeros((3, 2)), "y should be a 1d array, got 2 columns"),
        ([], "Found array with 0 sample(s) in y"),
    ],
)
def test_refused_numbers(y, text):
    with pytest.raises(ResponseError, match=re.escape(text)):
        read_numbers(y)


def test_ranges():
    assert read_numbers(range(3)).tolist() == [0.0, 1.0, 2.0]
    assert read_classes(range(3))[0] == (0, 1, 2)


def test_other_columns_than_y_have_their_name_in_messages():
    with pytest.raises(ResponseError, match="Input exposure contains NaN"):
        read_numbers([np.nan], "exposure")


def test_numbers_are_a_copy():
    """What another thread writes into y during a fit changes nothing."""
    y = np.array([1.0, 2.0])
    read = read_numbers(y)
    y[0] = 5.0
    assert read.tolist() == [1.0, 2.0]
