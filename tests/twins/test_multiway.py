"""The multiway grower: one tree by level and at once, for any order of rows; a weight of 3 is the row three times."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood import _kernel
from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import Feature, Schema
from boxwood.errors import ParameterError
from boxwood.growing.branching import Multiway
from boxwood.growing.gain import Gain
from boxwood.growing.grow import grow
from boxwood.growing.impurity_decrease import ImpurityDecrease
from boxwood.growing.memory.kernel_form import kernel_response
from boxwood.growing.memory.multiway import multiway_settings
from boxwood.growing.memory.source import EncodedColumns, MemorySource
from boxwood.growing.missing import Missing
from boxwood.growing.recipe import Recipe
from boxwood.growing.termination import Termination
from boxwood.statistics.exact import exact_classes, exact_mean
from boxwood.statistics.responses.classes import Classes
from boxwood.statistics.responses.means import Means
from boxwood.tree.tree import Tree
from boxwood.tree.validate import validate
from effort import examples
from twins.brute_force import Problem, assert_same_tree
from twins.multiway import ByLevel, multiway_problems, reordered, tables_of, tree_of


@settings(max_examples=examples(1000), deadline=None)
@given(multiway_problems(ordinal_levels=True))
def test_kernel_equals_the_tables(problem):
    assert_same_tree(tree_of(problem), tables_of(problem))


@settings(max_examples=examples(600), deadline=None)
@given(multiway_problems(ordinal_levels=True))
def test_the_loop_grows_the_tree_that_finish_grows(problem):
    whole = tree_of(problem)
    validate(whole)
    assert_same_tree(tree_of(problem, ByLevel), whole)


@settings(max_examples=examples(400), deadline=None)
@given(multiway_problems(ordinal_levels=True), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(problem, random):
    order = np.arange(problem.exact.n)
    random.shuffle(order)
    one, other = tree_of(problem), tree_of(reordered(problem, order))
    np.testing.assert_array_equal(one.moments, other.moments)
    np.testing.assert_array_equal(one.score, other.score)
    assert_same_tree(one, other)


def big(n: int = 30_000, missing: float = 0.02) -> Problem:
    """Numbers and levels, three classes, some values missing: enough rows for a team."""
    draw = np.random.default_rng(7)
    x = draw.normal(size=(6, n))
    levels = draw.integers(-1, 5, size=(3, n)).astype(np.int32)
    y = np.digitize(x[0] + x[1] * x[2] + (levels[0] == 2), (-0.5, 0.8)).astype(np.int32)
    x[draw.random(x.shape) < missing] = np.nan
    schema = Schema(tuple(Feature(f"x{j}", "numeric", ()) for j in range(6))
                    + tuple(Feature(f"z{j}", "nominal", tuple("甲乙丙丁戊")) for j in range(3)))  # fmt: skip
    columns = Columns(schema, n, (*x, *levels), (None,) * 9, {})
    gain = Gain(True, True, True, slack=1e-3)
    recipe = Recipe(gain, Multiway(), Termination(min_branch_weight=20.0), Missing("fractional"))
    response = Classes(labels=("a", "b", "c"), factors=(1.0,) * 3)
    return Problem(columns, response, exact_classes(y, None), recipe)


def many_levels(n_levels: int, n_classes: int, missing: float, weighted: bool, grouping: bool, ratio: bool) -> Problem:
    """Three columns of so many levels, on which the class depends, with values missing."""
    draw, n = np.random.default_rng(n_levels), 40 * n_classes
    effects, codes = draw.normal(size=(3, n_levels)), draw.integers(0, n_levels, size=(3, n)).astype(np.int32)
    score = sum(effects[j][codes[j]] for j in range(3)) + draw.normal(size=n)
    codes[draw.random(codes.shape) < missing] = -1
    names = tuple(f"l{k}" for k in range(n_levels))
    columns = Columns(
        Schema(tuple(Feature(f"z{j}", "nominal", names) for j in range(3))), n, tuple(codes), (None,) * 3, {}
    )
    response = Classes(labels=tuple("abcde"[:n_classes]), factors=(1.0,) * n_classes)
    y = np.digitize(score, np.linspace(-2, 2, n_classes + 1)[1:-1]).astype(np.int32)
    weight = draw.choice([0.1, 0.5, 1.0, 3.0], n) if weighted else None
    gain = Gain(ratio, ratio, slack=1e-3 if n_levels % 2 else 0.0)
    recipe = Recipe(gain, Multiway(grouping=grouping), Termination(min_branch_weight=2.0), Missing("fractional"))
    return Problem(columns, response, exact_classes(y, weight), recipe)


@pytest.mark.parametrize("grouping", [True, False])
@pytest.mark.parametrize("ratio", [True, False])
@pytest.mark.parametrize(("missing", "weighted"), [(0.0, False), (0.0, True), (0.2, False), (0.2, True)])
@pytest.mark.parametrize(("n_levels", "n_classes"), [(9, 2), (14, 3), (21, 5), (150, 3)])
def test_many_levels_equal_the_tables(n_levels, n_classes, missing, weighted, ratio, grouping):
    if grouping and n_levels > 21:
        n_levels = 25  # plain climbing takes the third power of the levels
    problem = many_levels(n_levels, n_classes, missing, weighted, grouping, ratio)
    tree = tree_of(problem)
    validate(tree)
    assert_same_tree(tree, tables_of(problem))
    assert_same_tree(tree_of(problem, ByLevel, threads=2), tree)


def tied_levels(seed: int) -> Problem:
    """Levels with the same or proportional class weights, or without any gain at the root: mergers tie everywhere."""
    draw = np.random.default_rng(seed)
    n_levels, n_classes, kind = int(draw.integers(3, 12)), int(draw.integers(2, 5)), seed % 3
    if kind == 0:  # two tables of classes, over and over
        counts = draw.integers(0, 4, (2, n_classes))[draw.integers(0, 2, n_levels)]
    elif kind == 1:  # multiples of one
        counts = draw.integers(1, 3, n_classes) * draw.integers(1, 4, (n_levels, 1))
    else:  # every class once
        counts = np.ones((n_levels, n_classes), dtype=int)
    counts[0] += counts.sum() == 0
    levels, y = np.repeat(np.indices(counts.shape).reshape(2, -1), counts.ravel(), axis=1).astype(np.int32)
    other = (levels + y) % n_levels if kind == 2 else draw.permutation(n_levels)[levels]
    codes = np.stack((levels, other, draw.permutation(levels))).astype(np.int32)
    codes[draw.random(codes.shape) < draw.choice([0.0, 0.1])] = -1
    features = tuple(Feature(f"z{j}", "nominal", tuple(f"l{k}" for k in range(n_levels))) for j in range(3))
    columns = Columns(Schema(features), len(y), tuple(codes), (None,) * 3, {})
    weight = draw.choice([0.1, 0.2, 0.4, 1.0, 3.1], len(y)) if draw.random() < 0.5 else None
    gain = Gain(bool(draw.random() < 0.7), slack=float(draw.choice([1e-3, 0.0])))
    termination = Termination(min_branch_weight=float(draw.choice([0.0, 1.0, 2.0])))
    recipe = Recipe(gain, Multiway(grouping=True), termination, Missing("fractional"))
    response = Classes(labels=tuple("abcd"[:n_classes]), factors=(1.0,) * n_classes)
    return Problem(columns, response, exact_classes(y, weight), recipe)


@pytest.mark.parametrize("seed", range(examples(90)))
def test_tied_mergers_equal_the_tables(seed):
    problem = tied_levels(seed)
    assert_same_tree(tree_of(problem), tables_of(problem))


def over_children(tree: Tree, of_nodes: np.ndarray) -> np.ndarray:
    """Sums over the children of every inner node."""
    inner = np.flatnonzero(~tree.is_leaf)
    firsts, sizes = tree.first_child[inner], tree.n_children[inner]
    return np.array([of_nodes[f : f + c].sum() for f, c in zip(firsts, sizes, strict=True)])


def test_trees_that_follow_the_first_are_grown_from_a_table_that_is_kept():
    problem = big(4000)
    encoded, rows = EncodedColumns(problem.columns, 1), np.arange(problem.exact.n, dtype=np.uint32)
    some = np.flatnonzero(np.random.default_rng(3).random(len(rows)) < 0.7).astype(np.uint32)

    def grown(at: np.ndarray) -> Tree:
        source = MemorySource(encoded, at, problem.response, problem.exact.take(at))
        return grow(source, problem.recipe, {})

    first, fold, again = grown(rows), grown(some), grown(rows)
    assert encoded.sorted_table()[0] is encoded.sorted_table()[0]
    assert_same_tree(first, tree_of(problem))
    assert_same_tree(again, first)
    alone = Problem(problem.columns.take(some), problem.response, problem.exact.take(some), problem.recipe)
    assert_same_tree(fold, tree_of(alone))


def test_a_sorted_table_is_used_up_once():
    table = _kernel.Table(4)
    table.sort([("numeric", np.array([2.0, np.nan, 1.0, 2.0]), None)], 1)
    problem = big(4)
    settings = multiway_settings(problem.recipe) | {"uses_up": True}
    given = table, np.arange(4, dtype=np.uint32), kernel_response(problem.response, problem.exact), settings, 1
    _kernel.MultiwayGrower(*given).finish()
    with pytest.raises(RuntimeError, match="used up"):
        _kernel.MultiwayGrower(*given).finish()
    table.encode([("numeric", np.array([2.0, np.nan, 1.0, 2.0]), None)] * 2, 1)
    with pytest.raises(ValueError, match="must be sorted"):
        _kernel.MultiwayGrower(*given)


def test_threads_change_nothing():
    problem = big()
    alone, team = tree_of(problem), tree_of(problem, threads=4)
    assert alone.n_nodes > 100
    np.testing.assert_array_equal(alone.moments, team.moments)
    assert_same_tree(alone, team)


def test_shares_add_up_to_the_node():
    tree = tree_of(big(3000, 0.2))
    np.testing.assert_allclose(over_children(tree, tree.weight), tree.weight[~tree.is_leaf], rtol=1e-9)
    assert (over_children(tree, tree.rows) > tree.rows[~tree.is_leaf]).any()


def test_a_whole_weight_is_the_row_so_many_times():
    problem = big(400)
    times = np.random.default_rng(3).integers(1, 4, 400)
    weighted = problem._replace(exact=exact_classes(problem.exact.codes, times.astype(float)))
    one, other = tree_of(weighted), tree_of(reordered(problem, np.repeat(np.arange(400), times)))
    np.testing.assert_array_equal(one.splits.feature, other.splits.feature)
    np.testing.assert_allclose(one.moments, other.moments, rtol=1e-9)


def test_what_multiway_trees_cannot_use_is_refused():
    problem = big(20)
    rows = np.arange(20, dtype=np.uint32)
    encoded = EncodedColumns(problem.columns, 1)
    numbers = MemorySource(encoded, rows, Means(), exact_mean(np.arange(20.0), None))
    with pytest.raises(ParameterError, match="needs classes; y is a number"):
        numbers.finish(problem.recipe)
    priors = Classes(labels=("a", "b", "c"), factors=(1.0, 2.0, 1.0))
    costly = MemorySource(encoded, rows, priors, problem.exact)
    with pytest.raises(ParameterError, match="priors and costs do not go with multiway trees"):
        costly.finish(problem.recipe)
    source = MemorySource(encoded, rows, problem.response, problem.exact)
    with pytest.raises(ParameterError, match="goes with InOrder or Gain"):
        source.finish(Recipe(ImpurityDecrease("gini"), Multiway()))
    with pytest.raises(ParameterError, match="'fractional' with multiway trees; got 'surrogate'"):
        source.finish(Recipe(Gain(), Multiway()))
