"""Items of 0 and 1 read "= 0" and "= 1" in text, rules, pictures and the explorer; their cuts stay as they are."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import boxwood
from boxwood import CARTClassifier
from boxwood.cli import main
from boxwood.data.columns.schema import Feature, Schema
from boxwood.data.frames.frame import learn_columns
from boxwood.views.condition import condition
from boxwood.views.given_condition import nodes_within
from boxwood.views.read_condition import read_condition


@pytest.fixture(scope="module")
def table() -> tuple[pd.DataFrame, np.ndarray]:
    """Two items, one of them with a gap and a name in Chinese, and ages."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"Q5_brand_2": rng.integers(0, 2, 400), "问题3": rng.integers(0, 2, 400).astype(float)})
    X["age"] = rng.integers(18, 80, 400)
    X.loc[3, "问题3"] = np.nan
    return X, np.where((X["Q5_brand_2"] == 1) & (X["问题3"] == 1), "a", "b")


@pytest.fixture(scope="module")
def model(table) -> CARTClassifier:
    return CARTClassifier(pruning=None, max_surrogates=0).fit(*table)


@pytest.mark.parametrize(
    ("values", "expected"),
    [([0, 1, 0], True), ([1.0, None, 0.0], True), ([0, 1, 2], False), ([0.0, 0.5, 1.0], False), ([0, 0, 0], False),
     ([0] * 100 + [1], True), ([0, 1] * 50 + [7], False)],
)  # fmt: skip
def test_which_columns_are_marked(values, expected):
    assert learn_columns({"item": values}).schema[0].zero_one is expected
    assert learn_columns(pd.DataFrame({"item": values})).schema[0].zero_one is expected


def test_conditions_in_text_rules_and_pictures(table, model):
    text = model.tree_.to_text()
    assert "├─ 问题3 = 0 →" in text
    assert "Q5_brand_2 = 1" in text
    assert "<= 0.5" not in text
    assert model.rules()[0].to_text().startswith("If 问题3 is 0, then")
    svg = model.tree_.to_svg()
    assert ">= 0<" in svg
    assert "≤" not in svg
    assert "0.5" in model.export("sql")  # a new value of 0.7 goes where the cut sends it


def test_the_explorer_knows(table, model):
    page = model.explore(*table).html
    features = json.loads(page.partition('id="document">')[2].partition("</script>")[0])["features"]
    assert [about.get("zero_one", False) for about in features] == [True, True, False]


def test_conditions_are_read_as_they_are_shown(model):
    tree, schema = model.tree_, model.tree_.schema
    for node in range(1, tree.n_nodes):
        parent = int(tree.parent[node])
        words = condition(tree, parent, node - int(tree.first_child[parent]))
        assert node in nodes_within(read_condition(words, schema), tree)
    item = Schema((Feature("item", "numeric", zero_one=True),))
    (part,) = read_condition("item != 0", item)
    assert part.words(item) == "item = 1"


def test_files_keep_it_and_streams_find_it(table, model, tmp_path):
    model.save(tmp_path / "m.box")
    assert boxwood.load(tmp_path / "m.box").tree_.schema == model.tree_.schema
    X, y = table
    X.assign(y=y).to_csv(tmp_path / "t.csv", index=False)
    made = []
    for name, more in (("memory.box", []), ("stream.box", ["--memory", "64MB"])):
        words = ["fit", str(tmp_path / "t.csv"), "--target", "y", "-o", str(tmp_path / name), "--quiet", *more]
        assert main(words) == 0
        made.append((tmp_path / name).read_bytes())
    assert made[0] == made[1]
