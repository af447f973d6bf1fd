"""ONNX models predict what the tree predicts: in onnxruntime and the reference evaluator of the onnx package."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, CLSClassifier, ID3Classifier
from boxwood.data.columns.schema import NOMINAL, Feature, Schema
from boxwood.data.frames.frame import read_columns
from boxwood.errors import KindWarning, NotAvailableError, ParameterError
from boxwood.exports import onnx_model
from boxwood.exports.plan import ExportPlan
from boxwood.exports.raw_rows import raw_rows
from boxwood.exports.verify import compare
from exports.hard_rows import hard_columns
from exports.hard_trees import hard_plan, plan_of
from exports.problems import NAMES, case
from tree.random_trees import chain, random_tree

onnx = pytest.importorskip("onnx", reason="onnx is not installed")


@pytest.fixture(scope="module")
def onnxruntime():
    return pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")


def referred(plan, columns, content):
    """The verdict on onnx's own evaluator, which is slow and written for clarity."""
    from onnx.reference import ReferenceEvaluator

    model, rows = onnx.load_from_string(content), raw_rows(columns, plan.tree.schema, plan.features)
    with np.errstate(all="ignore"):
        found = ReferenceEvaluator(model).run(None, onnx_model.fed(plan, rows))
    names = [output.name for output in model.graph.output]
    answers = onnx_model.answers(plan, dict(zip(names, found, strict=True)))
    return compare(plan, rows, answers, "onnx reference")


@pytest.mark.parametrize("name", NAMES)
def test_every_algorithm(name, onnxruntime):
    problem = case(name)
    verdict = problem.model.verify_export("onnx", problem.columns)
    assert verdict, str(verdict)
    assert verdict.rows == problem.columns.n
    assert "onnxruntime" in verdict.engine


@pytest.mark.parametrize("name", NAMES)
def test_every_algorithm_in_the_reference_evaluator(name):
    problem = case(name)
    columns = problem.columns.take(np.arange(0, problem.columns.n, 50))
    verdict = referred(plan_of(problem.model), columns, problem.model.export("onnx"))
    assert verdict, str(verdict)


@pytest.mark.parametrize("kind", ["classes", "mean", "rate"])
@pytest.mark.parametrize("seed", range(16))
def test_hard_trees(seed, kind, onnxruntime):
    plan = hard_plan(seed, kind)
    columns = hard_columns(plan.tree, seed)
    rows = raw_rows(columns, plan.tree.schema, plan.features)
    verdict = compare(plan, rows, *onnx_model.run(onnx_model.write(plan, {}), plan, rows, {}))
    assert verdict, str(verdict)


@pytest.mark.parametrize("seed", range(8))
def test_hard_trees_in_the_reference_evaluator(seed):
    plan = hard_plan(seed, ("classes", "mean", "rate")[seed % 3])
    columns = hard_columns(plan.tree, seed, 40)
    verdict = referred(plan, columns, onnx_model.write(plan, {}))
    assert verdict, str(verdict)


def test_columns_without_names_are_one_matrix(onnxruntime):
    X = np.array([[1.0, 5.0, 0.0], [2.0, np.nan, 1.0], [3.0, 4.0, np.inf], [9.0, 1.0, -1.0]])
    model = CARTClassifier(pruning=None).fit(X, [7, 7, 9, 9])
    session = onnxruntime.InferenceSession(model.export("onnx"))
    assert [(i.name, i.shape) for i in session.get_inputs()] == [("X", ["n", 3])]
    label, probabilities, node = session.run(None, {"X": X})
    assert label.tolist() == model.predict(X).tolist()
    assert np.array_equal(probabilities, model.predict_proba(X))
    assert node.tolist() == model.apply(X).tolist()


def test_inputs_and_outputs_of_named_columns(onnxruntime):
    rows = {"node": [1.0, 2.0, 3.0, 4.0], "town": ["", "Ulm", "京都", "Ulm"], "ok": [True, False, True, False]}
    model = CARTRegressor(pruning=None, categorical_features="from_dtype").fit(rows, [1.0, 5.0, 9.0, 2.0])
    session = onnxruntime.InferenceSession(model.export("onnx"))
    first = session.get_inputs()[0]
    assert (first.name, first.type) == ("node_", "tensor(double)")
    assert [o.name for o in session.get_outputs()] == ["prediction", "node"]


def test_the_word_for_a_missing_text_is_no_level(onnxruntime):
    rows = {"town": ["", "Ulm", "<missing>", None] * 3}
    model = CARTClassifier(pruning=None, missing="own_branch").fit(rows, ["a", "b", "c", "d"] * 3)
    content = model.export("onnx")
    session = onnxruntime.InferenceSession(content)
    word = session.get_modelmeta().custom_metadata_map["missing_text"]
    assert word == "<missing>_"
    label = session.run(["label"], {"town": np.array([[""], ["Ulm"], ["<missing>"], [word]], dtype=object)})[0]
    assert label.tolist() == ["a", "b", "c", "d"]


def test_labels_keep_their_type(onnxruntime):
    X = np.array([[0.0], [1.0]])
    for labels, kind in (([3, 2**40], np.int64), ([True, False], np.bool_)):
        model = CARTClassifier(pruning=None).fit(X, labels)
        label = onnxruntime.InferenceSession(model.export("onnx")).run(["label"], {"X": X})[0]
        assert label.dtype == kind
        assert label.tolist() == labels


def test_rows_that_the_policy_refuses_are_marked(onnxruntime):
    model = CARTClassifier(pruning=None, missing="error").fit(np.array([[0.0], [1.0]]), ["a", "b"])
    session = onnxruntime.InferenceSession(model.export("onnx"))
    names = [o.name for o in session.get_outputs()]
    found = dict(zip(names, session.run(None, {"X": np.array([[0.0], [np.nan]])}), strict=True))
    assert found["refused"].tolist() == [False, True]
    assert found["node"].tolist() == [1, -1]
    assert np.isnan(found["probabilities"]).tolist() == [[False, False], [True, True]]


def test_a_single_leaf(onnxruntime):
    model = CARTClassifier(pruning=None).fit({"x": [1.0, 2.0]}, ["梨", "梨"])
    verdict = model.verify_export("onnx", {"x": [5.0, None]})
    assert verdict, str(verdict)


def test_shares_add_up_and_ties_go_to_the_first_class(onnxruntime):
    model = C45Classifier(pruning=None).fit({"x": ["p", "q"] * 4}, ["b", "a"] * 4)
    content = model.export("onnx")
    session = onnxruntime.InferenceSession(content)
    label, probabilities = session.run(["label", "probabilities"], {"x": np.array([["p"], [""]], dtype=object)})
    assert label.tolist() == ["b", "a"]
    assert probabilities.tolist() == [[0.0, 1.0], [0.5, 0.5]]


def test_equal_largest_shares_end_in_the_lowest_node(onnxruntime):
    for seed in (*range(60, 80), 113):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(12, 60))
        rows = {}
        for name in ("f0", "f1", "f2"):
            drawn = rng.integers(0, rng.integers(2, 5), n)
            rows[name] = [None if rng.random() < 0.1 else "abcdef"[i] for i in drawn]
        model = (C45Classifier(pruning=None), ID3Classifier(missing="fractional"))[seed % 2]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(rows, rng.integers(0, 2, n).tolist())
            new = {name: [[*"abcdef", None, None, None][i] for i in rng.integers(0, 9, 60)] for name in rows}
            verdict = model.verify_export("onnx", new)
        assert verdict, str(verdict)


def ensembles(content: bytes) -> list[dict]:
    """The attributes of each TreeEnsemble of a model."""
    nodes = [node for node in onnx.load_from_string(content).graph.node if node.op_type == "TreeEnsemble"]
    return [{a.name: onnx.helper.get_attribute_value(a) for a in node.attribute} for node in nodes]


def test_no_root_has_a_leaf_and_a_branch_of_equal_number():
    """Some releases of onnxruntime take such a root for a leaf (its issue 24679)."""
    mixed = 0
    for seed in range(24):
        for of in ensembles(onnx_model.write(hard_plan(seed, ("classes", "mean", "rate")[seed % 3]), {})):
            leaves = [of["nodes_trueleafs"], of["nodes_falseleafs"]]
            for root in of["tree_roots"]:
                numbers = (of["nodes_truenodeids"][root], of["nodes_falsenodeids"][root])
                if leaves[0][root] != leaves[1][root]:
                    mixed += 1
                assert numbers[0] != numbers[1]
    assert mixed > 20


def test_the_same_tree_gives_the_same_bytes():
    plan = hard_plan(3, "classes")
    assert onnx_model.write(plan, {}) == onnx_model.write(plan, {})


def test_infinite_cuts(onnxruntime):
    model = CARTRegressor(pruning=None).fit({"x": [-np.inf, -np.inf, 0.0, 0.0]}, [1.0, 1.0, 2.0, 2.0])
    verdict = model.verify_export("onnx", {"x": [-np.inf, -1.7976931348623157e308, 0.0, np.inf, None]})
    assert verdict, str(verdict)


def test_what_onnx_cannot_hold_is_refused():
    model = CARTRegressor(pruning=None).fit({"id": [2**60, 2**60 + 1, 2**60 + 2]}, [0.0, 0.0, 5.0])
    with pytest.raises(ParameterError, match=r"ONNX holds numbers as doubles.* cuts column 'id' at"):
        model.export("onnx")
    for levels, message in (
        (("3", 4), "levels of several types"),
        ((3, 2**70), "has the level"),
        (("\ud800", "b"), "half"),
    ):
        tree = random_tree(1, n_nodes=3, schema=Schema((Feature("code", NOMINAL, levels),), named=True))
        with pytest.raises(ParameterError, match=message):
            onnx_model.write(ExportPlan(replace(tree)), {})


@pytest.mark.parametrize("package", ["onnx", "onnxruntime"])
def test_without_the_package_the_message_names_what_to_install(package, monkeypatch):
    problem = case("chaid")
    content = problem.model.export("onnx")
    monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(NotAvailableError, match="pip install"):
        problem.model.verify_export("onnx", problem.columns, content=None if package == "onnx" else content)


def test_rows_are_read_by_the_schema(onnxruntime):
    problem = case("means")
    columns = read_columns({name: [None] for name in problem.model.schema.names}, problem.model.schema)
    assert problem.model.verify_export("onnx", columns)


def test_many_branches_are_tested_by_halves(onnxruntime):
    levels = [f"L{i}" for i in range(1500)]
    rows = {"many": levels * 2, "other": ["a", "b"] * 1500}
    y = [i % 7 % 3 for i in range(1500)] * 2
    for model in (CLSClassifier(missing="own_branch"), CLSClassifier(missing="majority", unseen="majority")):
        with pytest.warns(KindWarning):
            model.fit(rows, y)
        assert model.tree_.n_children.max() >= 1500
        new = {"many": [*levels, "new", None], "other": ["a", "b"] * 751}
        verdict = model.verify_export("onnx", new)
        assert verdict, str(verdict)


def test_a_chain_that_would_overflow_the_engines_stack_is_refused():
    assert onnx_model.write(ExportPlan(chain(1000)), {})
    with pytest.raises(ParameterError, match="answer 1001 questions, and onnxruntime is not safe beyond 1000"):
        onnx_model.write(ExportPlan(chain(1001)), {})


@pytest.mark.parametrize(
    "policy",
    [{"missing": "own_branch"}, {"missing": "majority", "unseen": "stay"}, {"missing": "error", "unseen": "error"}, {}],
    ids=str,
)
def test_codes_for_missing_values(policy, onnxruntime):
    income, town = [10.0, 12.0, 14.0, 40.0, 42.0, 44.0, 46.0, 48.0], ["a", "b", "b", "a", "c", "c", "b", "c"]
    grade = [1, 2, 2, 3, 3, 3, 2, 1]
    gaps = policy.get("missing") != "error"
    rows = {
        "income": income + [-999.0, -1.5] * gaps,
        "town": town + ["a.*", "9"] * gaps,
        "grade": grade + [9, 1] * gaps,
    }
    codes = {"income": [-999, "-1.5"], "town": ["?", "a.*", "未知", 9, -0.25], "grade": 9}
    new = {
        "income": [12.0, -999, np.nan, None, -1.5, 27.0, 9.0, -999, 41],
        "town": ["a", " ? ", "a.*", "9.00", "\u3000未知\n", "-0.250", "009", "abc", None],
        "grade": [9, 1, None, 3, 9, 2, 5, 1, 9],
    }
    for names in (["income"], ["town"], ["grade"], list(rows)):
        of = {name: codes[name] for name in names}
        levels = [name for name in names if name == "grade"]
        model = CARTClassifier(missing_values=of, pruning=None, categorical_features=levels, **policy)
        for y in (list("nnnyyyyyyy"), list("uvwuvvwwwv")):
            model.fit({name: rows[name] * 10 for name in names}, y[: len(rows["income"])] * 10)
            verdict = model.verify_export("onnx", {name: new[name] for name in names})
            assert verdict, f"{names}: {verdict}"
            assert verdict.rows == 9


def test_the_text_for_missing_values_is_no_level_that_can_be_compared(onnxruntime):
    model = CARTClassifier(pruning=None, missing="majority", unseen="stay")
    model.fit({"town": ["a", "b", "c"] * 4}, list("uvw") * 4)
    verdict = model.verify_export("onnx", {"town": ["a", "", None, "new"]})
    assert verdict, str(verdict)
    assert verdict.left_out >= 1


def test_codes_of_columns_without_names(onnxruntime):
    X = np.array([[1.0, 5.0], [2.0, -9.0], [3.0, 4.0], [-9.0, 1.0], [-99.0, 2.0]])
    model = CARTClassifier(pruning=None, missing="own_branch", missing_values=[-9, -99]).fit(X, list("aabbb"))
    session = onnxruntime.InferenceSession(model.export("onnx"))
    assert session.run(["label"], {"X": X})[0].tolist() == model.predict(X).tolist()
    assert model.verify_export("onnx", X)


def test_inputs_declare_what_they_hold():
    days = [np.datetime64("2021-03-14") + i for i in range(6)]
    model = CARTRegressor(pruning=None, missing_values="14.03.2021").fit({"day": days}, [1, 1, 1, 5, 5, 5])
    (held,) = onnx.load_from_string(model.export("onnx")).graph.input
    assert held.doc_string == "dates (whole days since 1970-01-01); 14.03.2021 is missing"
