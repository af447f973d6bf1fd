"""The reference source against trees worked out by hand and subsets found by trying all."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import NOMINAL, NUMERIC, ORDINAL, Feature, Schema
from boxwood.growing.branching import Binary
from boxwood.growing.grow import grow
from boxwood.growing.impurity_decrease import ImpurityDecrease
from boxwood.growing.missing import Missing
from boxwood.growing.recipe import Recipe
from boxwood.growing.termination import Termination
from boxwood.statistics.exact import exact_classes, exact_mean, exact_rate
from boxwood.statistics.responses.classes import Classes
from boxwood.statistics.responses.means import Means
from boxwood.statistics.responses.rates import Rates
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from boxwood.tree.tree import STAYS, Tree
from oracle.source import ReferenceSource

NAN = np.nan
COLOURS = ("红", "blue", "grün", "gold", "missing here")


def columns_of(*values) -> Columns:
    """Lists as columns: of floats numeric, of whole numbers nominal codes into COLOURS."""
    arrays = [np.array(v, dtype=np.int32 if all(isinstance(x, int) for x in v) else np.float64) for v in values]
    kinds = [NOMINAL if a.dtype == np.int32 else NUMERIC for a in arrays]
    schema = [Feature(f"x{j}", k, COLOURS if k == NOMINAL else ()) for j, k in enumerate(kinds)]
    return Columns(Schema(tuple(schema)), len(arrays[0]), tuple(arrays), (None,) * len(arrays), {})


def classes(codes, k: int = 2, weight=None) -> tuple:
    """Response and exact form of class numbers."""
    response = Classes(labels=tuple("abcd"[:k]), factors=(1.0,) * k)
    return response, exact_classes(np.array(codes), None if weight is None else np.array(weight, dtype=float))


def means(y) -> tuple:
    """Response and exact form of a numeric target."""
    return Means(), exact_mean(np.array(y, dtype=float), None)


def tree_of(columns: Columns, y: tuple, recipe: Recipe) -> Tree:
    """The tree that the reference source grows."""
    return grow(ReferenceSource(columns, *y), recipe, {"algorithm": "test"})


def stump(columns: Columns, y: tuple, **recipe) -> Tree:
    """A tree of depth 1 by Gini or variance."""
    measure = {CLASSES: "gini", MEAN: "variance", RATE: "poisson"}[y[0].kind]
    recipe = {"criterion": ImpurityDecrease(measure), "termination": Termination(max_depth=1)} | recipe
    return tree_of(columns, y, Recipe(**recipe))


# --- cuts and their values


@pytest.mark.parametrize(
    ("x", "cut"),
    [
        ([1.0, 2.0], 1.5),
        ([1.0, np.nextafter(1.0, 2.0)], 1.0),
        ([-np.inf, 3.0], -np.inf),
        ([3.0, np.inf], 3.0),
        ([-1.7e308, 1.7e308], 0.0),
        ([1.6e308, 1.7e308], 0.8e308 + 0.85e308),
        ([-0.11, 0.21], (-0.11 + 0.21) / 2),
        ([-1e-323, 5e-324], -5e-324),
        ([0.0, 5e-324], 0.0),
    ],
)
def test_cut_is_the_midpoint_unless_it_would_part_wrongly(x, cut):
    tree = stump(columns_of(x), means([0, 1]))
    assert tree.splits.breaks_of(0).tolist() == [cut]
    assert tree.splits.index_of(0).tolist() == [0, 1]


def test_whole_numbers_beyond_float_are_cut_exactly():
    whole = [2**60, 2**60 + 3]
    values, low = np.array(whole, dtype=float), np.array([w - int(float(w)) for w in whole], dtype=float)
    columns = Columns(Schema((Feature("x0", NUMERIC, integer=True),)), 2, (values,), (low,), {})
    splits = stump(columns, means([0, 1])).splits
    assert int(splits.breaks[0]) + int(splits.breaks_low[0]) == 2**60 + 1


def test_ordinal_cut_is_in_the_middle_between_present_levels():
    codes = np.array([0, 3], dtype=np.int32)
    columns = Columns(Schema((Feature("等级", ORDINAL, COLOURS),)), 2, (codes,), (None,), {})
    assert stump(columns, means([0, 1])).splits.breaks.tolist() == [1.5]


def test_cuts_by_rank():
    tree = stump(columns_of([5.0, NAN, 100.0, 7.0]), means([0, 0, 9, 0]), rank_cuts=True)
    assert tree.splits.breaks.tolist() == [1.5]


def test_ties_go_to_the_first_feature_and_the_lowest_cut():
    columns = columns_of([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0])
    tree = stump(columns, means([0, 1, 1, 0]))
    assert tree.splits.feature[0] == 0
    assert tree.splits.breaks_of(0).tolist() == [1.5]
    assert tree.competitors.feature.tolist() == [1]


def test_feature_costs_choose_another_feature_but_leave_the_score():
    columns = columns_of([1.0, 2.0, 2.0, 3.0], [1.0, 1.0, 2.0, 2.0])
    tree = stump(columns, means([0, 0, 1, 1]), criterion=ImpurityDecrease("variance", feature_costs=(1.0, 100.0)))
    assert tree.splits.feature[0] == 0
    assert tree.competitors.feature.tolist() == [1]
    assert tree.competitor_score[0] == 0.25 > tree.score[0] == pytest.approx(1 / 12)


def test_children_in_order_of_their_means():
    criterion = ImpurityDecrease("variance", order_by_mean=True)
    tree = stump(columns_of([1.0, 2.0, NAN]), means([5, 1, 0]), criterion=criterion, missing=Missing("learned"))
    assert tree.splits.index_of(0).tolist() == [1, 0]
    assert tree.missing[0] == 0  # went with the upper values, which are branch 0 now
    assert tree.moments[1:, 1].tolist() == [0.5, 5.0]


# --- nominal features


def all_subsets(codes, y, measure_of) -> float:
    """Smallest impurity left by any cut of the levels in two."""
    levels = sorted(set(codes))
    left = []
    for size in range(1, len(levels)):
        for low in combinations(levels, size):
            parts = [[v for c, v in zip(codes, y, strict=True) if (c in low) is side] for side in (True, False)]
            left.append(sum(measure_of(p) for p in parts))
    return float(min(left))


def gini_left(y) -> Fraction:
    return len(y) - sum(Fraction(y.count(k) ** 2, len(y)) for k in set(y))


def squares_left(y) -> Fraction:
    return sum((v - Fraction(sum(y), len(y))) ** 2 for v in y)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("n_classes", [2, 3])
def test_best_subset_of_levels_for_classes(seed, n_classes):
    rng = np.random.default_rng(seed)
    codes, y = rng.integers(0, 4, 20).tolist(), rng.integers(0, n_classes, 20).tolist()
    tree = stump(columns_of(codes), classes(y, n_classes))
    assert tree.score[0] * 20 == pytest.approx(float(gini_left(y)) - all_subsets(codes, y, gini_left), rel=1e-12)
    assert tree.splits.index_of(0)[4] == -1
    assert not tree.heuristic[0]


@pytest.mark.parametrize("seed", range(8))
def test_best_subset_of_levels_for_means(seed):
    rng = np.random.default_rng(seed)
    codes, y = rng.integers(0, 4, 20).tolist(), rng.integers(0, 9, 20).tolist()
    best = float(squares_left(y)) - all_subsets(codes, y, squares_left)
    assert stump(columns_of(codes), means(y)).score[0] * 20 == pytest.approx(best, rel=1e-12)


def test_many_levels_and_classes_are_ordered_and_the_node_records_it():
    columns, y = columns_of([0, 0, 1, 1, 2, 2, 3, 3]), classes([0, 0, 1, 2, 0, 1, 1, 2], 3)
    tree = stump(columns, y, branching=Binary(exhaustive_levels=3))
    assert tree.heuristic.tolist() == [True, False, False]
    index = tree.splits.index_of(0)
    assert index[1] == index[3] != index[0]  # equal shares lie together


def test_rare_levels_are_pooled_and_the_correction_takes_off_what_chance_gains():
    codes = [0, 0, 0, 1, 1, 1, 2, 3]
    y = [0, 0, 0, 1, 1, 1, 0, 1]
    tree = stump(columns_of(codes), classes(y), branching=Binary(min_samples_level=2))
    index = tree.splits.index_of(0)
    assert index[2] == index[3]
    columns, y = columns_of([0, 0, 1, 2, 3, 3], [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]), classes([0, 0, 0, 1, 1, 1])
    assert stump(columns, y).splits.feature[0] == 0
    corrected = stump(columns, y, branching=Binary(correct_levels=True))
    assert corrected.splits.feature[0] == 1
    assert corrected.competitor_score[0] == corrected.score[0] == 0.5


# --- missing values


def test_learned_direction_sends_missing_rows_where_they_fit():
    columns = columns_of([1.0, 2.0, 3.0, 4.0, NAN, NAN])
    tree = stump(columns, means([0, 0, 9, 9, 0, 0]), missing=Missing("learned"))
    assert tree.missing[0] == 0
    assert tree.rows.tolist() == [6, 4, 2]


def test_learned_direction_may_part_known_from_missing():
    numeric = stump(columns_of([1.0, 2.0, NAN, NAN]), means([0, 0, 9, 9]), missing=Missing("learned"))
    assert (numeric.splits.breaks_of(0).tolist(), numeric.splits.index_of(0).tolist()) == ([2.0], [0, 1])
    nominal = stump(columns_of([0, 1, -1, -1]), means([0, 0, 9, 9]), missing=Missing("learned"))
    assert nominal.splits.index_of(0).tolist() == [0, 0, -1, -1, -1]
    for tree in (numeric, nominal):
        assert tree.missing[0] == 1
        assert tree.rows.tolist() == [4, 2, 2]


def test_own_branch_is_a_third_child_only_where_values_are_missing():
    columns = columns_of([1.0, 2.0, 3.0, 4.0, NAN])
    tree = tree_of(columns, means([0, 1, 5, 6, 9]), Recipe(ImpurityDecrease("variance"), missing=Missing("own_branch")))
    assert tree.n_children.tolist()[:4] == [3, 2, 2, 0]
    assert tree.missing[0] == 2
    assert tree.score[0] * 5 == pytest.approx(54.8 - 0.5 - 0.5)  # all squares less those left in the children
    assert tree.missing[1] == 0  # nothing is missing there: the heavier branch, branch 0 on ties


@pytest.mark.parametrize(("policy", "branch"), [("majority", 0), ("surrogate", STAYS)])
def test_equal_branches_keep_or_stay(policy, branch):
    tree = stump(columns_of([1.0, 2.0, NAN]), means([0, 1, 5]), missing=Missing(policy))
    assert tree.missing[0] == branch
    assert tree.rows.tolist() == ([3, 2, 1] if branch == 0 else [3, 1, 1])


def test_rows_stay_when_no_surrogate_knows_them_and_that_is_requested():
    columns = columns_of([1.0, 1.0, 2.0, NAN])
    tree = stump(columns, means([0, 0, 1, 5]), missing=Missing(otherwise="stay"))
    assert tree.missing[0] == STAYS
    assert tree.rows.tolist() == [4, 2, 1]


def test_surrogates_by_hand():
    primary = [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, NAN, NAN]
    good = [5.0, 5.0, 5.0, 5.0, 3.0, 3.0, 3.0, 3.0, NAN]  # agrees with all 7, in the other direction
    fair = [0, 0, 0, 1, 1, 1, 1, 1, 2]  # 6 of 7
    poor = [1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0]
    columns = columns_of(primary, fair, good, poor)
    recipe = Recipe(ImpurityDecrease("variance"), termination=Termination(max_depth=1))
    tree = tree_of(columns, means([0, 0, 0, 0, 9, 9, 9, 4, 4]), replace(recipe, max_competitors=0))
    assert tree.splits.feature[0] == 0
    assert tree.surrogates.feature.tolist() == [2, 1]
    assert tree.surrogates.index_of(0).tolist() == [1, 0]
    assert tree.surrogates.index_of(1).tolist() == [0, 1, -1, -1, -1]
    assert tree.agreement.tolist() == pytest.approx([1.0, 6 / 7])
    assert tree.adjusted.tolist() == pytest.approx([1.0, 2 / 3])
    assert tree.rows.tolist() == [9, 5, 4]  # row 7 by the first surrogate to branch 1, row 8 to the heavier branch 0


def test_surrogate_cut_is_beside_a_value_that_only_rows_without_the_primary_have():
    columns = columns_of([1.0, 1.0, 2.0, 2.0, NAN], [10.0, 20.0, 50.0, 60.0, 40.0])
    tree = stump(columns, means([0, 0, 9, 9, 5]))
    assert tree.surrogates.breaks.tolist() == [30.0]
    assert tree.rows.tolist() == [5, 2, 3]


def test_rpart_throws_a_perfect_nominal_surrogate_away():
    columns = columns_of([1.0, 1.0, 2.0, 2.0, 2.0], [0, 0, 1, 1, 1])
    y = means([0, 0, 9, 9, 9])
    assert stump(columns, y).surrogates.feature.tolist() == [1]
    assert stump(columns, y, missing=Missing(rpart_quirk=True)).surrogates.feature.tolist() == []


def test_rpart_takes_the_child_with_more_rows_for_prediction():
    columns = columns_of([1.0, 2.0, 2.0, NAN])
    y = classes([0, 1, 1, 0], weight=[5, 1, 1, 1])
    assert stump(columns, y).missing[0] == 0  # heavier
    assert (
        stump(columns, y, missing=Missing(rpart_quirk=True)).missing[0] == STAYS
    )  # two rows each, training sent row 3 to 0
    known = columns_of([1.0, 2.0, 2.0, 2.0, NAN])
    tree = stump(known, classes([0, 1, 1, 1, 0]), missing=Missing(max_surrogates=0, rpart_quirk=True))
    assert (tree.missing[0], tree.rows.tolist()) == (1, [5, 1, 3])  # without surrogates the row stays in training


# --- stopping and the loop


def test_a_leaf_holds_nothing_of_splits():
    tree = stump(columns_of([1.0, 1.0, 1.0]), means([0, 1, 2]))
    assert (tree.n_nodes, tree.splits.feature.tolist(), tree.missing.tolist()) == (1, [-1], [STAYS])
    assert (tree.first_child.tolist(), tree.parent.tolist()) == ([-1], [-1])
    assert np.isnan(tree.score[0])
    assert tree.made_by == {"algorithm": "test"}


@pytest.mark.parametrize(
    ("limit", "n_nodes"),
    [
        (Termination(max_depth=1), 3),
        (Termination(min_samples_split=5), 1),
        (Termination(min_samples_leaf=2), 3),
        (Termination(min_impurity_decrease=2.0), 1),
        (Termination(min_impurity_decrease=1.0), 3),
    ],
)
def test_termination(limit, n_nodes):
    recipe = Recipe(ImpurityDecrease("variance"), termination=limit)
    assert tree_of(columns_of([1.0, 2.0, 3.0, 4.0]), means([0, 1, 2, 3]), recipe).n_nodes == n_nodes


def test_splits_without_gain_are_taken_only_when_allowed():
    columns, y = columns_of([1.0, 1.0, 2.0, 2.0], [1.0, 2.0, 1.0, 2.0]), classes([0, 1, 1, 0])
    assert tree_of(columns, y, Recipe(ImpurityDecrease("gini"))).n_nodes == 7
    assert tree_of(columns, y, Recipe(ImpurityDecrease("gini", min_share=1e-10))).n_nodes == 1


def test_equal_rates_are_pure():
    columns, y = columns_of([1.0, 2.0, 3.0]), (Rates(), exact_rate(np.ones(3), np.full(3, 3.0), None))
    assert tree_of(columns, y, Recipe(ImpurityDecrease("poisson"))).n_nodes == 1
