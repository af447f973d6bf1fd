"""Codes for missing values and rows without a response: the same tree in memory, in parts and from a model file."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import boxwood
from boxwood import CARTClassifier, CARTRegressor
from boxwood.errors import BoxwoodError, ParameterError, ResponseError

CODES = ["?", "-", -999]
SETTINGS = {"missing_values": CODES, "missing_target": "drop", "min_samples_leaf": 10}


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    n = 400
    age, income = rng.integers(18, 80, n), rng.normal(100, 20, n).round(1)
    y = np.where(age + rng.normal(0, 8, n) > 50, "yes", "no").astype(object)
    texts = age.astype(str).astype(object)
    texts[::9], income[::7], y[5::50], y[6::50] = "?", -999, None, "-"
    city = np.array(["Ulm", "京都", "-"])[rng.integers(0, 3, n)].astype(object)
    city[5] = "only here"
    return pd.DataFrame({"age": texts, "income": income, "city": city, "y": y})


@pytest.fixture(scope="module")
def clean(table):
    """The same rows prepared by hand."""
    rows = table[~table.y.isin(["-"]) & table.y.notna()].reset_index(drop=True)
    return rows.assign(
        age=pd.to_numeric(rows.age, errors="coerce"),
        income=rows.income.where(rows.income != -999),
        city=rows.city.where(rows.city != "-", None),
    )


def features(table):
    return table[["age", "income", "city"]]


def text_of(model) -> str:
    return model.tree_.to_text()


def test_codes_and_rows_without_response_are_as_if_they_had_not_been_given(table, clean):
    model = CARTClassifier(**SETTINGS).fit(features(table), table.y)
    by_hand = CARTClassifier(min_samples_leaf=10).fit(features(clean), clean.y)
    assert text_of(model) == text_of(by_hand)
    assert [f.levels for f in model.model_.schema] == [f.levels for f in by_hand.model_.schema]


@pytest.mark.parametrize("kind", ["csv", "parquet", "frames", "callable"])
def test_parts_give_the_same_tree(table, tmp_path, kind):
    in_memory = CARTClassifier(**SETTINGS).fit(features(table), table.y)
    if kind == "csv":
        source = tmp_path / "a.csv"
        table.to_csv(source, index=False)
    elif kind == "parquet":
        source = tmp_path / "a.parquet"
        table.to_parquet(source, row_group_size=37)
    else:
        frames = [table[i : i + 60] for i in range(0, len(table), 60)]
        source = frames if kind == "frames" else lambda: iter(frames)
    model = CARTClassifier(**SETTINGS).fit_stream(source, "y", memory="64MB")
    assert text_of(model) == text_of(in_memory)
    assert [(f.kind, f.levels) for f in model.model_.schema] == [(f.kind, f.levels) for f in in_memory.model_.schema]


def test_the_model_file_remembers_codes(table, tmp_path):
    model = CARTClassifier(**SETTINGS).fit(features(table), table.y)
    model.save(tmp_path / "m.box")
    loaded = boxwood.load(tmp_path / "m.box")
    assert [f.missing_values for f in loaded.model_.schema] == [("?", "-", -999)] * 3
    rows = features(table)[7:]
    assert loaded.predict(rows).tolist() == model.predict(rows).tolist()
    loaded.save(tmp_path / "again.box")
    assert (tmp_path / "m.box").read_bytes() == (tmp_path / "again.box").read_bytes()


def test_codes_count_as_missing_in_prediction(table):
    model = CARTClassifier(**SETTINGS).fit(features(table), table.y)
    rows = pd.DataFrame({"age": ["?", None, "-999"], "income": [-999.0, np.nan, -999.0], "city": ["-", None, "?"]})
    assert len(set(model.apply(rows).tolist())) == 1


@pytest.mark.parametrize("missing", ["error", "drop"])
def test_a_response_is_refused_or_dropped(table, missing):
    model = CARTClassifier(missing_target=missing)
    y = table.y.where(table.y != "-", None)
    if missing == "drop":
        assert model.fit(table[["income"]], y).model_.tree.rows[0] == y.notna().sum()
        return
    with pytest.raises(ResponseError, match=r"Row 5 .* the first of 16 without .*missing_target='drop'"):
        model.fit(table[["income"]], y)


@pytest.mark.parametrize(
    "y",
    [
        np.array([1.0, np.nan, 3.0, 4.0]), [1.0, None, 3.0, 4.0], pd.Series([1, None, 3, 4], dtype="Int64"),
        pl.Series([1.0, None, 3.0, 4.0]), pa.array([1.0, None, 3.0, 4.0]), pa.chunked_array([[1, None], [3, 4]]),
    ],
)  # fmt: skip
def test_rows_are_dropped_in_every_container_with_their_weights(y):
    X = np.array([[1.0], [2.0], [3.0], [4.0]])
    model = CARTRegressor(missing_target="drop", pruning=None).fit(X, y, sample_weight=[1.0, 9.0, 2.0, 1.0])
    expected = CARTRegressor(pruning=None).fit(X[[0, 2, 3]], [1, 3, 4], sample_weight=[1.0, 2.0, 1.0])
    assert text_of(model) == text_of(expected)


def test_no_response_at_all_is_refused():
    with pytest.raises(ResponseError, match="no value in any row"):
        CARTRegressor(missing_target="drop").fit([[1], [2]], [None, None])


def test_a_dict_may_name_the_response():
    y = pd.Series([0, 1, -9, 1], name="ill")
    model = CARTClassifier(missing_values={"ill": -9}, missing_target="drop", pruning=None)
    assert model.fit([[1], [2], [3], [4]], y).classes_.tolist() == [0, 1]


def test_other_lengths_are_refused_as_ever():
    with pytest.raises(BoxwoodError, match="inconsistent numbers of samples"):
        CARTRegressor(missing_target="drop").fit([[1], [2], [3]], [1.0, None])


def test_workers_refuse_what_they_do_not_do(table):
    with pytest.raises(ParameterError, match="missing_values is not available on a cluster"):
        CARTClassifier(missing_values="?").fit_stream(table, "y", client=object())
