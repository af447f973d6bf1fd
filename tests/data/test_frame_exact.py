"""Numbers and strings come out of every container with the value they went in with, or are refused."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.data.frames.frame import learn_columns, read_columns
from boxwood.errors import BoxwoodError
from data.same_columns import assert_same, exact
from effort import examples


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1))
@settings(max_examples=examples(200))
def test_signed_integers_are_exact(values):
    columns = learn_columns(np.array(values, dtype=np.int64).reshape(-1, 1))
    assert exact(columns, 0) == values
    assert columns.values[0].tolist() == [float(v) for v in values]


@given(st.lists(st.one_of(st.integers(0, 2**64 - 1), st.integers(2**53 - 3, 2**53 + 3)), min_size=1))
@settings(max_examples=examples(200))
def test_unsigned_integers_are_exact_as_array_and_as_objects(values):
    array = learn_columns(np.array(values, dtype=np.uint64).reshape(-1, 1))
    objects = learn_columns([[v] for v in values])
    assert exact(array, 0) == exact(objects, 0) == values
    assert_same(array, objects)


@given(st.lists(st.one_of(st.none(), st.floats(), st.integers(-(2**63), 2**64 - 1), st.booleans()), min_size=1))
@settings(max_examples=examples(200))
def test_python_numbers_are_exact(values):
    columns = learn_columns([[v] for v in values] + [[0.5]])
    for found, value in zip(exact(columns, 0), values, strict=False):
        assert found == (None if value is None or value != value else value)


@given(st.lists(st.one_of(st.none(), st.text()), min_size=1).filter(any))
def test_text_is_the_same_in_every_container(values):
    with_nan = [np.nan if v is None else v for v in values]
    tables = [
        [[v] for v in values],
        np.array([[v] for v in with_nan], dtype=object),
        pd.DataFrame({"x0": pd.Series(values, dtype="str")}),
        pl.DataFrame({"x0": pl.Series(values, dtype=pl.String)}),
        pa.table({"x0": pa.array(values, pa.string())}),
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_, **__: None)
        first, *others = [learn_columns(table) for table in tables]
    for other in others:
        assert_same(first, other)
    assert first.schema[0].levels == tuple(sorted({v for v in values if v is not None}))


CELLS = st.one_of(
    st.none(),
    st.just(pd.NA),
    st.just(pd.NaT),
    st.booleans(),
    st.booleans().map(np.bool_),
    st.integers(),
    st.integers(-(2**63), 2**63 - 1).map(np.int64),
    st.floats(),
    st.floats().map(np.longdouble),
    st.floats(width=32).map(np.float32),
    st.decimals(),
    st.fractions(),
    st.text(),
    st.text().map(np.str_),
)
ODD_CELLS = st.one_of(
    st.complex_numbers(),
    st.binary(),
    st.datetimes(),
    st.dates(),
    st.times(),
    st.timedeltas(),
    st.lists(st.none()),
    st.builds(object),
    st.just({}),
)


def attempt(frame, categorical_features):
    try:
        return learn_columns(frame, categorical_features), None
    except BoxwoodError as error:
        return None, str(error)


@given(st.lists(st.one_of(CELLS, CELLS, CELLS, ODD_CELLS), min_size=1), st.booleans())
@settings(max_examples=examples(300))
def test_any_cells_are_read_or_refused_in_our_own_words(cells, declare):
    frame = pd.DataFrame({"a": pd.Series(cells, dtype=object)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_, **__: None)
        columns, message = attempt(frame, ["a"] if declare else "from_dtype")
        if columns is None:
            assert "olumn 'a'" in message
        else:
            assert_same(read_columns(frame, columns.schema), columns)
