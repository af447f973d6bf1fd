"""Trees with a criterion of one's own: what it sees, what it may return, and what a model file keeps of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.stats import norm

import boxwood
from boxwood import (
    CARTClassifier,
    CostComplexity,
    Scored,
    Termination,
    TreeClassifier,
    TreeRegressor,
)
from boxwood.errors import MissingValueError, ParameterError
from boxwood.growing.criterion import Criterion
from boxwood.growing.impurity_decrease import ImpurityDecrease
from boxwood.growing.p_values import chi_squared
from boxwood.growing.partitions import BestPartition
from boxwood.growing.ties import first_best
from estimators.composed import decrease_of_gini, same_tree


def test_a_criterion_of_one_s_own_is_pruned_by_cross_validation(iris):
    own = TreeClassifier(criterion=decrease_of_gini, pruning=CostComplexity(risk="gini")).fit(*iris)
    cart = CARTClassifier(missing="majority", ccp_risk="gini").fit(*iris)
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
        (lambda children, parent: children, r"one score for each of 3 ways to divide a node, shape \(3,\)"),
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
        return None if cut is None or 2 * norm.sf(z) > self.alpha else BestPartition(cut.number, z, z)


class MostSignificant(Criterion):
    """Pearson's test, adjusted for the number of features (Bonferroni), at 5 %."""

    is_test = True

    def best(self, partitions, termination):
        allowed = termination.admits(partitions.trials.rows, partitions.weight)
        score = np.where(allowed, chi_squared(partitions.children, partitions.parent), np.nan)
        best = first_best(score)
        return None if best is None else BestPartition(best, score[best], score[best], log_p=-score[best])

    def ranked(self, candidates, stats, weight):
        adjusted = []
        for one in candidates:
            log_p = min(one.best.log_p + np.log(len(candidates)), 0.0)
            if log_p <= np.log(0.05):
                best = replace(one.best, log_p=log_p)
                adjusted.append(replace(one, best=best, compared=-log_p, score=-log_p))
        return super().ranked(adjusted, stats, weight)


def test_the_tree_stores_the_p_values_of_a_criterion_that_tests(tmp_path, iris):
    model = TreeClassifier(criterion=MostSignificant(), termination={"max_depth": 3}).fit(*iris)
    tree = model.tree_
    np.testing.assert_array_equal(np.isnan(tree.log_p), tree.is_leaf)
    np.testing.assert_array_equal(-tree.log_p[~tree.is_leaf], tree.score[~tree.is_leaf])
    assert tree.n_leaves > 2
    assert (tree.log_p[~tree.is_leaf] <= np.log(0.05)).all()
    assert "; p " in str(tree)
    np.testing.assert_array_equal(tree.to_frame("dict")["log_adjusted_p"], tree.log_p)
    model.save(tmp_path / "tested.box")
    np.testing.assert_array_equal(boxwood.load(tmp_path / "tested.box").tree_.log_p, tree.log_p)
    alone = TreeClassifier(criterion=MostSignificant()).fit([[1.0], [2.0], [3.0], [4.0]], ["a", "b", "a", "b"]).tree_
    assert (alone.n_nodes, np.isnan(alone.log_p).all()) == (1, True)


def test_a_criterion_may_test_features_as_a_whole(tmp_path, numbers):
    X, _ = numbers
    y = X[:, 2] + np.random.default_rng(1).normal(size=len(X))
    model = TreeRegressor(criterion=Correlation(1e-4)).fit(X, y)
    z = [abs(np.corrcoef(x, y)[0, 1]) * np.sqrt(len(y) - 1) for x in X.T]
    assert model.tree_.splits.feature[0] == np.argmax(z)
    assert model.tree_.score[0] == pytest.approx(max(z), rel=1e-12)
    assert 1 < model.get_n_leaves() < TreeRegressor(criterion=Correlation(0.5)).fit(X, y).get_n_leaves()
    assert "chosen" in str(model.explain_split(X, y, 0))
    model.save(tmp_path / "own.box")
    with pytest.raises(ParameterError, match="the criterion 'Correlation' is"):
        boxwood.load(tmp_path / "own.box").fit(X, y)


def _variance(children, parent):
    """The decrease of variance by two branches, from moments of the known rows."""
    return (parent[2] - children[:, :, 2].sum(axis=1)) / parent[0]


@pytest.mark.parametrize("missing", ["majority", "fractional"])
@pytest.mark.parametrize("is_class", [True, False])
def test_a_score_counts_by_the_proportion_that_is_known(missing, is_class):
    rng = np.random.default_rng(1)
    weak = rng.normal(size=200)
    y = np.where(rng.random(200) < 0.5 + 0.25 * np.sign(weak), 1, 0)
    rare = np.where(np.arange(200) < 6, y + 0.0, np.nan)  # known in 6 rows, and right in all of them
    X = {"rare": rare, "weak": np.where(rng.random(200) < 0.2, np.nan, weak)}
    kind, own, measure = (
        (TreeClassifier, decrease_of_gini, "gini") if is_class else (TreeRegressor, _variance, "variance")
    )
    settings = {"missing": missing, "branching": "binary", "termination": {"max_depth": 3, "min_samples_leaf": 2}}
    found = kind(criterion=own, **settings).fit(X, y)
    assert found.tree_.schema[found.tree_.splits.feature[0]].name == "weak"
    builtin = kind(criterion=measure, **settings).fit(X, y)
    assert same_tree(found, builtin)
    np.testing.assert_allclose(found.tree_.score, builtin.tree_.score, rtol=1e-12)


def test_a_negative_score_is_no_better_for_being_known_in_few_rows():
    def purity(children, parent):
        return -(children.min(axis=2).sum(axis=1) / parent.sum())  # errors of the branches, as a negative share

    X = {"rare": [0.0, 0.0, 1.0, 1.0] + [np.nan] * 36, "good": np.arange(40.0) / 2}
    y = np.repeat(["a", "b"], 20)
    y[[1, 3, 25, 30]] = "b", "b", "a", "a"
    model = TreeClassifier(criterion=purity, termination={"max_depth": 1}).fit(X, y)
    assert model.tree_.schema[model.tree_.splits.feature[0]].name == "good"
