"""Levels that are declared but have no training row of positive weight: they are as new as any other."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import boxwood
from boxwood import UnseenLevelError, UnseenLevelWarning
from boxwood.data.frames.frame import learn_columns

LEVELS = ["town", "suburb", "island", "村"]
SEEN = ["town", "suburb"] * 20
Y = ["no", "yes"] * 20
#: A container of text -> a frame with one column that declares all levels.
DECLARED = {
    "pandas": lambda v: pd.DataFrame({"area": pd.Categorical(v, LEVELS)}),
    "dictionary": lambda v: {"area": pd.Categorical(v, LEVELS)},
    "Arrow": lambda v: pa.table(
        {"area": pa.DictionaryArray.from_arrays(pa.array(map(LEVELS.index, v), pa.int32()), pa.array(LEVELS))}
    ),
    "polars Categorical": lambda v: pl.DataFrame({"area": pl.Series(v, dtype=pl.Categorical)}),
    "text": lambda v: pd.DataFrame({"area": list(v)}),
}
CLASSIFIERS = {
    "CART": lambda **s: boxwood.CARTClassifier(pruning=None, **s),
    "C4.5": lambda **s: boxwood.C45Classifier(pruning=None, **s),
    "ID3": lambda **s: boxwood.ID3Classifier(pruning=None, **s),
    "CLS": lambda **s: boxwood.CLSClassifier(pruning=None, **s),
    "CHAID": lambda **s: boxwood.CHAIDClassifier(min_samples_split=4, min_samples_leaf=2, **s),
    "rules": lambda **s: boxwood.C45Rules(**s),
    "composed": lambda **s: boxwood.TreeClassifier(**s),
    "MARS": lambda **s: boxwood.MARSClassifier(logistic=False, **s),
}


@pytest.mark.parametrize("container", DECLARED)
@pytest.mark.parametrize("algorithm", CLASSIFIERS)
def test_a_declared_level_without_rows_is_unseen(algorithm, container):
    make = DECLARED[container]
    strict = CLASSIFIERS[algorithm](unseen="error").fit(make(SEEN), Y)
    model = CLASSIFIERS[algorithm]().fit(make(SEEN), Y)
    assert strict.predict(make(["town", "suburb"])).tolist() == ["no", "yes"]
    for rows in (["island"], ["town"] * 9 + ["island"]):
        with pytest.raises(UnseenLevelError, match="'island'"):
            strict.predict(make(rows))
        with pytest.warns(UnseenLevelWarning, match="1 row has levels that did not occur in training: .*'island'"):
            model.predict(make(rows))
        if hasattr(model, "routing"):
            assert model.routing(make(rows)).count()["unseen"] == 1


@pytest.mark.parametrize("algorithm", CLASSIFIERS)
def test_the_container_makes_no_difference(algorithm):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        predicted = {
            tuple(CLASSIFIERS[algorithm]().fit(make(SEEN), Y).predict(make(["island", "town", "村"])).tolist())
            for make in DECLARED.values()
        }
    assert len(predicted) == 1


@pytest.mark.parametrize("algorithm", CLASSIFIERS)
def test_rows_of_weight_0_are_as_if_not_given(algorithm, tmp_path):
    area, weight = [*SEEN, "island", "island"], [1.0] * 40 + [0.0] * 2
    given = CLASSIFIERS[algorithm]().fit({"area": area}, [*Y, "no", "no"], sample_weight=weight)
    without = CLASSIFIERS[algorithm]().fit({"area": SEEN}, Y)
    for name, model in (("given", given), ("without", without)):
        model.save(tmp_path / name)
    assert (tmp_path / "given").read_bytes() == (tmp_path / "without").read_bytes()
    with pytest.warns(UnseenLevelWarning, match="'island'"):
        given.predict({"area": ["island"]})


@pytest.mark.parametrize("algorithm", ["CART", "C4.5", "ID3", "CHAID", "rules"])
def test_parts_give_the_same_model(algorithm, tmp_path):
    weight = [1.0] * 40 + [0.0] * 2
    area = pd.Categorical([*SEEN, "island", "island"], LEVELS)
    frame = pd.DataFrame({"area": area, "y": [*Y, "no", "no"], "w": weight})
    whole = CLASSIFIERS[algorithm]().fit(frame[["area"]], frame["y"], sample_weight=weight)
    parts = CLASSIFIERS[algorithm]().fit_stream([frame[:13], frame[13:]], "y", sample_weight="w")
    for name, model in (("whole", whole), ("parts", parts)):
        model.save(tmp_path / name)
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "parts").read_bytes()


def test_a_column_without_any_value_has_no_levels():
    columns = learn_columns({"a": pd.Categorical([None, None], ["p", "q"]), "b": [1.0, 2.0]})
    assert [(f.kind, f.levels) for f in columns.schema] == [("numeric", ()), ("numeric", ())]
    model = boxwood.CARTClassifier(pruning=None).fit(
        {"a": pd.Categorical(["p", "p", None, None]), "b": [1, 1, 2, 3]}, list("uvuv"), sample_weight=[0, 0, 1, 1]
    )
    assert model.predict({"a": ["p", "x"], "b": [2, 3]}).tolist() == ["u", "v"]


def test_a_split_is_explained_on_the_rows_of_the_fit_those_of_weight_0_included():
    area, weight = [*SEEN, "island"], np.array([1.0] * 40 + [0.0])
    y = [*Y, "no"]
    model = boxwood.CARTClassifier(pruning=None).fit({"area": area}, y, sample_weight=weight)
    assert "town" in str(model.explain_split({"area": area}, y, sample_weight=weight))
    with pytest.raises(boxwood.DataError, match="levels that the fit did not have"):
        model.explain_split({"area": area}, y, sample_weight=weight + 1.0)


ENUM = pl.Enum(["low", "mid", "high", "top"])
ORDERED = {
    "polars": lambda v: pl.DataFrame({"e": pl.Series(v, dtype=ENUM)}),
    "lazy": lambda v: pl.DataFrame({"e": pl.Series(v, dtype=ENUM)}).lazy(),
    "Arrow of polars": lambda v: pl.DataFrame({"e": pl.Series(v, dtype=ENUM)}).to_arrow(),
    "pandas of polars": lambda v: pl.DataFrame({"e": pl.Series(v, dtype=ENUM)}).to_pandas(),
    "dictionary": lambda v: {"e": pl.Series(v, dtype=ENUM)},
    "pandas": lambda v: pd.DataFrame({"e": pd.Categorical(v, ENUM.categories.to_list(), ordered=True)}),
}


@pytest.mark.parametrize("container", ORDERED)
def test_an_enum_of_polars_is_ordinal(container, tmp_path):
    values, y = ["low", "mid", "high", "mid"] * 20, ["a", "b", "b", "b"] * 20
    model = boxwood.CARTClassifier(pruning=None).fit(ORDERED[container](values), y)
    assert model.tree_.schema[0].kind == "ordinal"
    assert "e <= low" in str(model)
    pandas = boxwood.CARTClassifier(pruning=None).fit(ORDERED["pandas"](values), y)
    model.save(tmp_path / "a")
    pandas.save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert model.predict(ORDERED[container](["low", "high"])).tolist() == ["a", "b"]
    with pytest.warns(boxwood.UnseenLevelWarning, match="top"):
        model.predict(ORDERED[container](["low", "top"]))
    with pytest.raises(boxwood.UnseenLevelError):
        boxwood.CARTClassifier(pruning=None, unseen="error").fit(ORDERED[container](values), y).predict(
            ORDERED[container](["top"])
        )


def test_an_enum_of_polars_is_ordinal_in_parts_and_as_response():
    frame = pl.DataFrame({"e": pl.Series(["low", "mid", "high", "mid"] * 20, dtype=ENUM), "x": [1, 2, 2, 2] * 20})
    streamed = boxwood.CARTRegressor(pruning=None).fit_stream([frame[:30], frame[30:]], "x")
    assert streamed.tree_.schema[0].kind == "ordinal"
    classes = boxwood.CARTClassifier(pruning=None).fit(frame[["x"]], frame["e"]).classes_
    assert classes.tolist() == ["low", "mid", "high"]
