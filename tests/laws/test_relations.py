"""Exact relations that hold for every learning set: what must not change the tree does not change a bit of it."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.data.columns.schema import NUMERIC, Feature
from boxwood.errors import PruningWarning
from boxwood.model.tree_model import TreeModel
from boxwood.views.importance import mdi

from .problems import make, policies, seeds, shape, tasks

pytestmark = pytest.mark.filterwarnings("ignore::boxwood.errors.PruningWarning")
prunings = st.sampled_from([None, "cv", "cv-1se"])
#: The 1-SE rule counts weights as rows, so its standard error shrinks when weights are multiplied.
prunings_by_minimum = st.sampled_from([None, "cv"])
few = settings(max_examples=60, deadline=None)


def without_rows(model: TreeModel) -> tuple:
    """The tree but for the number of rows, which a weight of 3 and three rows do not share."""
    tree = model.tree
    parts = [tree.parent, tree.splits.feature, tree.splits.breaks, tree.splits.index, tree.moments, tree.missing]
    return tuple(part.tobytes() for part in (*parts, tree.surrogates.feature, tree.agreement))


@few
@given(seeds, tasks, policies)
def test_a_whole_weight_is_the_row_so_many_times(seed, task, policy):
    problem = make(seed, 50, task)
    times = np.random.default_rng(seed).integers(1, 4, problem.columns.n)
    # Limits count rows; a weight is one row, so only the smallest limits agree. Two rows at least make a surrogate.
    # Unpruned: folds are of rows, and a row of weight 3 is in one of them, three rows may be in three.
    options = {"missing": policy, "max_surrogates": 0}
    weighted = problem.fit(weight=times.astype(float), **options)
    repeated = problem.rows(np.repeat(np.arange(problem.columns.n), times)).fit(**options)
    assert without_rows(weighted) == without_rows(repeated)


@few
@given(seeds, tasks, prunings)
def test_rows_of_weight_zero_are_not_there(seed, task, pruning):
    problem = make(seed, 60, task)
    weight = np.random.default_rng(seed).integers(0, 3, 60).astype(float)
    kept = np.flatnonzero(weight)
    with_zeros = problem.fit(weight=weight, pruning=pruning)
    assert shape(with_zeros) == shape(problem.rows(kept).fit(weight=weight[kept], pruning=pruning))


@few
@given(seeds, tasks, st.sampled_from([2.0**-300, 2.0**-7, 8.0, 2.0**300]), prunings_by_minimum)
def test_the_unit_of_weights_changes_nothing_but_the_weights(seed, task, unit, pruning):
    problem = make(seed, 50, task)
    weight = np.random.default_rng(seed).random(50) + 0.1
    one, other = problem.fit(weight=weight, pruning=pruning), problem.fit(weight=weight * unit, pruning=pruning)
    assert shape(one, values=False) == shape(other, values=False)
    np.testing.assert_array_equal(one.tree.weight * unit, other.tree.weight)


@few
@given(seeds, tasks, st.sampled_from([0.3, 0.1, 7.77, 1e-9]), prunings_by_minimum)
def test_any_unit_of_whole_weights_keeps_the_structure(seed, task, unit, pruning):
    problem = make(seed, 50, task)
    weight = np.random.default_rng(seed).integers(1, 5, 50).astype(float)
    one, other = problem.fit(weight=weight, pruning=pruning), problem.fit(weight=weight * unit, pruning=pruning)
    assert shape(one, values=False) == shape(other, values=False)


@few
@given(seeds, tasks, policies, prunings)
def test_the_order_of_rows_changes_nothing(seed, task, policy, pruning):
    problem = make(seed, 70, task)
    order = np.random.default_rng(seed).permutation(70)
    options = {"missing": policy, "pruning": pruning}
    assert shape(problem.fit(**options)) == shape(problem.rows(order).fit(**options))


@few
@given(seeds, tasks)
def test_doubling_the_data_doubles_the_counts(seed, task):
    # Unpruned: the copies of a row may be in different folds, which then know what they are to predict.
    problem = make(seed, 60, task)
    once = problem.fit(min_samples_leaf=2, min_samples_split=4, max_surrogates=0)
    twice = problem.rows(np.tile(np.arange(60), 2)).fit(min_samples_leaf=4, min_samples_split=8, max_surrogates=0)
    assert shape(once, values=False) == shape(twice, values=False)
    np.testing.assert_array_equal(2 * once.tree.rows, twice.tree.rows)


@few
@given(seeds, tasks, prunings)
def test_copies_of_columns_and_constants_change_nothing(seed, task, pruning):
    problem = make(seed, 60, task)
    values, features = list(problem.columns.values), list(problem.columns.schema)
    values += [values[0], np.zeros(60)]
    features += [Feature("copy", NUMERIC), Feature("constant", NUMERIC)]
    wider = problem.with_columns(values, features).fit(pruning=pruning, max_surrogates=0)
    assert shape(problem.fit(pruning=pruning, max_surrogates=0)) == shape(wider)


@few
@given(seeds, tasks, prunings, st.booleans())
def test_the_order_of_columns_changes_only_names(seed, task, pruning, ties):
    problem = make(seed, 60, task, ties=ties)
    order = np.random.default_rng(seed).permutation(6)
    values = [problem.columns.values[j] for j in order]
    moved = problem.with_columns(values, [problem.columns.schema[j] for j in order])
    options = {"max_depth": 1, "pruning": pruning, "max_surrogates": 0}
    one, other = problem.fit(**options), moved.fit(**options)
    assert one.tree.n_leaves == other.tree.n_leaves
    np.testing.assert_allclose(one.tree.score, other.tree.score, rtol=1e-12)


@few
@given(seeds, tasks, policies, prunings)
def test_a_rising_map_of_a_column_keeps_the_partition(seed, task, policy, pruning):
    problem = make(seed, 60, task)
    values = [np.exp(v) if v.dtype == float else v for v in problem.columns.values]
    mapped = problem.with_columns(values, list(problem.columns.schema))
    one, other = problem.fit(missing=policy, pruning=pruning), mapped.fit(missing=policy, pruning=pruning)
    np.testing.assert_array_equal(one.route(problem.columns).node, other.route(mapped.columns).node)
    np.testing.assert_array_equal(one.tree.moments, other.tree.moments)


@few
@given(seeds)
def test_a_falling_map_of_a_column_keeps_the_partition(seed):
    # A numeric target without ties: where two cuts gain the same, the lower one wins, and negation turns that round.
    # Unpruned: in a fold a held-out value right in the middle between two ranks goes down, and after negation up.
    problem = make(seed, 60, "regression", missing=0.0, ties=False)
    y = problem.y + np.random.default_rng(seed).random(60) * 1e-3
    problem = type(problem)(problem.columns, y, problem.task)
    turned = problem.with_columns(
        [-v if v.dtype == float else v for v in problem.columns.values], list(problem.columns.schema)
    )
    ends = [p.fit(max_surrogates=0).route(p.columns).node for p in (problem, turned)]
    one, other = ({frozenset(np.flatnonzero(end == leaf)) for leaf in set(end)} for end in ends)
    assert one == other


@few
@given(seeds, policies, prunings)
def test_classes_may_be_renamed(seed, policy, pruning):
    problem = make(seed, 60)
    named = type(problem)(problem.columns, np.array(["a", "b", "c"])[problem.y], problem.task)
    one, other = problem.fit(missing=policy, pruning=pruning), named.fit(missing=policy, pruning=pruning)
    assert shape(one) == shape(other)
    predicted = np.array(["a", "b", "c"])[one.predict(problem.columns)]
    np.testing.assert_array_equal(predicted, other.predict(problem.columns))


@few
@given(seeds, st.integers(-200, 200), prunings)
def test_scaling_y_by_a_power_of_two_scales_the_leaves(seed, power, pruning):
    problem = make(seed, 60, "regression")
    scaled = type(problem)(problem.columns, problem.y * 2.0**power, problem.task)
    one, other = problem.fit(pruning=pruning), scaled.fit(pruning=pruning)
    assert shape(one, values=False) == shape(other, values=False)
    np.testing.assert_array_equal(one.tree.value * 2.0**power, other.tree.value)
    np.testing.assert_array_equal(one.tree.score * 4.0**power, other.tree.score)


@few
@given(seeds, st.sampled_from([1.0, -1000.0, 2.0**40, 1e6]), prunings)
def test_shifting_y_shifts_the_leaves(seed, shift, pruning):
    problem = make(seed, 60, "regression")
    y = np.round(problem.y * 1024) / 1024  # a grid on which the shift is exact
    one = type(problem)(problem.columns, y, problem.task).fit(pruning=pruning)
    other = type(problem)(problem.columns, y + shift, problem.task).fit(pruning=pruning)
    assert shape(one, values=False) == shape(other, values=False)
    np.testing.assert_allclose(one.tree.value + shift, other.tree.value, rtol=1e-15, atol=1e-12)


@few
@given(seeds, tasks, policies, st.integers(1, 4))
def test_a_shallower_tree_is_the_deeper_one_cut(seed, task, policy, depth):
    problem = make(seed, 60, task)
    shallow = problem.fit(missing=policy, max_depth=depth).tree
    deep = problem.fit(missing=policy, max_depth=depth + 1).tree
    kept = deep.depth <= depth
    np.testing.assert_array_equal(deep.moments[kept], shallow.moments)
    np.testing.assert_array_equal(
        deep.splits.feature[deep.depth < depth], shallow.splits.feature[shallow.depth < depth]
    )


@few
@given(seeds, tasks, policies, st.sampled_from([1, 2, 3, 7, 64]), prunings)
def test_threads_change_nothing(seed, task, policy, threads, pruning):
    problem = make(seed, 60, task)
    assert shape(problem.fit(missing=policy, pruning=pruning)) == shape(
        problem.fit(missing=policy, pruning=pruning, n_jobs=threads)
    )


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("policy", ["surrogate", "learned", "own_branch"])
def test_threads_change_nothing_where_they_are_used(task, policy):
    problem = make(3, 40_000, task)
    assert shape(problem.fit(missing=policy)) == shape(problem.fit(missing=policy, n_jobs=2))


@few
@given(seeds, tasks, policies, prunings)
def test_a_file_holds_the_model(seed, task, policy, pruning):
    model = make(seed, 60, task).fit(missing=policy, pruning=pruning)
    data = model.to_bytes()
    again = TreeModel.from_bytes(data)
    assert again.to_bytes() == data
    assert shape(again) == shape(model)


@few
@given(seeds, tasks)
def test_without_missing_values_surrogates_change_no_prediction(seed, task):
    problem = make(seed, 60, task, missing=0.0)
    one, other = problem.fit(max_surrogates=5), problem.fit(max_surrogates=0)
    np.testing.assert_array_equal(one.predict(problem.columns), other.predict(problem.columns))


@few
@given(seeds, tasks)
def test_a_copy_is_the_first_surrogate_and_agrees_always(seed, task):
    problem = make(seed, 60, task, missing=0.0)
    values, features = list(problem.columns.values), list(problem.columns.schema)
    split = problem.fit(max_depth=1, min_samples_leaf=2).tree.splits.feature[0]
    copied = problem.with_columns(
        [*values, values[split]], [*features, Feature("copy", features[split].kind, features[split].levels)]
    )
    tree = copied.fit(max_depth=1, min_samples_leaf=2, max_surrogates=5).tree
    assert tree.surrogates.feature[0] in (split, 6)
    assert tree.agreement[0] == 1.0


@few
@given(seeds, tasks)
def test_importance_adds_up_to_what_the_tree_takes_away(seed, task):
    problem = make(seed, 60, task, missing=0.0)
    tree = problem.fit().tree
    share = tree.weight / tree.weight[0]
    taken = tree.impurity()[0] - (share * tree.impurity())[tree.is_leaf].sum()
    importance = mdi(tree, normalize=False)
    assert importance.sum() == pytest.approx(taken, abs=1e-12)
    assert (importance[~np.isin(np.arange(6), tree.splits.feature)] == 0).all()


@few
@given(seeds)
def test_distinct_rows_are_learned_without_error(seed):
    problem = make(seed, 40, missing=0.0, ties=False)
    assert (problem.fit().predict(problem.columns) == problem.y).all()
    target = make(seed, 40, "regression", missing=0.0, ties=False)
    np.testing.assert_array_equal(target.fit().predict(target.columns), target.y)


@few
@given(seeds, tasks)
def test_best_subset_by_order_is_best_of_all(seed, task):
    """Breiman's theorem: for two classes and means the k - 1 cuts along the means hold the best of all subsets."""
    problem = make(seed, 60, task, missing=0.0)
    problem = type(problem)(
        problem.columns, (problem.y > 1).astype(int) if task == "classification" else problem.y, task
    )
    only = problem.with_columns([problem.columns.values[4]], [problem.columns.schema[4]])
    tree = only.fit(max_depth=1).tree
    impurity = _impurity(problem.y, task)
    best = max(
        (
            impurity - sum(np.mean(side) * _impurity(problem.y[side], task) for side in (inside, ~inside))
            for subset in range(1, 16)
            if 0 < (inside := np.isin(problem.columns.values[4], [v for v in range(5) if subset >> v & 1])).sum() < 60
        ),
        default=0.0,
    )
    found = 0.0 if tree.n_nodes == 1 else tree.score[0]
    assert found == pytest.approx(best, abs=1e-12)


def _impurity(y: np.ndarray, task: str) -> float:
    if task == "regression":
        return float(np.var(y))
    share = np.bincount(y, minlength=2) / len(y)
    return float(1 - (share**2).sum())


@few
@given(seeds, tasks, st.integers(15, 25))
def test_too_few_rows_are_reported(seed, task, n):
    problem = make(seed, n, task)
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        model = problem.fit(pruning="cv")
    notes = [str(warning.message) for warning in shown if warning.category is PruningWarning]
    assert [note for note in notes if "too few rows" in note] == notes
    assert bool(notes) == (n < 20)
    assert model.tree.n_nodes == model.full_tree.n_nodes or not notes
