"""Tables that prediction reads in place: rows end where they end when all values are made first."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from boxwood import CARTClassifier
from boxwood.data.columns.schema import NOMINAL, NUMERIC, Feature, Schema
from boxwood.data.frames.containers import as_table
from boxwood.data.frames.frame import learn_columns, read_columns
from boxwood.data.frames.zero_copy import ZeroCopyColumns
from boxwood.errors import BoxwoodWarning, ColumnError, UnseenLevelError
from boxwood.statistics.responses.registry import CLASSES
from boxwood.tree.descend import answer, route
from boxwood.tree.plan import plan_of
from boxwood.tree.tree import SHARED
from data.same_columns import assert_same
from tree.random_trees import random_tree

CITIES = ("Ulm", "Wien", "京都", "서울", "東京")
NAMED = Schema(
    (
        Feature("x", NUMERIC),
        Feature("city", NOMINAL, CITIES),
        Feature("z", NUMERIC),
        Feature("标记", NOMINAL, ("a", "b")),
    ),
    named=True,
)
CODED = Schema(
    (
        Feature("x0", NUMERIC),
        Feature("x1", NOMINAL, (7, -2, 3, 40)),
        Feature("x2", NUMERIC),
        Feature("x3", NOMINAL, (0.5, -1e300, 2.25)),
    )
)


def made(X, schema):
    """The columns with all values made."""
    return read_columns(X, schema).take(np.arange(len(X)))


def frame_of(rng, n, strange):
    """A pandas frame for NAMED: categories in another order, some missing, with ``strange`` some not in the schema."""
    cities = [*rng.permutation(CITIES), *(["Oslo", "Рим"] if strange else [])]
    x, z = rng.normal(size=(2, n))
    x[rng.random(n) < 0.1] = np.nan
    return pd.DataFrame(
        {
            "x": x,
            "city": pd.Categorical.from_codes(rng.integers(-1, len(cities), n), cities),
            "z": z.astype(np.float32),
            "标记": pd.Categorical.from_codes(rng.integers(-1, 2, n), ["b", "a"], ordered=True),
        }
    )


def assert_predicted_alike(tree, X):
    """Node by node, for every policy, by one thread and by three; and what was not seen in training is noticed."""
    plain = made(X, tree.schema)
    for unseen in ("missing", "majority", "stay"):
        found = read_columns(X, tree.schema)
        assert type(found) is ZeroCopyColumns
        expected = route(tree, plain, unseen).node
        assert np.array_equal(answer(tree, "node", found, unseen), expected)
        if plan_of(tree, unseen).is_possible:
            assert "values" not in vars(found) or (tree.missing == SHARED).any()
            assert found.has_unseen == bool(found.unseen)
        assert np.array_equal(answer(tree, "node", found, unseen, threads=3), expected)
        assert_same(found, read_columns(X, tree.schema))


@pytest.mark.parametrize("strange", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_frames_in_every_library(seed, strange):
    rng = np.random.default_rng(seed)
    tree = random_tree(seed, CLASSES, 61, NAMED)
    X = frame_of(rng, 500, strange)
    assert_predicted_alike(tree, X)
    assert_predicted_alike(tree, X.iloc[::-3])
    arrow = pa.table(
        {name: pa.array(column.array if name in ("city", "标记") else column.to_numpy()) for name, column in X.items()}
    )
    assert_predicted_alike(tree, arrow)
    enums = {name: pl.Enum(list(X[name].cat.categories)) for name in ("city", "标记")}
    frame = pl.DataFrame(
        {
            name: pl.Series(name, list(X[name].astype(object).where(X[name].notna(), None)), enums.get(name))
            for name in X
        }
    )
    assert_predicted_alike(tree, frame.with_columns(pl.col("x").cast(pl.Float64), pl.col("z").cast(pl.Float32)))
    assert_predicted_alike(tree, X.drop(columns="x").assign(x=1)[["x", "city", "z", "标记"]])


@pytest.mark.parametrize("strange", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_arrays_of_which_some_columns_are_levels(seed, strange):
    rng = np.random.default_rng(seed)
    tree = random_tree(seed, CLASSES, 61, CODED)
    X = np.column_stack(
        [
            rng.normal(size=400),
            rng.choice([7, -2, 3, 40], 400),
            rng.normal(size=400),
            rng.choice([0.5, -1e300, 2.25], 400),
        ]
    )
    X[rng.random(X.shape) < 0.1] = np.nan
    if strange:
        X[rng.random(400) < 0.1, 1] = 3.5
        X[rng.random(400) < 0.1, 3] = np.inf
        X[5, 1], X[6, 1], X[7, 3] = 1e18, -np.inf, 5e-324
    wide = np.full((400, 150), 3.0)
    wide[:, :8:2] = X
    for table in (X, np.asfortranarray(X), X[::-1], np.repeat(X, 2, axis=0)[::2], wide[:, :8:2]):
        assert_predicted_alike(tree, table)
    whole = np.nan_to_num(X, nan=7.0, posinf=3.0, neginf=3.0).clip(-100, 100).astype(np.int32)
    assert_predicted_alike(tree, whole)
    assert_predicted_alike(tree, whole.astype(np.int64))
    assert_predicted_alike(tree, whole.astype(np.int8))


def test_what_cannot_be_read_in_place_is_read_as_ever():
    rng = np.random.default_rng(1)
    X = frame_of(rng, 1001, False)  # fewer rows of text are looked up (test_few_rows.py)
    for other in (
        X.astype({"city": object}),
        X.assign(z=[None, *range(1000)]).astype({"z": "Int64"}),
        X.astype({"x": np.float16}),
        X.to_dict("list"),
        pl.DataFrame({"x": ["a"] * 1001}),
    ):
        assert as_table(other).in_place() is None
    empty = X.assign(city=pd.Categorical([None] * 1001))
    assert (made(empty, NAMED).values[1] == -1).all()
    chunks = pa.concat_tables([pa.table({"c": pa.array(["a"]).dictionary_encode()})] * 2)
    assert as_table(chunks).in_place() is None


def test_names_and_policies_are_looked_at_as_ever():
    X = frame_of(np.random.default_rng(2), 60, True)
    with pytest.raises(ColumnError, match="city"):
        read_columns(X.rename(columns={"city": "town"}), NAMED)
    shuffled = X[["z", "标记", "city", "x"]].assign(more=1.0)
    assert_same(read_columns(shuffled, NAMED, match="name"), read_columns(X, NAMED))
    with pytest.warns(BoxwoodWarning, match="feature names"):
        read_columns(X, Schema(NAMED.features))
    with pytest.raises(UnseenLevelError, match="which did not occur in training"):
        answer(random_tree(0, CLASSES, 31, NAMED), "node", read_columns(X, NAMED), "error")


def test_an_estimator_tells_of_levels_it_did_not_know():
    rng = np.random.default_rng(3)
    X = frame_of(rng, 300, False)
    model = CARTClassifier(pruning=None).fit(X, (X["city"] == "Ulm") | (X["z"] > 1))
    known = model.predict(X)
    strange = X.assign(city=X["city"].cat.rename_categories({"Ulm": "Oslo"}))
    with pytest.warns(BoxwoodWarning, match="Oslo"):
        found = model.predict(strange)
    elsewhere = (X["city"] != "Ulm").to_numpy()
    assert np.array_equal(found[elsewhere], known[elsewhere])
    assert np.array_equal(model.predict(X.astype({"city": object})), known)


def test_the_kernel_refuses_columns_that_do_not_fit():
    tree = random_tree(4, CLASSES, 31, NAMED)
    plan, values = plan_of(tree, "missing").kernel, plan_of(tree, "missing").leaf_values(tree, "node")
    out, numbers, none = np.empty(5, np.int64), ("numeric", np.zeros(5)), np.array([-1], np.int32)
    codes = ("codes", np.zeros(5, np.int8), np.array([0, 1, -1], np.int32))
    good = [numbers, codes, numbers, codes]
    plan.predict(good, values, out, 1)
    for at, bad, message in (
        (0, ("numeric", np.zeros(4)), "one value per row"),
        (0, codes, "mixed up"),
        (1, numbers, "mixed up"),
        (0, ("numeric", np.zeros((5, 2))), "one dimension"),
        (1, ("codes", np.zeros(5), none), "whole numbers"),
        (1, ("codes", np.zeros(5, np.int8), none[:0]), "meanings"),
        (1, ("codes", np.zeros(5, np.int8), np.array([9], np.int32)), "no such level"),
        (1, ("values", np.zeros(5), np.zeros(2), none), "a code"),
    ):
        with pytest.raises(ValueError, match=message):
            plan.predict([*good[:at], bad, *good[at + 1 :]], values, out, 1)
    with pytest.raises(ValueError, match="every feature"):
        plan.predict(good[:3], values, out, 1)
    assert learn_columns(np.zeros((2, 1))).has_unseen is False


def test_a_pandas_that_hands_its_columns_out_one_by_one_only(monkeypatch):
    frame = pd.DataFrame({"x": [1.0, np.nan, 3.0], "c": pd.Categorical(["b", None, "a"]), "k": [1, 2, 3]})
    together = as_table(frame).in_place()
    monkeypatch.delattr(pd.DataFrame, "_iter_column_arrays")
    for one, other in zip(as_table(frame).in_place(), together, strict=True):
        if isinstance(one, np.ndarray):
            assert np.array_equal(one, other, equal_nan=True)
        else:
            assert one.codes.tolist() == other.codes.tolist()
            assert one.source is other.source
