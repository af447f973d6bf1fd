"""Dictionary-encoded text is text: how and in which order a dictionary lists its levels changes no byte of a model."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import boxwood
from boxwood.data.frames.frame import learn_columns

GROWN = {"min_samples_leaf": 5, "min_samples_split": 10}
CLASSIFIERS = {
    "CART": lambda: boxwood.CARTClassifier(),
    "unpruned": lambda: boxwood.CARTClassifier(pruning=None),
    "one_leaf": lambda: boxwood.CARTClassifier(pruning="one_leaf"),
    "C45": lambda: boxwood.C45Classifier(group_levels=True),
    "J48": lambda: boxwood.C45Classifier(compat="j48"),
    "rules": lambda: boxwood.C45Rules(),
    "CHAID": lambda: boxwood.CHAIDClassifier(missing="floating", **GROWN),
    "ID3": lambda: boxwood.ID3Classifier(missing="own_branch", categorical_features="all"),
    "CLS": lambda: boxwood.CLSClassifier(missing="own_branch", categorical_features="all"),
    "MARS": lambda: boxwood.MARSClassifier(missing="indicator"),
    "composed": lambda: boxwood.TreeClassifier(pruning="reduced_error"),
}
REGRESSORS = {
    "CART": lambda: boxwood.CARTRegressor(),
    "CHAID": lambda: boxwood.CHAIDRegressor(**GROWN),
    "MARS": lambda: boxwood.MARSRegressor(missing="indicator"),
    "grouped": lambda: boxwood.MARSRegressor(missing="indicator", nominal="grouped"),
}


def seen(values: list) -> list:
    """Values in the order in which they occur."""
    return list(dict.fromkeys(v for v in values if v is not None))


def dictionary(values: list, levels: list, ordered: bool = False) -> pa.DictionaryArray:
    codes = pa.array([None if v is None else levels.index(v) for v in values], pa.int16())
    return pa.DictionaryArray.from_arrays(codes, pa.array(levels), ordered=ordered)


def chunked(values: list) -> pa.ChunkedArray:
    """Two chunks with dictionaries of their own."""
    half = len(values) // 2
    return pa.chunked_array([pa.array(part).dictionary_encode() for part in (values[:half], values[half:])])


COLUMNS = {
    "text": lambda v: v,
    "pandas": lambda v: pd.Categorical(v, seen(v)),
    "pandas, turned": lambda v: pd.Categorical(v, seen(v)[::-1]),
    "Categories": lambda v: boxwood.datasets.Categories(v, seen(v), False),
    "Arrow": lambda v: dictionary(v, seen(v)),
    "Arrow, chunks": chunked,
    "polars Categorical": lambda v: pl.Series(v, dtype=pl.Categorical),
}


def tables(kind: str, X: dict) -> object:
    """A table whose columns of text are of a kind."""
    made = {name: COLUMNS[kind](v.tolist()) if v.dtype == object else v for name, v in X.items()}
    return pl.DataFrame(made) if "polars" in kind else pa.table(made) if "Arrow" in kind else made


def problem(seed: int) -> tuple[dict, np.ndarray]:
    rng = np.random.default_rng(seed)
    n = 120
    town = rng.choice(np.array(list("ebadc"), object), n)
    size = rng.choice(np.array(["É", "a", "10", "9", None], object), n)
    z = np.round(rng.normal(size=n), 1)
    return {"town": town, "z": z, "size": size}, (town > "b") + z + rng.normal(size=n)


def saved(model, tmp_path) -> bytes:
    model.save(tmp_path / "model.box")
    return (tmp_path / "model.box").read_bytes()


def files(make, X: dict, y: np.ndarray, tmp_path) -> set[bytes]:
    """The files of models of the same rows in two orders and all kinds of columns."""
    found = set()
    for rows in (np.arange(len(y)), np.random.default_rng(1).permutation(len(y))):
        part = {name: v[rows] for name, v in X.items()}
        for kind in COLUMNS:
            found.add(saved(make().fit(tables(kind, part), y[rows]), tmp_path))
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", REGRESSORS)
def test_regressors_are_the_same_bytes(name, tmp_path):
    X, y = problem(0)
    assert len(files(REGRESSORS[name], X, y, tmp_path)) == 1


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers_are_the_same_bytes(name, tmp_path):
    X, y = problem(1)
    X["z"] = np.round(X["z"])
    assert len(files(CLASSIFIERS[name], X, np.where(y > y.mean(), "hi", "lo"), tmp_path)) == 1


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["CART", "C45", "CHAID", "MARS"])
def test_streams_are_the_same_bytes_whatever_the_dictionaries_of_their_parts(name, tmp_path):
    X, y = problem(2)
    labels = np.where(y > y.mean(), "hi", "lo").tolist()
    found = {saved(CLASSIFIERS[name]().fit(tables("text", X), labels), tmp_path)}
    for rows in (np.arange(120), np.random.default_rng(2).permutation(120)):
        whole = tables("Arrow", {name: v[rows] for name, v in X.items()})
        y_of = [labels[row] for row in rows]
        whole = whole.append_column("y", dictionary(y_of, seen(y_of)))
        pq.write_table(whole, tmp_path / "whole.parquet")
        parts = [whole.slice(i, 40) for i in (80, 0, 40)]
        for source in (whole, tmp_path / "whole.parquet", parts, [part.to_pandas() for part in parts]):
            found.add(saved(CLASSIFIERS[name]().fit_stream(source, "y"), tmp_path))
    assert len(found) == 1


def test_levels_of_every_type_have_one_order_and_ordered_ones_their_own():
    def levels(categories, ordered=False):
        values = pd.Categorical.from_codes(range(len(categories)), categories, ordered=ordered)
        return learn_columns({"c": values}).schema[0].levels

    assert levels([10, 9, -1]) == (-1, 9, 10)
    assert levels(["b", "É", "B", "10", "9"]) == ("10", "9", "B", "b", "É")
    assert levels([True, False]) == (False, True)
    assert levels(pd.to_datetime(["2021-05-01", "2020-01-01"])) == ("2020-01-01 00:00:00", "2021-05-01 00:00:00")
    assert levels(np.array(["b", 2, "a", 1.5], dtype=object)) == (1.5, 2, "a", "b")
    assert levels(["c", "a", "b"], ordered=True) == ("c", "a", "b")
    zeros = [learn_columns(pa.table({"c": dictionary([v], [v])})).schema[0].levels for v in (0.0, -0.0)]
    assert str(zeros[0]) == str(zeros[1])


@pytest.mark.parametrize("name", ["unpruned", "ID3", "CHAID"])
def test_the_order_of_declared_levels_without_rows_changes_nothing(name, tmp_path):
    rng = np.random.default_rng(3)
    town = rng.choice(list("ca"), 60)
    y = np.where(rng.random(60) < 0.2 + 0.6 * (town == "a"), "+", "-")
    orders = (list("abcd"), list("dcba"), list("bdca"))
    found = {saved(CLASSIFIERS[name]().fit({"town": pd.Categorical(town, order)}, y), tmp_path) for order in orders}
    assert len(found) == 1


@pytest.mark.parametrize("ordered", [False, True])
def test_classes_are_sorted_unless_they_are_ordered_and_keep_their_rows(ordered):
    labels = ["lo"] * 20 + ["hi"] * 10
    X = {"x": np.repeat([1.0, 2.0], [20, 10])}
    classes = ["lo", "hi"] if ordered else ["hi", "lo"]
    costs = [[0, 9], [1, 0]] if ordered else [[0, 1], [9, 0]]  # a "lo" that is called "hi" costs 9
    model = boxwood.CARTClassifier(pruning=None, costs=costs)
    arrow = dictionary(labels, ["lo", "hi"], ordered)
    pandas = pd.Categorical(labels, ["lo", "hi"], ordered=ordered)
    models = [model.fit(X, y).model_ for y in (arrow, pa.chunked_array([arrow]), pandas, pd.Series(pandas))]
    models += [model.fit_stream(table, "y").model_ for table in (
        pa.table({**X, "y": arrow}), pd.DataFrame({**X, "y": pandas}),
        [pa.table({**X, "y": arrow}).slice(0, 25), pa.table({**X, "y": arrow}).slice(25)],
    )]  # fmt: skip
    for found in models:
        assert list(found.labels) == classes
        assert [found.labels[int(v)] for v in found.tree.value[1:]] == ["lo", "hi"]
        assert found.tree.response.cost_matrix().tolist() == costs


def test_a_split_of_ordered_classes_is_explained_on_given_rows_as_they_are():
    y = pd.Categorical(["lo", "lo", "hi"] * 10, ["lo", "hi"], ordered=True)
    X = {"x": np.tile([1.0, 1.5, 2.0], 10), "v": np.tile([3.0, 1.0, 2.0, 5.0, 4.0], 6)}
    text = str(boxwood.CARTClassifier(pruning=None, max_competitors=0).fit(X, y).explain_split(X, y))
    assert "30 rows, lo 20, hi 10" in text
    assert "  2  v: " in text
