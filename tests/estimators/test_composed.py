"""Trees composed by their user: from the parts of named algorithms, and with criteria written in Python."""

from __future__ import annotations

import pickle
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2, f, norm
from sklearn.base import clone
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsRegressor

import boxwood
from boxwood import (
    Binary,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CLSClassifier,
    CostComplexity,
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
from boxwood.errors import MissingValueError, ParameterError
from boxwood.growing.criterion import Criterion
from boxwood.growing.impurity_decrease import ImpurityDecrease
from boxwood.growing.partitions import BestPartition

MERGED = {"branching": "merged", "criterion": "significance"}


def decrease_of_gini(children, parent):
    """What CART asks, in a person's own words."""
    mixed = 1 - (parent**2).sum() / parent.sum() ** 2
    weight = children.sum(axis=2)
    return mixed - (weight - (children**2).sum(axis=2) / weight).sum(axis=1) / parent.sum()


def squares_saved(children, parent):
    """Squared error that the branches take away."""
    return parent[2] - children[:, :, 2].sum(axis=1)


def same_tree(one, other) -> bool:
    """Whether two estimators hold the same splits and the same moments."""
    a, b = one.tree_, other.tree_
    pairs = [(a.splits.feature, b.splits.feature), (a.splits.breaks, b.splits.breaks), (a.moments, b.moments)]
    return all(np.array_equal(x, y) for x, y in pairs)


@pytest.fixture
def iris():
    X = datasets.load("iris")
    return X, X.pop("species")


@pytest.fixture
def titanic():
    X = datasets.load("titanic")
    return X, X.pop("survived")


@pytest.fixture
def numbers():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 3)).round(1)
    return X, X[:, 0] * X[:, 1] + rng.normal(size=120)


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


def test_names_records_and_dictionaries_say_the_same(titanic):
    by_name = TreeClassifier(branching="multiway", criterion="gain_ratio", termination={"max_depth": 3})
    by_record = TreeClassifier(
        branching=Multiway(), criterion=Gain(ratio=True, above_average=True), termination=Termination(max_depth=3)
    )
    assert same_tree(by_name.fit(*titanic), by_record.fit(*titanic))


def test_a_criterion_of_one_s_own_is_pruned_by_cross_validation(iris):
    own = TreeClassifier(criterion=decrease_of_gini, pruning=CostComplexity(risk="gini")).fit(*iris)
    cart = CARTClassifier(missing="majority").fit(*iris)
    assert same_tree(own, cart)
    np.testing.assert_allclose(own.cost_complexity_path_.cv_mean, cart.cost_complexity_path_.cv_mean, rtol=1e-12)


@pytest.mark.parametrize("missing", ["majority", "own_branch", "fractional"])
@pytest.mark.parametrize("branching", ["binary", "multiway"])
def test_missing_values_are_welcome_to_any_criterion(titanic, branching, missing):
    X, y = titanic
    model = TreeClassifier(
        branching=branching, criterion=decrease_of_gini, missing=missing, termination={"max_depth": 3}
    ).fit(X, y)
    assert model.score(X, y) > 0.75
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


def test_missing_values_can_be_refused(titanic):
    with pytest.raises(MissingValueError, match="'age'"):
        TreeClassifier(branching="multiway", criterion="gini", missing="error").fit(*titanic)


def test_moments_that_a_criterion_sees():
    seen = []

    def spy(children, parent):
        seen.append((children.copy(), parent.copy()))
        assert not children.flags.writeable
        return np.full(len(children), np.nan)

    X = {"city": ["京都", "Ulm", "Ulm", None], "area": [1.0, 2.0, 2.0, 3.0]}
    TreeRegressor(branching="multiway", criterion=spy).fit(X, [1.0, 2.0, 4.0, 9.0], sample_weight=[1, 1, 3, 1])
    (cities, of_known), (cuts, of_all) = seen
    assert cities.tolist() == [[[4.0, 3.5, 3.0], [1.0, 1.0, 0.0]]]
    assert of_known.tolist() == [5.0, 3.0, 8.0]
    assert cuts.shape == (2, 2, 3)
    assert of_all.tolist() == [6.0, 4.0, 38.0]


def test_empty_branches_are_zero_rows_and_speak_with_their_parent():
    X = {"a": ["x", "x", "y", "y"], "b": ["p", "q", "r", "r"]}
    model = TreeClassifier(branching="multiway", criterion="in_order").fit(X, ["no", "yes", "yes", "yes"])
    tree = model.tree_
    assert (tree.rows == 0).sum() == 1
    assert model.predict({"a": ["x"], "b": ["r"]}).tolist() == ["no"]  # a tie at "x": the first class


@pytest.mark.parametrize(
    ("criterion", "words"),
    [
        (lambda children, parent: children, r"one score for each of 3 ways to part a node, shape \(3,\)"),
        (lambda children, parent: 1 / 0, "failed on children of shape .* ZeroDivisionError"),
        (lambda children, parent: np.full(len(children), np.inf), "infinite score; return NaN"),
        (lambda children, parent: ["good"] * len(children), "failed on children"),
        (Scored("half", lambda children, parent: None), "criterion 'half' must return one score"),
    ],
)
def test_a_criterion_that_fails_is_named(criterion, words):
    with pytest.raises(ParameterError, match=words):
        TreeClassifier(criterion=criterion).fit([[1], [2], [3], [4]], ["a", "b", "a", "b"])


def test_a_score_of_nan_is_no_candidate_and_epsilon_stops():
    X, y = [[1], [2], [3], [4]], ["a", "a", "b", "b"]
    never = TreeClassifier(criterion=lambda children, parent: np.full(len(children), np.nan)).fit(X, y)
    assert never.get_n_leaves() == 1
    for epsilon, leaves in ((0.5, 2), (0.6, 1)):
        model = TreeClassifier(criterion=Scored("gini", decrease_of_gini, epsilon)).fit(X, y)
        assert model.get_n_leaves() == leaves


def test_a_model_file_names_the_function_and_predicts_without_it(tmp_path, iris):
    X, y = iris
    model = TreeClassifier(criterion=decrease_of_gini, termination=Termination(max_depth=2)).fit(X, y)
    model.save(tmp_path / "own.box")
    loaded = boxwood.load(tmp_path / "own.box")
    assert loaded.tree_.made_by["parameters"]["criterion"] == {"function": "decrease_of_gini"}
    assert loaded.termination == Termination(max_depth=2)
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    with pytest.raises(ParameterError, match=r"'decrease_of_gini' is a Python function.*set_params"):
        loaded.fit(X, y)
    again = loaded.set_params(criterion=decrease_of_gini).fit(X, y)
    assert same_tree(again, model)


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
        ({"branching": 3}, r"Multiway\(...\), Merged\(...\); got 3"),
        ({"criterion": "variance"}, "criterion must be one of 'gini'"),
        ({"criterion": 0.5}, r"criterion must be one of .* got 0.5"),
        ({"termination": {"depth": 3}}, "termination has no limit 'depth'"),
        ({"termination": {"max_depth": 0}}, "Termination: max_depth must be a whole number of at least 1 or None"),
        ({"termination": 3}, "termination must be None, a dict"),
        ({"missing": "floating"}, "missing='floating' does not go with two branches"),
        ({"missing": "surrogate", "criterion": decrease_of_gini}, "use one of 'error', 'majority'"),
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


def test_significance_stops_where_nothing_is_told(titanic):
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


@pytest.mark.parametrize(("leaf", "expected"), [("majority", 1.0), ("laplace", 5 / 6), (2, 5 / 6), (4.0, 6 / 8)])
def test_what_a_leaf_says(tmp_path, leaf, expected):
    X, y = [[1], [1], [1], [1], [2]], ["a", "a", "a", "a", "b"]
    model = TreeClassifier(leaf=leaf).fit(X, y)
    assert model.predict_proba([[1]])[0].tolist() == pytest.approx([expected, 1 - expected])
    assert model.predict([[1], [2]]).tolist() == ["a", "b"]
    model.save(tmp_path / "m.box")
    loaded = boxwood.load(tmp_path / "m.box")
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(loaded.fit(X, y).predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("leaf", [0, -1.0, True, float("inf"), [1]])
def test_a_leaf_that_says_nothing_is_refused(leaf):
    with pytest.raises(ParameterError, match="leaf must be 'majority', 'laplace' or a number of rows above 0"):
        TreeClassifier(leaf=leaf).fit([[1], [2]], ["a", "b"])


def thirds(node):
    """All ways to cut an ordered feature into three; a branch a level for others."""
    size = len(node.values)
    if node.kind == "nominal":
        return np.arange(size)[None]
    cuts = [[0] * a + [1] * (b - a) + [2] * (size - b) for b in range(size) for a in range(1, b)]
    return np.array(cuts, dtype=int).reshape(-1, size)


def test_a_branching_of_one_s_own_is_scored_by_any_criterion():
    X = {"dose": [1, 2, 3, 4, 5, 6, None], "city": ["Ulm", "Bonn", "京都", "Ulm", "Bonn", "京都", "Ulm"]}
    y = ["ill", "ill", "well", "well", "ill", "ill", "well"]
    for criterion in ("gini", "gain", decrease_of_gini):
        tree = TreeClassifier(branching=thirds, criterion=criterion, missing="own_branch").fit(X, y).tree_
        assert tree.splits.breaks[:2].tolist() == [2.5, 4.5]
        assert tree.rows.tolist() == [7, 2, 2, 2, 1]
        assert tree.made_by["parameters"]["branching"] == {"function": "thirds"}


def test_a_branching_that_proposes_cart_s_cuts_grows_cart_s_tree(numbers):
    def cuts(node):
        return np.tril(np.ones((len(node.values) - 1, len(node.values)), dtype=int))[:, ::-1]

    X, y = numbers
    model = TreeRegressor(branching=cuts, termination={"min_samples_leaf": 5}).fit(X, y)
    cart = CARTRegressor(missing="majority", pruning=None, min_samples_leaf=5).fit(X, y)
    assert same_tree(model, cart)


def test_values_that_a_branching_sees():
    seen = []

    def spy(node):
        seen.append(node)
        assert not node.moments.flags.writeable
        return np.zeros((0, len(node.values)), dtype=int)

    X = {"city": ["京都", "Ulm", "Ulm", None], "area": [1.0, 2.0, 2.0, 3.0]}
    assert TreeRegressor(branching=spy).fit(X, [1.0, 2.0, 4.0, 9.0], sample_weight=[1, 1, 3, 1]).get_n_leaves() == 1
    city, area = seen
    assert (city.name, city.kind, city.values, city.rows.tolist()) == ("city", "nominal", ("Ulm", "京都"), [2, 1])
    assert city.moments.tolist() == [[4.0, 3.5, 3.0], [1.0, 1.0, 0.0]]
    assert (area.kind, area.values) == ("numeric", (1.0, 2.0, 3.0))


@pytest.mark.parametrize(
    ("propose", "words"),
    [
        (lambda node: [0, 1, 1, 1], r"shape \(partitions, 4\).*returned shape \(4,\)"),
        (lambda node: 1 / 0, "'<lambda>', asked about .* with 4 values, failed: ZeroDivisionError"),
        (lambda node: [[0, 0, 2, 2]], "without a gap"),
        (lambda node: [[0.5, 1, 1, 1]], "without a gap"),
        (lambda node: [["a"] * 4], "without a gap"),
        (lambda node: [[1, 0, 0, 1]], "into intervals"),
    ],
)
def test_a_branching_that_fails_is_named(propose, words):
    with pytest.raises(ParameterError, match=words):
        TreeClassifier(branching=propose).fit([[1], [2], [3], [4]], ["a", "b", "a", "b"])


@pytest.mark.parametrize("choices", [{}, {"branching": "multiway", "criterion": "gain"}, MERGED])
def test_a_termination_of_one_s_own_stops_growth(titanic, choices):
    X, y = titanic
    model = TreeClassifier(**choices, termination=lambda node: node.depth == 1).fit(X, y)
    assert model.get_depth() == 1
    limited = TreeClassifier(**choices, termination={"max_depth": 1}).fit(X, y)
    assert same_tree(model, limited)
    if choices is not MERGED:
        assert "stops here" in str(model.explain_split(1, X, y))


def test_a_termination_of_one_s_own_joins_limits_and_is_asked_in_folds(iris):
    X, y = iris
    own = Termination(max_depth=4, stop=lambda node: node.rows < 20)
    model = TreeClassifier(termination=own, pruning="cv").fit(X, y)
    limited = TreeClassifier(termination={"max_depth": 4, "min_samples_split": 20}, pruning="cv").fit(X, y)
    assert same_tree(model, limited)
    np.testing.assert_array_equal(model.cost_complexity_path_.cv_mean, limited.cost_complexity_path_.cv_mean)


def test_what_a_termination_sees():
    seen = []
    TreeClassifier(termination=lambda node: bool(seen.append(node))).fit([[1], [2], [3]], ["a", "a", "b"])
    (root,) = seen
    assert (root.depth, root.rows, root.weight, root.moments.tolist()) == (0, 3, 3.0, [2.0, 1.0])
    assert root.impurity == pytest.approx(4 / 9)


@pytest.mark.parametrize(
    ("stop", "words"), [(lambda node: 3, "must return True or False"), (lambda node: 1 / 0, "stop failed at NodeStats")]
)
def test_a_termination_that_fails_is_named(stop, words):
    with pytest.raises(ParameterError, match=words):
        TreeClassifier(termination=stop).fit([[1], [2]], ["a", "b"])


def test_model_files_name_the_functions_of_every_choice(tmp_path, iris):
    X, y = iris
    stop = Termination(max_depth=3, stop=lambda node: node.rows < 10)
    model = TreeClassifier(branching=thirds, criterion=decrease_of_gini, termination=stop)
    model.fit(X.iloc[:, :1] if hasattr(X, "iloc") else {"sepal": next(iter(X.values()))}, y).save(tmp_path / "own.box")
    loaded = boxwood.load(tmp_path / "own.box")
    for name in ("branching", "criterion", "termination"):
        with pytest.raises(ParameterError, match=rf"the {name} .* is a Python function.*set_params\({name}="):
            loaded.fit([[1], [2]], ["a", "b"])
        loaded.set_params(**{name: getattr(model, name)})
    loaded.fit([[1], [2]], ["a", "b"])


@pytest.fixture
def two_lines():
    rng = np.random.default_rng(1)
    X = rng.uniform(size=(300, 2))
    return X, np.where(X[:, 0] < 0.5, 3 * X[:, 1], -2 * X[:, 1]) + rng.normal(scale=0.05, size=300)


def test_linear_leaves_are_least_squares_of_their_rows(two_lines):
    X, y = two_lines
    weight = np.random.default_rng(2).integers(0, 4, size=len(y))
    model = TreeRegressor(leaf=LinearRegression(), termination={"max_depth": 1}).fit(X, y, sample_weight=weight)
    plain = TreeRegressor(termination={"max_depth": 1}).fit(X, y, sample_weight=weight)
    assert same_tree(model, plain)
    ends = model.apply(X)
    for leaf in (1, 2):
        there = ends == leaf
        line = LinearRegression().fit(X[there], y[there], weight[there])
        np.testing.assert_allclose(model.predict(X)[there], line.predict(X[there]), rtol=1e-12)
    assert model.score(X, y) > 0.99 > plain.score(X, y)


def test_leaves_of_classes_and_leaves_that_say_one_thing(two_lines):
    X, y = two_lines
    labels = np.where(y > 0.5, "high", "low")
    labels[X[:, 0] > 0.5] = "low"
    model = TreeClassifier(leaf=LogisticRegression(), termination={"max_depth": 1}).fit(X, labels)
    ends, found = model.apply(X), model.predict_proba(X)
    pure = [leaf for leaf in (1, 2) if len(set(labels[ends == leaf])) == 1]
    assert len(pure) == 1
    assert (found[ends == pure[0]] == [0.0, 1.0]).all()
    there = ends == 3 - pure[0]
    expected = LogisticRegression().fit(X[there], labels[there]).predict_proba(X[there])
    np.testing.assert_allclose(found[there], expected, atol=1e-4)
    assert model.predict(X).tolist() == np.array(["high", "low"])[found.argmax(axis=1)].tolist()


def test_a_class_that_a_leaf_does_not_have_gets_no_probability():
    X = [[1], [2], [3], [4], [11], [12], [13], [14]]
    y = ["a", "b", "a", "b", "c", "a", "c", "c"]
    model = TreeClassifier(leaf=LogisticRegression(), termination=lambda node: node.depth == 1).fit(X, y)
    found = model.predict_proba(X)
    assert found.shape == (8, 3)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    absent = {leaf: {"a", "b", "c"} - {y[i] for i in np.flatnonzero(model.apply(X) == leaf)} for leaf in (1, 2)}
    assert all(found[i, "abc".index(gone)] == 0.0 for i in range(8) for gone in absent[model.apply(X)[i]])


def test_rows_that_are_shared_out_mix_their_leaves(two_lines):
    X, y = two_lines
    X = np.where(np.arange(600).reshape(X.shape) % 37 == 0, np.nan, X)
    X[:, 1] = np.nan_to_num(X[:, 1])
    model = TreeRegressor(leaf=Mean(), missing="fractional", termination={"max_depth": 2}).fit(X, y)
    plain = TreeRegressor(missing="fractional", termination={"max_depth": 2}).fit(X, y)
    assert model.routing(X).count()["shared"] > 0
    np.testing.assert_allclose(model.predict(X), plain.predict(X), rtol=1e-9)


@dataclass(frozen=True)
class Correlation(Criterion):
    """Features by the test of their correlation with y, then the cut of largest decrease, as Hothorn et al. choose."""

    alpha: float = 0.05

    def best(self, partitions, termination):
        moments, x = partitions.table.moments, np.array(partitions.table.values)
        weight, mean = moments[:, 0], moments[:, 1]
        centred = x - np.average(x, weights=weight)
        spread = (weight * centred**2).sum() * partitions.parent[2] / (weight.sum() - 1)
        z = abs((weight * centred * (mean - partitions.parent[1])).sum()) / np.sqrt(spread)
        cut = ImpurityDecrease("variance").best(partitions, termination)
        return None if cut is None or 2 * norm.sf(z) > self.alpha else BestPartition(cut.way, z, z)


def test_a_criterion_may_test_features_as_a_whole(tmp_path, numbers):
    X, _ = numbers
    y = X[:, 2] + np.random.default_rng(1).normal(size=len(X))
    model = TreeRegressor(criterion=Correlation(1e-4)).fit(X, y)
    z = [abs(np.corrcoef(x, y)[0, 1]) * np.sqrt(len(y) - 1) for x in X.T]
    assert model.tree_.splits.feature[0] == np.argmax(z)
    assert model.tree_.score[0] == pytest.approx(max(z), rel=1e-12)
    assert 1 < model.get_n_leaves() < TreeRegressor(criterion=Correlation(0.5)).fit(X, y).get_n_leaves()
    assert "chosen" in str(model.explain_split(0, X, y))
    model.save(tmp_path / "own.box")
    with pytest.raises(ParameterError, match="the criterion 'Correlation' is"):
        boxwood.load(tmp_path / "own.box").fit(X, y)


class Mean:
    """The weighted mean, in a person's own words."""

    def fit(self, X, y, weights):
        self.value = np.average(y, weights=weights)

    def predict(self, X):
        return np.full(len(X), self.value)


def test_own_leaves_are_copied_cloned_and_pickled_but_not_saved(tmp_path, two_lines):
    X, y = two_lines
    prototype = LinearRegression()
    model = TreeRegressor(leaf=prototype, termination={"max_depth": 2}, pruning="cv").fit(X, y)
    assert not hasattr(prototype, "coef_")
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    np.testing.assert_array_equal(clone(model).fit(X, y).predict(X), model.predict(X))
    with pytest.raises(ParameterError, match=r"a model file holds no code.*LinearRegression.*pickle the"):
        model.save(tmp_path / "own.box")
    assert not (tmp_path / "own.box").exists()
    with pytest.raises(ParameterError, match="fit again with pruning="):
        model.prune(n_leaves=2)
    for use in (model.explain, model.shap_values, lambda rows: model.export("sql"), lambda rows: model.explore()):
        with pytest.raises(ParameterError, match=r"needs leaves that predict a constant.*leaf='mean'"):
            use(X[:2])
    assert "chosen" in str(model.explain_split(0, X, y))


@pytest.mark.parametrize(
    ("leaf", "words"),
    [
        (LinearRegression, r"leaf must be 'mean', or an object with fit\(X, y, weights\) and predict\(X\)"),
        (3, "leaf must be 'mean', or an object"),
        (object(), "leaf must be 'mean', or an object"),
        (KNeighborsRegressor(), r"KNeighborsRegressor\(\): fit failed at leaf 1: TypeError"),
    ],
)
def test_leaves_that_cannot_be_fitted_are_refused(two_lines, leaf, words):
    with pytest.raises(ParameterError, match=words):
        TreeRegressor(leaf=leaf, termination={"max_depth": 1}).fit(*two_lines)


def test_leaves_that_predict_nonsense_are_named(two_lines):
    for answer, words in ((lambda X: X, "must return shape"), (lambda X: np.full(len(X), np.nan), "finite numbers")):
        leaf = Mean()
        leaf.predict = answer
        with pytest.raises(ParameterError, match=words):
            TreeRegressor(leaf=leaf, termination={"max_depth": 1}).fit(*two_lines)


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
