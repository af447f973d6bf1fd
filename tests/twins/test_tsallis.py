"""Tsallis entropy: the kernel grows the reference's trees; orders 1 and 2 are entropy and Gini."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from boxwood import CARTClassifier, ParameterError, TreeClassifier, Tsallis, datasets
from boxwood import load as load_model
from boxwood.growing.grow import grow
from boxwood.growing.memory.source import EncodedColumns, MemorySource
from boxwood.statistics.responses.registry import CLASSES
from boxwood.tree.tree import Tree
from boxwood.tree.validate import validate
from effort import examples
from oracle.source import ReferenceSource
from twins.brute_force import assert_same_tree
from twins.numeric_problems import NumericProblem, mixed, problem

ORDERS = (0.3, 1.0, 1.000001, 1.5, 2.0, 3.7, 60.0)


def by(given: NumericProblem, measure) -> NumericProblem:
    """The problem, its criterion with another measure."""
    criterion = replace(given.recipe.criterion, measure=measure)
    termination = replace(given.recipe.termination, min_impurity_decrease=0.0)
    return given._replace(recipe=replace(given.recipe, criterion=criterion, termination=termination, min_risk=0.0))


def grown(given: NumericProblem) -> Tree:
    """The tree of the kernel's search over codes, which must serve the problem."""
    rows = np.arange(given.exact.n, dtype=np.uint32)
    source = MemorySource(EncodedColumns(given.columns, 1), rows, given.response, given.exact)
    assert source._binary_grower(given.recipe) is not None, "the grower of binary splits did not serve the problem"
    tree = grow(source, given.recipe, {"measure": given.recipe.criterion.measure})
    validate(tree)
    return tree


def of_classes(count: int, first: int, rows: int | None = None) -> list[NumericProblem]:
    """Problems with classes, columns of all kinds in turn with numbers alone."""
    seeds = range(first, first + 20 * count)
    found = [(mixed, problem)[seed % 2](seed, rows) for seed in seeds]
    found = [given for given in found if given.response.kind == CLASSES and len(given.response.labels) <= 7]
    return found[:count]


@pytest.mark.sample(2)
@pytest.mark.parametrize("q", ORDERS)
def test_kernel_equals_the_reference(q):
    for given in of_classes(25, 40_000, 30):
        given = by(given, Tsallis(q))
        expected = grow(ReferenceSource(given.columns, given.response, given.exact), given.recipe, {})
        found = grown(given)
        assert_same_tree(replace(found, made_by={}), expected)


@pytest.mark.parametrize(("q", "name", "unit"), [(1.0, "entropy", np.log(2.0)), (2.0, "gini", 1.0)])
def test_special_orders_grow_the_same_trees(q, name, unit):
    for given in of_classes(examples(60), 50_000):
        one, other = grown(by(given, Tsallis(q))), grown(by(given, name))
        np.testing.assert_array_equal(one.parent, other.parent)
        np.testing.assert_array_equal(one.moments, other.moments)
        np.testing.assert_array_equal(one.splits.feature, other.splits.feature)
        np.testing.assert_array_equal(one.splits.breaks, other.splits.breaks)
        np.testing.assert_allclose(one.impurity(), unit * other.impurity(), atol=1e-12)
        np.testing.assert_allclose(one.score, unit * other.score, rtol=1e-9, atol=1e-12)


def test_estimators_and_model_files(tmp_path):
    X = datasets.load("iris")
    y = X.pop("species")
    model = CARTClassifier(criterion=Tsallis(q=1.5), pruning=None).fit(X, y)
    assert model.tree_.made_by["measure"] == "tsallis:1.5"
    composed = TreeClassifier(criterion=Tsallis(1.5)).fit(X, y)
    np.testing.assert_array_equal(composed.tree_.splits.feature, model.tree_.splits.feature)
    p = model.tree_.moments[0] / model.tree_.moments[0].sum()
    np.testing.assert_allclose(model.tree_.impurity()[0], (1 - (p**1.5).sum()) / 0.5, rtol=1e-14)
    model.save(tmp_path / "iris.box")
    again = load_model(tmp_path / "iris.box")
    assert again.get_params() == model.get_params()
    assert type(again.criterion) is Tsallis
    named = CARTClassifier(criterion="tsallis:1.5", pruning=None).fit(X, y)
    named.save(tmp_path / "named.box")
    assert load_model(tmp_path / "named.box").criterion == "tsallis:1.5"
    np.testing.assert_array_equal(again.tree_.impurity(), model.tree_.impurity())
    explained = model.explain_split(X, y, 0)
    assert explained.criterion == "decrease of tsallis:1.5"
    assert "tsallis:1.5(D)" in explained.to_text(explained.candidates[0].feature)
    pruned = CARTClassifier(criterion="tsallis:1.5", pruning="cv", random_state=0).fit(X, y)
    assert 1 < pruned.tree_.n_leaves < model.tree_.n_leaves


@pytest.mark.parametrize("q", [0, -1.0, float("nan"), float("inf"), True, "2", None])
def test_orders_that_are_no_positive_numbers_are_refused(q):
    with pytest.raises(ParameterError, match="q of Tsallis must be a positive number"):
        Tsallis(q)


@pytest.mark.parametrize("name", ["tsallis", "tsallis:", "tsallis:x", "tsallis:-1"])
def test_names_without_an_order_are_refused(name):
    with pytest.raises(ParameterError, match="sallis"):
        CARTClassifier(criterion=name).fit([[1], [2]], ["a", "b"])
