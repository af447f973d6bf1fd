"""Trees with a branching or a termination of one's own."""

from __future__ import annotations

import numpy as np
import pytest

import boxwood
from boxwood import (
    CARTRegressor,
    Termination,
    TreeClassifier,
    TreeRegressor,
)
from boxwood.errors import ParameterError
from estimators.composed import MERGED, decrease_of_gini, same_tree


def thirds(node):
    """All cuts of an ordered feature into three; a branch a level for others."""
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
        assert "stops here" in str(model.explain_split(X, y, 1))


def test_a_termination_of_one_s_own_joins_limits_and_is_used_in_folds(iris):
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
