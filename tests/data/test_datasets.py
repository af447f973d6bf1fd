"""The bundled tables: what they declare is what they hold, and learners read it so."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pytest

import boxwood
from boxwood import datasets
from boxwood.data.frames.frame import learn_columns
from boxwood.data.frames.target import read_classes
from boxwood.errors import ParameterError

ROWS = {"loan": 15, "watermelon_2": 17, "play_tennis": 14, "iris": 150, "soybean": 683, "vote": 435, "digits": 1797}


def test_every_file_is_declared_and_every_declared_one_is_there():
    folder = datasets.path("loan").parent
    assert sorted(file.stem for file in folder.glob("*.csv")) == datasets.names()


@pytest.mark.parametrize("name", datasets.names())
def test_declared_levels_are_those_of_the_file(name):
    about = datasets.describe(name)
    columns = datasets.load(name, declared_levels=True)
    assert [column.name for column in about.columns] == list(columns)
    assert {about.target, about.row_names, about.weights} - {None} <= set(columns)
    for fact in about.columns:
        values = set(columns[fact.name]) - {None}
        if fact.kind == "numeric":
            assert all(type(v) in (int, float) for v in values)
        else:
            assert values <= set(fact.levels)
            assert len(set(fact.levels)) == len(fact.levels) > 1
    assert about.source
    assert about.licence


@pytest.mark.parametrize("name", datasets.names())
def test_kinds_are_read_by_a_learner(name):
    about = datasets.describe(name)
    for declared in (False, True):
        columns = datasets.load(name, declared_levels=declared)
        schema = learn_columns(columns).schema
        assert [f.kind for f in schema] == [fact.kind for fact in about.columns]
        for feature, fact in zip(schema, about.columns, strict=True):
            if fact.kind == "ordinal":
                assert feature.levels == tuple(v for v in fact.levels if v in columns[fact.name])
            elif declared:
                assert feature.levels == tuple(sorted(set(fact.levels) & set(columns[fact.name])))


@pytest.mark.parametrize(("name", "n"), ROWS.items())
def test_rows(name, n):
    assert datasets.describe(name).n == n


def test_watermelon_2_is_watermelon_3_without_its_numbers():
    third = datasets.load("watermelon_3")
    assert datasets.load("watermelon_2") == {k: v for k, v in third.items() if k not in ("密度", "含糖率")}


def test_watermelon_2_alpha_has_lost_values_only():
    whole, holes = datasets.load("watermelon_2"), datasets.load("watermelon_2_alpha")
    for name in whole:
        assert all(b in (None, a) for a, b in zip(whole[name], holes[name], strict=True))
    assert sum(column.count(None) for column in holes.values()) == 13


def test_esoph_holds_the_published_numbers_of_persons():
    table = datasets.load("esoph")
    of = {
        s: sum(n for n, t in zip(table["persons"], table["status"], strict=True) if t == s) for s in ("case", "control")
    }
    assert of == {"case": 200, "control": 775}


def test_the_crew_of_the_titanic():
    table = datasets.load("titanic_crew")
    assert (len(table["class"]), table["class"].count("Crew"), table["survived"].count("Yes")) == (2201, 885, 711)


def test_categories_in_data_frames_are_plain_values():
    table = datasets.load("contact_lenses")
    assert pd.DataFrame(table)["age"].tolist() == list(table["age"])
    assert pl.DataFrame({"age": list(table["age"])})["age"].to_list() == list(table["age"])


def test_categories_are_a_response_too():
    labels, codes = read_classes(datasets.load("esoph")["age"])
    assert labels[0] == "25-34"
    assert codes[-1] == len(labels) - 1


def test_categories_compare_and_cut():
    one = datasets.Categories(["b", None, "a"], ["b", "a"], ordered=True)
    assert one.codes == [0, -1, 1]
    assert one[:2] == datasets.Categories(["b", None], ["b", "a"], ordered=True)
    assert one != datasets.Categories(["b", None, "a"], ["b", "a"], ordered=False)
    assert one != ["b", None, "a"]


@pytest.mark.parametrize("call", [datasets.load, datasets.describe, datasets.path])
@pytest.mark.parametrize("name", ["../loan", "Loan", "", None, 3])
def test_unknown_names_are_refused_with_the_known_ones(call, name):
    with pytest.raises(ParameterError, match="bundled tables breast_cancer, chickwts"):
        call(name)


def test_a_tree_of_ordinal_columns():
    table = datasets.load("esoph")
    y, weights = table.pop("status"), table.pop("persons")
    model = boxwood.CARTClassifier(max_depth=1, pruning=None).fit(table, y, sample_weight=weights)
    assert "alcohol" in str(model.tree_)


def test_the_licence_page_names_every_table():
    page = (datasets.path("loan").parent / "README.md").read_text(encoding="utf-8")
    assert [name for name in datasets.names() if f"`{name}.csv`" not in page] == []
