"""Trees composed from the parts of named algorithms, with names, records and dictionaries for the parts."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2, f
from sklearn.base import clone

import boxwood
from boxwood import (
    Binary,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CLSClassifier,
    ErrorBased,
    Gain,
    ID3Classifier,
    Multiway,
    Scored,
    Significance,
    Termination,
    TreeClassifier,
    TreeRegressor,
    Tsallis,
    datasets,
)
from boxwood.errors import ParameterError
from estimators.composed import MERGED, decrease_of_gini, same_tree, squares_saved


@pytest.mark.parametrize("criterion", ["gini", "entropy", "error", decrease_of_gini])
def test_cart_from_its_parts(iris, criterion):
    named = "gini" if callable(criterion) else criterion
    cart = CARTClassifier(criterion=named, missing="majority", pruning=None).fit(*iris)
    assert same_tree(cart, TreeClassifier(criterion=criterion).fit(*iris))


@pytest.mark.parametrize("criterion", ["variance", squares_saved])
def test_cart_of_numbers_from_its_parts(numbers, criterion):
    cart = CARTRegressor(missing="majority", pruning=None, min_samples_leaf=4).fit(*numbers)
    parts = TreeRegressor(criterion=criterion, termination={"min_samples_leaf": 4}).fit(*numbers)
    assert same_tree(cart, parts)


def test_names_records_and_dictionaries_mean_the_same(titanic):
    by_name = TreeClassifier(branching="multiway", criterion="gain_ratio", termination={"max_depth": 3})
    by_record = TreeClassifier(
        branching=Multiway(), criterion=Gain(ratio=True, above_average=True), termination=Termination(max_depth=3)
    )
    assert same_tree(by_name.fit(*titanic), by_record.fit(*titanic))


@pytest.mark.parametrize(
    "criterion",
    [Gain(ratio=True, slack=1e-3), Scored("own", decrease_of_gini, epsilon=0.25), "in_order", Tsallis(1.5)],
)
def test_records_survive_files_copies_and_pickles(tmp_path, criterion):
    X, y = {"a": ["x", "x", "y", "y"], "b": ["p", "q", "r", "r"]}, ["no", "yes", "yes", "yes"]
    model = TreeClassifier(branching=Multiway(once=False), criterion=criterion).fit(X, y)
    assert clone(model).get_params() == model.get_params()
    assert same_tree(pickle.loads(pickle.dumps(model)), model)
    model.save(tmp_path / "m.box")
    loaded = boxwood.load(tmp_path / "m.box")
    assert loaded.branching == Multiway(once=False)
    assert same_tree(loaded, model)
    if isinstance(criterion, Scored):
        assert (loaded.criterion.name, loaded.criterion.epsilon) == ("own", 0.25)
    else:
        assert loaded.criterion == criterion


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"branching": "threeway"}, "branching must be one of 'binary', 'multiway', 'merged'"),
        ({"branching": 3}, "or a function values -> partitions; got 3"),
        ({"criterion": "variance"}, "criterion must be one of 'gini'"),
        ({"criterion": 0.5}, r"criterion must be one of .* got 0.5"),
        ({"termination": {"depth": 3}}, "termination has no limit 'depth'"),
        ({"termination": {"max_depth": -1}}, "Termination: max_depth must be a whole number of at least 0 or None"),
        ({"termination": 3}, "termination must be None, a dict"),
        ({"missing": "floating"}, "missing='floating' does not go with two branches"),
        ({"missing": "learned", "criterion": decrease_of_gini}, "use one of 'error', 'majority'"),
        ({"branching": "merged"}, "use criterion='significance' with it"),
        ({"branching": "multiway", "criterion": "in_order"}, "name it in categorical_features"),
        ({"criterion": decrease_of_gini, "termination": {"min_impurity_decrease": 0.1}}, "min_impurity_decrease needs"),
        ({"termination": {"min_branch_weight": 2}}, "min_branch_weight do not go with a measure"),
        (
            {"branching": "merged", "criterion": "significance", "termination": {"min_samples_leaf": 2}},
            "min_cases_leaf",
        ),
        ({"branching": "multiway", "termination": {"min_cases_leaf": 2}}, "belong to branching='merged'"),
        ({"branching": "multiway", "criterion": Significance(bonferroni=False)}, "Significance has only alpha"),
        (MERGED | {"missing": "majority"}, "use one of 'error', 'floating'"),
        ({"branching": Binary(pool_above=5), "criterion": "gain_ratio"}, "pool_above"),
    ],
)
def test_parts_that_do_not_fit_are_refused_with_the_remedy(settings, words):
    with pytest.raises(ParameterError, match=words):
        TreeClassifier(**settings).fit([[1], [2], [3], [4]], ["a", "b", "a", "b"])


def test_significance_stops_where_nothing_is_reported(titanic):
    X, y = titanic
    leaves = [
        TreeClassifier(branching=branching, criterion=Significance(alpha)).fit(X, y).get_n_leaves()
        for branching in ("binary", "multiway")
        for alpha in (1e-6, 1e-3, 0.05)
    ]
    assert leaves[0] < leaves[1] < leaves[2]
    assert leaves[3] < leaves[4] < leaves[5]


@pytest.mark.parametrize("branching", ["binary", "multiway"])
def test_significance_is_minus_the_logarithm_of_p(branching):
    X = {"treated": ["no"] * 30 + ["yes"] * 30}
    y = ["ill"] * 20 + ["well"] * 10 + ["ill"] * 5 + ["well"] * 25
    tree = TreeClassifier(branching=branching, criterion="significance").fit(X, y).tree_
    assert tree.score[0] == pytest.approx(-np.log(chi2.sf(15.42857142857143, 1)), rel=1e-12)
    numbers = TreeRegressor(branching=branching, criterion="significance").fit(X, [float(v == "ill") for v in y]).tree_
    within, whole = 30 * (2 / 9) + 30 * (5 / 36), 60 * (25 / 60) * (35 / 60)
    statistic = (whole - within) / (within / 58)
    assert numbers.score[0] == pytest.approx(-np.log(f.sf(statistic, 1, 58)), rel=1e-12)


def test_chaid_from_its_parts(titanic):
    X, y = titanic
    model = TreeClassifier(branching="merged", criterion="significance", termination={"min_cases_leaf": 50}).fit(X, y)
    assert min(n for n, leaf in zip(model.tree_.rows, model.tree_.is_leaf, strict=True) if leaf) >= 50
    assert model.score(X, y) > 0.78


C45 = Gain(ratio=True, above_average=True, charge=True, slack=1e-3, data_cuts=True)


LEVELS_ONCE = Multiway(ordinal_levels=True)


NAMED = {
    "cls": (CLSClassifier(), {"branching": LEVELS_ONCE, "criterion": "in_order", "missing": "error"}, "loan"),
    "id3": (ID3Classifier(), {"branching": LEVELS_ONCE, "criterion": "gain", "missing": "error"}, "loan"),
    "id3 eps": (
        ID3Classifier(criterion="gain_ratio", epsilon=0.3),
        {"branching": LEVELS_ONCE, "criterion": Gain(ratio=True, above_average=True, epsilon=0.3), "missing": "error"},
        "watermelon_2",
    ),
    "c45 unpruned": (
        C45Classifier(pruning=None),
        {"branching": "multiway", "criterion": C45, "missing": "fractional"},
        "titanic",
    ),
    "c45": (
        C45Classifier(laplace=True),
        {
            "branching": "multiway",
            "criterion": C45,
            "missing": "fractional",
            "leaf": "laplace",
            "pruning": "error_based",
        },
        "titanic",
    ),
    "c45 groups": (
        C45Classifier(group_levels=True),
        {
            "branching": Multiway(grouping=True),
            "criterion": C45,
            "missing": "fractional",
            "pruning": ErrorBased(confidence=0.25),
        },
        "titanic",
    ),
    "cart": (CARTClassifier(), {"criterion": "gini", "missing": "surrogate", "pruning": "cv"}, "titanic"),
}


TARGETS = {"loan": "类别", "watermelon_2": "好瓜", "titanic": "survived"}


@pytest.mark.parametrize("name", NAMED)
def test_named_algorithms_are_their_parts(name):
    named, parts, table = NAMED[name]
    X = datasets.load(table)
    y = X.pop(TARGETS[table])
    for number in ("id", "编号"):
        X.pop(number, None)
    if name.startswith("c45"):
        parts = parts | {"termination": {"min_branch_weight": 2, "collapse": True}}
    composed, named = TreeClassifier(**parts).fit(X, y), named.fit(X, y)
    assert same_tree(composed, named)
    np.testing.assert_array_equal(composed.predict_proba(X), named.predict_proba(X))


def test_collapse_is_about_classes():
    with pytest.raises(ParameterError, match="collapse counts wrong classes"):
        TreeRegressor(termination={"collapse": True}).fit([[1], [2]], [0.0, 1.0])


def test_features_in_order_may_be_ordinal_where_levels_are_branches():
    X = {"size": pd.Categorical(["small", "big", "small", "huge"], ["small", "big", "huge"], ordered=True)}
    y = ["no", "yes", "no", "no"]
    for model in (TreeClassifier(branching=LEVELS_ONCE, criterion="in_order"), CLSClassifier()):
        assert model.fit(pd.DataFrame(X), y).get_n_leaves() == 3
    with pytest.raises(ParameterError, match="column 'size' is ordinal"):
        TreeClassifier(branching="multiway", criterion="in_order").fit(pd.DataFrame(X), y)
