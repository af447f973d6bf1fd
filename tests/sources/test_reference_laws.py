"""The reference source against cuts found by definition in fractions, and against laws that every source keeps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import NUMERIC, ORDINAL, Feature, Schema
from boxwood.growing.grow import grow
from boxwood.growing.impurity_decrease import ImpurityDecrease
from boxwood.growing.recipe import Recipe
from boxwood.statistics.exact import exact_classes
from boxwood.statistics.responses.classes import Classes
from boxwood.statistics.responses.registry import CLASSES, MEAN
from boxwood.tree.tree import STAYS, Tree
from effort import examples
from oracle.source import ReferenceSource
from twins.brute_force import Problem, assert_same_tree, best_cut, is_ordered, problems, samples_of


def tree_of(problem: Problem) -> Tree:
    """The tree that the reference source grows."""
    return grow(ReferenceSource(*problem[:3]), problem.recipe, {})


def node_rows(problem: Problem, tree: Tree) -> list[list[int]]:
    """Rows of each node, sent down by the tree's arrays alone; nothing is missing."""
    reached = [[] for _ in range(tree.n_nodes)]
    reached[0] = list(range(problem.columns.n))
    for t in range(tree.n_nodes):
        j = tree.splits.feature[t]
        for r in reached[t] if j >= 0 else ():
            value, low = problem.columns.values[j][r], problem.columns.low[j]
            at = slice(tree.splits.breaks_start[t], tree.splits.breaks_start[t + 1])
            pairs = zip(tree.splits.breaks[at].tolist(), tree.splits.breaks_low[at].tolist(), strict=True)
            key = (float(value), 0.0 if low is None else float(low[r]))
            position = sum(b < key for b in pairs) if is_ordered(problem.columns.schema[j]) else int(value)
            reached[tree.first_child[t] + tree.splits.index_of(t)[position]].append(r)
    return reached


@given(problems(complete=True, kinds=(NUMERIC, ORDINAL), responses=(CLASSES, MEAN)))
@settings(max_examples=examples(150), deadline=None)
def test_no_cut_is_better_than_the_one_found(problem):
    recipe = problem.recipe
    measure = "gini" if problem.response.kind == CLASSES else "variance"
    criterion = ImpurityDecrease(measure, order_by_mean=recipe.criterion.order_by_mean)
    termination = replace(recipe.termination, min_impurity_decrease=0.0, min_weight_fraction_leaf=0.0)
    recipe = replace(recipe, criterion=criterion, termination=termination, min_risk=0.0)
    tree = tree_of(problem._replace(recipe=recipe))
    weight = tree.response.weight(tree.moments)
    for t, rows in enumerate(node_rows(problem, tree)):
        assert len(rows) == tree.rows[t]
        cuts = [
            best_cut(samples_of(problem, j, rows), measure, recipe.termination.min_samples_leaf)
            for j in range(len(problem.columns.schema))
        ]
        best = max((c for c in cuts if c is not None), default=None)
        if tree.splits.feature[t] >= 0:
            assert tree.score[t] * weight[t] == pytest.approx(float(best), rel=1e-9, abs=1e-12)
        elif tree.rows[t] >= recipe.termination.min_samples_split and recipe.termination.max_depth is None:
            assert best is None or best == 0  # only a pure node is left whole although it could be cut


@given(problems())
@settings(max_examples=examples(150), deadline=None)
def test_moments_and_rows_add_up(problem):
    tree = tree_of(problem)
    total = np.zeros(tree.n_nodes, dtype=np.int64)
    np.add.at(total, tree.parent[1:], tree.rows[1:])
    split = tree.splits.feature >= 0
    stays = split & (tree.missing == STAYS)
    assert (total[split & ~stays] == tree.rows[split & ~stays]).all()
    assert (total <= tree.rows).all()
    assert (tree.rows[1:] >= 1).all()
    least = 1 if problem.recipe.missing.policy == "own_branch" else problem.recipe.termination.min_samples_leaf
    assert (tree.rows[1:] >= least).all()
    weight = tree.response.weight(tree.moments)
    summed = np.zeros(tree.n_nodes)
    np.add.at(summed, tree.parent[1:], weight[1:])
    np.testing.assert_allclose(summed[split & ~stays], weight[split & ~stays], rtol=1e-12)
    assert (tree.score[split] >= 0).all()
    assert (np.diff(tree.surrogate_start)[~split] == 0).all()
    if problem.recipe.missing.policy != "own_branch":
        share = problem.recipe.termination.min_weight_fraction_leaf
        assert (weight[1:] >= share * weight[0] * (1 - 1e-8)).all()


@given(problems())
@settings(max_examples=60, deadline=None)
def test_row_order_changes_nothing(problem):
    back = np.arange(problem.columns.n)[::-1]
    tree = tree_of(problem)
    turned = tree_of(problem._replace(columns=problem.columns.take(back), exact=problem.exact.take(back)))
    assert_same_tree(tree, turned)


def test_weight_three_is_the_row_three_times():
    x, y, times = np.arange(5.0), np.array([0, 1, 0, 1, 1]), np.array([3, 1, 2, 1, 3])
    columns = Columns(Schema((Feature("x0", NUMERIC),)), 5, (x,), (None,), {})
    response = Classes(labels=("no", "yes"), factors=(1.0, 1.0))
    weighted = Problem(columns, response, exact_classes(y, times.astype(float)), Recipe(ImpurityDecrease("entropy")))
    again = np.repeat(np.arange(5), times)
    repeated = weighted._replace(columns=columns.take(again), exact=exact_classes(y[again], None))
    tree = tree_of(weighted)
    assert_same_tree(tree, replace(tree_of(repeated), rows=tree.rows))
