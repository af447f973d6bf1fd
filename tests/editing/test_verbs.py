"""Each verb: what it does to the tree, its statistics, surrogates and competitors, and what it refuses."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from boxwood import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CHAIDClassifier,
    ID3Classifier,
    TreeClassifier,
    datasets,
)
from boxwood.edits import (
    GrowBelow,
    MergeNodes,
    OverruleLeaf,
    PruneNode,
    RenameNode,
    SendMissing,
    SignNode,
    SplitNode,
)
from boxwood.errors import ParameterError, ParameterTypeError
from boxwood.model.tree_model import TreeModel
from boxwood.pruners import CriticalValue


def titanic() -> tuple[dict, list]:
    X = datasets.load("titanic")
    return X, X.pop("survived")


@pytest.fixture
def fitted():
    X, y = titanic()
    model = CARTClassifier(max_depth=2).fit(X, y)
    return model, model.edit(X, y), X


def test_a_split_is_that_of_grow_below_without_what_grows_there(fitted):
    model, editor, X = fitted
    editor.take(SplitNode(2, "age <= 14"))
    grown = CARTClassifier(max_depth=2).fit(X, titanic()[1]).grow_below(*titanic(), 2, split="age <= 14").tree_
    assert np.array_equal(model.tree_.moments, grown.moments)
    assert np.array_equal(model.tree_.agreement, grown.agreement)
    assert model.tree_.is_leaf[5:7].all()


def test_the_condition_of_each_branch(fitted):
    model, editor, X = fitted
    editor.take(SplitNode(2, ["age <= 14", "14 < age <= 40", "age > 40 or missing"]))
    tree = model.tree_
    women = np.array(X["sex"]) == "female"
    age = np.array([np.nan if a is None else a for a in X["age"]], dtype=float)[women]
    assert tree.rows[5:8].tolist() == [(age <= 14).sum(), ((age > 14) & (age <= 40)).sum(), (~(age <= 40)).sum()]
    with pytest.raises(ParameterError, match="two branches of the split overlap"):
        editor.take(SplitNode(2, ["age <= 14", "age > 10"]))
    with pytest.raises(ParameterError, match="one feature, in each branch the same"):
        editor.take(SplitNode(2, ["age <= 14", "fare > 10"]))


def test_a_competing_split_is_that_of_explain_split():
    X, y = titanic()
    model = CARTClassifier(max_depth=2).fit(X, y)
    best = [one.feature for one in model.explain_split(X, y, 0).candidates if one.rank][1]
    editor = model.edit(X, y)
    editor.take(SplitNode(0, competitor=1))
    assert model.tree_.schema[int(model.tree_.splits.feature[0])].name == best
    with pytest.raises(ParameterError, match="competitor must be at most 6 at node 0; got 99") as error:
        editor.take(SplitNode(0, competitor=99))
    assert error.value.argument == "competitor"
    kept = CARTClassifier(max_depth=2, max_competitors=3).fit(X, y)
    before = kept.tree_.competitor_score[:3].tolist()
    kept.edit(X, y).take(SplitNode(0, competitor=1))
    assert kept.tree_.competitor_score.tolist() == before  # those of the node stay


def test_pruning_and_growing_are_opposites(fitted):
    model, editor, _ = fitted
    full = model.model_.full_tree
    editor.take(PruneNode(0))
    assert model.get_n_leaves() == 1
    editor.take(GrowBelow(0))
    assert np.array_equal(model.tree_.moments, full.moments)
    editor.take(GrowBelow(0, {"algorithm": "chaid", "max_depth": 1}))
    assert model.tree_.log_p is not None
    assert model.get_depth() == 1
    with pytest.raises(ParameterError, match="algorithm must be one of"):
        editor.take(GrowBelow(0, {"algorithm": "mars"}))


def test_missing_values_are_sent_down_a_branch(fitted):
    model, editor, X = fitted
    missing = sum(a is None or a != a for a, s in zip(X["age"], X["sex"], strict=True) if s == "male")
    known = model.tree_.rows[3]
    editor.take(SendMissing(1, "own"))
    tree = model.tree_
    assert tree.n_children[1] == 3
    assert tree.rows[5] == missing
    assert tree.surrogate_start[2] == tree.surrogate_start[1]
    editor.take(SendMissing(1, 3))
    assert model.tree_.n_children[1] == 2
    assert model.tree_.rows[3] >= known
    with pytest.raises(ParameterError, match="go there already"):
        editor.take(SendMissing(1, 3))
    with pytest.raises(ParameterError, match="to must be 'own' or a child of node 1, from 3 to 4; got 6"):
        editor.take(SendMissing(1, 6))


def test_what_is_below_goes_on_with_other_statistics():
    X, y = titanic()
    model = CARTClassifier(pruning=None, max_depth=3, missing="majority").fit(X, y)
    age = model.tree_.schema.names.index("age")
    split = int(np.flatnonzero(model.tree_.splits.feature == age)[0])
    first = int(model.tree_.first_child[split])
    other = 1 - int(model.tree_.missing[split])
    inner = model.get_n_leaves()
    model.edit(X, y).take(SendMissing(split, first + other))
    tree = model.tree_
    assert model.get_n_leaves() == inner
    ends = np.bincount(tree.apply(X), minlength=tree.n_nodes)
    assert np.array_equal(ends[tree.leaves], tree.rows[tree.leaves])


def test_siblings_are_merged():
    rng = np.random.default_rng(0)
    X = {"town": rng.choice(["Bonn", "Köln", "Ulm", "京都"], 400)}
    y = [("yes" if rng.random() < {"Bonn": 0.1, "Köln": 0.4, "Ulm": 0.6, "京都": 0.9}[t] else "no") for t in X["town"]]
    model = C45Classifier(pruning=None).fit(X, y)
    assert model.tree_.rows[1:].tolist() == [(X["town"] == t).sum() for t in ("Bonn", "Köln", "Ulm", "京都")]
    editor = model.edit(X, y)
    editor.take(MergeNodes(2, [4]))
    assert model.tree_.n_children[0] == 3
    assert model.tree_.rows[2] == np.isin(X["town"], ["Köln", "京都"]).sum()
    with pytest.raises(ParameterError, match="all children of node 0; prune it instead"):
        editor.take(MergeNodes(1, [2, 3]))
    with pytest.raises(ParameterError, match="siblings must be other children of the parent of node 1"):
        editor.take(MergeNodes(1, [1]))


def test_a_leaf_predicts_what_was_decided(fitted):
    model, editor, X = fitted
    leaf = int(model.tree_.leaves[0])
    there = model.apply(X) == leaf
    value = "no" if model.predict(X)[there][0] == "yes" else "yes"
    editor.take(OverruleLeaf(leaf, value), why="the law")
    assert (model.predict(X)[there] == value).all()
    assert (model.predict_proba(X)[there].max(axis=1) == 1.0).all()
    assert model.tree_.counts[leaf].sum() == there.sum()  # the statistics stay
    with pytest.raises(ParameterError, match="the verb overrule needs why"):
        editor.take(OverruleLeaf(leaf, value))
    with pytest.raises(ParameterError, match="node 0 is not a leaf"):
        editor.take(OverruleLeaf(0, value), why="-")
    with pytest.raises(ParameterError, match="prediction must be one of 'no', 'yes'; got 'maybe'"):
        editor.take(OverruleLeaf(leaf, "maybe"), why="-")


def test_a_number_is_overruled():
    X, y = {"a": [1.0, 2.0, 3.0, 4.0] * 5}, [1.0, 2.0, 3.0, 9.0] * 5
    model = CARTRegressor(pruning=None).fit(X, y)
    editor = model.edit(X, y)
    editor.take(OverruleLeaf(int(model.tree_.leaves[0]), -3.5), why="the law")
    assert -3.5 in model.predict(X)
    rates = CARTRegressor(criterion="poisson", pruning=None).fit(X, y)
    with pytest.raises(ParameterError, match="prediction must be a finite number of at least 0; got -1"):
        rates.edit(X, y).take(OverruleLeaf(int(rates.tree_.leaves[0]), -1), why="-")


def test_names_and_signatures_keep_the_pruning(fitted):
    model, editor, _ = fitted
    alpha, row, held_out = model.model_.alpha, model.model_.row, model.model_.held_out
    editor.take(RenameNode(3, "少年"))
    editor.take(SignNode(3), who="王伟")
    assert (model.model_.alpha, model.model_.row) == (alpha, row)
    assert model.model_.held_out is held_out
    assert "† 少年; signed by 王伟" in str(model.tree_)
    editor.take(RenameNode(3, ""))
    assert "少年" not in str(model.tree_)
    with pytest.raises(ParameterError, match="the verb sign needs who"):
        editor.take(SignNode(3))


def test_what_was_signed_or_overruled_stays(fitted):
    model, editor, _ = fitted
    editor.take(SignNode(3), who="A. Berg")
    editor.take(OverruleLeaf(6, "no"), why="the law")
    with pytest.raises(ParameterError, match=r"node 3 was signed by A[.] Berg, and this would change it") as error:
        editor.take(PruneNode(1))
    assert error.value.remedy == "edit another node, or use force."
    assert model.prune(n_leaves=4).get_n_leaves() == 4
    with pytest.raises(ParameterError, match="n_leaves must be at least 4"):
        model.prune(n_leaves=3)
    with pytest.raises(ParameterError, match="would remove a node that was signed, overruled or forced by the fit"):
        model.prune(pruner=CriticalValue(threshold=9.0))
    assert model.prune(n_leaves=1, force=True).get_n_leaves() == 1


def test_a_forced_edit_takes_the_signature_away(fitted):
    model, editor, _ = fitted
    editor.take(SignNode(1), who="A. Berg")
    editor.take(PruneNode(1), force=True)
    assert "signed" not in str(model.tree_)


def test_a_model_that_was_pruned_after_its_edits_is_refused(fitted):
    model, editor, _ = fitted
    editor.take(SplitNode(2, "age <= 14"))
    model.prune(n_leaves=2)
    with pytest.raises(ParameterError, match="pruned after its edits"):
        model.edit(*titanic())


def test_what_is_no_verb_is_refused(fitted):
    _, editor, _ = fitted
    with pytest.raises(ParameterTypeError, match=r"verb must be one of boxwood[.]edits"):
        editor.take("split")
    with pytest.raises(ParameterError, match=r"node must be a whole number of at least 0; got 1[.]5"):
        editor.price(PruneNode(1.5))
    with pytest.raises(ParameterError, match="node must be a whole number from 0 to 6; got 77"):
        editor.price(PruneNode(77))
    with pytest.raises(ParameterError, match="give either condition or competitor"):
        editor.price(SplitNode(1))
    with pytest.raises(ParameterError, match="divides no rows of node 2"):
        editor.price(SplitNode(2, "sex = female"))


def test_leaves_that_are_models_are_not_edited():
    X, y = {"a": [1.0, 2.0, 3.0, 4.0] * 5}, ["a", "b"] * 10
    from sklearn.dummy import DummyClassifier

    model = TreeClassifier(leaf=DummyClassifier()).fit(X, y)
    with pytest.raises(ParameterError, match="edit needs leaves that predict a constant"):
        model.edit(X, y)


def test_the_price_is_that_of_the_edited_model(fitted):
    model, _, X = fitted
    y = titanic()[1]
    editor = model.edit(X, y, holdout=(X, y))
    price = editor.price(PruneNode(2))
    assert editor.take(PruneNode(2)) == price
    found = model.evaluate(X, y)
    assert price.after["training"]["error"] == pytest.approx(1 - found["accuracy"].value)
    assert price.after["holdout"]["auc"] == pytest.approx(found["auc"].value)
    assert price.after["leaves"] == model.get_n_leaves()
    of_folds = editor.price(PruneNode(1), folds=5)
    assert of_folds.before["folds"]["error"] < of_folds.after["folds"]["error"] + 0.2


def test_the_price_of_numbers_is_their_loss():
    X, y = titanic()
    rng = np.random.default_rng(0)
    amounts, exposure = rng.poisson(2.0, len(y)) * 1.0, rng.uniform(0.5, 2.0, len(y))
    model = CARTRegressor(criterion="poisson", pruning=None, max_depth=2).fit(X, amounts, exposure=exposure)
    price = model.edit(X, amounts, exposure=exposure).price(PruneNode(0))
    assert price.before["training"]["poisson_deviance"] < price.after["training"]["poisson_deviance"]
    chaid = CHAIDClassifier().fit(X, y)
    assert chaid.edit(X, y).price(PruneNode(0)).after["training"]["auc"] == 0.5


def test_rows_without_a_response_are_left_out_as_in_the_fit():
    X = datasets.load("titanic")
    fare = X.pop("fare")
    assert any(value is None or value != value for value in fare)
    model = CARTRegressor(max_depth=2, missing_target="drop").fit(X, fare)
    model.edit(X, fare, holdout=(X, fare)).take(PruneNode(1))
    assert model.tree_.is_leaf[1]


def test_a_node_of_an_edited_model_is_grown_by_an_edit(fitted):
    model, editor, _ = fitted
    editor.take(SplitNode(2, "age <= 14"))
    with pytest.raises(ParameterError, match="this model was edited by hand"):
        model.grow_below(*titanic(), 2)
    editor.take(GrowBelow(2))
    assert "grown by hand" in str(model)
    assert "grown by hand" not in str(model.prune(n_leaves=1))


def test_a_monotone_tree_stays_monotone():
    X, y = titanic()
    model = CARTClassifier(max_depth=4, pruning=None, monotonic_cst={"fare": 1}).fit(X, y)
    editor = model.edit(X, y)
    editor.take(SplitNode(0, "fare > 50 or missing"))
    editor.take(GrowBelow(1))
    editor.take(SplitNode(2, "sex = male"))
    people = {name: column[:200] for name, column in X.items()}
    poor, rich = (model.predict_proba(people | {"fare": [fare] * 200})[:, 1] for fare in (5.0, 500.0))
    assert (poor <= rich).all()
    assert TreeModel.from_bytes(model.model_.to_bytes()).tree.n_nodes == model.tree_.n_nodes


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"forbidden_features": ["sex"]}, "forbidden_features forbids splits on column 'sex'"),
        ({"interaction_cst": "no_interactions"}, "interaction_cst does not let column 'sex' interact with features"),
    ],
)
def test_splits_that_the_settings_of_the_fit_forbid_are_refused(settings, words):
    X, y = titanic()
    model = CARTClassifier(forced_splits="age <= 16", max_depth=2, pruning=None, **settings).fit(X, y)
    editor = model.edit(X, y)
    with pytest.raises(ParameterError, match=words):
        editor.take(SplitNode(2, "sex = male"))
    editor.take(SplitNode(2, "age <= 40"))


def test_a_forced_split_is_no_overruled_one():
    X, y = titanic()
    model = CARTClassifier(forced_splits="age <= 16", max_depth=2, pruning=None).fit(X, y)
    editor = model.edit(X, y)
    with pytest.raises(ParameterError, match="node 0 was forced by the fit, and this would change it"):
        editor.take(PruneNode(0))
    editor.take(PruneNode(0), force=True)
    assert model.get_n_leaves() == 1


def test_a_split_by_hand_stays_where_an_order_gives_both_leaves_one_value():
    x = np.arange(40.0)
    model = CARTRegressor(max_depth=1, pruning=None, monotonic_cst=[1]).fit(x[:, None], np.where(x < 20, -x, x))
    price = model.edit(x[:, None], np.where(x < 20, -x, x)).take(SplitNode(1, "x0 <= 9.5"))
    assert price.after["leaves"] == model.get_n_leaves() == 3
    for tree in (model.tree_, TreeModel.from_bytes(model.model_.to_bytes()).tree):
        assert tree.n_nodes == 5
        assert tree.value[3] == tree.value[4]


@pytest.mark.parametrize("algorithm", [C45Classifier, ID3Classifier, CHAIDClassifier])
def test_below_a_split_on_levels_in_a_data_frame(algorithm):
    X, y = titanic()
    names = ["class", "sex", "embarked"]
    frame = pd.DataFrame({name: [str(v) for v in X[name]] for name in names})
    lists = {name: frame[name].tolist() for name in names}
    found = []
    for table in (frame, lists):
        model = algorithm().fit(table, y)
        editor = model.edit(table, y)
        editor.take(GrowBelow(1, {"algorithm": "c45"}))
        editor.take(SplitNode(2, competitor=1))
        found.append(model.model_.to_bytes())
    assert found[0] == found[1]
