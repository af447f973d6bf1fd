"""The written rule for kinds, matching of levels and names, and every message."""

import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from boxwood.data.frame import describe, learn_columns, read_columns
from boxwood.errors import (
    BoxwoodWarning,
    ColumnError,
    DataError,
    DataTypeError,
    KindWarning,
    ParameterError,
)

LEVELS = ["低", "高", "中", "never"]
CATEGORICALS = {
    "pandas": lambda v, ordered: pd.DataFrame({"c": pd.Categorical(v, LEVELS, ordered=ordered)}),
    "pyarrow": lambda v, ordered: pa.table(
        {
            "c": pa.DictionaryArray.from_arrays(
                pa.array([None if x is None else LEVELS.index(x) for x in v], pa.int8()), LEVELS, ordered=ordered
            )
        }
    ),
    "pandas arrow": lambda v, ordered: pd.DataFrame(
        {
            "c": pd.Series(
                pa.DictionaryArray.from_arrays(
                    pa.array([None if x is None else LEVELS.index(x) for x in v], pa.int32()), LEVELS, ordered=ordered
                ),
                dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string(), ordered=ordered)),
            )
        }
    ),
}


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("name", CATEGORICALS)
def test_declared_levels(name, ordered):
    columns = learn_columns(CATEGORICALS[name](["高", None, "低", "中"], ordered))
    feature = columns.schema[0]
    assert feature.kind == ("ordinal" if ordered else "nominal")
    assert feature.levels == tuple(LEVELS)
    assert columns.values[0].tolist() == [1, -1, 0, 2]


def test_polars_enum_keeps_the_declared_order_and_categorical_is_sorted():
    columns = learn_columns(
        pl.DataFrame(
            {
                "e": pl.Series(["高", None, "低"], dtype=pl.Enum(LEVELS)),
                "c": pl.Series(["b", None, "a"], dtype=pl.Categorical),
            }
        )
    )
    assert [f.kind for f in columns.schema] == ["nominal", "nominal"]
    assert [f.levels for f in columns.schema] == [tuple(LEVELS), ("a", "b")]
    assert [v.tolist() for v in columns.values] == [[1, -1, 0], [1, -1, 0]]


def test_arrow_chunks_with_dictionaries_of_their_own():
    chunks = [pa.array(v).dictionary_encode() for v in (["b", "a", None], ["a", "c"])]
    columns = learn_columns(pa.table({"c": pa.chunked_array(chunks)}))
    levels = columns.schema[0].levels
    assert [None if c < 0 else levels[c] for c in columns.values[0]] == ["b", "a", None, "a", "c"]
    assert sorted(levels) == ["a", "b", "c"]


def test_arrow_dictionary_may_hold_null_and_the_same_value_twice():
    array = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 3]), pa.array(["a", None, "a", "b"]))
    columns = learn_columns(pa.table({"c": array}))
    assert columns.schema[0].levels == ("a", "b")
    assert columns.values[0].tolist() == [0, -1, 0, 1]


def test_intervals_become_levels_by_their_text():
    frame = pd.DataFrame({"age": pd.cut([1, 5, 9], [0, 3, 6, 10])})
    columns = learn_columns(frame)
    assert columns.schema[0].kind == "ordinal"
    assert columns.schema[0].levels == ("(0, 3]", "(3, 6]", "(6, 10]")
    assert read_columns(frame, columns.schema).values[0].tolist() == [0, 1, 2]


def test_levels_are_matched_by_value_never_by_code():
    schema = learn_columns(pd.DataFrame({"c": pd.Categorical(["b", "a", "b"], ["b", "a"])})).schema
    for X in (
        pd.DataFrame({"c": pd.Categorical(["a", "b", "z", None])}),
        pd.DataFrame({"c": ["a", "b", "z", None]}),
        pl.DataFrame({"c": pl.Series(["a", "b", "z", None], dtype=pl.Categorical)}),
        pa.table({"c": pa.array(["a", "b", "z", None]).dictionary_encode()}),
        {"c": np.array(["a", "b", "z", None], dtype=object)},
    ):
        columns = read_columns(X, schema)
        assert columns.values[0].tolist() == [1, 0, -2, -1]
        assert columns.unseen == {"c": {"z": 1}}


def test_ordinal_levels_are_matched_by_value_too():
    schema = learn_columns(pd.DataFrame({"c": pd.Categorical(["lo", "hi"], ["lo", "hi"], ordered=True)})).schema
    columns = read_columns({"c": ["hi", "lo", "top", "top"]}, schema)
    assert columns.values[0].tolist() == [1, 0, -2, -2]
    assert columns.unseen == {"c": {"top": 2}}


def test_a_level_of_one_is_one_point_nought_and_true_only_among_booleans():
    numbers = learn_columns([[0], [1]], [0]).schema
    assert numbers[0].levels == (0, 1)
    assert read_columns([[1.0], [0.0]], numbers).values[0].tolist() == [1, 0]
    assert read_columns([[True], [False]], numbers).values[0].tolist() == [-2, -2]
    assert read_columns([["1"], ["0"]], numbers).values[0].tolist() == [-2, -2]
    booleans = learn_columns([[False], [True]]).schema
    assert read_columns([[1.0], [0.0]], booleans).values[0].tolist() == [1, 0]
    assert read_columns([[True], [None]], booleans).values[0].tolist() == [1, -1]


def test_nominal_numbers_beyond_2_53_stay_apart():
    big = 2**60
    columns = learn_columns(np.array([[big], [big + 1], [big]]), [0])
    assert columns.schema[0].levels == (big, big + 1)
    assert columns.values[0].tolist() == [0, 1, 0]
    assert read_columns([[big + 1], [big + 2]], columns.schema).values[0].tolist() == [1, -2]


def test_a_numeric_feature_takes_booleans_categories_of_numbers_and_nothing_at_all():
    schema = learn_columns([[1.5], [2.5]]).schema
    assert read_columns([[True], [None]], schema).values[0].tolist()[0] == 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BoxwoodWarning)
        assert read_columns(pd.DataFrame({"c": pd.Categorical([7, 8])}), schema).values[0].tolist() == [7.0, 8.0]
    assert np.isnan(read_columns([[None], [None]], schema).values[0]).all()


def test_a_numeric_feature_refuses_strings_by_column_row_and_value():
    schema = learn_columns({"age": [1.5, 2.5]}).schema
    for values in (["3", None], pd.Categorical(["3", "4"]), np.array(["3", "4"])):
        with pytest.raises(DataTypeError, match=r"Column 'age', row 0 .* string '3'"):
            read_columns(pd.DataFrame({"age": values}), schema)


def test_object_columns_by_their_values():
    X = np.array([[1, True, "a", np.float32(0.5)], [True, None, None, 2], [np.nan, False, "b", pd.NA]], dtype=object)
    columns = learn_columns(X)
    assert [f.kind for f in columns.schema] == ["numeric", "nominal", "nominal", "numeric"]
    np.testing.assert_array_equal(columns.values[0], [1, 1, np.nan])
    assert columns.values[1].tolist() == [1, -1, 0]
    assert columns.values[2].tolist() == [0, -1, 1]
    np.testing.assert_array_equal(columns.values[3], [0.5, 2, np.nan])


def test_empty_string_is_a_level_and_nan_the_word_too():
    assert learn_columns([[""], ["nan"], [None]]).schema[0].levels == ("", "nan")


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


def test_numbers_in_strings_stay_nominal_with_a_warning():
    with pytest.warns(KindWarning, match=r"Column 'a' .* look like numbers.*'10'.*astype\(float\)"):
        columns = learn_columns(pd.DataFrame({"a": ["9", "10", None]}))
    assert columns.schema[0].levels == ("10", "9")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learn_columns(pd.DataFrame({"a": ["nan", "inf"]}))
        learn_columns(pd.DataFrame({"a": ["9", "10"]}), ["a"])
        learn_columns(pd.DataFrame({"a": ["9", "ten"]}))


def test_many_levels_draw_a_warning():
    with pytest.warns(KindWarning, match=r"Column 'x0' has 1001 different levels in 1001 rows"):
        learn_columns([[f"id{i}"] for i in range(1001)])


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
        (np.zeros((0, 3)), "Found array with 0 sample(s) (shape=(0, 3)) while a minimum of 1 is required."),
        (np.zeros((10, 0)), "Found array with 0 feature(s) (shape=(10, 0)) while a minimum of 1 is required."),
        (np.zeros((0, 3), dtype=int), "Found array with 0 sample(s) (shape=(0, 3)) while a minimum of 1 is required."),
        (pd.DataFrame({"a": []}), "Found array with 0 sample(s) (shape=(0, 1))"),
        (pd.DataFrame(index=range(3)), "Found array with 0 feature(s) (shape=(3, 0))"),
        (pl.DataFrame({"a": []}), "Found array with 0 sample(s)"),
        ([], "Found array with 0 sample(s)"),
        ([[], []], "Found array with 0 feature(s) (shape=(2, 0))"),
        ({}, "0 sample(s)"),
        ({"a": []}, "0 sample(s)"),
        (np.zeros((2, 2, 2)), "Found array with dim 3"),
        ([[[1]], [[2]]], "Found array with dim 3"),
        ([[1, 2], [3]], "Row 1 of X (counted from 0) has 1 values where row 0 has 2"),
        ({"a": [1, 2], "b": [1]}, "Column 'b' of X must be one-dimensional and as long"),
        ([{"a": 1}, {"b": 1}], "Row 1 of X (counted from 0) and row 0 have different columns"),
    ],
)
def test_shapes(X, text):
    with pytest.raises(DataError, match=re.escape(text)):
        learn_columns(X)


def test_one_row_is_fine():
    assert learn_columns([[1.0, "a"]]).n == 1


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
    with pytest.raises(ColumnError, match="lack 1 of the 2 columns of the model: 'b'; they have 'a', 'c'"):
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
        ("a", "must be 'from_dtype', None, or a list"),
        (3, "must be 'from_dtype', None, or a list"),
    ],
)
def test_wrong_categorical_features(listed, text):
    with pytest.raises(ParameterError, match=re.escape(text)):
        learn_columns(pd.DataFrame({"a": [1.0], "b": [2.0]}), listed)


def test_names_cannot_be_listed_for_data_without_names():
    with pytest.raises(ParameterError, match="fitted on data without feature names"):
        learn_columns(np.zeros((2, 2)), ["x0"])


def test_why_and_describe():
    X = pd.DataFrame(
        {"f": [1.0, None], "i": [1, 2], "s": ["a", None], "b": [True, False], "c": pd.Categorical(["u", "v"])}
    )
    columns = learn_columns(X)
    assert describe(columns.schema, columns) == [
        {"name": "f", "kind": "numeric", "why": "float64 column", "levels": 0, "missing": 1},
        {"name": "i", "kind": "numeric", "why": "int64 column", "levels": 0, "missing": 0},
        {"name": "s", "kind": "nominal", "why": "strings", "levels": 1, "missing": 1},
        {"name": "b", "kind": "nominal", "why": "booleans", "levels": 2, "missing": 0},
        {"name": "c", "kind": "nominal", "why": "categories", "levels": 2, "missing": 0},
    ]


def test_plain_array_needs_no_data_frame_library():
    import subprocess
    import sys

    code = (
        "import sys, numpy as np; from boxwood.data.frame import learn_columns, read_columns;"
        "c = learn_columns(np.zeros((3, 2))); read_columns([[1, 'a']], learn_columns([[1, 'a']]).schema);"
        "sys.exit(any(m in sys.modules for m in ('narwhals', 'pandas', 'polars', 'pyarrow', 'sklearn', 'scipy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
