"""JSON is the whole tree: it is read back bit for bit, and it keeps to the published schema."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import boxwood
from boxwood.exports.json_tree import SCHEMA, write
from boxwood.exports.plan import ExportPlan
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from boxwood.tree.split import SplitTable
from boxwood.tree.tree import Tree
from exports.problems import NAMES, case
from tree.random_trees import random_tree

DOCS = Path(__file__).parents[2] / "docs"


def assert_same(a: Tree, b: Tree) -> None:
    """Every array of two trees has the same type and the same bits."""
    for field in fields(Tree):
        one, other = getattr(a, field.name), getattr(b, field.name)
        if isinstance(one, np.ndarray):
            assert one.dtype == other.dtype, field.name
            assert one.tobytes() == other.tobytes(), field.name
        elif isinstance(one, SplitTable):
            for part in fields(SplitTable):
                left, right = getattr(one, part.name), getattr(other, part.name)
                assert left.dtype == right.dtype, f"{field.name}.{part.name}"
                assert left.tobytes() == right.tobytes(), f"{field.name}.{part.name}"
        else:
            assert one == other, field.name


@pytest.mark.parametrize("kind", NAMES)
def test_the_tree_comes_back(kind):
    problem = case(kind)
    text = problem.model.export("json")
    assert_same(problem.model.tree, boxwood.from_json(text))
    verdict = problem.model.verify_export("json", problem.columns, text)
    assert verdict, str(verdict)


@pytest.mark.parametrize("kind", [CLASSES, MEAN, RATE])
@pytest.mark.parametrize("seed", range(5))
def test_random_trees_come_back(seed, kind):
    tree = random_tree(seed, kind)
    assert_same(tree, boxwood.from_json(write(ExportPlan(tree), {}).encode()))


@pytest.mark.parametrize(
    "criterion", ["variance", "poisson", "gamma", "tweedie:1.3", "absolute_error", "quantile:0.9,0.5"]
)
def test_every_kind_of_number_keeps_to_the_schema(criterion):
    validate = pytest.importorskip("jsonschema").validate
    model = boxwood.CARTRegressor(criterion=criterion, pruning=None).fit([[1], [2], [3], [4]], [1, 2, 3, 9])
    validate(json.loads(model.export("json")), json.loads(SCHEMA.read_text(encoding="utf-8")))


def test_the_schema_in_docs_is_the_one_of_the_package():
    assert (DOCS / "tree.schema.json").read_text() == SCHEMA.read_text()


@pytest.mark.parametrize("kind", NAMES)
def test_it_keeps_to_the_schema(kind):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(case(kind).model.export("json")), schema)


def spoiled(change) -> str:
    plain = json.loads(case("means").model.export("json"))
    change(plain)
    return json.dumps(plain)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "this is not JSON"),
        ("[" * 100_000, "this is not JSON"),
        ("[]", "its format must be"),
        (spoiled(lambda p: p.update(version=2)), "has version 2"),
        (spoiled(lambda p: p.pop("nodes")), "KeyError at 'nodes'"),
        (spoiled(lambda p: p["nodes"][0]["split"].update(feature=1.5)), "a whole number is expected"),
        (spoiled(lambda p: p["nodes"][0]["split"].update(feature=99)), "there is no such feature"),
        (spoiled(lambda p: p["nodes"][0].update(children=[1, 3])), "must follow each other"),
        (spoiled(lambda p: p["nodes"][0].update(rows=2**70)), "OverflowError"),
        (spoiled(lambda p: p["nodes"][1].update(moments=[1.0])), "ValueError"),
        (spoiled(lambda p: p["nodes"][1].update(id=7)), "numbered from 0"),
        (spoiled(lambda p: p["response"].update(kind="magic")), "its kind must be one of"),
    ],
)
def test_what_is_no_sound_tree_is_refused(text, why):
    with pytest.raises(boxwood.ModelFileError, match=why):
        boxwood.from_json(text)
