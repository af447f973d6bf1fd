"""Column names at training and prediction, and categorical_features."""

import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from boxwood.data.frames.frame import learn_columns, read_columns
from boxwood.errors import ColumnError, DataError, DataTypeError, ParameterError


def test_names():
    assert not learn_columns(pd.DataFrame([[1, 2]])).schema.named
    for X in (
        pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]),
        pa.table([[1], [2], [3]], names=["a", "b", "a"]),
        pd.DataFrame([[1, 2]], columns=[7, 7]),
    ):
        with pytest.raises(ColumnError, match=r"more than one column named ('a'|7)"):
            learn_columns(X)
    with pytest.raises(TypeError, match="Feature names are only supported if all input features have string names"):
        learn_columns(pd.DataFrame([[1, 2]], columns=["a", 1]))
    odd = ["", " ", "a\nb", "<script>", "名前", "이름"]
    assert learn_columns(pd.DataFrame([range(6)], columns=odd)).schema.names == tuple(odd)


def test_names_of_prediction_in_the_words_of_scikit_learn():
    schema = learn_columns(pd.DataFrame([[1.0, 2, 3]], columns=["a", "b", "c"])).schema
    first = "The feature names should match those that were passed during fit.\n"
    for names, text in (
        (["c", "b", "a"], "Feature names must be in the same order as they were in fit.\n"),
        (["a", "b"], "Feature names seen at fit time, yet now missing:\n- c\n"),
        (["a", "b", "c", "d"], "Feature names unseen at fit time:\n- d\n"),
        (
            ["x", "y", "a"],
            "Feature names unseen at fit time:\n- x\n- y\nFeature names seen at fit time, yet now missing:\n- b\n- c\n",
        ),
    ):
        with pytest.raises(ColumnError, match=re.escape(first + text)):
            read_columns(pd.DataFrame([range(len(names))], columns=names), schema)


def test_names_on_one_side_only():
    frame = pd.DataFrame([[1.0, 2.0]], columns=["a", "b"])
    with pytest.warns(UserWarning, match="X does not have valid feature names, but Tree was fitted with feature names"):
        read_columns(frame.to_numpy(), learn_columns(frame).schema, estimator="Tree")
    with pytest.warns(UserWarning, match="X has feature names, but Tree was fitted without feature names"):
        read_columns(frame, learn_columns(frame.to_numpy()).schema, estimator="Tree")


@pytest.mark.parametrize("X", [np.zeros((2, 3)), [[1, 2, 3]], np.zeros((2, 3), dtype=int)])
def test_another_width(X):
    schema = learn_columns(np.zeros((2, 4))).schema
    with pytest.raises(DataError, match=r"X has 3 features, but Tree is expecting 4 features as input\."):
        read_columns(X, schema, estimator="Tree")


def test_match_by_name_picks_columns_and_never_reads_the_others():
    schema = learn_columns({"a": [1.0], "b": ["x"]}).schema
    X = pd.DataFrame({"when": pd.to_datetime(["2020"]), "b": ["x"], "a": [7]})
    columns = read_columns(X, schema, match="name")
    assert [v.tolist() for v in columns.values] == [[7.0], [0]]
    with pytest.raises(
        ColumnError, match="1 of the 2 columns of the model are missing from the data: 'b'; the data have 'a', 'c'"
    ):
        read_columns({"a": [1], "c": [1]}, schema, match="name")
    with pytest.raises(ParameterError, match="match must be"):
        read_columns(X, schema, match="position")


@pytest.mark.parametrize(
    "listed", [["a", "b"], [0, 1], [True, True, False], np.array([0, 1]), np.array(["a", "b"]), ("a", "b")]
)
def test_categorical_features(listed):
    X = pd.DataFrame({"a": [3, 1, None], "b": [True, False, True], "c": [1.5, 2.5, 3.5]})
    columns = learn_columns(X, listed)
    assert [f.kind for f in columns.schema] == ["nominal", "nominal", "numeric"]
    assert [f.levels for f in columns.schema] == [(1.0, 3.0), (False, True), ()]
    assert [f.why for f in columns.schema] == ["declared", "declared", "float64 column"]
    assert columns.values[0].tolist() == [1, 0, -1]


def test_declared_levels_keep_their_type():
    X = pl.DataFrame({"i": [2, None, 1], "f": [2.0, 1.0, -0.0], "s": ["b", "a", None]})
    columns = learn_columns(X, ["i", "f", "s"])
    assert [[type(v) for v in f.levels] for f in columns.schema] == [[int, int], [float] * 3, [str, str]]


def test_lists_and_none_are_the_whole_truth_about_categories_of_numbers():
    X = pd.DataFrame(
        {
            "n": pd.Categorical([3, 1, None]),
            "o": pd.Categorical([3, 1, 2], [3, 2, 1], ordered=True),
            "s": ["a", "b", "a"],
        }
    )
    assert [f.kind for f in learn_columns(X).schema] == ["nominal", "ordinal", "nominal"]
    for listed in (None, [], ["s"], ["o"]):
        columns = learn_columns(X, listed)
        assert [f.kind for f in columns.schema] == ["numeric", "ordinal", "nominal"]
        np.testing.assert_array_equal(columns.values[0], [3, 1, np.nan])
    assert learn_columns(X, ["n"]).schema[0].kind == "nominal"


@pytest.mark.parametrize(
    ("listed", "text"),
    [
        (["z"], "item value 'z' which is not a valid feature name of the training data"),
        ([2], "must be in [0, n_features - 1]"),
        ([-1], "must be in [0, n_features - 1]"),
        ([True], "boolean mask must have shape (n_features,), here (2,), got: (1,)"),
        ([0.5], "array-like of bool, int or str"),
        (["a", 1], "array-like of bool, int or str"),
        ("a", "must be 'from_dtype', 'all', None, or a list"),
        (3, "must be 'from_dtype', 'all', None, or a list"),
    ],
)
def test_wrong_categorical_features(listed, text):
    with pytest.raises(ParameterError, match=re.escape(text)):
        learn_columns(pd.DataFrame({"a": [1.0], "b": [2.0]}), listed)


def test_names_cannot_be_listed_for_data_without_names():
    with pytest.raises(ParameterError, match="fitted on data without feature names"):
        learn_columns(np.zeros((2, 2)), ["x0"])


@pytest.mark.parametrize("names", [[np.nan, "a"], [np.nan, np.nan], [1.0, np.nan], [None, "a"], [pd.NaT, "a"]])
def test_missing_names_are_refused(names):
    with pytest.raises(ColumnError, match=r"X has no name for column [01] \(counted from 0\), but .*own name"):
        learn_columns(pd.DataFrame([[1, 2], [3, 4]], columns=names))


def test_long_names_and_control_characters_are_shortened_in_messages():
    long, odd = "年" * 5000, "a\nb"
    columns = learn_columns({long: [1.0], odd: [2.0]})
    for X in ({odd: [1.0]}, {long: [1.0], "c": [1.0]}, {long: ["x", 1], odd: [1, 1]}, [{long: 1}, {odd: 1}]):
        with pytest.raises((ColumnError, DataTypeError)) as caught:
            read_columns(X, columns.schema, match="name")
        assert len(str(caught.value)) < 400
        assert odd not in str(caught.value)
    with pytest.raises(ColumnError) as caught:
        read_columns({"c": [1.0]}, columns.schema)
    assert len(str(caught.value)) < 400
    with pytest.raises(ParameterError) as caught:
        learn_columns({f"{long}{i}": [1.0] for i in range(100)}, ["x" * 500])
    assert len(str(caught.value)) < 1000


def test_a_pickled_schema_does_not_depend_on_what_was_read_from_it():
    schema = learn_columns({"年齢": [1.0, 2.0], "b": ["x", "y"]}).schema
    before = pickle.dumps(schema)
    assert (schema.names, schema.is_numeric, schema.has_codes, schema.identifiers) == (("年齢", "b"), False, False, ())
    assert pickle.dumps(schema) == before
    assert pickle.loads(before) == schema
