"""Logs of edits: replay on other data, what no longer fits, undo in a later session, and logs that were forged."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import boxwood
from boxwood import CARTClassifier, CARTRegressor, datasets
from boxwood.edits import GrowBelow, MergeNodes, OverruleLeaf, PruneNode, RenameNode, SendMissing, SignNode, SplitNode
from boxwood.errors import DataTypeError, ModelFileError, ParameterError
from boxwood.model.tree_model import TreeModel
from boxwood.tree import store

DOCS = Path(__file__).parents[2] / "docs"


def titanic(rows=slice(None)) -> tuple[dict, list]:
    X = {name: column[rows] for name, column in datasets.load("titanic").items()}
    return X, X.pop("survived")


def towns(rates: dict[str, float], n: int = 400, seed: int = 0) -> tuple[dict, list]:
    rng = np.random.default_rng(seed)
    X = {"town": rng.choice(list(rates), n), "age": rng.integers(18, 80, n)}
    return X, ["yes" if rng.random() < rates[t] else "no" for t in X["town"]]


@pytest.fixture
def edited():
    model = CARTClassifier(max_depth=2).fit(*titanic())
    editor = model.edit(*titanic())
    editor.take(SplitNode(2, "age <= 14"), who="A. Berg", when="2026-11-29", why="children first")
    editor.take(SendMissing(2, "own"))
    editor.take(MergeNodes(5, [7]))
    editor.take(GrowBelow(1, {"algorithm": "cart", "max_depth": 3}))
    editor.take(PruneNode(1))
    editor.take(OverruleLeaf(1, "yes"), why="the law")
    editor.take(RenameNode(1, "Männer 男"))
    editor.take(SignNode(1), who="A. Berg")
    return model, editor


def test_the_log_keeps_to_its_schema(edited):
    schema = json.loads((DOCS / "edits.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    log = json.loads(json.dumps(edited[1].log))
    jsonschema.validate(log, schema)
    assert {entry["verb"] for entry in log["edits"]} == set(schema["$defs"]["edit"]["properties"]["verb"]["enum"])


def test_a_log_replays_to_the_same_bytes_and_a_later_session_undoes_it(edited, tmp_path):
    model, editor = edited
    model.save(tmp_path / "edited.box")
    other = CARTClassifier(max_depth=2).fit(*titanic())
    fitted = other.model_.to_bytes()
    replay = other.edit(*titanic()).replay(json.dumps(editor.log))
    assert str(replay) == "8 edits taken; all fit."
    assert other.model_.to_bytes() == (tmp_path / "edited.box").read_bytes()
    later = boxwood.load(tmp_path / "edited.box")
    session = later.edit(*titanic())
    for _ in range(8):
        session.undo()
    assert later.model_.to_bytes() == fitted
    assert later.edits_ == []
    with pytest.raises(ParameterError, match="there is no edit to undo"):
        session.undo()
    session.redo()
    assert len(later.edits_) == 1


def test_an_edited_model_is_pickled_and_loaded(edited, tmp_path):
    import pickle

    model, _ = edited
    again = pickle.loads(pickle.dumps(model))
    assert again.edits_ == model.edits_
    assert str(again) == str(model)


def test_a_competing_split_of_known_and_missing_values_is_saved(tmp_path):
    rng = np.random.default_rng(0)
    town, x = rng.choice(["京都", "Ulm", None], 200), rng.normal(size=200)
    X, y = {"town": town.tolist(), "x": x}, np.where(town == None, 3.0, 0.0) + 3 * (x > 0)  # noqa: E711
    model = CARTRegressor(missing="learned", max_depth=1, pruning=None).fit(X, y)
    editor = model.edit(X, y)
    editor.take(SplitNode(0, competitor=1))
    assert model.edits_[0]["condition"] == "town in {Ulm, 京都}"
    model.save(tmp_path / "edited.box")
    assert (boxwood.load(tmp_path / "edited.box").predict(X) == model.predict(X)).all()
    other = CARTRegressor(missing="learned", max_depth=1, pruning=None).fit(X, y)
    assert str(other.edit(X, y).replay(editor.log)) == "1 edit taken; all fit."
    assert other.model_.to_bytes() == model.model_.to_bytes()


def test_a_cut_that_moved_is_followed():
    model = CARTClassifier(max_depth=2).fit(*titanic())
    editor = model.edit(*titanic())
    editor.take(RenameNode(3, "boys"))
    rows = titanic(slice(600))
    other = CARTClassifier(max_depth=2).fit(*rows)
    replay = other.edit(*rows).replay(editor.log)
    assert [finding.what for finding in replay.findings] == ["node moved"]
    assert "age <= 9.5' is now 'sex = male and age <= " in str(replay)
    assert "boys" in str(other)


def test_a_level_that_is_lost_is_named():
    model = CARTClassifier(max_depth=1).fit(*towns({"Bonn": 0.1, "Ulm": 0.5, "京都": 0.9}))
    editor = model.edit(*towns({"Bonn": 0.1, "Ulm": 0.5, "京都": 0.9}))
    editor.take(SplitNode(0, "town in {Ulm, 京都}"))
    fewer = towns({"Bonn": 0.1, "Ulm": 0.5}, seed=1)
    other = CARTClassifier(max_depth=1).fit(*fewer)
    replay = other.edit(*fewer).replay(editor.log)
    assert (replay.taken, [finding.what for finding in replay.findings]) == (1, ["level lost"])
    assert "'京都' did not occur in training" in str(replay)
    assert other.tree_.rows[1] == (fewer[0]["town"] == "Ulm").sum()


def test_an_effect_that_is_reversed_is_named():
    rates = {"Bonn": 0.2, "Ulm": 0.8}
    model = CARTClassifier(max_depth=1).fit(*towns(rates))
    editor = model.edit(*towns(rates))
    editor.take(SplitNode(0, ["town = Bonn", "town = Ulm"]))
    turned = towns({"Bonn": 0.8, "Ulm": 0.2}, seed=1)
    other = CARTClassifier(max_depth=1).fit(*turned)
    assert str(other.edit(*turned).replay(editor.log)).endswith(
        "effect reversed: the first branch now predicts more than the second."
    )


def test_a_branch_without_rows_and_a_node_that_is_lost_are_named():
    rates = {"Bonn": 0.2, "Ulm": 0.8, "京都": 0.5}
    model = CARTClassifier(max_depth=1).fit(*towns(rates))
    editor = model.edit(*towns(rates))
    editor.take(SplitNode(0, ["age <= 30", "30 < age <= 60", "age > 60"]))
    editor.take(RenameNode(3, "old"))
    young = towns(rates, seed=1)
    young[0]["age"] = np.minimum(young[0]["age"], 59)
    other = CARTClassifier(max_depth=1).fit(*young)
    assert [finding.what for finding in other.edit(*young).replay(editor.log).findings] == ["empty branch"]
    none = CARTClassifier(max_depth=1).fit(*young)
    replay = none.edit(*young).replay([editor.log["edits"][1]])
    assert (replay.taken, replay.findings[0].what) == (0, "node lost")
    young[0]["age"][:] = 20
    same = CARTClassifier(max_depth=1).fit(*young)
    assert same.edit(*young).replay([editor.log["edits"][0]]).findings[-1].what == "left out"


FORGED = [
    ("{", "log is not JSON"),
    (
        '{"format": "boxwood edits", "version": 2, "edits": []}',
        "must have the format 'boxwood edits' and the version 1",
    ),
    ("[" * 100_000, "log is not JSON"),
    ("5", "log must be a log of edits"),
    ('["split"]', "edit 1 of the log is not an object with a verb"),
    ('[{"verb": "splitt", "node": 1}]', "edit 1 of the log: 'splitt' is no verb; did you mean 'split'"),
    ('[{"verb": "prune"}]', "edit 1 of the log: the field 'node' is missing"),
    ('[{"verb": "prune", "node": -1}]', "node must be a whole number of at least 0; got -1"),
    ('[{"verb": "prune", "node": true}]', "node must be a whole number of at least 0; got True"),
    ('[{"verb": "prune", "node": 1e400}]', "node must be a whole number of at least 0; got inf"),
    ('[{"verb": "prune", "node": 1, "evil": 2}]', "edit 1 of the log: prune has no field 'evil'"),
    ('[{"verb": "split", "node": 1}]', "a split needs a condition or a competitor"),
    ('[{"verb": "split", "node": 1, "condition": 5}]', "condition must be a condition as text"),
    ('[{"verb": "split", "node": 1, "condition": ["a"]}]', "condition must be a condition as text"),
    ('[{"verb": "grow", "node": 1, "recipe": []}]', "recipe must be an object"),
    ('[{"verb": "grow", "node": 1, "recipe": {"algorithm": {}}}]', "recipe must be an object"),
    ('[{"verb": "missing", "node": 1, "to": "x"}]', "to must be the number of a child, or 'own'"),
    ('[{"verb": "merge", "node": 1, "siblings": []}]', "siblings must be the numbers"),
    ('[{"verb": "rename", "node": 1, "name": 5}]', "name must be a text of at most 200"),
    (r'[{"verb": "rename", "node": 1, "name": "\ud800"}]', "name must be a text of at most 200"),
    (r'[{"verb": "sign", "node": 1, "who": "\udfff"}]', "who must be a text of 1 to 200 characters"),
    (r'[{"verb": "prune", "node": 1, "path": ["\ud800"]}]', "path is not a list of texts"),
    (f'[{{"verb": "overrule", "node": 1, "prediction": {10**400}}}]', "prediction must be a label, or a finite"),
    ('[{"verb": "overrule", "node": 1, "prediction": null}]', "prediction must be a label, or a finite number"),
    ('[{"verb": "overrule", "node": 1, "prediction": "yes"}]', "the verb overrule needs why"),
    ('[{"verb": "sign", "node": 1, "who": ""}]', "who must be a text of 1 to 200 characters"),
    ('[{"verb": "sign", "node": 1, "who": "x", "force": 1}]', "force must be True or False"),
    ('[{"verb": "prune", "node": 1, "path": "x"}]', "path is not a list of texts"),
    ('[{"verb": "prune", "node": 1, "levels": {"a": [[]]}}]', "a level must be a text"),
    ('[{"verb": "prune", "node": 1, "effect": ["x"]}]', "effect must be a list of numbers"),
    (f'[{{"verb": "prune", "node": 1, "effect": [{10**400}]}}]', "effect must be a list of numbers"),
    ('[{"verb": "prune", "node": 1, "price": []}]', "the price must be an object"),
]


@pytest.mark.parametrize(("text", "words"), FORGED, ids=[words[:40] for _, words in FORGED])
def test_a_forged_log_is_refused_in_a_sentence(text, words):
    model = CARTClassifier(max_depth=2).fit(*titanic())
    before = model.model_.to_bytes()
    with pytest.raises((ParameterError, DataTypeError)) as error:
        model.edit(*titanic()).replay(text)
    assert words in str(error.value)
    assert "\n" not in str(error.value)
    assert model.model_.to_bytes() == before


@pytest.mark.parametrize(
    "entry",
    [
        {"verb": "split", "node": 2**30, "condition": "age <= 3"},
        {"verb": "split", "node": 1, "condition": "evil <= 3"},
        {"verb": "split", "node": 1, "condition": "age <= 3", "path": ["sex = none"] * 500},
        {"verb": "merge", "node": 3, "siblings": [2**30]},
        {"verb": "missing", "node": 1, "to": 2**30},
        {"verb": "grow", "node": 1, "recipe": {"algorithm": "cart", "max_depth": "x"}},
        {"verb": "grow", "node": 1, "recipe": {"algorithm": "cart", "evil": 1}},
        {"verb": "grow", "node": 1, "recipe": {"algorithm": "evil"}},
        {"verb": "overrule", "node": 3, "prediction": 5, "why": "x"},
        {"verb": "rename", "node": 3, "name": "x", "levels": {"sex": ["x"], "evil": [1]}, "others": ["?"]},
    ],
    ids=lambda entry: json.dumps(entry)[:50],
)
def test_an_edit_that_does_not_fit_is_left_out_with_a_reason(entry):
    model = CARTClassifier(max_depth=2).fit(*titanic())
    replay = model.edit(*titanic()).replay([entry])
    assert replay.taken == (entry["verb"] == "rename")
    assert len(replay.findings) == 1 - replay.taken
    assert all("\n" not in str(finding) for finding in replay.findings)


def forged(model, **changes) -> bytes:
    """The file of a model whose part ``extra``, or whose marks, were changed."""
    tree, extra, arrays = store.from_bytes(model.model_.to_bytes())
    return store.to_bytes(tree, extra | changes, arrays)


def test_a_model_file_with_a_forged_log_is_refused(edited):
    model, _ = edited
    with pytest.raises(ModelFileError, match="edit 1 of the log in the model file: 'evil' is no verb"):
        TreeModel.from_bytes(forged(model, edits=[{"verb": "evil"}]))
    with pytest.raises(ModelFileError, match="is not a list of at most"):
        TreeModel.from_bytes(forged(model, edits={}))
    tree, extra, arrays = store.from_bytes(model.model_.to_bytes())
    with pytest.raises(ModelFileError, match="the model before its edits is not there"):
        TreeModel.from_bytes(store.to_bytes(tree, extra, {n: a for n, a in arrays.items() if n != "unedited"}))
    arrays["unedited"] = np.zeros(10, dtype=np.uint8)
    broken = TreeModel.from_bytes(store.to_bytes(tree, extra, arrays))
    model.model_ = broken
    with pytest.raises(ModelFileError, match="not a boxwood model file"):
        model.edit(*titanic())
