"""The written rule for kinds, matching of levels and names, and every message."""

import enum
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from boxwood.data import datasets
from boxwood.data.frames.frame import describe, learn_columns, read_columns
from boxwood.errors import BoxwoodWarning, DataTypeError, KindWarning

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
    seen = [level for level in LEVELS if level != "never"]
    assert feature.levels == tuple(seen if ordered else sorted(seen))
    assert [None if code < 0 else feature.levels[code] for code in columns.values[0]] == ["高", None, "低", "中"]


def test_polars_enum_is_ordinal_and_categorical_nominal_with_the_levels_that_occur():
    columns = learn_columns(
        pl.DataFrame(
            {
                "e": pl.Series(["高", None, "低"], dtype=pl.Enum(LEVELS)),
                "c": pl.Series(["b", None, "a"], dtype=pl.Categorical),
            }
        )
    )
    assert [f.kind for f in columns.schema] == ["ordinal", "nominal"]
    assert [f.levels for f in columns.schema] == [("低", "高"), ("a", "b")]
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
        assert columns.values[0].tolist() == [0, 1, -2, -1]
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


def test_numbers_in_strings_stay_nominal_with_a_warning():
    with pytest.warns(KindWarning, match=r"Column 'a' .* look like numbers.*'10'.*list it in numeric_features"):
        columns = learn_columns(pd.DataFrame({"a": ["9", "10", None]}))
    assert columns.schema[0].levels == ("10", "9")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learn_columns(pd.DataFrame({"a": ["nan", "inf"]}))
        learn_columns(pd.DataFrame({"a": ["9", "10"]}), ["a"])
        learn_columns(pd.DataFrame({"a": ["9", "ten"]}))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (
            ["1", "2", "?", None, "2.5", "无"],
            r"in 3 of 5 rows with a value, but row 2 \(counted from 0\) contains '\?', so",
        ),
        ([None, "甲", "1", "1", "1"], r"in 3 of 4 rows with a value, but row 1 \(counted from 0\) contains '甲', so"),
        (["1e3", "-2", "３", "二"], r"in 3 of 4 rows with a value, but row 3 \(counted from 0\) contains '二', so"),
    ],
)
def test_strings_that_are_mostly_numbers_stay_nominal_with_a_warning(values, words):
    for X in ({"年龄": values}, pd.DataFrame({"年龄": values}), pl.DataFrame({"年龄": values})):
        with pytest.warns(KindWarning, match=r"Column '年龄' contains strings .*" + words + ".* categorical_features"):
            columns = learn_columns(X)
        assert columns.schema[0].kind == "nominal"


@pytest.mark.parametrize(
    ("X", "listed"),
    [
        ({"a": ["1", "2", "three", "four"]}, "from_dtype"),  # half is not more than half
        ({"a": ["1", "2", "x", "x", "x"]}, "from_dtype"),  # rows count, not levels
        ({"a": ["1", "2", "3", "x"]}, ["a"]),
        ({"a": ["2024-01-01", "2024-02-01", "1-2", "3+"]}, None),
        ({"a": ["nan", "inf", "NaN", "x"]}, "from_dtype"),
        (pd.DataFrame({"a": pd.Categorical(["1", "2", "3", "x"])}), "from_dtype"),
    ],
)
def test_strings_without_a_doubt_draw_no_warning(X, listed):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert learn_columns(X, listed).schema[0].kind == "nominal"


def test_the_bundled_tables_draw_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in datasets.names():
            learn_columns(datasets.load(name))


def test_many_levels_draw_a_warning():
    with pytest.warns(KindWarning, match=r"Column 'x0' has 1001 different levels in 2002 rows"):
        learn_columns([[f"id{i // 2}"] for i in range(2002)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of columns that name rows a fit tells what becomes of them
        learn_columns([[f"id{i}"] for i in range(1001)])


def test_a_column_without_values_is_never_understood_at_prediction():
    for X in (
        pd.DataFrame({"a": pd.Series([None, None], dtype="str")}),
        pd.DataFrame({"a": pd.Categorical([None, None])}),
        pl.DataFrame({"a": [None, None]}),
    ):
        for listed in ("from_dtype", ["a"]):
            columns = learn_columns(X, listed)
            assert (columns.schema[0].kind, columns.schema[0].why) == ("numeric", "no values")
            assert np.isnan(read_columns({"a": ["x", "y"]}, columns.schema).values[0]).all()


def test_python_enums_are_their_values():
    city = enum.Enum("city", {"WIEN": "Wien"}, type=str)
    size = enum.IntEnum("size", {"BIG": 3})
    columns = learn_columns([[city.WIEN, size.BIG]])
    assert columns.schema[0].levels == ("Wien",)
    assert columns.values[0].tolist() == [0]
    assert columns.values[1].tolist() == [3.0]


def test_one_row_is_enough():
    assert learn_columns([[1.0, "a"]]).n == 1


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
        {"name": "c", "kind": "nominal", "why": "strings", "levels": 2, "missing": 0},
    ]


def test_plain_array_needs_no_data_frame_library():
    import subprocess
    import sys

    code = (
        "import sys, numpy as np; from boxwood.data.frames.frame import learn_columns, read_columns;"
        "c = learn_columns(np.zeros((3, 2))); read_columns([[1, 'a']], learn_columns([[1, 'a']]).schema);"
        "sys.exit(any(m in sys.modules for m in ('narwhals', 'pandas', 'polars', 'pyarrow', 'sklearn', 'scipy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
