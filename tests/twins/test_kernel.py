"""The kernel grows the tree that the reference source grows by definition, at once and by level."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import NUMERIC, Feature, Schema
from boxwood.growing.grow import grow
from boxwood.growing.impurity_decrease import ImpurityDecrease
from boxwood.growing.missing import Missing
from boxwood.growing.recipe import Recipe
from boxwood.statistics.exact import exact_classes
from boxwood.statistics.responses.classes import Classes
from boxwood.tree.descend import route
from boxwood.tree.validate import validate
from effort import examples
from oracle.source import ReferenceSource
from twins.brute_force import Problem, assert_same_tree, problems
from twins.multiway import ByLevel, tree_of


def two_classes(values: list[float], y: list[int], recipe: Recipe, **response) -> Problem:
    """A problem of one numeric feature and two classes."""
    columns = Columns(Schema((Feature("x", NUMERIC, ()),)), len(y), (np.array(values, dtype=np.float64),), (None,), {})
    exact = exact_classes(np.array(y, dtype=np.int32), None)
    return Problem(columns, Classes(labels=("a", "b"), factors=(1.0, 1.0), **response), exact, recipe)


@settings(max_examples=examples(1500), deadline=None)
@given(problems(outliers=True))
def test_kernel_equals_the_reference(problem):
    expected = grow(ReferenceSource(problem.columns, problem.response, problem.exact), problem.recipe, {})
    found = tree_of(problem)
    validate(found)
    assert_same_tree(found, expected)


@settings(max_examples=examples(300), deadline=None)
@given(problems())
def test_the_loop_grows_the_tree_that_finish_grows(problem):
    assert_same_tree(tree_of(problem, ByLevel), tree_of(problem))


@settings(max_examples=examples(300), deadline=None)
@given(problems())
def test_training_rows_end_where_they_were_counted(problem):
    tree = tree_of(problem)
    if problem.recipe.missing.rpart_quirk:
        return  # there prediction differs from training on purpose
    ends = np.bincount(route(tree, problem.columns).node, minlength=tree.n_nodes)
    below = tree.rows.copy()
    np.subtract.at(below, tree.parent[1:], tree.rows[1:])
    np.testing.assert_array_equal(ends, below)


def test_rows_go_by_the_learned_direction_where_rpart_would_go_by_weight():
    """The lighter branch was learned: by weight the level loop split the same rows again and never ended."""
    recipe = Recipe(ImpurityDecrease("gini"), missing=Missing("learned", rpart_quirk=True))
    problem = two_classes([1.0, 2.0, 3.0, 4.0, np.nan, np.nan], [0, 1, 0, 1, 1, 1], recipe)
    assert_same_tree(tree_of(problem, ByLevel), tree_of(problem))


@pytest.mark.parametrize(("min_risk", "nodes"), [(3.9, 3), (4.1, 1)])
def test_the_minimum_risk_is_counted_under_the_altered_priors(min_risk, nodes):
    """Two rows of the second class count double: the root's risk is 4, not 2."""
    recipe = Recipe(ImpurityDecrease("error"), min_risk=min_risk)
    problem = two_classes(list(range(8)), [0] * 6 + [1] * 2, recipe, altered=(1.0, 2.0))
    by_definition = grow(ReferenceSource(problem.columns, problem.response, problem.exact), recipe, {})
    for tree in (tree_of(problem), tree_of(problem, ByLevel), by_definition):
        assert tree.n_nodes == nodes
