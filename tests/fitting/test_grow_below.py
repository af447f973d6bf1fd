"""Growth below a node: exactly what the fit would have grown there, and a split of the user's."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from boxwood import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CHAIDClassifier,
    CHAIDRegressor,
    CLSClassifier,
    Gain,
    ID3Classifier,
    ParameterError,
    TreeClassifier,
    datasets,
    from_json,
    load,
)
from boxwood.errors import ParameterTypeError
from boxwood.views.boxes import all_ranges

ESTIMATORS = [
    CARTClassifier(pruning=None, max_depth=6),
    CARTClassifier(),
    CARTClassifier(pruning=None, min_impurity_decrease=0.004),
    CARTClassifier(pruning=None, max_bins=16),
    CARTClassifier(pruning=None, class_weight="balanced"),
    CARTRegressor(pruning=None, max_depth=5),
    CARTRegressor(pruning=None, max_depth=5, monotonic_cst={"a": 1, "b": -1}),
    ID3Classifier(missing="own_branch"),
    C45Classifier(pruning=None),
    C45Classifier(),
    CHAIDClassifier(alpha_split=0.3),
    CHAIDRegressor(),
    CLSClassifier(missing="own_branch"),
    TreeClassifier(missing="majority", criterion=Gain()),
]


def table(n: int = 400) -> tuple[dict, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    X = {
        "a": rng.integers(0, 30, n).astype(float), "b": rng.normal(size=n),
        "town": rng.choice(["Ulm", "Bonn", "京都", "Köln"], n), "grade": rng.choice(["k", "l", "m"], n),
    }  # fmt: skip
    X["a"][rng.random(n) < 0.1] = np.nan
    y = np.where((X["b"] > 0) ^ (X["town"] == "Ulm") | (rng.random(n) < 0.2), "yes", "no")
    return X, y, X["b"] * 2 + (X["town"] == "Ulm") + rng.normal(size=n)


def of_task(estimator) -> tuple[dict, np.ndarray]:
    X, y, numbers = table()
    if isinstance(estimator, (ID3Classifier, CLSClassifier)):
        X = {name: X[name] for name in ("town", "grade")}
    return X, numbers if estimator._task == "regression" else y


def assert_same(one, other) -> None:
    for field in fields(one):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if field.name in ("splits", "surrogates", "competitors"):
            for part in fields(a):
                assert np.array_equal(getattr(a, part.name), getattr(b, part.name)), (field.name, part.name)
        elif isinstance(a, np.ndarray):
            assert np.array_equal(a, b, equal_nan=a.dtype.kind == "f"), field.name


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: repr(e)[:40])
def test_below_any_node_the_same_tree_grows_again(estimator):
    X, y = of_task(estimator)
    full = estimator.fit(X, y).model_.full_tree
    estimator.grow_below(X, y, 0)
    assert_same(full, estimator.tree_)
    for node in np.flatnonzero(~full.is_leaf)[1:8].tolist():
        estimator.grow_below(X, y, node)
        assert_same(full, estimator.tree_)


def test_weights_and_exposures_come_along():
    X, y, _ = table()
    weight = np.random.default_rng(3).uniform(0.5, 2.0, len(y))
    model = CARTClassifier(pruning=None, max_depth=4).fit(X, y, sample_weight=weight)
    full = model.tree_
    assert_same(full, model.grow_below(X, y, 1, sample_weight=weight).tree_)
    counts = np.random.default_rng(4).poisson(weight * np.exp(X["b"]))
    rates = CARTRegressor(criterion="poisson", pruning=None, max_depth=4).fit(X, counts, exposure=weight)
    full = rates.tree_
    assert_same(full, rates.grow_below(X, counts, 1, exposure=weight).tree_)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: repr(e)[:40])
def test_a_split_of_the_user_is_made_and_both_branches_are_grown(estimator):
    X, y = of_task(estimator)
    estimator.fit(X, y).grow_below(X, y, 0, split="town in {Ulm, 京都}")
    tree = estimator.tree_
    rows = np.isin(X["town"], ["Ulm", "京都"])
    assert tree.schema[int(tree.splits.feature[0])].name == "town"
    assert tree.rows[1:3].tolist() == [rows.sum(), (~rows).sum()]
    assert "split by hand, town in {Ulm, 京都}" in estimator.model_.notes[-1]
    assert set(estimator.nodes_where("town in {Ulm, 京都}").tolist()) >= {1}
    # each branch is the tree of its rows under the limits of the whole
    alone = type(estimator)(**estimator.get_params()).fit(X, y)
    alone.grow_below(X, y, 0, split="town in {Bonn, Köln}")
    assert alone.get_n_leaves() == estimator.get_n_leaves()


def test_missing_values_go_where_the_condition_or_the_policy_sends_them():
    X, y, _ = table()
    missing = int(np.isnan(X["a"]).sum())
    model = CARTClassifier(pruning=None, max_depth=2).fit(X, y)
    below = int(np.nansum(X["a"] <= 15))
    assert model.grow_below(X, y, 0, split="a <= 15 or missing").tree_.rows[1] == below + missing
    assert model.grow_below(X, y, 0, split="a > 15").tree_.rows[1:3].sum() == len(y)
    model = CARTClassifier(pruning=None, max_depth=2, missing="stay", max_surrogates=0).fit(X, y)
    assert model.grow_below(X, y, 0, split="a > 15").tree_.rows[1:3].tolist() == [len(y) - missing - below, below]
    model = CARTClassifier(pruning=None, max_depth=2, missing="majority").fit(X, y)
    assert model.grow_below(X, y, 0, split="a > 15").tree_.rows[2] in (below, below + missing)
    assert model.grow_below(X, y, 0, split="a is missing").tree_.rows[1:3].tolist() == [missing, len(y) - missing]
    assert model.grow_below(X, y, 0, split="a is known").tree_.rows[1:3].tolist() == [len(y) - missing, missing]


def test_another_recipe_grows_below(tmp_path):
    X, y, _ = table()
    model = CARTClassifier(pruning=None, max_depth=2).fit(X, y)
    size = model.tree_.n_nodes
    model.grow_below(X, y, 3, recipe=CARTClassifier(criterion="entropy", max_depth=5, min_samples_leaf=5))
    assert model.tree_.n_nodes > size
    assert model.tree_.max_depth <= 5
    model.save(tmp_path / "grown.box")
    assert_same(load(tmp_path / "grown.box").tree_, model.tree_)
    assert model.prune(n_leaves=3).get_n_leaves() <= 3


def test_trees_in_the_manner_of_rpart_can_be_grown_again_after_a_split_by_hand():
    X, y, numbers = table()
    weight = np.random.default_rng(3).integers(1, 4, len(y))
    model = CARTRegressor(compat="rpart").fit(X, numbers, sample_weight=weight)
    grown = model.grow_below(X, numbers, 0, split="a <= 12", sample_weight=weight).tree_
    for child in (1, 2):
        assert_same(grown, model.grow_below(X, numbers, child, sample_weight=weight).tree_)
    with pytest.raises(ParameterError, match="compat='rpart' decides where missing values go"):
        model.grow_below(X, numbers, 0, split="a is known", sample_weight=weight)


def test_what_cannot_be_grown_is_refused():
    X, y, _ = table()
    model = CARTClassifier(pruning=None, max_depth=2).fit(X, y)
    for node in (-1, 7, 1.5):
        with pytest.raises(ParameterError, match="node must be a whole number from 0 to"):
            model.grow_below(X, y, node)
    with pytest.raises(ParameterError, match=r"split 'b <= 1000' divides no rows of node 0 \(the root\)"):
        model.grow_below(X, y, 0, split="b <= 1000")
    with pytest.raises(ParameterError, match="split must be about one feature"):
        model.grow_below(X, y, 0, split="b <= 0 and a > 1")
    with pytest.raises(ParameterTypeError, match="recipe must be a tree estimator"):
        model.grow_below(X, y, 0, recipe="cart")
    with pytest.raises(ParameterError, match="CARTRegressor is not"):
        model.grow_below(X, y, 0, recipe=CARTRegressor())


@pytest.mark.parametrize("estimator", [CHAIDClassifier(alpha_split=0.3), CHAIDRegressor()], ids=["classes", "means"])
def test_a_split_that_no_test_chose_has_no_p(estimator, tmp_path):
    X, y = of_task(estimator)
    estimator.fit(X, y).grow_below(X, y, 0, split="b <= 0.1")
    first = str(estimator.tree_).splitlines()[1]
    assert first.startswith("all rows (400 rows")
    assert "; p " not in first
    assert "; p " in str(estimator.tree_)
    estimator.save(tmp_path / "grown.box")
    assert_same(load(tmp_path / "grown.box").tree_, estimator.tree_)
    assert_same(from_json(estimator.export("json")), estimator.tree_)
    estimator.explore(path=tmp_path / "grown.html")
    assert " p " in estimator.to_svg()


def test_trees_with_and_without_tests_can_be_combined():
    X, y, _ = table()
    model = CARTClassifier(pruning=None, max_depth=2).fit(X, y)
    model.grow_below(X, y, 1, recipe=CHAIDClassifier(alpha_split=0.5, min_samples_split=20, min_samples_leaf=10))
    assert np.isnan(model.tree_.log_p[0])
    assert not np.isnan(model.tree_.log_p[1])
    chaid = CHAIDClassifier(alpha_split=0.3).fit(X, y).grow_below(X, y, 1, recipe=CARTClassifier(max_depth=3))
    assert "; p " in str(chaid.tree_)


@pytest.mark.parametrize("weights", ["frequency", "case"])
def test_shares_of_all_cases_stay_those_of_the_root(weights):
    X, y, _ = table()
    weight = np.random.default_rng(3).integers(1, 4, len(y))
    model = CHAIDClassifier(alpha_split=0.5, min_samples_split=0.06, min_samples_leaf=0.03, weights=weights)
    full = model.fit(X, y, sample_weight=weight).tree_
    for node in np.flatnonzero(~full.is_leaf).tolist():
        assert_same(full, model.grow_below(X, y, node, sample_weight=weight).tree_)


def test_the_rows_of_the_fit_are_those_of_this_model_whatever_the_recipe_holds_out():
    X, y, _ = table()
    for own, other in (("reduced_error", None), (None, "reduced_error")):
        model = CARTClassifier(pruning=own, random_state=1).fit(X, y)
        before = model.tree_.rows[0]
        model.grow_below(X, y, 0, recipe=CARTClassifier(pruning=other, max_depth=4))
        assert model.tree_.rows[0] == before


@pytest.mark.parametrize("own", [CARTRegressor(), CARTRegressor(criterion="poisson")], ids=["means", "rates"])
def test_a_recipe_for_another_y_is_refused(own):
    X, y, numbers = table()
    other = CARTRegressor(criterion="poisson" if own.criterion == "variance" else "variance")
    own.fit(X, np.abs(numbers))
    with pytest.raises(ParameterError, match="recipe treats y otherwise than this model"):
        own.grow_below(X, np.abs(numbers), 0, recipe=other)
    model = CARTClassifier(pruning=None, max_depth=3).fit(X, y)
    with pytest.raises(ParameterError, match="recipe treats y otherwise than this model"):
        model.grow_below(X, y, 1, recipe=CARTClassifier(class_weight="balanced"))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "settings", [{}, {"surrogate_style": 1}, {"missing": "stay"}, {"missing": "majority"}], ids=repr
)
def test_a_split_by_hand_equal_to_that_of_the_fit_has_its_surrogates(settings, weighted):
    X, y, _ = table()
    for name in ("b", "town"):
        column = np.array(X[name], dtype=object if name == "town" else float)
        column[::7] = None
        X[name] = column
    weight = np.random.default_rng(3).integers(1, 4, len(y)) if weighted else None
    model = CARTClassifier(pruning=None, max_depth=4, max_competitors=0, **settings).fit(X, y, sample_weight=weight)
    full = model.tree_
    for node in np.flatnonzero(~full.is_leaf).tolist():
        j, child = int(full.splits.feature[node]), int(full.first_child[node])
        if j in full.splits.feature[full.path(node)[:-1]]:
            continue
        known = next(part for part in all_ranges(full)[child] if part.feature == j)
        split = known.words(full.schema, None).replace(" or missing", "")
        model.fit(X, y, sample_weight=weight).grow_below(X, y, node, split=split, sample_weight=weight)
        assert_same(replace(full, score=model.tree_.score), model.tree_)


def test_real_data():
    X = datasets.load("titanic")
    y = X.pop("survived")
    model = CARTClassifier(max_depth=2).fit(X, y).grow_below(X, y, 0, split="age <= 14")
    assert model.tree_.to_text().splitlines()[2].startswith("├─ age <= 14 (yes 0.526, 55 of 104 rows)")


def test_the_cut_of_a_split_by_hand_is_the_one_that_was_given():
    X, y, _ = table()
    for model in (C45Classifier(), CARTClassifier(), CHAIDClassifier()):
        tree = model.fit(X, y).grow_below(X, y, 0, split="a <= 12.5").tree_
        assert tree.splits.breaks_of(0).tolist() == [12.5], model
