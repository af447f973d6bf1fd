"""Tables of other libraries, columns in another order, single rows: what fit, fit_stream and prediction take."""

from __future__ import annotations

import io
import threading

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import boxwood
from boxwood import CARTClassifier, MARSRegressor, datasets
from boxwood.errors import ColumnError, DataTypeError, ParameterError

FRAME = pd.DataFrame(datasets.load("titanic"))
X, Y = FRAME.drop(columns="survived"), FRAME["survived"]
CONNECTION = duckdb.connect()  # before DuckDB 1.5, a relation does not keep its connection open


class Stream:
    """Anything with the Arrow C stream interface and nothing else."""

    def __init__(self, table: pa.Table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


def relation(frame: pd.DataFrame):
    """A relation of DuckDB with the rows of a frame in their order."""
    return CONNECTION.from_arrow(pa.Table.from_pandas(frame))


#: Made anew for each use, since some can be read only once.
MAKERS = {
    "a relation of DuckDB": relation,
    "a lazy frame of polars": lambda frame: pl.from_pandas(frame).lazy(),
    "a reader of record batches": lambda frame: pa.Table.from_pandas(frame).to_reader(100),
    "any Arrow stream": lambda frame: Stream(pa.Table.from_pandas(frame)),
}
STREAMS = MAKERS | {
    "a generator of frames": lambda frame: (frame.iloc[i : i + 300] for i in range(0, len(frame), 300)),
    "chunks of read_csv": lambda frame: pd.read_csv(io.StringIO(frame.to_csv(index=False)), chunksize=200),
    "a list of lazy frames": lambda frame: [pl.from_pandas(frame[:500]).lazy(), pl.from_pandas(frame[500:]).lazy()],
    "a function that returns a relation": lambda frame: lambda: relation(frame),
    "a function that returns a reader": lambda frame: lambda: pa.Table.from_pandas(frame).to_reader(64),
}


@pytest.fixture(scope="module")
def model():
    return CARTClassifier(pruning=None, max_depth=4).fit(X, Y)


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_fit_and_predict(make, model):
    found = CARTClassifier(pruning=None, max_depth=4).fit(make(X), Y)
    assert found.tree_.to_text() == model.tree_.to_text()
    assert np.array_equal(model.predict_proba(make(X)), model.predict_proba(X))


@pytest.mark.parametrize("make", STREAMS.values(), ids=STREAMS)
def test_fit_stream(make):
    expected = CARTClassifier(pruning=None, max_depth=4).fit_stream(FRAME, "survived")
    found = CARTClassifier(pruning=None, max_depth=4).fit_stream(make(FRAME), "survived")
    assert found.tree_.to_text() == expected.tree_.to_text()
    assert found.tree_.rows[0] == len(FRAME)


def test_an_iterator_cannot_be_read_twice_and_a_relation_can():
    coded = FRAME.assign(age=[v if v == v else "?" for v in FRAME["age"].astype(object)]).astype({"age": str})
    with pytest.raises(DataTypeError, match=r"only once.*missing_values.*lambda"):
        CARTClassifier(missing_values="?").fit_stream(iter([coded]), "survived")
    expected = CARTClassifier(missing_values="?").fit_stream(coded, "survived")
    found = CARTClassifier(missing_values="?").fit_stream(relation(coded), "survived")
    assert found.tree_.to_text() == expected.tree_.to_text()


MIXED = FRAME[list(FRAME.columns[::-1])].assign(more=1)


def test_columns_are_found_by_name_where_the_setting_requires_it(model):
    with pytest.raises(ColumnError, match=r"(?s)unseen at fit time.*- more.*set_config\(columns='by_name'\)"):
        model.predict(MIXED)
    with pytest.raises(ColumnError, match=r"(?s)same order.*set_config"):
        model.predict(X[list(X.columns[::-1])])
    expected = model.predict_proba(X)
    with boxwood.config_context(columns="by_name"):
        for table in (MIXED, pl.from_pandas(MIXED), pa.Table.from_pandas(MIXED), MIXED.to_dict("list"), X):
            assert np.array_equal(model.predict_proba(table), expected)
        assert model.score(MIXED, Y) == model.score(X, Y)
        with pytest.raises(ColumnError, match="1 of the 7 columns of the model are missing from the data: 'sex'"):
            model.predict(MIXED.drop(columns="sex"))
    with pytest.raises(ColumnError):
        model.predict(MIXED)


def test_the_setting_holds_everywhere_and_a_context_in_its_thread(model):
    found = []
    boxwood.set_config(columns="by_name")
    try:
        thread = threading.Thread(target=lambda: found.append(model.predict(MIXED)))
        thread.start()
        thread.join()
        with boxwood.config_context(columns="same"), pytest.raises(ColumnError):
            model.predict(MIXED)
    finally:
        boxwood.set_config(columns="same")
    assert np.array_equal(found[0], model.predict(X))
    for wrong in ("name", 1):
        with pytest.raises(ParameterError, match="columns must be one of 'same', 'by_name'"):
            boxwood.set_config(columns=wrong)
        with pytest.raises(ParameterError, match="columns must be one of"), boxwood.config_context(columns=wrong):
            pass


def test_trees_find_columns_by_name(model):
    assert np.array_equal(model.tree_.predict(MIXED), model.predict(X))
    assert np.array_equal(model.tree_.apply(MIXED), model.apply(X))


@pytest.mark.parametrize("make", [lambda row: row, lambda row: row.to_dict(), lambda row: {**row.to_dict(), "more": 1}])
def test_one_row(make, model):
    for i in (0, 3, 700):
        row = make(X.iloc[i])
        for method in ("predict", "predict_proba", "apply", "decision_path"):
            found, expected = getattr(model, method)(row), getattr(model, method)(X[i : i + 1])
            assert found.shape == expected.shape
            assert (found != expected).sum() == 0
        assert str(model.explain(row)) == str(model.explain(X[i : i + 1]))
        assert model.tree_.predict(row).tolist() == model.predict(X[i : i + 1]).tolist()


def test_one_row_of_numbers():
    numbers = datasets.load("iris")
    numbers.pop("species")
    frame = pd.DataFrame(numbers)
    y = frame.pop("petal_width")
    mars = MARSRegressor().fit(frame, y)
    assert mars.predict(frame.iloc[5]).tolist() == mars.predict(frame[5:6]).tolist()
    with pytest.raises(ValueError, match="Expected 2D array, got 1D array"):
        mars.predict(frame.iloc[5].to_numpy())
    with pytest.raises(ValueError, match="Expected 2D array"):
        mars.predict(frame["petal_length"])
