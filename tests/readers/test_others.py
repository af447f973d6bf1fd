"""Trees of LightGBM and XGBoost predict what these programs predicted (packed: tools/golden/write_others.py)."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

import boxwood
from boxwood.errors import DataTypeError, FileError, ModelFileError, ParameterError
from tools.golden.write_others import FOLDER, LEVELS


def packed(name: str) -> dict:
    return json.loads(gzip.decompress((FOLDER / f"{name}.json.gz").read_bytes()))


LIGHTGBM, XGBOOST = packed("lightgbm"), packed("xgboost")
#: This version of XGBoost cuts the bytes of names that are not ASCII, so they are given.
SEASONS = {"season": LEVELS}


@pytest.mark.parametrize("source", ["text", "dump", "json", "file"])
@pytest.mark.parametrize("name", LIGHTGBM)
def test_lightgbm_predicts_the_same(name, source, tmp_path):
    case = LIGHTGBM[name]
    model = {"text": case["text"], "dump": case["dump"], "json": json.dumps(case["dump"])}.get(source)
    if source == "file":
        model = tmp_path / "model.txt"
        model.write_text(case["text"], encoding="utf-8")
    for t, predicted in enumerate(case["predicted"]):
        tree = boxwood.from_lightgbm(model, t)
        np.testing.assert_array_equal(tree.predict(case["rows"]), predicted)
        assert tree.schema.names == ("a", "season", "count", "b")
        assert tree.weight[0] == 900


@pytest.mark.parametrize("name", XGBOOST)
def test_xgboost_predicts_the_same(name):
    case = XGBOOST[name]
    for t, predicted in enumerate(case["predicted"]):
        for model in (case["saved"], json.dumps(case["saved"]).encode()):
            tree = boxwood.from_xgboost(model, t, categories=SEASONS)
            np.testing.assert_allclose(tree.predict(case["rows"]), predicted, rtol=2e-7, atol=1e-7)


def test_trees_of_others_can_be_printed():
    tree = boxwood.from_xgboost(XGBOOST["plain"]["saved"], categories=SEASONS, target_name="gain")
    assert "春" in str(tree) + tree.rules().to_text(None, None)
    rows = {name: column[:5] for name, column in XGBOOST["plain"]["rows"].items()}
    found = tree.shap_values(rows)
    np.testing.assert_allclose(found.values.sum(axis=1) + found.base_values, tree.predict(rows), atol=1e-12)
    assert all(np.isnan(rule.interval[0]) for rule in tree.rules())
    assert [row.prediction for row in tree.explain(rows)] == tree.predict(rows).tolist()
    low = int(np.argmin(tree.predict(XGBOOST["plain"]["rows"])))
    x = {name: column[low] for name, column in XGBOOST["plain"]["rows"].items()}
    answers = tree.counterfactual(x, target_range=(float(tree.value.max()), None), n=2, scale=rows)
    assert answers[0].prediction == tree.value.max()
    assert len(tree.reason_codes(rows, n=2, direction="up", by="shap")) == 5
    assert tree.rules().gains().to_records()["cumulative_mean"][-1] == pytest.approx(tree.value[0])
    named = boxwood.from_lightgbm(
        LIGHTGBM["plain"]["dump"], 0, ["甲", "乙", "丙", "丁"], {"乙": ["q", "r", "s", "t", "u"]}
    )
    assert named.schema.names == ("甲", "乙", "丙", "丁")
    assert named.schema[1].levels == ("q", "r", "s", "t", "u")


def test_unknown_categories_go_where_lightgbm_sends_them():
    tree = boxwood.from_lightgbm(LIGHTGBM["plain"]["dump"])
    t = int(np.flatnonzero(tree.splits.feature == 1)[0])
    assert tree.missing[t] == 1
    rows = {"a": [0.5, 0.5], "season": ["monsoon", None], "count": [1.0, 1.0], "b": [0.1, 0.1]}
    predicted = tree.predict(rows)
    assert predicted[0] == predicted[1]


@pytest.mark.parametrize(("change", "words"), [
    (lambda s: s["learner"]["gradient_booster"].update(name="dart"), "booster 'dart'"),
    (lambda s: s["learner"]["gradient_booster"].update(name="gblinear"), "booster 'gblinear'"),
    (lambda s: _tree(s)["tree_param"].update(size_leaf_vector="3"), "vector in each leaf"),
    (lambda s: _tree(s).pop("left_children"), "not an XGBoost model: KeyError"),
    (lambda s: _tree(s)["left_children"].__setitem__(0, 0), "has two parents"),
    (lambda s: s.pop("learner"), "not an XGBoost model"),
])  # fmt: skip
def test_xgboost_models_that_cannot_be_carried_are_refused(change, words):
    saved = json.loads(json.dumps(XGBOOST["plain"]["saved"]))
    change(saved)
    with pytest.raises(ModelFileError, match=words):
        boxwood.from_xgboost(saved, categories=SEASONS)


def _tree(saved: dict) -> dict:
    return saved["learner"]["gradient_booster"]["model"]["trees"][0]


def test_lightgbm_models_that_cannot_be_carried_are_refused():
    case = LIGHTGBM["plain"]
    with pytest.raises(ModelFileError, match="this model has linear trees"):
        boxwood.from_lightgbm(case["text"].replace("is_linear=0", "is_linear=1"))
    dump = json.loads(json.dumps(case["dump"]))
    leaf = dump["tree_info"][0]["tree_structure"]
    while "leaf_value" not in leaf:
        leaf = leaf["left_child"]
    leaf["leaf_const"] = 1.0
    with pytest.raises(ModelFileError, match="linear trees"):
        boxwood.from_lightgbm(dump)
    with pytest.raises(ModelFileError, match="tree_index must be from 0 to 1 in this model; got 2"):
        boxwood.from_lightgbm(case["text"], 2)
    with pytest.raises(ModelFileError, match="not a LightGBM model"):
        boxwood.from_lightgbm("tree\nversion=v4\n")
    with pytest.raises(ModelFileError, match="not a LightGBM model"):
        boxwood.from_lightgbm("{}")


def test_levels_of_xgboost_are_read_or_requested():
    saved = json.loads(json.dumps(XGBOOST["plain"]["saved"]))
    with pytest.raises(ModelFileError, match="names of the levels of feature 'season' may be damaged"):
        boxwood.from_xgboost(saved)
    kept = saved["learner"]["gradient_booster"]["model"]["cats"]["enc"]
    kept[1] = {"offsets": [0, 1, 3, 4, 5, 6], "values": list(b"abbcde")}
    assert boxwood.from_xgboost(saved).schema[1].levels == ("a", "bb", "c", "d", "e")
    kept[1] = {"offsets": [], "values": [7, 8, 9, 10, 11]}
    assert boxwood.from_xgboost(saved).schema[1].levels == (7, 8, 9, 10, 11)
    kept.clear()
    assert boxwood.from_xgboost(saved).schema[1].kind == "numeric"


def test_sources_that_are_no_models_are_refused(tmp_path):
    with pytest.raises(DataTypeError, match="got int"):
        boxwood.from_xgboost(3)
    with pytest.raises(FileError, match="cannot be read"):
        boxwood.from_lightgbm(tmp_path / "nothing.txt")
    with pytest.raises(ModelFileError, match="binary; save the model as JSON"):
        boxwood.from_xgboost(b"\xff\xfe{L")
    with pytest.raises(ModelFileError, match="not an XGBoost model"):
        boxwood.from_xgboost("{not json")
    with pytest.raises(ParameterError, match="feature_names must be 4 different names"):
        boxwood.from_xgboost(XGBOOST["plain"]["saved"], feature_names=["a"])
    with pytest.raises(ParameterError, match="categories names 'x'"):
        boxwood.from_xgboost(XGBOOST["plain"]["saved"], categories={"x": ["1"]})
    with pytest.raises(ParameterError, match="tests for code"):
        boxwood.from_xgboost(XGBOOST["plain"]["saved"], categories={"season": ["one"]})
