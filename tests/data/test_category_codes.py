"""Categories are matched with the levels of a feature once, while they stay the same; and predictions never differ."""

from __future__ import annotations

import gc
import pickle
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from boxwood import C45Classifier, CARTClassifier, CHAIDClassifier, _kernel
from boxwood.data.columns import category_codes
from boxwood.data.columns.category_codes import Codes, levels_of_codes
from boxwood.data.columns.schema import NOMINAL, NUMERIC, Feature, Schema
from boxwood.data.frames.frame import learn_columns, read_columns
from boxwood.data.frames.zero_copy import ZeroCopyColumns
from boxwood.errors import DataError, UnseenLevelWarning
from data.same_columns import assert_same

LEVELS = ("Ulm", "Wien", "京都", "서울", "東京")


def dictionary(values, categories):
    codes = [None if v is None else list(categories).index(v) for v in values]
    return pa.table({"c": pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(list(categories)))})


MAKERS = {
    "pandas": lambda values, categories: pd.DataFrame({"c": pd.Categorical(values, categories)}),
    "polars": lambda values, categories: pl.DataFrame({"c": pl.Series(values, dtype=pl.Enum(list(categories)))}),
    "pyarrow": dictionary,
}


@pytest.fixture
def matched(monkeypatch):
    """The features matched so far, one entry a time."""
    found, match = [], category_codes._matched
    monkeypatch.setattr(category_codes, "_matched", lambda f, column: found.append(f.name) or match(f, column))
    return found


@pytest.mark.parametrize("library", MAKERS)
def test_categories_that_stay_are_matched_once(library, matched):
    schema = Schema((Feature("c", NOMINAL, LEVELS),), named=True)
    X = MAKERS[library](["Ulm", None, "東京", "Oslo", "京都", "Ulm"], [*LEVELS[::-1], "Oslo"])
    for first, size in ((0, 6), (1, 1), (3, 2), (0, 5)):
        some = X[first : first + size]
        read = read_columns(some, schema)
        assert (type(read) is ZeroCopyColumns) == (size in (6, 1))  # a new level among few rows is read at once
        assert_same(read, read_columns(some, schema))
    assert matched == ["c"]
    other = MAKERS[library](["Ulm", "東京"], LEVELS)
    assert read_columns(other, schema).given[0][1].tolist() == [0, 4]
    assert matched == ["c", "c"]


@pytest.mark.parametrize("library", MAKERS)
@pytest.mark.parametrize("n", [2, 200])
def test_rows_fewer_and_more_than_categories_are_routed_alike(library, n):
    rng = np.random.default_rng(n)
    categories = np.array([*rng.permutation([f"c{i}" for i in range(30)]), "new"], dtype=object)
    values = [None, *rng.choice(categories, n - 1)]
    learned = [f"c{i}" for i in range(30)] * 4
    model = CARTClassifier(pruning=None, missing="majority", unseen="majority").fit(
        {"c": learned}, [v[-1] in "258" for v in learned]
    )
    X = MAKERS[library](values, categories)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenLevelWarning)
        assert model.predict(X).tolist() == model.predict({"c": values}).tolist()


def test_categories_that_go_leave_no_answers_for_others():
    feature = Feature("c", NOMINAL, LEVELS)
    rng = np.random.default_rng(0)
    for _ in range(300):  # new indexes come to lie where old ones lay
        index = pd.Index(rng.permutation(LEVELS)[: rng.integers(1, 6)])
        found = levels_of_codes(feature, Codes(np.zeros(1, np.int8), index, False))
        assert found.tolist() == [*map(LEVELS.index, index), -1]


def test_features_that_go_leave_nothing_behind():
    gc.collect()
    before = len(category_codes._MATCHES)
    index = pd.Index(["b", "a"])
    for i in range(50):
        feature = Feature("c", NOMINAL, ("a", "b", str(i))[i % 2 :])
        found = levels_of_codes(feature, Codes(np.zeros(1, np.int8), index, False))
        assert found.tolist() == ([1, 0, -1] if i % 2 == 0 else [0, -2, -1])
    del feature
    gc.collect()
    assert len(category_codes._MATCHES) <= before


def test_models_are_pickled_without_categories():
    X = pd.DataFrame({"c": pd.Categorical(["a", "b"] * 200, ["b", "a", *map(str, range(500))])})
    model = CARTClassifier(pruning=None).fit(X, [0, 1] * 200)
    before = len(pickle.dumps(model))
    assert model.predict(X.iloc[:1]).tolist() == [0]
    again = pickle.loads(pickle.dumps(model))
    assert len(pickle.dumps(model)) == before
    assert again.predict(X.iloc[1:2]).tolist() == [1]


def test_threads_share_a_feature_and_mix_categories():
    schema = Schema((Feature("c", NOMINAL, LEVELS), Feature("x", NUMERIC)), named=True)
    frames = []
    for turn in range(5):
        categories = np.roll(LEVELS, turn)
        c = pd.Categorical.from_codes([0, 4], categories)
        expected = [LEVELS.index(categories[0]), LEVELS.index(categories[4])]
        frames.append((pd.DataFrame({"c": c, "x": [1.0, 2.0]}), expected))

    def read(i):
        frame, expected = frames[i % 5]
        return read_columns(frame, schema).given[0][1].tolist() == expected

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(read, range(2_000)))


def test_levels_by_value_are_looked_up_in_one_table_that_is_not_pickled():
    feature = Feature("c", NOMINAL, LEVELS)
    before = pickle.dumps(feature)
    assert read_columns({"c": ["Wien", "Oslo"]}, Schema((feature,), named=True)).values[0].tolist() == [1, -2]
    assert "code_of" in vars(feature)
    assert pickle.dumps(feature) == before
    assert pickle.loads(before) == feature


@pytest.mark.parametrize("dtype", [
    "str", "string", "string[python]", pd.ArrowDtype(pa.string()), pd.ArrowDtype(pa.large_string()),
])  # fmt: skip
def test_text_that_arrow_holds_has_the_levels_of_objects(dtype):
    rng = np.random.default_rng(3)
    values = [*rng.choice(["Ulm", "東京", "", "ulm", "\U0001f600", "\uffff"], 40), None]
    series = pd.Series(values, dtype=dtype)
    expected = learn_columns({"c": values})
    for table in (pd.DataFrame({"c": series}), pd.DataFrame({"c": series[::-1]})[::-1]):
        assert_same(learn_columns(table), expected)
    assert expected.schema[0].levels == ("", "Ulm", "ulm", "東京", "\uffff", "\U0001f600")
    assert_same(learn_columns(pa.table({"c": pa.chunked_array([values[:7], [], values[7:]])})), expected)
    assert learn_columns(pd.DataFrame({"c": series[-1:]})).schema[0].kind == NUMERIC


def test_missing_values_of_every_kind_among_text():
    values = ["b", None, float("nan"), "a", np.float64("nan"), pd.NA, pd.NaT, np.nan, "b"]
    columns = learn_columns(pd.DataFrame({"c": pd.Series(values, dtype=object)}))
    assert columns.values[0].tolist() == [1, -1, -1, 0, -1, -1, -1, -1, 1]
    assert learn_columns({"c": values}).values[0].tolist() == [1, -1, -1, 0, -1, -1, -1, -1, 1]


@pytest.mark.parametrize("odd", [2, 127, -2, -128])
def test_codes_outside_of_the_categories_are_refused(odd):
    """The kernel would look them up: what another thread writes into the codes ended the process."""
    codes = np.array([0, 1, odd, 1], dtype=np.int8)
    unsafe = pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(["a", "b"]), safe=False)
    table = pd.DataFrame({"city": pd.Categorical.from_codes([0, 1, 0, 1], ["a", "b"])})
    table["city"].array._ndarray[2] = odd
    X = pd.DataFrame({"city": pd.Categorical.from_codes([0, 1, 0, 1], ["a", "b"])})
    for given in (table, pa.table({"city": unsafe})):
        for model in (C45Classifier(), CARTClassifier(), CHAIDClassifier()):
            with pytest.raises(DataError, match="'city' contains codes outside the range of its 2 categories"):
                model.fit(given, [0, 1, 1, 0])
    predicted = CARTClassifier(pruning=None).fit(X, [0, 1, 0, 1]).predict(table)
    assert predicted[[0, 1, 3]].tolist() == [0, 1, 1]


def test_the_kernel_refuses_levels_that_there_are_not():
    for kind in (NOMINAL, "ordinal"):
        with pytest.raises(ValueError, match="a level number is out of range"):
            _kernel.Table(2).encode([(kind, np.array([0, 2], dtype=np.int32), 2)], 1)
