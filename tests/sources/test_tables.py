"""The table source: exact relations between trees of the same data, and hand-made tables."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import Feature, Schema
from boxwood.errors import ParameterError
from boxwood.growing.branching import Binary, Multiway
from boxwood.growing.gain import Gain
from boxwood.growing.impurity_decrease import ImpurityDecrease
from boxwood.growing.in_order import InOrder
from boxwood.growing.memory.table_samples import Samples, divide, share_shift
from boxwood.growing.memory.tables import TableSource
from boxwood.growing.merged import Merged
from boxwood.growing.missing import Missing
from boxwood.growing.recipe import Recipe
from boxwood.growing.scored import Scored
from boxwood.growing.significance import Significance
from boxwood.growing.ties import TIE, best_first, first_best
from boxwood.statistics.class_decreases import entropy
from boxwood.statistics.exact import exact_classes, exact_mean
from boxwood.statistics.responses.classes import Classes
from boxwood.statistics.responses.means import Means
from boxwood.statistics.responses.registry import MEAN
from boxwood.tree.tree import SHARED
from boxwood.tree.validate import validate
from effort import examples
from twins.brute_force import assert_same_tree, problems
from twins.multiway import multiway_problems, reordered, tables_of, with_policy

FACTS = ("parent", "n_children", "missing", "moments", "rows")


def same_bits(one, other) -> bool:
    """Whether two trees agree bit for bit in structure, splits and facts."""
    tables = [getattr(t.splits, f) for f in ("feature", "breaks", "index") for t in (one, other)]
    facts = [getattr(t, f) for f in FACTS for t in (one, other)]
    arrays = tables + facts
    return all(np.array_equal(a, b) for a, b in zip(arrays[::2], arrays[1::2], strict=True))


@settings(max_examples=examples(300), deadline=None)
@given(multiway_problems(), st.randoms(use_true_random=False))
def test_trees_are_sound_and_the_order_of_rows_changes_nothing(problem, random):
    order = list(range(problem.exact.n))
    random.shuffle(order)
    tree = tables_of(problem)
    validate(tree)
    assert same_bits(tree, tables_of(reordered(problem, np.array(order))))


@settings(max_examples=examples(200), deadline=None)
@given(multiway_problems(), st.integers(2, 3))
def test_every_row_twice_is_every_weight_twice(problem, times):
    limits = problem.recipe.termination
    assume(limits.min_samples_split == 2 and limits.min_samples_leaf == 1)  # they count rows, not weight
    again = reordered(problem, np.repeat(np.arange(problem.exact.n), times))
    weight = np.ones(problem.exact.n, dtype=np.int64) if problem.exact.weight is None else problem.exact.weight
    heavier = problem._replace(exact=replace(problem.exact, weight=weight * times))
    if isinstance(problem.recipe.criterion, Gain) and problem.recipe.criterion.above_average:
        return  # features of very many levels are recognised by the number of rows
    one, other = tables_of(again), tables_of(heavier)
    np.testing.assert_array_equal(one.splits.feature, other.splits.feature)
    np.testing.assert_allclose(one.moments, other.moments, rtol=1e-9)  # shares are rounded row by row


@settings(max_examples=examples(200), deadline=None)
@given(multiway_problems(policies=("error",)))
def test_without_unknown_values_the_policy_means_nothing(problem):
    trees = [tables_of(with_policy(problem, p)) for p in ("error", "majority", "own_branch", "fractional")]
    for tree in trees[1:3]:
        assert same_bits(trees[0], tree)
    shared = trees[3]
    np.testing.assert_array_equal(trees[0].moments, shared.moments)
    assert (shared.missing[~shared.is_leaf] == SHARED).all()


@settings(max_examples=examples(300), deadline=None)
@given(multiway_problems(policies=("fractional",)))
def test_shares_add_up_to_the_node(problem):
    tree = tables_of(problem)
    below = np.zeros_like(tree.moments)
    np.add.at(below, tree.parent[1:], tree.moments[1:])
    inner = ~tree.is_leaf
    np.testing.assert_allclose(below[inner], tree.moments[inner], rtol=1e-9, atol=1e-9)


def test_shares_round_halves_upwards_in_whole_numbers():
    samples = Samples(np.arange(3), np.array([3, 2, 1]))
    children = divide(samples, np.array([0, 1, -1]), [1, 1], frozenset({4}))
    assert [c.weight.tolist() for c in children] == [[3, 1], [2, 1]]  # half of 1 is 1
    children = divide(samples, np.array([0, 1, -1]), [9, 1], frozenset())
    assert [c.weight.tolist() for c in children] == [[3, 1], [2]]  # a tenth of 1 is none
    big = Samples(np.arange(1), np.array([2**61 - 1]))
    assert divide(big, np.array([-1]), [2**60, 2**60 - 1], frozenset())[0].weight.tolist() == [2**60]
    assert [share_shift(total) for total in (1, 2**21, 2**22, 2**61, 2**62 - 1)] == [40, 40, 39, 0, 0]


def test_the_scan_keeps_the_first_of_equal_scores():
    assert first_best(np.array([0.5, 0.5 + 1e-13, 0.7, 0.7 + 1e-13, np.nan])) == 2
    assert first_best(np.array([np.nan, np.nan])) is None
    assert first_best(np.array([1e-20, 2e-20]), least=2e-20) == 1
    slow = 1.0 + np.arange(20) * 3e-13  # each step is within rounding, some together are not
    assert first_best(slow) == 16


@settings(max_examples=examples(200), deadline=None)
@given(problems(complete=True))
def test_a_measure_written_by_hand_grows_the_tree_of_the_measure(problem):
    measure = problem.recipe.criterion.measure
    k = len(problem.response.labels)
    if k:
        problem = problem._replace(response=replace(problem.response, factors=(1.0,) * k, altered=()))
    recipe = Recipe(ImpurityDecrease(measure), Binary(), missing=Missing("error"))
    own = replace(recipe, criterion=Scored("own", partial(problem.response.decrease, measure)))
    assume(k <= 2 and all(f.kind != "nominal" for f in problem.columns.schema))
    one, other = (tables_of(problem._replace(recipe=r)) for r in (recipe, own))
    np.testing.assert_array_equal(one.splits.feature, other.splits.feature)
    np.testing.assert_array_equal(one.splits.breaks, other.splits.breaks)


@settings(max_examples=examples(100), deadline=None)
@given(multiway_problems())
def test_gain_is_what_a_function_returns_for_the_same_branches(problem):
    gain = Gain(epsilon=1e-9)
    problem = with_policy(problem, "own_branch")
    branching = Multiway(once=True)
    recipe = replace(problem.recipe, branching=branching, criterion=gain, max_competitors=0)
    recipe = replace(recipe, termination=replace(recipe.termination, min_branch_weight=0.0, min_impurity_decrease=0.0))
    own = replace(recipe, criterion=Scored("own", entropy, epsilon=1e-9))
    assert_same_tree(*(tables_of(problem._replace(recipe=r)) for r in (recipe, own)))


@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        (Recipe(Gain(), Merged(), missing=Missing("error")), "use criterion='significance'"),
        (Recipe(Significance(), Multiway(), missing=Missing("error")), "belongs to branching='merged'"),
        (Recipe(Gain(), Multiway(), missing=Missing("surrogate")), "missing='surrogate' does not go with"),
        (Recipe(ImpurityDecrease("gini"), Multiway(grouping=True), missing=Missing("error")), "use criterion='gain'"),
        (Recipe(ImpurityDecrease("variance"), Multiway(), missing=Missing("error")), "criterion must be one of 'gini'"),
        (Recipe(ImpurityDecrease("gini", min_share=0.1), Multiway(), missing=Missing("error")), "min_share"),
        (Recipe(Gain(), Binary(pool_above=3), missing=Missing("error")), "pool_above"),
        (Recipe(InOrder((0,)), Multiway(), missing=Missing("error")), "column 'x' is numeric"),
    ],
)
def test_what_does_not_go_together_is_refused_with_the_remedy(recipe, words):
    with pytest.raises(ParameterError, match=words):
        source_of_two_rows().root(recipe)


def test_gain_of_numbers_is_refused():
    with pytest.raises(ParameterError, match="use criterion='variance'"):
        source_of_two_rows(MEAN).root(Recipe(Gain(), Multiway(), missing=Missing("error")))


def source_of_two_rows(kind: str = "classes") -> TableSource:
    """One numeric feature, two rows."""
    columns = Columns(Schema((Feature("x", "numeric"),)), 2, (np.array([0.0, 1.0]),), (None,), {})
    if kind == MEAN:
        return TableSource(columns, np.arange(2), Means(), exact_mean(np.array([0.0, 1.0]), None))
    response = Classes(labels=("no", "yes"), factors=(1.0, 1.0))
    return TableSource(columns, np.arange(2), response, exact_classes(np.array([0, 1]), None))


near = st.builds(lambda whole, part: whole + part * 4e-13, st.sampled_from([0.0, 1.0, -2.0, 1e6]), st.integers(-5, 5))


@given(st.lists(near, max_size=12), st.sampled_from([0.0, 1e-3, 1.0]))
def test_candidates_go_before_the_first_that_they_beat(scores, least):
    order = []
    for i, score in enumerate(scores):
        beaten = [at for at, j in enumerate(order) if score > scores[j] + TIE * max(least, abs(scores[j]))]
        order.insert(beaten[0] if beaten else len(order), i)
    assert best_first(scores, least) == order


def test_candidates_are_ranked_without_a_look_at_every_pair():
    compared = []

    class Score(float):
        def __neg__(self):
            return Score(-float(self))

        def __lt__(self, other):
            compared.append(other)
            return float(self) < other

    assert best_first([Score(i) for i in range(1000)], 1.0) == list(range(999, -1, -1))
    assert 0 < len(compared) < 1000 * 11
