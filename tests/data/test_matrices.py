"""The quick readers of tables of numbers read the same as the general one, and leave to it what is not theirs."""

import numpy as np
import pandas as pd
import pytest

from boxwood.data.columns.columns import Matrix
from boxwood.data.columns.matrices import coded_columns, from_rows
from boxwood.data.frames import frame, target
from boxwood.data.frames.containers import as_table
from boxwood.data.frames.frame import learn_columns, read_columns
from boxwood.data.frames.target import read_classes
from boxwood.errors import ColumnError, DataError, DataTypeError
from data.same_columns import assert_same

BIG = 2**53


def generally(monkeypatch, call):
    """What the general reader makes of it."""
    with monkeypatch.context() as patch:
        patch.setattr(frame, "as_table", lambda X: as_table(X).changed(lambda _, column: column))
        patch.setattr(target, "_whole_labels", lambda y: None)
        return call()


FRAMES = [
    pd.DataFrame({"a": [1.0, np.nan, 3.0], "b": [0.5, -np.inf, 2.0]}),
    pd.DataFrame({"年龄": np.array([1, 2, 3], np.int64), "b": np.array([0.5, np.nan, 2], np.float32)}),
    pd.DataFrame({"a": np.array([1, 2, 3], np.uint8), "b": np.array([4, 5, 6], np.int32)}),
    pd.DataFrame(np.arange(6.0).reshape(3, 2)),
]


@pytest.mark.parametrize("X", FRAMES)
def test_frames_of_numbers(X, monkeypatch):
    learned = learn_columns(X)
    assert isinstance(learned, Matrix)
    expected = generally(monkeypatch, lambda: learn_columns(X))
    assert learned.schema == expected.schema
    assert_same(learned, expected)
    read = read_columns(X, learned.schema)
    assert isinstance(read, Matrix)
    assert_same(read, generally(monkeypatch, lambda: read_columns(X, learned.schema)))


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame({"a": [BIG, BIG + 1, 3]}),
        pd.DataFrame({"a": np.array([2**64 - 1, 1], np.uint64), "b": [0.5, 1.5]}),
        pd.DataFrame({"a": [True, False], "b": [1.0, 2.0]}),
        pd.DataFrame({"a": pd.array([1, None], dtype="Int64")}),
        pd.DataFrame({"a": pd.Categorical(["x", "y"])}),
        pd.DataFrame({"a": np.array([1, 2], np.float16)}),
        pd.DataFrame({"a": np.array([1, 2], np.longdouble)}),
    ],
)
def test_frames_of_other_things_are_left_to_the_general_reader(X):
    assert as_table(X).matrix is None
    assert not isinstance(learn_columns(X), Matrix)


def test_names_of_frames_are_checked_as_ever():
    with pytest.raises(ColumnError, match="more than one column named 'a'"):
        learn_columns(pd.DataFrame(np.zeros((2, 2)), columns=["a", "a"]))
    with pytest.raises(DataTypeError, match="Feature names"):
        learn_columns(pd.DataFrame(np.zeros((2, 2)), columns=["a", 1]))
    schema = learn_columns(pd.DataFrame({"a": [1.0], "b": [2.0]})).schema
    with pytest.raises(ColumnError, match="same order"):
        read_columns(pd.DataFrame({"b": [1.0], "a": [2.0]}), schema)
    picked = read_columns(pd.DataFrame({"b": [1.0], "c": [0.0], "a": [2.0]}), schema, match="name")
    assert [v.tolist() for v in picked.values] == [[2.0], [1.0]]
    with pytest.raises(DataError, match="0 sample"):
        read_columns(pd.DataFrame({"a": [], "b": []}, dtype=float), schema)
    with pytest.raises(DataError, match="3 features"):
        read_columns([[1.0, 2.0, 3.0]], learn_columns(np.zeros((1, 2))).schema)


def test_rows_of_numbers(monkeypatch):
    schema = learn_columns(np.zeros((1, 3))).schema
    X = [[1, 2.5, -3], (4.0, BIG - 1, float("nan"))]
    read = read_columns(X, schema)
    assert isinstance(read, Matrix)
    assert_same(read, generally(monkeypatch, lambda: read_columns(X, schema)))
    for other in ([[1, 2, None]], [[1, 2, True]], [[1, 2, BIG]], [[1, 2, "3"]], [[1], [2, 3]], [np.zeros(3)]):
        assert from_rows(other) is None
    assert np.isnan(read_columns([[1, 2, None]], schema).values[2]).all()
    with pytest.raises(DataTypeError, match="string"):
        read_columns([[1, 2, "3"]], schema)


def test_numbers_that_are_levels(monkeypatch):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=5000), rng.integers(-3, 9, 5000), rng.choice([0.5, 1e300, -2.25], 5000)])
    X[rng.random(X.shape) < 0.1] = np.nan
    schema = learn_columns(X, categorical_features=[1, 2]).schema
    read = coded_columns(X, schema)
    assert_same(read, generally(monkeypatch, lambda: read_columns(X, schema)))
    assert_same(read_columns(X, schema), read)
    assert_same(coded_columns(np.asfortranarray(X)[::2], schema), coded_columns(X[::2].copy(), schema))
    strange = X.copy()
    strange[7, 1] = 3.5
    assert coded_columns(strange, schema) is None
    assert read_columns(strange, schema).unseen == {"x1": {3.5: 1}}
    strange[7, 1], strange[9, 2] = 4, np.inf
    assert read_columns(strange, schema).unseen == {"x2": {np.inf: 1}}


LABELS = [
    np.array([3, 1, 2, 1]), np.array([3, 1], np.uint8), np.array([-5, 100], np.int8), np.array([0.0, -0.0, 2.0]),
    np.array([1, 0], np.float32), np.array([7]), np.array([2**40, 2**40 + 5]), np.array([0, 10**9]), np.arange(6)[::-2],
    np.array([2**64 - 1, 2**64 - 3], np.uint64), np.array([True, False]), np.array([1, 2], ">i4"),
    pd.Series([2, 1, 2]), pd.Series([2.0, 1.0]), pd.Series(["b", "a"]),
]  # fmt: skip


@pytest.mark.parametrize("y", LABELS)
def test_labels(y, monkeypatch):
    labels, codes = read_classes(y)
    expected, their_codes = generally(monkeypatch, lambda: read_classes(y))
    assert labels == expected
    assert [type(v) for v in labels] == [type(v) for v in expected]
    assert codes.dtype == their_codes.dtype == np.int32
    assert codes.tolist() == their_codes.tolist()


@pytest.mark.parametrize(("y", "words"), [([1.5, 2], "continuous"), ([np.nan, 1], "NaN"), ([np.inf, 1], "infinity")])
def test_labels_that_are_no_labels(y, words):
    with pytest.raises(DataError, match=words):
        read_classes(np.array(y))
