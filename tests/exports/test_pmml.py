"""PMML documents predict what the tree predicts: in a reader made after the standard, pypmml and jpmml-evaluator."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor
from boxwood.data.columns.schema import NOMINAL, Feature, Schema
from boxwood.data.frames.frame import read_columns
from boxwood.errors import NotAvailableError, ParameterError
from boxwood.exports import pmml
from boxwood.exports.plan import ExportPlan
from boxwood.exports.raw_rows import raw_rows
from boxwood.exports.verify import compare
from exports.hard_rows import hard_columns
from exports.hard_trees import hard_plan, plan_of
from exports.pmml_reader import SPACE, Reader, check_order
from exports.problems import NAMES, case
from tree.random_trees import chain, random_tree

#: Readers may add up to 1 once more; the standard does not define in which order sums are taken.
ROUNDING = 1e-12


def read_by_us(plan, X, content):
    reader, rows = Reader(content), raw_rows(X, plan.tree.schema, plan.features)
    found = [reader.predict(row) for row in pmml.known_rows(plan, rows)]
    return compare(plan, rows, pmml.answers(plan, rows, found), "our reader", ROUNDING)


@pytest.mark.parametrize("name", NAMES)
def test_every_algorithm(name):
    problem = case(name)
    plan = plan_of(problem.model)
    content = problem.model.export("pmml")
    check_order(ET.fromstring(content))
    columns = problem.columns.take(np.arange(0, problem.columns.n, 5))
    verdict = read_by_us(plan, columns, content)
    assert verdict, str(verdict)
    assert verdict.rows == columns.n - verdict.left_out


@pytest.mark.sample(12)
@pytest.mark.parametrize("kind", ["classes", "mean", "rate"])
@pytest.mark.parametrize("seed", range(20))
def test_hard_trees(seed, kind):
    plan = hard_plan(seed, kind)
    columns = hard_columns(plan.tree, seed)
    content = pmml.write(plan, {})
    check_order(ET.fromstring(content))
    verdict = read_by_us(plan, columns, content)
    assert verdict, str(verdict)


@pytest.fixture(scope="module")
def pypmml():
    module = pytest.importorskip("pypmml", reason="pypmml is not installed")
    if shutil.which("java") is None:
        pytest.skip("Java is not installed")
    yield module
    module.Model.close()


@pytest.mark.parametrize("seed", range(4))
def test_pypmml_on_hard_trees(seed, pypmml):
    plan = hard_plan(seed, ("classes", "mean", "rate", "classes")[seed])
    columns = hard_columns(plan.tree, seed, 60)
    rows = raw_rows(columns, plan.tree.schema, plan.features)
    verdict = compare(plan, rows, *pmml.run(pmml.write(plan, {}), plan, rows, {}), ROUNDING)
    assert verdict, str(verdict)
    assert "pypmml" in verdict.engine


@pytest.mark.parametrize("name", ["surrogates", "refuses gaps", "c45", "chaid", "means"])
def test_pypmml_on_algorithms(name, pypmml):
    problem = case(name)
    verdict = problem.model.verify_export("pmml", problem.columns.take(np.arange(0, problem.columns.n, 10)))
    assert verdict, str(verdict)


@pytest.fixture(scope="module")
def jpmml():
    evaluator = pytest.importorskip("jpmml_evaluator", reason="jpmml-evaluator is not installed")
    pytest.importorskip("jpype", reason="jpype1 is not installed")
    if shutil.which("java") is None:
        pytest.skip("Java is not installed")
    from jpmml_evaluator.jpype import JPypeBackend

    backend = JPypeBackend()
    return lambda path: evaluator.make_evaluator(str(path), backend=backend)


def read_by_jpmml(jpmml, folder, plan, X):
    """jpmml-evaluator refuses a value only where it looks at it, so rows that are refused are not compared."""
    path = folder / "tree.pmml"
    path.write_bytes(pmml.write(plan, {}))
    evaluator, rows = jpmml(path), raw_rows(X, plan.tree.schema, plan.features)
    refused = plan.refused(rows.columns)
    skipped = refused | pmml.answers(plan, rows, [{}] * rows.n).left_out
    known = pmml.known_rows(plan, rows)
    found = [{} if skip else evaluator.evaluate(row) for row, skip in zip(known, skipped, strict=True)]
    answers = replace(pmml.answers(plan, rows, found), left_out=skipped)
    return compare(plan, rows, answers, "jpmml-evaluator", ROUNDING)


@pytest.mark.parametrize("seed", range(8))
def test_jpmml_on_hard_trees(seed, jpmml, tmp_path):
    plan = hard_plan(seed, ("classes", "mean", "rate")[seed % 3])
    verdict = read_by_jpmml(jpmml, tmp_path, plan, hard_columns(plan.tree, seed))
    assert verdict, str(verdict)


@pytest.mark.parametrize("name", NAMES)
def test_jpmml_on_algorithms(name, jpmml, tmp_path):
    problem = case(name)
    columns = problem.columns.take(np.arange(0, problem.columns.n, 4))
    verdict = read_by_jpmml(jpmml, tmp_path, plan_of(problem.model), columns)
    assert verdict, str(verdict)


@pytest.mark.parametrize("labels", [(True, False), (3, 2**40), ("", "a b"), ("1", "2")], ids=str)
@pytest.mark.parametrize("model", [CARTClassifier(pruning=None, missing="majority"), C45Classifier(pruning=None)])
def test_types_of_labels(labels, model, jpmml, tmp_path):
    rows = {"x": [1.0, 2.0, 3.0, 4.0] * 3, "town": ["p", "q"] * 6}
    model.fit(rows, [labels[i % 4 > 1] for i in range(12)])
    columns = read_columns({"x": [1.5, 3.5, None], "town": ["p", None, "new"]}, model.tree_.schema)
    plan = plan_of(model.model_)
    for verdict in (read_by_us(plan, columns, pmml.write(plan, {})), read_by_jpmml(jpmml, tmp_path, plan, columns)):
        assert verdict, str(verdict)


def test_a_single_leaf(jpmml, tmp_path):
    for model, y in ((CARTClassifier(pruning=None), ["梨", "梨"]), (CARTRegressor(pruning=None), [2.5, 2.5])):
        model.fit({"x": [1.0, 2.0]}, y)
        columns = read_columns({"x": [5.0, None]}, model.tree_.schema)
        plan = plan_of(model.model_)
        for verdict in (read_by_us(plan, columns, pmml.write(plan, {})), read_by_jpmml(jpmml, tmp_path, plan, columns)):
            assert verdict, str(verdict)


def elements(content: bytes, name: str) -> list:
    return list(ET.fromstring(content).iter(SPACE + name))


def test_what_a_small_tree_looks_like():
    model = CARTClassifier(pruning=None, missing="majority").fit(
        {"age": [20, 30, 50, 60], "town": ["Ulm", "京都", "Ulm", "a b"]}, ["no", "no", "yes", "yes"]
    )
    content = model.export("pmml")
    tree = elements(content, "TreeModel")[0]
    assert tree.get("missingValueStrategy") == "defaultChild"
    root, left, right = elements(content, "Node")
    assert (root.get("defaultChild"), left.get("score"), right.get("score")) == ("1", "no", "yes")
    assert [p.attrib for p in left.iter(SPACE + "SimplePredicate")] == [
        {"field": "age", "operator": "lessOrEqual", "value": "40.0"}
    ]
    assert [f.get("name") for f in elements(content, "DataField")] == ["age", "y"]


def test_sets_levels_and_surrogates_are_the_standards_own():
    rows = {"town": ["Ulm", "Bonn", "Linz", "Wien"] * 5, "age": [1, 2, 8, 9] * 5}
    model = CARTClassifier(pruning=None, max_depth=1, max_surrogates=5).fit(rows, ["a", "a", "b", "b"] * 5)
    content = model.export("pmml")
    arrays = [a.text for a in elements(content, "Array")]
    assert arrays == ['"Bonn" "Ulm"', '"Linz" "Wien"']
    operators = {c.get("booleanOperator") for c in elements(content, "CompoundPredicate")}
    assert operators == {"surrogate"}
    town = elements(content, "DataField")[0]
    assert [v.get("value") for v in town] == ["Bonn", "Linz", "Ulm", "Wien"]
    assert elements(content, "MiningField")[0].get("invalidValueTreatment") == "asMissing"


def test_a_response_called_like_a_column_and_a_column_called_like_an_output():
    rows = {"y": [1.0, 2.0, 3.0, 4.0], "predicted_y_": [1.0, 2.0, 3.0, 4.0], "node": [4.0, 1.0, 2.0, 9.0]}
    model = CARTRegressor(pruning=None).fit(rows, [1.0, 2.0, 2.0, 9.0])
    names = [o.get("name") for o in elements(model.export("pmml"), "OutputField")]
    assert names == ["predicted_y__", "node_"]
    assert [m.get("name") for m in elements(model.export("pmml"), "MiningField")][-1] == "y_"


def test_the_same_tree_gives_the_same_bytes():
    plan = hard_plan(3, "classes")
    assert pmml.write(plan, {}) == pmml.write(plan, {})


def test_a_chain_of_thousands_of_nodes_is_written():
    content = pmml.write(ExportPlan(chain(2000)), {})
    assert content.count(b"<Node ") == content.count(b"</Node>") == 4001


@pytest.mark.parametrize("where", ["name", "level", "label"])
def test_characters_that_xml_cannot_hold_are_refused(where):
    bad = "a\x00b"
    rows = {bad if where == "name" else "x": ["p", bad if where == "level" else "q"] * 4}
    model = CARTClassifier(pruning=None).fit(rows, [bad if where == "label" else "n", "y"] * 4)
    with pytest.raises(ParameterError, match="no XML document can hold"):
        model.export("pmml")


def test_whole_numbers_beyond_doubles_are_refused():
    model = CARTRegressor(pruning=None).fit({"id": [2**60, 2**60 + 1, 2**60 + 2]}, [0.0, 0.0, 5.0])
    with pytest.raises(ParameterError, match=r"exact up to 2\*\*53, but the tree cuts column 'id' at"):
        model.export("pmml")
    schema = Schema((Feature("code", NOMINAL, (3, 2**70)),), named=True)
    tree = replace(random_tree(1, n_nodes=3, schema=schema))
    with pytest.raises(ParameterError, match="has the level 1180591620717411303424"):
        pmml.write(ExportPlan(tree), {})


def test_levels_of_several_types_are_refused():
    tree = random_tree(1, n_nodes=3, schema=Schema((Feature("mixed", NOMINAL, ("3", 4)),), named=True))
    with pytest.raises(ParameterError, match="levels of several types"):
        pmml.write(ExportPlan(tree), {})


def test_infinite_cuts():
    model = CARTRegressor(pruning=None).fit({"x": [-np.inf, -np.inf, 0.0, 0.0]}, [1.0, 1.0, 2.0, 2.0])
    plan = plan_of(model.model_)
    rows = {"x": [-np.inf, -1.7976931348623157e308, 0.0, np.inf, None]}
    verdict = read_by_us(plan, read_columns(rows, plan.tree.schema), pmml.write(plan, {}))
    assert verdict, str(verdict)


def test_without_pypmml_the_message_names_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pypmml", None)
    problem = case("chaid")
    with pytest.raises(NotAvailableError, match="pip install pypmml"):
        problem.model.verify_export("pmml", problem.columns)


INCOME = [10.0, 12.0, 14.0, 40.0, 42.0, 44.0, 46.0, 48.0, -999.0, -999.0]
TOWN = ["a", "b", "NA", "a", "c", "c", "?", "c", "9", "a"]
GRADE = [1, 2, 9, 3, 3, 3, 2, 9, 9, 1]
ROWS = {"income": INCOME * 10, "town": TOWN * 10, "grade": GRADE * 10}
CODED = {
    "income": [12.0, -999, np.nan, None, 27.0, -999.0, 41],
    "town": ["a", "?", "NA", "9", "new", None, "c"],
    "grade": [9, 1, None, 3, 9, 2, 5],
}
POLICIES = (
    {"missing": "own_branch"},
    {"missing": "majority", "unseen": "stay"},
    {"missing": "learned", "unseen": "majority"},
    {},
)


@pytest.mark.parametrize("policy", POLICIES, ids=str)
@pytest.mark.parametrize("y", [["no"] * 3 + ["yes"] * 7, list("uvwuvvwwwv")], ids=["income", "town"])
def test_codes_for_missing_values(policy, y, pypmml, jpmml, tmp_path):
    codes = {"income": -999, "town": ["?", "NA", 9], "grade": 9}
    for names in (["income"], ["town"], ["grade"], list(ROWS)):
        of = {name: codes[name] for name in names}
        levels = [name for name in names if name == "grade"]
        model = CARTClassifier(missing_values=of, pruning=None, categorical_features=levels, **policy)
        model.fit({name: ROWS[name] for name in names}, y * 10)
        rows, plan = {name: CODED[name] for name in names}, plan_of(model.model_)
        content = pmml.write(plan, {})
        tested = {model.tree_.schema[j].name for j in plan.features}
        for field in elements(content, "DataField")[:-1]:
            codes_there = [v.get("value") for v in field if v.get("property") == "missing"]
            assert field.get("name") in tested
            assert (
                codes_there
                == {"income": ["-999.0"], "town": ["?", "NA", "9", "9.0"], "grade": ["9"]}[field.get("name")]
            )
        for verdict in (
            model.verify_export("pmml", rows),
            read_by_us(plan, rows, content),
            read_by_jpmml(jpmml, tmp_path, plan, rows),
        ):
            assert verdict, f"{names} {policy}: {verdict}"
            assert verdict.rows == 7


def test_other_spellings_of_a_code_are_not_compared(pypmml):
    model = CARTClassifier(missing_values=["?", 9], pruning=None, missing="majority", unseen="stay")
    model.fit({"town": TOWN * 10}, ["u", "u", "v", "u", "w", "w", "v", "w", "v", "u"] * 10)
    verdict = model.verify_export("pmml", {"town": ["a", " ?", "?", "9.00", "9", "new"]})
    assert verdict, str(verdict)
    assert (verdict.rows, verdict.left_out) == (4, 2)


def checks_itself(jpmml, folder, content: bytes) -> int:
    """How many rows of a document jpmml-evaluator has compared with its own predictions."""
    path = folder / "checked.pmml"
    path.write_bytes(content)
    jpmml(path).verify()
    return len(elements(content, "row"))


@pytest.mark.parametrize("name", NAMES)
def test_documents_of_algorithms_check_themselves(name, jpmml, tmp_path):
    problem = case(name)
    content = problem.model.export("pmml")
    assert 4 <= checks_itself(jpmml, tmp_path, content) <= 60


@pytest.mark.parametrize("seed", range(24))
def test_documents_of_hard_trees_check_themselves(seed, jpmml, tmp_path):
    content = pmml.write(hard_plan(seed, ("classes", "mean", "rate")[seed % 3]), {})
    checks_itself(jpmml, tmp_path, content)


def test_a_changed_document_fails_its_own_check(jpmml, tmp_path):
    model = CARTClassifier(pruning=None, missing_values=-9, missing="own_branch")
    model.fit({"age": [1.0, 2.0, 3.0, 4.0, -9.0]}, list("nnyyz"))
    content = model.export("pmml")
    rows = [{cell.tag.removeprefix(SPACE): cell.text for cell in row} for row in elements(content, "row")]
    cells = [(row.get("x0"), row["y0"]) for row in rows]
    assert cells == [("2.5", "n"), ("2.5000000000000004", "y"), ("-9.0", "z")]
    assert checks_itself(jpmml, tmp_path, content) == 3
    for old, new in ((b'value="-9.0" property', b'value="-8.0" property'), (b'value="2.5"', b'value="2.25"')):
        assert old in content
        with pytest.raises(Exception, match="do not match"):
            checks_itself(jpmml, tmp_path, content.replace(old, new))
