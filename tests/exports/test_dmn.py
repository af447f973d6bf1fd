"""Decision tables in DMN: complete and disjoint by their boxes, and the outputs of their rules for rows."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from itertools import combinations, islice, pairwise

import numpy as np
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor
from boxwood.data.frames.frame import read_columns
from boxwood.errors import ParameterError
from boxwood.exports import dmn
from boxwood.exports.boxes import regions, taken_values
from boxwood.exports.dmn_engine import run_table
from boxwood.exports.export import verify
from boxwood.exports.feel import literal
from boxwood.exports.plan import ExportPlan
from boxwood.exports.raw_rows import raw_rows
from exports.hard_rows import hard_columns
from exports.hard_trees import hard_plan, plan_of
from exports.problems import NAMES, case
from tree.random_trees import chain

SPACE = "{https://www.omg.org/spec/DMN/20191111/MODEL/}"


def rules(content: bytes) -> list[tuple[list[str], list[str]]]:
    """The cells of each rule: tests and outputs."""

    def cells(rule, kind: str) -> list[str]:
        return [cell.find(f"{SPACE}text").text for cell in rule.findall(SPACE + kind)]

    found = ET.fromstring(content).iter(f"{SPACE}rule")
    return [(cells(rule, "inputEntry"), cells(rule, "outputEntry")) for rule in found]


def pieces(values, cuts: list[float]) -> int:
    """How many of the pieces into which all cuts divide the values of a feature are among some values."""
    found = len(values.levels) + values.missing
    ends = [-math.inf, *cuts, math.inf]
    for above, upto in values.parts:
        found += sum(above <= a and b <= upto for a, b in pairwise(ends))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_boxes_are_complete_and_disjoint(seed):
    """No value is drawn: boxes that share nothing, and hold as many pieces as there are, hold everything once."""
    plan = hard_plan(seed, ("classes", "mean", "rate")[seed % 3], 13)
    found = list(islice(regions(plan), 3000))
    assert len(found) < 3000
    for a, b in combinations(found, 2):
        assert any(not a.box[j].within(b.box[j]) for j in plan.features)
    ends = {
        j: {end for r in found for part in r.box[j].parts for end in part if math.isfinite(end)} for j in plan.features
    }
    cuts = {j: sorted(found) for j, found in ends.items()}
    every = math.prod(pieces(taken_values(plan, j), cuts[j]) for j in plan.features)
    assert sum(math.prod(pieces(r.box[j], cuts[j]) for j in plan.features) for r in found) == every
    assert all(math.isclose(sum(share for _, share in r.ends), 1.0) for r in found)


@pytest.mark.parametrize("name", NAMES)
def test_every_algorithm(name):
    problem = case(name)
    plan = plan_of(problem.model)
    columns = problem.columns.take(np.arange(0, problem.columns.n, 7))
    verdict = verify(plan, columns, "dmn")
    assert verdict, str(verdict)
    assert verdict.rows > 80


@pytest.mark.parametrize("seed", range(30))
def test_hard_trees(seed):
    plan = hard_plan(seed, ("classes", "mean", "rate")[seed % 3])
    verdict = verify(plan, hard_columns(plan.tree, seed), "dmn")
    assert verdict, str(verdict)


def test_what_a_small_table_looks_like():
    rows = {"身高": [1, 2.5, 3, 4, 1, 2, 3, 4], "if": ["p", "q", "r", 'p"x', "q", "p", "p", "q"]}
    model = CARTClassifier(pruning=None, missing="majority").fit(rows, list("nnyyznyz"))
    content = model.export("dmn")
    root = ET.fromstring(content)
    assert root.tag == f"{SPACE}definitions"
    assert [d.get("name") for d in root.iter(f"{SPACE}inputData")] == ["身高", "if_"]
    assert [d.get("label") for d in root.iter(f"{SPACE}inputData")] == ["身高", "if"]
    table = next(root.iter(f"{SPACE}decisionTable"))
    assert table.get("hitPolicy") == "UNIQUE"
    names = [o.get("name") for o in table.findall(f"{SPACE}output")]
    assert names == ["predicted", "node", "probability_n", "probability_y", "probability_z"]
    found = rules(content)
    assert len(found) == model.tree_.n_leaves
    assert {outputs[0] for _, outputs in found} == {'"n"', '"y"', '"z"'}
    assert {tests[0] for tests, _ in found} == {"<= 1.5, null", "(1.5..2.75]", "> 2.75"}
    assert {tests[1] for tests, _ in found} == {"-", '"q"', 'not("q")'}


def test_codes_and_missing_values():
    codes = {"income": [-999, "-1.5"], "town": ["?", "NA", 9]}
    income = [10.0, 12.0, 14.0, 40.0, 42.0, 44.0, 46.0, 48.0, -999.0, -1.5]
    town = ["a", "b", "NA", "a", "c", "c", "?", "c", "9", "a"]
    for policy in ({"missing": "own_branch"}, {"missing": "majority", "unseen": "stay"}, {}):
        for y in (list("nnnyyyyyyy"), list("uvwuvvwwwv")):
            model = CARTClassifier(missing_values=codes, pruning=None, **policy)
            model.fit({"income": income * 10, "town": town * 10}, y * 10)
            new = {
                "income": [12.0, -999, np.nan, None, -1.5, 41],
                "town": ["a", "?", "NA", "9", None, "new"],
            }
            verdict = model.verify_export("dmn", new)
            assert verdict, str(verdict)
            assert verdict.rows == 6
    text = model.export("dmn").decode()
    assert "if income = -999 or income = -1.5 then null else income" in text


def test_rows_that_the_policies_refuse_fit_no_rule():
    rows = {"x": [1.0, 2.0, 3.0], "town": ["a", "b", "b"]}
    model = CARTClassifier(pruning=None, missing="error", unseen="error").fit(rows, ["n", "y", "z"])
    columns = read_columns({"x": [1.0, None, 3.0, 3.0], "town": ["a", "b", None, "new"]}, model.tree_.schema)
    plan = plan_of(model.model_)
    verdict = verify(plan, columns, "dmn")
    assert verdict, str(verdict)
    assert verdict.rows == 4
    for tests, _ in rules(dmn.write(plan, {})):
        assert all(test != "-" for test in tests)


def test_rows_that_are_shared_out_have_rows_of_their_own():
    model = C45Classifier(pruning=None).fit({"x": ["p", "q"] * 4}, ["b", "a"] * 4)
    assert rules(model.export("dmn")) == [
        (['"p"'], ['"b"', "1", "0", "1"]),
        (['"q"'], ['"a"', "2", "1", "0"]),
        (['not("p", "q")'], ['"a"', "1", "0.5", "0.5"]),
    ]


def test_numbers_have_no_exponent():
    assert [literal(v) for v in (1e300, 5e-324, -0.1, 3.0, 2**53, True)][2:] == ["-0.1", "3", str(2**53), "true"]
    assert float(literal(5e-324)) == 5e-324
    assert "e" not in literal(1e300)


def test_a_table_that_is_too_long_is_refused(monkeypatch):
    assert len(rules(dmn.write(ExportPlan(chain(200)), {}))) == 201
    monkeypatch.setattr(dmn, "_MOST_RULES", 200)
    with pytest.raises(ParameterError, match=r"more than 200 rules.*missing='majority'"):
        dmn.write(ExportPlan(chain(200)), {})


def test_two_rules_for_a_row_are_an_error():
    model = CARTRegressor(pruning=None).fit({"x": [1.0, 2.0]}, [1.0, 2.0])
    plan = plan_of(model.model_)
    content = model.export("dmn").replace(b"&gt; 1.5", b"&gt; 1")
    table = dmn.DecisionTable(plan)
    with pytest.raises(ParameterError, match="2 rules of the decision table fit one row"):
        run_table(
            content, plan, raw_rows({"x": [1.25]}, plan.tree.schema, plan.features), (table.inputs, table.outputs)
        )


def test_characters_that_xml_cannot_hold_are_refused():
    model = CARTClassifier(pruning=None).fit({"x": ["p", "a\x00b"] * 4}, ["n", "y"] * 4)
    with pytest.raises(ParameterError, match="no XML document can hold"):
        model.export("dmn")


def test_the_suffix_names_the_format(tmp_path):
    model = CARTRegressor(pruning=None).fit({"x": [1.0, 2.0]}, [1.0, 2.0])
    assert model.export(path=tmp_path / "tree.dmn").startswith(b"<?xml")
    assert (tmp_path / "tree.dmn").read_bytes() == model.export("dmn")


def test_a_single_leaf():
    model = CARTClassifier(pruning=None).fit({"x": [1.0, 2.0]}, ["梨", "梨"])
    assert rules(model.export("dmn")) == [([], ['"梨"', "0", "1"])]
    assert model.verify_export("dmn", {"x": [5.0, None]})


def test_cuts_of_hundreds_of_digits():
    """A cut of 1.2e300 is written without an exponent, and is the double 1.2e300 when it is read."""
    model = CARTClassifier(pruning=None).fit({"x": [1.1e300, 1.3e300, -1.7e22] * 5}, ["a", "b", "c"] * 5)
    verdict = model.verify_export("dmn", {"x": [1.1e300, 1.2e300, 1.3e300, -1.7e22]})
    assert (verdict.rows, verdict.mismatches) == (4, 0), str(verdict)
