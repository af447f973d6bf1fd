"""explain_split tells what growth saw: the same ranking, the same scores, and a true reason for every feature."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CHAIDRegressor,
    DataError,
    ParameterError,
    TreeClassifier,
    TreeRegressor,
    datasets,
)


def mixed(seed: int, n: int = 40):
    """A table with numbers, names, gaps and weights, and two kinds of response."""
    rng = np.random.default_rng(seed)
    X = {
        "数": rng.integers(0, 6, n).astype(float),
        "colour": rng.choice(["red", "green", "蓝"], n).astype(object),
        "flag": rng.choice([True, False], n),
    }
    X["数"][rng.random(n) < 0.15] = np.nan
    X["colour"][rng.random(n) < 0.15] = None
    labels = np.where(rng.random(n) < 0.3, "c", np.where(np.nan_to_num(X["数"]) > 2, "a", "b"))
    return X, labels, rng.integers(1, 4, n).astype(float)


MODELS = [
    CARTClassifier(pruning=None, max_depth=3),
    CARTClassifier(pruning=None, max_depth=3, criterion="entropy", missing="learned"),
    CARTClassifier(pruning=None, max_depth=3, missing="stay", priors={"a": 0.2, "b": 0.5, "c": 0.3}),
    TreeClassifier(branching="multiway", criterion="gain_ratio", missing="fractional", pruning=None),
    TreeClassifier(branching="multiway", criterion="gain", missing="own_branch", pruning=None),
    TreeClassifier(branching="binary", criterion="gini", missing="majority", pruning=None),
]
SCORES = {"gini": "gini_decrease", "entropy": "gain"}


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(range(len(MODELS))))
def test_every_node_is_reported_as_it_was_grown(seed, number):
    X, y, weight = mixed(seed)
    model = MODELS[number].fit(X, y, sample_weight=weight)
    tree = model.tree_
    for node in np.flatnonzero(tree.rows > 0):
        found = model.explain_split(X, y, int(node), sample_weight=weight)
        np.testing.assert_allclose(found.moments, tree.moments[node], rtol=1e-9)
        assert sorted(c.feature for c in found.candidates) == sorted(X)
        assert all(c.why for c in found.candidates)
        chosen = [c for c in found.candidates if c.chosen]
        if tree.is_leaf[node]:
            assert not chosen
            assert found.note.startswith("leaf: ")
            continue
        assert [c.rank for c in chosen] == [1]
        assert chosen[0].feature == tree.schema.names[tree.splits.feature[node]]
        assert chosen[0].score == tree.score[node]
        ranked = [c.rank for c in found.candidates if c.rank is not None]
        assert ranked == list(range(1, len(ranked) + 1))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(range(len(MODELS))))
def test_scores_are_the_measures_shown(seed, number):
    X, y, weight = mixed(seed)
    model = MODELS[number].fit(X, y, sample_weight=weight)
    for c in model.explain_split(X, y, 0, sample_weight=weight).candidates:
        if c.rank is not None:
            name = "gain_ratio" if number == 3 else "gain" if number in (1, 4) else "gini_decrease"
            assert c.score == pytest.approx(c.numbers[name], abs=1e-10)


def test_shares_of_rows_come_with_their_weight():
    X, y, weight = mixed(7)
    model = MODELS[3].fit(X, y, sample_weight=weight)
    tree = model.tree_
    parts = [t for t in range(tree.n_nodes) if tree.rows[t] and not float(tree.weight[t]).is_integer()]
    assert parts
    for node in parts:
        found = model.explain_split(X, y, node, sample_weight=weight)
        assert found.moments.sum() == pytest.approx(tree.weight[node], rel=1e-9)


def test_numbers_are_reported_by_variance_and_f():
    X = {"面积": [1, 2, 3, 4, 5, 6], "same": [1, 1, 1, 1, 1, 1]}
    y = [1.0, 2.0, 3.0, 11.0, 12.0, 13.0]
    model = CARTRegressor(pruning=None, max_depth=1).fit(X, y)
    found = model.explain_split(X, y, 0)
    numbers = found["面积"].numbers
    assert numbers["variance"] == pytest.approx(np.var(y))
    assert numbers["variance_decrease"] == pytest.approx(found["面积"].score) == pytest.approx(25.0)
    assert (numbers["f"], numbers["df"], numbers["df_within"]) == (pytest.approx(150.0), 1, 4)
    assert found["same"].why == "is constant in this node"
    assert "Var(D) = 154/6 = 25.667" in found.to_text("面积")
    assert "F = (150 / 1) / (4 / 4) = 150" in found.to_text("面积", "f")
    assert model.explain_split(X, y, 1).note == "leaf: max_depth = 1 is reached"


def test_rates_are_reported_by_deviance():
    X, events = {"age": [20, 25, 50, 60]}, [4, 2, 2, 0]
    model = CARTRegressor(criterion="poisson", pruning=None, max_depth=1).fit(X, events, exposure=[2, 1, 4, 1])
    found = model.explain_split(X, events, 0, exposure=[2, 1, 4, 1])
    numbers = found["age"].numbers
    assert found["age"].score == pytest.approx(numbers["deviance_decrease"])
    assert "deviance(D | age)" in found.to_text()


def test_a_composed_regression_tree_has_parts_for_its_levels():
    X, y = {"颜色": list("aabbcc")}, [1, 2, 3, 4, 9, 9]
    model = TreeRegressor(branching="multiway", criterion="variance", pruning=None).fit(X, y)
    found = model.explain_split(X, y, 0)["颜色"]
    assert [b.words for b in found.branches] == ["颜色 = a", "颜色 = b", "颜色 = c"]
    whole = model.tree_.response.union(np.array([b.moments for b in found.branches]))
    np.testing.assert_allclose(whole, model.tree_.moments[0])


def test_why_features_are_out():
    X = {
        "x": [1, 2, 3, 4, 5, 6, 7, 8],
        "rare": list("abbbbbbb"),
        "empty": [None] * 8,
        "same": list("zzzzzzzz"),
    }
    y = list("nnnnyyyy")
    model = CARTClassifier(pruning=None, min_samples_leaf=2).fit(X, y)
    found = model.explain_split(X, y, 0)
    assert found["x"].why.startswith("chosen: decrease of Gini impurity 0.5 is the largest") or (
        found["x"].why == "chosen: decrease of Gini impurity 0.5; there is no other candidate"
    )
    assert found["rare"].why == "no split leaves 2 rows in each branch"
    assert found["empty"].why == "missing in every row here"
    assert found["same"].why == "is constant in this node"
    leaf = model.explain_split(X, y, 1)
    assert leaf.note == "leaf: all rows have the same response"
    assert leaf["x"].why == "nothing to gain: all rows have the same response"


def test_a_leaf_that_was_pruned_shows_what_growth_would_do():
    table = datasets.load("titanic")
    y = table.pop("survived")
    model = CARTClassifier(pruning=None, max_depth=4).fit(table, y).prune(n_leaves=2)
    found = model.explain_split(table, y, 1)
    assert found.note == "leaf: split during growth, then pruned"
    assert found.candidates[0].why.startswith("best, but not used")
    assert not any(c.chosen for c in found.candidates)


def test_without_rows_the_tree_tells_what_it_keeps():
    X, y, _ = mixed(3)
    model = CARTClassifier(pruning=None, max_competitors=2).fit(X, y)
    found = model.explain_split()
    full = model.explain_split(X, y, 0)
    assert [c.feature for c in found.candidates] == [c.feature for c in full.candidates if c.rank is not None][:3]
    assert found.candidates[0].chosen
    assert [c.score for c in found.candidates] == [c.score for c in full.candidates if c.rank is not None][:3]
    with pytest.raises(ParameterError, match="needs the rows"):
        found.to_text()
    leaf = int(model.tree_.leaves[0])
    with pytest.raises(ParameterError, match="is a leaf"):
        model.explain_split(node=leaf)


def test_what_does_not_fit_is_refused():
    X, y, weight = mixed(5)
    model = CARTClassifier(pruning=None).fit(X, y)
    with pytest.raises(DataError, match="not the ones that the model was fitted to"):
        model.explain_split({name: column[:20] for name, column in X.items()}, y[:20], 0)
    with pytest.raises(DataError, match="not the ones"):
        model.explain_split(X, y, 0, sample_weight=weight)
    with pytest.raises(DataError, match="classes"):
        model.explain_split(X, np.where(y == "a", "b", y))
    with pytest.raises(DataError, match="levels that the fit did not have"):
        model.explain_split(X | {"colour": ["new"] * len(y)}, y, 0)
    with pytest.raises(ParameterError, match="node must be"):
        model.explain_split(X, y, 9999)
    with pytest.raises(ParameterError, match="X and y"):
        model.explain_split(X)
    with pytest.raises(ParameterError, match="branches must be"):
        model.explain_split(X, y, 0, branches="all")
    found = model.explain_split(X, y, 0)
    with pytest.raises(ParameterError, match="no feature 'nobody'"):
        found.to_text("nobody")
    with pytest.raises(ParameterError, match="measures must be among"):
        found.to_text(measures="variance")
    with pytest.raises(ParameterError, match="digits"):
        found.to_text(digits=0)


def test_empty_nodes_are_refused():
    X = {"level": ["a", "b", "c", "a"], "other": ["u", "u", "v", "v"]}
    y = ["1", "2", "1", "1"]
    model = TreeClassifier(branching="multiway", criterion="gain", pruning=None).fit(X, y)
    X2 = {"level": ["a", "b", "c", "a"] * 2, "other": ["u", "v", "u", "v"] * 2}
    y2 = ["1", "2", "1", "2", "1", "2", "1", "2"]
    model = TreeClassifier(branching="multiway", criterion="in_order", pruning=None).fit(X2, y2)
    assert model.explain_split(X2, y2, 0)["level"].why.startswith("chosen: the first feature in order")
    empty = np.flatnonzero(model.tree_.rows == 0)
    for node in empty:
        with pytest.raises(ParameterError, match="is empty"):
            model.explain_split(X2, y2, int(node))


def test_criteria_written_in_python_are_called_again():
    def balance(children, parent):
        return -np.abs(children[:, 0].sum(axis=1) - children[:, 1].sum(axis=1))

    X, y = {"x": [1, 2, 3, 4], "z": [1, 1, 1, 2]}, list("abab")
    found = TreeClassifier(criterion=balance, pruning=None).fit(X, y).explain_split(X, y, 0)
    assert (found.criterion, found.candidates[0].feature, found.candidates[0].score) == ("balance", "x", 0.0)


def test_costs_of_features_are_reported():
    X, y = {"x": [1, 2, 3, 4], "z": [1, 1, 3, 2]}, list("aabb")
    model = CARTClassifier(pruning=None, feature_costs={"x": 9.0, "z": 1.0}).fit(X, y)
    found = model.explain_split(X, y, 0)
    assert found.candidates[0].feature == "z"
    assert "after division by the costs of the features" in found.candidates[0].why


def test_numbers_without_meaning_are_nan_and_frames_take_them():
    X, y = {"x": [1, 2, 3, 4], "same": [1, 1, 1, 1]}, list("aabb")
    records = CARTClassifier(pruning=None).fit(X, y).explain_split(X, y, 0).to_records()
    assert math.isnan(records["gain_ratio"][records["feature"].index("same")])
    assert records["rank"] == [1, None]
    assert len({len(column) for column in records.values()}) == 1


def c45_cases():
    table = datasets.load("titanic")
    return table, table.pop("survived")


def test_c45_scores_are_gain_less_charge_over_intrinsic_value():
    X, y = c45_cases()
    model = C45Classifier(pruning=None).fit(X, y)
    for node in (0, 1, 2):
        found = model.explain_split(X, y, node)
        assert found.candidates[0].chosen
        for c in found.candidates:
            if c.rank is not None:
                net = c.numbers["gain"] - c.numbers.get("charge", 0.0)
                assert c.score == pytest.approx(net / c.numbers["intrinsic_value"], abs=1e-10)
    root = model.explain_split(X, y, 0)
    charged = [c for c in root.candidates if c.numbers.get("charge", 0.0) > 0.0]
    assert charged
    for c in charged:
        assert c.numbers["charge"] == pytest.approx(math.log2(c.numbers["n_cuts"]) / 1109)
        assert "gain less charge = " in root.to_text(c.feature)
    kept = [c for c in root.candidates if "charge" in c.numbers]
    mean = sum(c.numbers["gain"] - c.numbers["charge"] for c in kept) / len(kept)
    assert root.candidates[0].numbers["mean_gain"] == pytest.approx(mean)


def test_branches_that_pruning_raised_are_reported_as_such():
    X, y = c45_cases()
    model = C45Classifier().fit(X, y)
    tree = model.tree_
    raised = []
    for node in np.flatnonzero(~tree.is_leaf & (tree.rows > 0)):
        found = model.explain_split(X, y, int(node))
        chosen = [c for c in found.candidates if c.chosen]
        assert len(chosen) == 1
        np.testing.assert_allclose(found.moments, tree.moments[node], rtol=1e-6)
        if chosen[0].rank != 1:
            raised.append(chosen[0].why)
    assert raised
    assert all(why.startswith("put here by pruning, which raised a branch") for why in raised)


def test_rows_that_a_pruner_held_out_are_left_out_again():
    X, y = c45_cases()
    model = CARTClassifier(pruning="reduced_error").fit(X, y)
    found = model.explain_split(X, y, 0)
    assert found.rows == model.tree_.rows[0] < 1109
    assert found.candidates[0].chosen


def test_chaid_with_means_bins_and_missing_values():
    X, _ = c45_cases()
    fare = [value or 0.0 for value in X.pop("fare")]
    model = CHAIDRegressor(min_samples_split=50, min_samples_leaf=20).fit(X, fare)
    for node in range(model.tree_.n_nodes):
        found = model.explain_split(X, fare, node)
        if not model.tree_.is_leaf[node]:
            assert found.candidates[0].chosen
        for c in found.candidates:
            if c.rank is not None and not found.note:
                whole = model.tree_.response.union(np.array([b.moments for b in (*c.branches, c.unknown) if b.rows]))
                np.testing.assert_allclose(whole, found.moments, rtol=1e-9)
    text = model.explain_split(X, fare, 0).to_text()
    assert "F = (" in text
    assert "adjusted p = " in text


@pytest.mark.parametrize("missing", ["surrogate", "surrogate_or_stay", "stay"])
def test_rpart_s_treatment_of_missing_values_is_undone(missing):
    rng = np.random.default_rng(1)
    X = rng.integers(0, 6, size=(70, 4)).astype(float)
    X[rng.random(X.shape) < 0.3] = np.nan
    y, weight = rng.integers(0, 3, 70), rng.integers(1, 4, 70)
    model = CARTClassifier(compat="rpart", missing=missing, pruning=None, min_samples_split=4, min_samples_leaf=1)
    tree = model.fit(X, y, weight).tree_
    for node in range(tree.n_nodes):
        found = model.explain_split(X, y, node, sample_weight=weight)
        assert found.rows == tree.rows[node]
        chosen = [c for c in found.candidates if c.chosen]
        assert len(chosen) == (not tree.is_leaf[node])
        assert all(c.rank == 1 for c in chosen)


def test_the_likelihood_ratio_is_the_gain_in_other_units():
    loan = datasets.load("loan")
    y = loan.pop("类别")
    model = C45Classifier(pruning=None).fit(loan, y)
    shown = model.explain_split(loan, y, 0).to_frame("dict")
    expected = 2 * len(y) * math.log(2) * np.array(shown["gain"], dtype=float)
    np.testing.assert_allclose(np.array(shown["likelihood_ratio"], dtype=float), expected, atol=1e-9)
    assert (expected > 1.0).any()
