"""What a page holds: counts of training and of given rows, curves of losses, limits of size, refusals."""

from __future__ import annotations

import json

import numpy as np
import pytest

import boxwood
from boxwood import CARTClassifier, CARTRegressor, CHAIDClassifier, CostComplexity, datasets
from boxwood.data.frames.frame import read_columns
from boxwood.errors import DataError, MissingValueError, ParameterError, ResponseError, UnseenLevelError
from boxwood.model.explorer import contents as limits
from boxwood.model.explorer.contents import of_tree, within_limit
from boxwood.model.explorer.document import to_document, to_json
from boxwood.model.explorer_page import contents_of, given_to_show
from boxwood.tree.descend import nodes_passed, route
from tree.random_trees import random_tree


@pytest.fixture(scope="module")
def titanic():
    X = datasets.load("titanic")
    return X, X.pop("survived")


@pytest.fixture(scope="module")
def new():
    X = datasets.load("titanic_new")
    return X, X.pop("survived")


@pytest.fixture(scope="module")
def model(titanic):
    return CARTClassifier().fit(*titanic)


def held(page) -> dict:
    """The document of a page, as the browser reads it."""
    return json.loads(page.html.partition('id="document">')[2].partition("</script>")[0])


def document(model, X=None, y=None, **given) -> dict:
    columns = None if X is None else read_columns(X, model.model_.schema)
    return to_document(contents_of(model.model_, given_to_show(model.tree_.response, columns, y, **given)))


def test_given_rows_are_counted_at_each_node(model, new):
    X, y = new
    found, tree = document(model, X, y), model.model_.full_tree
    columns = read_columns(X, tree.schema)
    indptr, nodes = nodes_passed(tree, columns)
    row = np.repeat(np.arange(columns.n), np.diff(indptr))
    assert found["rows"]["weight"] == np.bincount(nodes, minlength=tree.n_nodes).tolist()
    truth = np.array([("no", "yes").index(label) for label in y])
    by_class = np.bincount(nodes * 2 + truth[row], minlength=2 * tree.n_nodes)
    assert found["rows"]["moments"] == by_class.tolist()
    inner = np.flatnonzero(~tree.is_leaf)
    lacking = [int(sum(columns.missing(tree.splits.feature[t])[row[nodes == t]])) for t in inner]
    assert found["rows"]["missing"] == lacking
    assert sum(lacking) > 0


def test_numbers_and_rates_of_given_rows():
    table = datasets.load("computer_hardware")
    y = np.asarray(table.pop("performance"), dtype=float) + 1e9
    model = CARTRegressor(pruning=None).fit(table, y)
    found, tree = document(model, table, y), model.tree_
    assert np.allclose(found["rows"]["mean"], tree.value, rtol=1e-5)
    # Values far from zero lose nothing: spreads are those of training.
    assert np.allclose(found["rows"]["spread"], np.sqrt(tree.impurity("variance")), rtol=1e-4, atol=1e-3)
    breaks = datasets.load("warpbreaks")
    count = breaks.pop("breaks")
    exposure = np.arange(1, len(count) + 1)
    rates = CARTRegressor(criterion="poisson", pruning=None).fit(breaks, count, exposure=exposure)
    found = document(rates, breaks, count, exposure=exposure)
    assert found["rows"]["rate"][0] == pytest.approx(sum(count) / exposure.sum(), rel=1e-5)
    assert found["tree"]["events"][0] == sum(count)


def test_weights_of_given_rows_count(model, new):
    X, y = new
    twice = document(model, X, y, weight=np.full(len(y), 2.0))
    once = document(model, X, y)
    assert twice["rows"]["weighted"] is True
    assert twice["rows"]["weight"] == [2 * count for count in once["rows"]["weight"]]
    assert twice["pruning"]["given"]["loss"] == once["pruning"]["given"]["loss"]


def test_curves_are_those_of_every_pruned_tree(model, titanic, new):
    found = document(model, *new)["pruning"]
    path = model.cost_complexity_path_
    assert found["leaves"] == path.n_leaves.tolist()
    assert found["selected"] == model.model_.row
    assert np.allclose(found["held_out"]["loss"], path.cv_mean, rtol=1e-4)
    assert found["leaves"][found["held_out"]["least"]] == model.get_n_leaves()
    for row in range(0, len(found["leaves"]), 7):
        pruned = boxwood.CARTClassifier().set_params(**model.get_params())
        pruned.model_ = model.model_.prune(float(path.ccp_alphas[row]))
        for losses, (X, y), at_leaves in ((found["training"], titanic, True), (found["given"]["loss"], new, False)):
            truth = np.searchsorted(pruned.classes_, np.asarray(y))
            loss = (1.0 - pruned.predict_proba(X)[np.arange(len(truth)), truth]) ** 2  # the Brier score of two classes
            # Training is evaluated by the losses of the leaves: rows that stay inside do not count.
            counted = loss * pruned.tree_.is_leaf[pruned.apply(X)] if at_leaves else loss
            assert losses[row] == pytest.approx(counted.mean(), abs=1e-5)


def test_one_standard_error_is_marked():
    X = datasets.load("computer_hardware")
    chosen = CARTRegressor(pruning=CostComplexity(rule="1se")).fit(X, X.pop("performance"))
    found = document(chosen)["pruning"]
    assert found["held_out"]["one_se"] == found["selected"] > found["held_out"]["least"]


def test_columns_have_ticks_and_counts(model, titanic):
    X, _ = titanic
    found = {feature["name"]: feature for feature in document(model, X)["features"]}
    known = [age for age in X["age"] if age is not None and age == age]
    assert found["age"]["missing"] == len(X["age"]) - len(known) == 242
    assert (found["age"]["ticks"][0], found["age"]["ticks"][-1]) == (min(known), max(known))
    assert set(found["age"]["ticks"]) <= set(known)
    assert found["sex"]["counts"] == [X["sex"].count(level) for level in found["sex"]["levels"]]
    assert "moments" not in document(model, X)["rows"]


def test_only_levels_that_a_node_tests_are_in_the_page():
    rng = np.random.default_rng(0)
    amount, shop = rng.exponential(50, 4_000), np.array([f"店 {i}" for i in rng.integers(0, 900, 4_000)])
    town = np.array([f"town {i}" for i in rng.integers(0, 30, 4_000)])
    X, y = {"amount": amount, "shop": shop, "town": town}, (amount > 90) & (town < "town 2")
    model = CARTClassifier(max_depth=2, max_surrogates=0, pruning=None).fit(X, y)
    text = model.explore(X, y).html
    assert "town 17" in text
    assert text.count("店 ") <= 2 * 3 * 3  # of competing splits a few levels are named
    found = {feature["name"]: feature for feature in document(model, X)["features"]}
    assert found["shop"]["levels"] == found["shop"]["held"] == found["shop"]["counts"] == []
    deep = {"kind": np.where(amount > 90, town, "none")}
    chosen = CARTClassifier(pruning=None).fit({"amount": amount, **deep}, y)
    found = document(chosen, {"amount": amount, **deep})["features"][1]
    levels = chosen.model_.schema[1].levels
    assert found["levels"] == [levels[i] for i in found.get("held", range(len(levels)))]
    assert found["counts"] == [int(np.sum(deep["kind"] == level)) for level in found["levels"]]


def test_no_row_is_in_the_page(titanic):
    """Values of given rows are not in it one by one: a column that the tree never tests leaves a few ticks."""
    X, y = titanic
    secret = {**X, "account": [1e6 + 7.25 * i for i in range(len(y))]}
    model = CARTClassifier(pruning=None, max_depth=1, max_competitors=0, max_surrogates=0).fit(secret, y)
    text = model.explore(secret, y).html
    assert 1 < sum(f"{value:g}" in text or repr(value) in text for value in secret["account"]) <= 7


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_large_documents_are_small(task):
    """At most 150 bytes per node, with all digits of cuts that have all digits, and surrogates."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(6_000, 6))
    X[rng.random(X.shape) < 0.02] = np.nan
    signal = np.nan_to_num(X[:, 0] + X[:, 1] * X[:, 2]) + rng.normal(size=len(X))
    kind = CARTClassifier if task == "classification" else CARTRegressor
    model = kind(pruning=None, max_surrogates=1, min_samples_leaf=2).fit(
        X, signal > 0 if task == "classification" else signal
    )
    contents = contents_of(model.model_)
    nodes = contents.tree.n_nodes
    assert nodes > 1_000
    assert len(to_json(contents).encode()) <= 150 * nodes


def test_a_large_full_tree_begins_with_a_pruned_one(model):
    whole = contents_of(model.model_)
    small = within_limit(whole, 101)
    assert small.tree.n_nodes <= 101 < whole.tree.n_nodes
    assert small.family.n_leaves[0] == small.tree.n_leaves
    assert small.family.n_leaves[small.selected] == model.get_n_leaves()
    assert len(small.held_out) == len(small.family.alphas)
    assert np.array_equal(small.held_out[-1], whole.held_out[-1])
    assert f"{whole.tree.n_nodes} nodes" in small.notes[-1]
    pruned = to_document(small)
    assert pruned["pruning"]["leaves"] == to_document(whole)["pruning"]["leaves"][-len(small.family.alphas) :]
    assert within_limit(small, 101) is small
    # The selected tree always stays.
    assert within_limit(whole, 3).tree.n_nodes == model.tree_.n_nodes


def test_trees_too_large_are_refused(monkeypatch):
    monkeypatch.setattr(limits, "MOST_NODES", 20)
    tree = random_tree(1)
    with pytest.raises(ParameterError, match=r"the explorer shows at most 20; prune it first"):
        of_tree(tree)
    with pytest.raises(ParameterError, match="at most 20"):
        within_limit(limits.Contents(tree, of_tree(random_tree(2, n_nodes=3)).family), 20)


def test_another_pruner_shows_the_tree_it_made(titanic):
    chosen = CARTClassifier(pruning="one_leaf").fit(*titanic)
    assert chosen.model_.alpha is None
    found = document(chosen)
    assert found["model"]["notes"] == ["pruned by one_leaf"]
    assert len(found["tree"]["kids"]) == chosen.tree_.n_nodes
    assert found["pruning"]["held_out"] is None


def test_significance_is_reported(titanic):
    found = document(CHAIDClassifier().fit(*titanic))
    assert found["tree"]["tests"][0] == ["p 5.75e-70", "χ² 312.66, df 1"]


def test_trees_and_estimators_explore(model, titanic, tmp_path):
    X, y = titanic
    tree = model.tree_
    page = tree.explore(X, y, tmp_path / "tree.html")
    assert (tmp_path / "tree.html").read_text(encoding="utf-8") == page.html
    assert held(page)["rows"]["n"] == len(y)
    assert held(model.explore())["rows"] is None
    model.explore(path=str(tmp_path / "model.html"))
    assert (tmp_path / "model.html").exists()
    assert held(tree.explore(unseen="stay"))["model"]["unseen"] == "stay"
    assert route(tree, read_columns(X, tree.schema)).node.max() < len(held(page)["tree"]["kids"])


def test_notebooks_show_the_page_in_a_frame(model):
    shown = model.explore()._repr_html_()
    assert shown.startswith("<iframe ")
    assert 'sandbox="allow-scripts allow-downloads"' in shown
    assert shown.count("<") == 2
    assert "&lt;!doctype html&gt;" in shown


def test_names_of_any_script_and_half_characters(tmp_path):
    X = {"身長</script>": ["低い\ud800", "高い", "高い", "低い\ud800"]}
    page = (
        CARTClassifier(pruning=None).fit(X, ["はい", "いいえ", "いいえ", "はい"]).explore(path=tmp_path / "page.html")
    )
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert text.count("</script>") == 2
    assert held(page)["features"][0] == {
        "name": "身長</script>", "kind": "nominal", "levels": ["低い\ud800", "高い"], "whole": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"y": ["no"]}, ParameterError, "give X too"),
        ({"X": {}}, DataError, "minimum of 1"),
        ({"X": "all", "y": ["no"]}, DataError, "1109"),
        ({"X": "all", "y": "maybe"}, ResponseError, "maybe"),
        ({"X": "all", "exposure": "ones"}, ParameterError, "give y too"),
        ({"X": "all", "y": "truth", "exposure": "ones"}, ParameterError, "exposure is for counts"),
    ],
)
def test_what_does_not_fit_is_refused(model, titanic, given, error, words):
    X, y = titanic
    known = {"all": X, "truth": y, "maybe": ["maybe"] * len(y), "ones": np.ones(len(y))}
    options = {name: known.get(value, value) if isinstance(value, str) else value for name, value in given.items()}
    with pytest.raises(error, match=words):
        model.explore(**options)


def test_policies_refuse_rows_as_predict_does(titanic):
    X, y = titanic
    complete = {name: X[name] for name in ("class", "sex", "siblings_spouses")}
    strict = CARTClassifier(missing="error", unseen="error", pruning=None).fit(complete, y)
    with pytest.raises(MissingValueError, match="siblings_spouses"):
        strict.explore({**complete, "siblings_spouses": [None] * len(y)})
    with pytest.raises(UnseenLevelError, match="4th"):
        strict.explore({**complete, "class": ["4th"] * len(y)})
    assert held(strict.explore(complete))["model"]["refuses_missing"] is True
    with pytest.raises(ParameterError, match="unseen must be one of"):
        strict.tree_.explore(unseen="maybe")


@pytest.mark.parametrize(
    ("values", "bins"),
    [([1.0, 2.0, 3.0, 4.0], 1), ([-1e308, -1e308, 1e308, 1e308], 0), ([1.0, 1.0, 1.0 + 2**-52, 1.0 + 2**-52], 0)],
)
def test_histograms_hold_the_rows_given_by_class(values, bins):
    X, y = {"年龄": [*values, np.nan]}, ["no", "no", "yes", "yes", "yes"]
    model = CARTClassifier(pruning=None, max_depth=1).fit(X, y)
    found = document(model, X, y)["rows"]["bins"]
    assert len(found) == bins
    if bins:
        node, low, high, counts = found[0]
        assert (node, low, high) == (0, 1, 4)
        assert [sum(line) for line in counts] == [2, 2]
        assert counts[0][0] == counts[1][-1] == 1
