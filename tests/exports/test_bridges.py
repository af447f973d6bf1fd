"""Trees as treelite models and as shap's dictionary: the same predictions, the same attributions, or a refusal."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, CHAIDClassifier, CLSClassifier
from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import NUMERIC, ORDINAL, UNSEEN, Feature, Schema
from boxwood.errors import NotAvailableError, ParameterError
from boxwood.model.readable import readable
from boxwood.tree.descend import route
from boxwood.tree.split import SplitTable
from boxwood.tree.tree import STAYS
from exports.hard_rows import HOSTILE, hard_columns
from exports.problems import case
from tree.random_trees import random_tree


@pytest.fixture(scope="module")
def treelite():
    return pytest.importorskip("treelite", reason="treelite is not installed")


@pytest.fixture(scope="module")
def shap():
    return pytest.importorskip("shap", reason="shap is not installed")


def plain(tree, missing=None):
    """The tree without surrogates, each branch of numbers one interval, and with other routes for missing values."""
    missing = np.where(tree.is_leaf, STAYS, tree.missing if missing is None else missing).astype(np.int32)
    none = SplitTable.empty(0)
    return replace(
        tree, missing=missing, surrogate_start=np.zeros(tree.n_nodes + 1, np.int32), surrogates=none,
        agreement=np.zeros(0), adjusted=np.zeros(0), splits=one_interval_a_branch(tree),
    )  # fmt: skip


def one_interval_a_branch(tree):
    """The splits with the branches of numbers in order."""
    splits = tree.splits
    features, breaks, index = [], [], []
    for t in range(tree.n_nodes):
        j = int(splits.feature[t])
        branches = splits.index_of(t).tolist()
        if j >= 0 and tree.schema[j].kind == NUMERIC:
            branches = list(range(len(branches)))
        features.append(j)
        breaks.append(splits.breaks_of(t).tolist())
        index.append(branches)
    return SplitTable.of(features, breaks, index)


def predicted(tree, columns, unseen="missing"):
    """Predictions for rows: probabilities, or numbers in one column."""
    routing = route(tree, columns, unseen)
    return routing.probability(tree) if tree.response.labels else routing.value(tree)[:, None]


def by_treelite(treelite, model, codes):
    return treelite.gtil.predict(model, codes).reshape(len(codes), -1)


@pytest.mark.parametrize("unseen", ["missing", "majority", "stay"])
@pytest.mark.parametrize("kind", ["classes", "mean", "rate"])
@pytest.mark.parametrize("seed", range(6))
def test_treelite_on_hard_trees(seed, kind, unseen, treelite):
    tree = random_tree(seed, kind, 25, HOSTILE)
    tree = readable(plain(tree, (None, 0, STAYS)[seed % 3] if seed % 3 else np.maximum(tree.missing, 0)))
    columns = hard_columns(tree, seed)
    model = tree.to_treelite(unseen)
    assert np.array_equal(
        by_treelite(treelite, model, tree.to_codes(columns, unseen=unseen)), predicted(tree, columns, unseen)
    )


@pytest.mark.parametrize("name", ["learned", "majority", "branch", "chaid", "chaid means", "cls"])
def test_treelite_on_algorithms(name, treelite):
    problem = case(name)
    tree, unseen = problem.model.tree, problem.model.policies["unseen"]
    codes = tree.to_codes(problem.columns, unseen=unseen)
    found = by_treelite(treelite, tree.to_treelite(unseen), codes)
    assert np.array_equal(found, predicted(tree, problem.columns, unseen))


@pytest.mark.parametrize("name", ["surrogates", "means", "c45", "rates"])
def test_without_missing_values_any_tree_goes(name, treelite):
    problem = case(name)
    tree = problem.model.tree
    whole = np.all([~problem.columns.missing(j) & (problem.columns.values[j] != UNSEEN) for j in range(5)], axis=0)
    columns = problem.columns.take(whole)
    with pytest.raises(ParameterError, match="missing='never' you promise"):
        tree.to_treelite()
    unseen = "missing" if name == "c45" else "majority"
    if name != "c45":
        with pytest.raises(ParameterError, match="choose unseen='majority'"):
            tree.to_treelite(missing="never")
    model = tree.to_treelite(unseen, missing="never")
    assert columns.n > 100
    assert np.array_equal(
        by_treelite(treelite, model, tree.to_codes(columns, unseen=unseen)), predicted(tree, columns, unseen)
    )


@pytest.mark.parametrize("name", ["learned", "chaid means"])
def test_treelite_is_a_format(name, treelite, tmp_path):
    problem = case(name)
    path = tmp_path / "tree.tl"
    content = problem.model.export(path=path)
    assert path.read_bytes() == content == problem.model.export("treelite")
    model = treelite.Model.deserialize(path)
    codes = problem.model.tree.to_codes(problem.columns, unseen=problem.model.policies["unseen"])
    expected = predicted(problem.model.tree, problem.columns, problem.model.policies["unseen"])
    assert np.array_equal(by_treelite(treelite, model, codes), expected)
    verdict = problem.model.verify_export("treelite", problem.columns, content)
    assert verdict, str(verdict)
    assert (verdict.rows, verdict.engine) == (problem.columns.n, f"treelite {treelite.__version__}")
    other = CARTClassifier(pruning=None, missing="majority").fit({"x": [1.0, 2.0]}, ["a", "b"])
    swapped = CARTClassifier(pruning=None, missing="majority").fit({"x": [2.0, 1.0]}, ["a", "b"])
    assert other.verify_export("treelite", {"x": [1.0, 2.0]}, swapped.export("treelite")).mismatches >= 2


@pytest.mark.parametrize("name", ["surrogates", "means", "rates"])
def test_the_format_treelite_for_rows_without_missing_values(name, treelite):
    problem = case(name)
    whole = np.all([~problem.columns.missing(j) & (problem.columns.values[j] != UNSEEN) for j in range(5)], axis=0)
    assert problem.model.tree.verify_export("treelite", problem.columns.take(whole), unseen="majority", missing="never")
    with pytest.raises(ParameterError, match="treelite has no surrogate splits"):
        problem.model.export("treelite")


def test_treelite_on_one_leaf_and_one_class(treelite):
    tree = CARTClassifier(pruning=None).fit({"x": [1.0, 2.0]}, ["a", "a"]).tree_
    assert by_treelite(treelite, tree.to_treelite(), tree.to_codes({"x": [5.0, None]})).tolist() == [[1.0], [1.0]]


def numbers(n=300, gaps=True):
    """Numbers with gaps, truth values and ordered levels: columns that shap can follow."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(n, 4)).round(1)
    if gaps:
        x[rng.random((n, 4)) < 0.1] = np.nan
    return x, np.nan_to_num(x[:, 0]) * 2 + (np.nan_to_num(x[:, 1]) > 0) + rng.normal(size=n) * 0.1


def test_shap_is_not_given_copies_of_a_branch():
    tree = case("chaid means").model.tree
    with pytest.raises(ParameterError, match=r"several ranges of column|shap has no sets"):
        tree.to_shap()


def shap_of(shap, tree, codes):
    explainer = shap.TreeExplainer(tree.to_shap())
    return explainer, np.asarray(explainer.shap_values(codes, check_additivity=False))


@pytest.mark.parametrize("missing", ["majority", "learned"])
def test_shap_adds_up_to_the_prediction(missing, shap):
    X, y = numbers()
    for model in (CARTRegressor, CARTClassifier):
        target = y if model is CARTRegressor else np.digitize(y, [-1.0, 1.0])
        tree = model(pruning=None, max_depth=5, missing=missing).fit(X, target).tree_
        explainer, values = shap_of(shap, tree, tree.to_codes(X))
        own = predicted(tree, tree._read(X)[1])
        total = values.sum(axis=1).reshape(len(X), -1) + np.reshape(explainer.expected_value, (1, -1))
        np.testing.assert_allclose(total, own, rtol=0, atol=1e-12)
        raw = explainer.model.predict(tree.to_codes(X))
        np.testing.assert_allclose(np.reshape(raw, own.shape), own, rtol=0, atol=1e-15)


@pytest.mark.parametrize("name", ["learned", "cls"])
def test_shap_gives_the_shapley_values_of_boxwood(name, shap):
    X, y = numbers()
    rows = {"x": X[:, 0], "grade": np.array(["a", "b", "c"])[np.arange(300) % 3], "flag": X[:, 1] > 0}
    if name == "cls":
        tree = CLSClassifier().fit({k: rows[k] for k in ("grade", "flag")}, np.digitize(y, [-1.0, 1.0])).tree_
        rows = {k: rows[k] for k in ("grade", "flag")}
        assert (tree.n_children == 3).any()
    else:
        rows = {k: rows[k] for k in ("x", "flag")}
        tree = CARTClassifier(pruning=None, max_depth=5, missing="learned").fit(rows, y > 0).tree_
    _, values = shap_of(shap, tree, tree.to_codes(rows))
    np.testing.assert_allclose(values, tree.shap_values(rows).values, rtol=0, atol=1e-12)


def test_shap_agrees_with_scikit_learns_tree(shap):
    from sklearn.tree import DecisionTreeRegressor

    X, y = numbers(gaps=False)
    X = X.astype(np.float32).astype(np.float64)
    tree = CARTRegressor(pruning=None, max_depth=4, missing="majority", cuts="exact").fit(X, y).tree_
    theirs = DecisionTreeRegressor(max_depth=4, random_state=0).fit(X, y)
    cuts = theirs.tree_.threshold[theirs.tree_.feature >= 0]
    assert np.array_equal(np.sort(tree.splits.breaks), np.sort(cuts)), "otherwise these are different trees"
    _, ours = shap_of(shap, readable(replace(tree)), tree.to_codes(X))
    expected = shap.TreeExplainer(theirs).shap_values(X, check_additivity=False)
    np.testing.assert_allclose(ours.reshape(expected.shape), expected, rtol=0, atol=1e-9)


def test_shap_follows_truth_values_ordered_levels_and_several_branches(shap):
    schema = Schema((Feature("x", NUMERIC), Feature("grade", ORDINAL, ("low", "mid", "high", "top"))), named=True)
    rng = np.random.default_rng(0)
    columns = Columns(
        schema, 200, (rng.normal(size=200), rng.integers(-1, 4, 200).astype(np.int32)), (None, None), {}
    )  # fmt: skip
    tree = random_tree(4, "mean", 15, schema)
    tree = plain(tree, 0)
    rows = np.maximum(tree.rows, 1)
    moments = np.where(tree.rows[:, None] > 0, tree.moments, np.array([1.0, 0.5, 0.0]))
    ordered = SplitTable.of(
        tree.splits.feature.tolist(),
        [tree.splits.breaks_of(t).tolist() for t in range(tree.n_nodes)],
        [list(range(len(tree.splits.index_of(t)))) for t in range(tree.n_nodes)],
    )
    tree = readable(replace(tree, rows=rows, moments=moments, splits=ordered))
    assert (tree.n_children > 2).any()
    assert (tree.splits.feature == 1).any()
    explainer, values = shap_of(shap, tree, tree.to_codes(columns))
    total = values.reshape(200, 2).sum(axis=1) + np.ravel(explainer.expected_value)[0]
    np.testing.assert_allclose(total, predicted(tree, columns)[:, 0], rtol=0, atol=1e-12)


def test_shap_refuses_sets_and_points_to_what_knows_them():
    rows = {"town": ["a", "b", "c", "d"] * 4}
    tree = CARTClassifier(pruning=None, missing="majority").fit(rows, ["x", "y", "x", "y"] * 4).tree_
    with pytest.raises(ParameterError, match=r"shap has no sets of levels.*'town'; use shap_values"):
        tree.to_shap()


@pytest.mark.parametrize("bridge", ["to_treelite", "to_shap"])
def test_what_no_bridge_can_express_is_refused(bridge):
    if bridge == "to_treelite":
        pytest.importorskip("treelite", reason="treelite is not installed")
    X, y = numbers()
    labels = np.where(y > 0, "a", "b")
    for model, message in ((CARTClassifier(pruning=None), "no surrogate splits"), (C45Classifier(), "share out a row")):
        tree = model.fit(X, labels).tree_
        with pytest.raises(ParameterError, match=message):
            getattr(tree, bridge)()
        getattr(tree, bridge)(missing="never")
    with pytest.raises(ParameterError, match="missing must be one of 'as_tree', 'never'; got 'sometimes'"):
        getattr(tree, bridge)(missing="sometimes")
    wide = CARTRegressor(pruning=None, missing="majority").fit({"id": [2**60, 2**60 + 1]}, [0.0, 5.0]).tree_
    with pytest.raises(ParameterError, match="exact up to"):
        getattr(wide, bridge)()


def test_treelite_cannot_refuse_rows(treelite):
    tree = CLSClassifier().fit({"x": ["a", "b"]}, ["p", "q"]).tree_
    with pytest.raises(ParameterError, match="treelite cannot refuse a row"):
        tree.to_treelite("error")


def test_without_treelite_the_message_names_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "treelite", None)
    tree = CHAIDClassifier(min_samples_split=4, min_samples_leaf=2).fit({"x": ["a", "b"] * 9}, ["p", "q"] * 9).tree_
    with pytest.raises(NotAvailableError, match="pip install treelite"):
        tree.to_treelite()
