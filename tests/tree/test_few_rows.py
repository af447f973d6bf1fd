"""A few rows of text, booleans and Python's numbers are looked up in place, or read by the general reader."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from boxwood.data.columns.columns import Columns
from boxwood.data.columns.raw import BOOLEANS
from boxwood.data.columns.schema import NOMINAL, NUMERIC, ORDINAL, Feature, Schema
from boxwood.data.frames.frame import read_columns
from boxwood.data.frames.zero_copy import ZeroCopyColumns
from boxwood.errors import DataTypeError
from boxwood.statistics.responses.registry import CLASSES
from boxwood.tree.descend import answer, route
from data.same_columns import assert_same
from tree.random_trees import random_tree

SHOP = Schema(
    (
        Feature("price", NUMERIC),
        Feature("city", NOMINAL, ("Ulm", "Wien", "京都", "서울")),
        Feature("size", ORDINAL, ("S", "M", "L")),
        Feature("member", NOMINAL, (False, True), BOOLEANS),
    ),
    named=True,
)
NUMBERS = Schema((Feature("a", NUMERIC), Feature("b", NUMERIC), Feature("c", NUMERIC)), named=True)


def values_of(rng, n):
    """Columns for SHOP as lists, some values missing."""
    some = {
        "price": rng.normal(size=n).tolist(),
        "city": rng.choice(SHOP[1].levels, n).tolist(),
        "size": rng.choice(SHOP[2].levels, n).tolist(),
        "member": (rng.random(n) < 0.5).tolist(),
    }
    is_missing = rng.random((len(some), n)) < 0.1
    return {
        name: [None if no else v for v, no in zip(some[name], nos, strict=True)]
        for name, nos in zip(some, is_missing, strict=True)
    }


TABLES = {
    "lists": lambda x: x,
    "records": lambda x: [dict(zip(x, row, strict=True)) for row in zip(*x.values(), strict=True)],
    "polars text": lambda x: pl.DataFrame(x),
    "polars categories": lambda x: pl.DataFrame(x, schema_overrides={"city": pl.Categorical}),
    "pandas text": lambda x: pd.DataFrame(x),
    "pandas objects": lambda x: pd.DataFrame({name: pd.Series(v, dtype=object) for name, v in x.items()}),
    "pyarrow": lambda x: pa.table(x),
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("n", [1, 40, 1000])
def test_rows_end_where_they_end_when_all_values_are_made(table, n):
    for seed in range(4):
        x = values_of(np.random.default_rng([seed, n]), n)
        tree, X = random_tree(seed, CLASSES, 61, SHOP), TABLES[table](x)
        made = read_columns(x, SHOP).take(np.arange(n))
        has_types = all(any(v is not None for v in column) for column in x.values())
        for unseen in ("missing", "majority", "stay"):
            found = read_columns(X, SHOP)
            assert type(found) is ZeroCopyColumns or not has_types
            assert np.array_equal(answer(tree, "node", found, unseen), route(tree, made, unseen).node)
            assert not found.has_unseen
        assert_same(found, made)


@pytest.mark.parametrize("name", ["polars", "pyarrow"])
@pytest.mark.parametrize("n", [1, 3000])
def test_frames_of_numbers(name, n):
    rng = np.random.default_rng(n)
    X = pl.DataFrame({"a": rng.normal(size=n), "b": rng.integers(0, 9, n), "c": rng.normal(size=n).astype(np.float32)})
    X = X if name == "polars" else X.to_arrow()
    tree, matrix = random_tree(n, CLASSES, 61, NUMBERS), np.column_stack([X["a"], X["b"], X["c"]])
    found = read_columns(X, NUMBERS)
    assert type(found) is ZeroCopyColumns
    expected = read_columns(pd.DataFrame(matrix, columns=list("abc")), NUMBERS)
    assert np.array_equal(answer(tree, "node", found, "missing"), answer(tree, "node", expected, "missing"))
    assert_same(found, expected)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("price", 2**53 + 1),
        ("price", True),
        ("price", np.float32(0.1)),
        ("city", "Oslo"),
        ("city", np.str_("Ulm")),
        ("city", 3.5),
        ("member", 1),
        ("member", "yes"),
    ],
)
def test_what_is_not_surely_a_level_or_a_float_takes_the_general_reader(name, value):
    x = {"price": [1.5], "city": ["Ulm"], "size": ["S"], "member": [True]} | {name: [value]}
    assert type(read_columns(x, SHOP)) is Columns


def test_nothing_but_missing_values():
    for nothing in (None, float("nan")):
        found = read_columns(dict.fromkeys(SHOP.names, nothing), SHOP)
        assert type(found) is ZeroCopyColumns
        assert_same(
            found, read_columns(pd.DataFrame(dict.fromkeys(SHOP.names, [None] * 1001)), SHOP).take(np.arange(1))
        )


def test_text_among_numbers_is_refused_as_before():
    with pytest.raises(DataTypeError, match=r"Column 'price', row 0 .* holds the string '12,5'"):
        read_columns({"price": ["12,5"], "city": ["Ulm"], "size": ["S"], "member": [True]}, SHOP)
    with pytest.raises(DataTypeError, match="Column 'city' mixes strings"):
        read_columns([{"price": 1, "city": c, "size": "S", "member": True} for c in ("Ulm", 2)], SHOP)
