"""What must not change a CHAID tree does not change a bit of it: order of rows, threads, repeats, levels, loops."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.algorithms import REGISTRY
from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import NOMINAL, NUMERIC, ORDINAL, Feature, Schema
from boxwood.growing.grow import grow
from boxwood.learning.learning_set import learning_set
from boxwood.tree.tree import Tree

CHAID = REGISTRY["chaid"]
SMALL = {"min_samples_split": 6, "min_samples_leaf": 2, "alpha_split": 0.6, "alpha_merge": 0.3, "max_depth": None}
few = settings(max_examples=60, deadline=None)
seeds = st.integers(0, 10**6)
tasks = st.sampled_from(["classification", "regression"])
variants = st.sampled_from(
    [{}, {"exhaustive": True}, {"split_merged": True}, {"weights": "case"}, {"min_segment": 4}, {"rank_by": "log_p"}]
)


def make(seed: int, n: int, task: str) -> tuple[Columns, np.ndarray]:
    """Numeric, ordinal and nominal columns with ties and missing values, and a response that depends on them."""
    rng = np.random.default_rng(seed)
    number = np.where(rng.random(n) < 0.1, np.nan, np.round(rng.normal(size=n), 1))
    grade, colour = rng.integers(-1, 4, n).astype(np.int32), rng.integers(-1, 5, n).astype(np.int32)
    score = np.nan_to_num(number) + (colour == 2) - (grade == 0) + rng.normal(size=n)
    schema = Schema((
        Feature("数", NUMERIC), Feature("grade", ORDINAL, tuple("abcd")), Feature("色", NOMINAL, tuple("青乌浅白红")),
    ))  # fmt: skip
    columns = Columns(schema, n, (number, grade, colour), (None,) * 3, {})
    return columns, np.digitize(score, [-0.5, 0.7]) if task == "classification" else np.round(score, 2)


def fit(columns: Columns, y, task: str, weight=None, **more) -> Tree:
    return CHAID.fit(columns, y, task=task, settings=SMALL | {"n_jobs": 1} | more, weight=weight).full_tree


def content(tree: Tree) -> tuple:
    parts = [tree.parent, tree.splits.feature, tree.splits.breaks, tree.splits.position, tree.splits.index]
    return tuple(part.tobytes() for part in (*parts, tree.moments, tree.missing, tree.log_p, tree.score))


@few
@given(seeds, tasks, variants)
def test_order_of_rows_and_threads(seed, task, variant):
    columns, y = make(seed, 80, task)
    weight = np.random.default_rng(seed).integers(1, 5, 80) / 4
    tree = fit(columns, y, task, weight, **variant)
    order = np.random.default_rng(seed + 1).permutation(80)
    shuffled = fit(columns.take(order), y[order], task, weight[order], **variant, n_jobs=2)
    assert content(tree) == content(shuffled)


@few
@given(seeds, tasks, variants.filter(lambda v: v.get("weights") != "case"))
def test_a_whole_weight_is_the_row_so_many_times(seed, task, variant):
    columns, y = make(seed, 60, task)
    times = np.random.default_rng(seed).integers(1, 4, 60)
    again = np.repeat(np.arange(60), times)
    weighted = fit(columns, y, task, times.astype(float), **variant)
    assert content(weighted) == content(fit(columns.take(again), y[again], task, **variant))


@few
@given(seeds, tasks)
def test_equal_case_weights_are_no_weights(seed, task):
    columns, y = make(seed, 60, task)
    twice = fit(columns, y, task, np.full(60, 2.0), weights="case")
    plain = fit(columns, y, task)
    # Expected counts come from a fit and not from a formula, so p may differ in its last digits.
    np.testing.assert_allclose(twice.log_p, plain.log_p, rtol=1e-9)
    assert content(replace(twice, moments=plain.moments, score=plain.score, log_p=plain.log_p)) == content(plain)


@few
@given(seeds, tasks, variants)
def test_the_loop_grows_the_same_tree(seed, task, variant):
    columns, y = make(seed, 80, task)
    model = CHAID.fit(columns, y, task=task, settings=SMALL | variant)
    learning = learning_set(columns, CHAID.target(y, model.settings, task=task), 1)
    recipe = CHAID.recipe(model.settings, columns.schema, learning.n)
    source = learning.source(recipe)
    source.finish = lambda recipe: None
    assert content(grow(source, recipe, {})) == content(model.full_tree)


@few
@given(seeds, tasks)
def test_maps_of_numbers_that_keep_their_order(seed, task):
    columns, y = make(seed, 80, task)
    mapped = Columns(columns.schema, 80, (np.exp(columns.values[0]), *columns.values[1:]), (None,) * 3, {})
    a, b = fit(columns, y, task), fit(mapped, y, task)
    numeric = np.repeat(a.splits.feature, np.diff(a.splits.breaks_start)) == 0
    np.testing.assert_array_equal(np.exp(a.splits.breaks[numeric]), b.splits.breaks[numeric])
    parts = ("parent", "moments", "log_p", "missing")
    assert all(getattr(a, part).tobytes() == getattr(b, part).tobytes() for part in parts)


@few
@given(seeds, tasks, st.permutations(range(5)))
def test_order_of_nominal_levels(seed, task, order):
    """The groups of the root are the same sets, whatever the order of levels."""
    columns, y = make(seed, 300, task)
    colour = columns.values[2]
    moved = np.where(colour < 0, -1, np.array(order)[colour]).astype(np.int32)
    schema = Schema((*columns.schema.features[:2], Feature("色", NOMINAL, tuple("abcde"))))
    other = Columns(schema, 300, (*columns.values[:2], moved), (None,) * 3, {})
    a, b = (fit(each, y, task, max_depth=1, alpha_split=1.0) for each in (columns, other))
    assert a.log_p[0] == pytest.approx(b.log_p[0], rel=1e-9)
    assert sorted(a.moments.tolist()) == sorted(b.moments.tolist())


def test_bins_have_equal_shares_and_few_values_are_bins_each():
    rng = np.random.default_rng(0)
    many, few_values = rng.normal(size=1000), rng.integers(0, 9, 1000).astype(float)
    schema = Schema((Feature("many", NUMERIC), Feature("few", NUMERIC)))
    columns = Columns(schema, 1000, (many, few_values), (None, None), {})
    model = CHAID.fit(columns, rng.integers(0, 2, 1000), task="classification")
    learning = learning_set(columns, CHAID.target(rng.integers(0, 2, 1000), model.settings, task="classification"), 1)
    recipe = CHAID.recipe(model.settings, schema, learning.n)
    ends, _ = learning.source(recipe).bins(recipe, 0)
    counts = np.diff(np.searchsorted(np.sort(many), ends, side="right"), prepend=0)
    assert len(ends) == 10
    assert counts.sum() == 1000
    assert set(counts.tolist()) <= {99, 100, 101}
    assert learning.source(recipe).bins(recipe, 1)[0].tolist() == [float(v) for v in range(9)]


@pytest.mark.parametrize("weight", [1.0, 0.5, 3.0])
def test_bins_follow_average_ranks(weight):
    """floor(r K / (N + 1)) with ties at their average rank, worked out by hand."""
    rng = np.random.default_rng(1)
    x = np.round(rng.normal(size=300), 1)
    schema = Schema((Feature("x", NUMERIC),))
    columns = Columns(schema, 300, (x,), (None,), {})
    y = rng.integers(0, 2, 300)
    filled = CHAID.fit(columns, y, task="classification").settings
    target = CHAID.target(y, filled, weight=np.full(300, weight), task="classification")
    learning = learning_set(columns, target, 1)
    recipe = CHAID.recipe(filled, schema, learning.n)
    values, counts = np.unique(x, return_counts=True)
    n = 300 * weight
    rank = (np.cumsum(counts) - counts) * weight + (counts * weight + 1) / 2
    index = np.floor(rank * 10 / (n + 1))
    last = np.append(index[1:] != index[:-1], True)
    np.testing.assert_array_equal(learning.source(recipe).bins(recipe, 0)[0], values[last])


def noise(seed: int, task: str) -> tuple[Columns, np.ndarray]:
    """Columns that tell nothing of the response: one of numbers, two of sixteen letters."""
    rng, n = np.random.default_rng(seed), 300
    letters = tuple("abcdefghijklmnop")
    schema = Schema((Feature("x", NUMERIC), Feature("g", NOMINAL, letters), Feature("h", NOMINAL, letters)))
    codes = (rng.integers(0, 16, n).astype(np.int32) for _ in range(2))
    y = rng.integers(0, 2, n) if task == "classification" else rng.normal(size=n)
    return Columns(schema, n, (rng.normal(size=n), *codes), (None,) * 3, {}), y


@pytest.mark.parametrize(
    "variant", [{}, {"alpha_merge": 0.9}, {"exhaustive": True}, {"bonferroni": False, "alpha_split": 0.2}], ids=repr
)
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_no_split_of_noise_has_a_p_above_alpha(task, variant):
    given = {"alpha_split": 0.05, "alpha_merge": 0.05, "min_samples_split": 20, "min_samples_leaf": 50} | variant
    for seed in range(75):  # eight variants: 600 tables
        tree = fit(*noise(seed, task), task, **given)
        assert np.all(np.exp(tree.log_p[~tree.is_leaf]) <= given["alpha_split"] * (1 + 1e-9))


@pytest.mark.parametrize("variant", [{}, {"alpha_merge": 0.9}, {"exhaustive": True}], ids=repr)
def test_the_p_of_a_split_is_that_of_its_branches_however_it_is_found(variant):
    """Growth in memory and in shards and the tests of a node agree, with small branches merged."""
    merged = 0
    for seed in range(40):
        columns, y = make(seed, 120, "classification")
        settings = {**SMALL, "alpha_merge": 0.05, "min_samples_leaf": 12, "n_jobs": 1} | variant
        model = CHAID.fit(columns, y, task="classification", settings=settings)
        tree, learning = (
            model.full_tree,
            learning_set(columns, CHAID.target(y, model.settings, task="classification"), 1),
        )
        recipe = CHAID.recipe(dict(model.settings), columns.schema, learning.n)
        rows = np.arange(120, dtype=np.uint32)
        if tree.is_leaf[0]:
            continue
        feature = int(tree.splits.feature[0])
        test = learning.source(recipe).tests(recipe, rows)[feature]
        assert (len(test.groups), test.log_adjusted_p) == (tree.n_children[0], tree.log_p[0])
        alone = replace(recipe, termination=replace(recipe.termination, min_cases_leaf=0.0))
        merged += learning.source(alone).tests(alone, rows)[feature].groups != test.groups
    assert merged > 0
