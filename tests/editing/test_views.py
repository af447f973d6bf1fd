"""Edited trees are marked in text, tables, pictures, the explorer and JSON, and export what they predict."""

from __future__ import annotations

import json

import jsonschema
import pytest

import boxwood
from boxwood import C45Classifier, CARTClassifier, CARTRegressor, datasets
from boxwood.edits import OverruleLeaf, RenameNode, SendMissing, SignNode, SplitNode
from boxwood.errors import ModelFileError
from boxwood.exports.json_tree import SCHEMA
from boxwood.model.explorer.document import to_document
from boxwood.model.explorer_page import contents_of
from boxwood.pictures.branch_words import note
from boxwood.tree import store
from boxwood.tree.lazy_arrays import changed
from boxwood.tree.marks import Mark

WORDS = "girls 女孩; overruled"


@pytest.fixture(scope="module")
def edited():
    X = datasets.load("titanic")
    y = X.pop("survived")
    model = CARTClassifier(max_depth=2).fit(X, y)
    editor = model.edit(X, y)
    editor.take(SplitNode(2, "age <= 14"))
    editor.take(OverruleLeaf(5, "no"), why="the law")
    editor.take(RenameNode(5, "girls 女孩"))
    editor.take(SignNode(1), who="A. Berg")
    return model, X


def test_text_tables_pictures_and_the_explorer_mark_what_was_edited(edited):
    model, _ = edited
    text = str(model.tree_).splitlines()
    assert text[-1] == "† decided by a person"
    assert any(line.endswith(f"→ no 1.000 (18 of 47 rows) † {WORDS}") for line in text)
    assert any(line.endswith("† signed by A. Berg") for line in text)
    assert model.tree_.to_frame("dict")["edited"][5] == WORDS
    assert note(model.tree_, 5).splitlines()[-2:] == ["girls 女孩", "overruled"]
    assert "† girls 女孩" in model.tree_.to_svg()
    page = to_document(contents_of(model.model_))["tree"]
    assert (page["marks"][-1], page["decided"]) == ([5, f"† {WORDS}"], [5])
    plain = CARTRegressor(pruning=None).fit([[1], [2]], [0, 1])
    assert "marks" not in to_document(contents_of(plain.model_))["tree"]
    assert "edited" not in plain.tree_.to_frame("dict")


def test_the_json_of_a_tree_keeps_its_marks(edited):
    model, X = edited
    text = model.export("json")
    jsonschema.validate(json.loads(text), json.loads(SCHEMA.read_text(encoding="utf-8")))
    again = boxwood.from_json(text)
    assert again.marks == model.tree_.marks
    assert again.predict(X).tolist() == model.predict(X).tolist()


def test_what_was_overruled_has_no_interval(edited):
    model, X = edited
    rules = model.rules().to_text()
    assert "overruled" not in rules
    assert "probability 1.000, 18 of 47 rows" in rules
    girl = {name: [column[0]] for name, column in X.items()} | {"sex": ["female"], "age": [5.0]}
    assert str(model.explain(girl)).splitlines()[0] == "row 0: y = no (probability 1.000)"


@pytest.mark.parametrize("format", ["python", "json", "pmml"])
@pytest.mark.parametrize("estimator", [CARTClassifier(max_depth=3), C45Classifier(), CARTRegressor(max_depth=3)])
def test_exports_give_what_an_edited_tree_predicts(format, estimator):
    if format == "pmml":
        pytest.importorskip("pypmml", reason="pypmml is not installed")
    X = datasets.load("titanic")
    y = X.pop("survived")
    is_number = estimator._task == "regression"
    y = X.pop("parents_children") if is_number else y
    model = estimator.fit(X, y)
    editor = model.edit(X, y)
    editor.take(SplitNode(1, "class = 1st or missing"))
    editor.take(SendMissing(0, "own"))
    editor.take(OverruleLeaf(int(model.tree_.leaves[0]), 7.5 if is_number else "no"), why="the law")
    assert model.verify_export(format, X).mismatches == 0


def test_forged_marks_are_refused(edited):
    tree = edited[0].model_.full_tree
    for marks, words in (
        ({99: Mark(name="x")}, "the mark of node 99 is wrong: there is no such node"),
        ({0: Mark(value=1)}, "only a leaf predicts a value that was decided"),
        ({5: Mark(value=7)}, "it predicts neither a class nor a number"),
        ({5: Mark(value=float("nan"))}, "it predicts neither a class nor a number"),
        ({5: Mark(name="x" * 201)}, "a name must be a text of 1 to 200 characters"),
    ):
        with pytest.raises(ModelFileError, match=words):
            store.to_bytes(changed(tree, marks=marks))
