"""Compiled trees: whatever table rows come in, whatever they miss, they end where the plain descent ends."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

from boxwood import _kernel
from boxwood.data.columns.columns import Columns, Matrix
from boxwood.data.columns.schema import NOMINAL, NUMERIC, ORDINAL, Feature, Schema
from boxwood.data.frames.frame import learn_columns, read_columns
from boxwood.model.readable import readable
from boxwood.statistics.responses.registry import CLASSES
from boxwood.tree.descend import answer, route
from boxwood.tree.plan import plan_of
from boxwood.tree.split import SplitTable
from boxwood.tree.tree import STAYS
from tree.random_trees import chain, random_tree
from tree.slow_descent import random_columns, walk

LARGEST = 1.7976931348623157e308
NUMBERS = Schema(tuple(Feature(name, NUMERIC) for name in "abcd"))


def ends(tree, columns, unseen="missing"):
    """Where the plain walk ends, for trees that share nothing out."""
    return [walk(tree, columns, row, unseen)[0][0][0] for row in range(columns.n)]


def numeric_tree(seed, n_nodes=61):
    """A random tree of numbers that shares nothing out."""
    tree = random_tree(seed, CLASSES, n_nodes, NUMBERS)
    return replace(tree, missing=np.where(tree.missing == -1, STAYS, tree.missing).astype(np.int32))


@pytest.mark.parametrize("seed", range(12))
def test_every_layout_and_type_of_a_table_ends_alike(seed):
    tree = numeric_tree(seed)
    X = np.column_stack(random_columns(NUMBERS, seed, 331).values)
    X[np.isinf(X)] = 99.0
    X = np.floor(X)
    expected = ends(tree, Matrix(NUMBERS, X))
    wide = np.full((331, 9), np.nan)
    wide[:, 1:8:2] = X
    layouts = [X, np.asfortranarray(X), X[::-1][::-1], wide[:, 1:8:2], np.repeat(X, 2, axis=0)[::2]]
    layouts += [X.astype(np.float32), np.asfortranarray(X.astype(np.float32)), X.astype(np.float32)[::-1][::-1]]
    for table in layouts:
        assert answer(tree, "node", read_columns(table, NUMBERS)).tolist() == expected
    whole = np.nan_to_num(X, nan=7.0)
    expected = ends(tree, Matrix(NUMBERS, whole))
    for kind in ("i2", "i4", "i8", "f4", "f8"):
        assert answer(tree, "node", read_columns(whole.astype(kind), NUMBERS)).tolist() == expected
    whole = np.abs(whole) % 120
    expected = ends(tree, Matrix(NUMBERS, whole))
    for kind in ("i1", "u1", "u2", "u4", "u8"):
        assert answer(tree, "node", read_columns(whole.astype(kind), NUMBERS)).tolist() == expected


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf, -0.0, 5e-324, LARGEST, -LARGEST])
def test_special_numbers_on_both_sides_of_a_cut(special):
    tree = chain(1)
    columns = random_columns(tree.schema, 3, 200)
    values = np.resize([special, 0.0, -0.0, 1.5, -np.inf, np.inf, np.nan, -5e-324, 1e308, -1e308], 200)
    columns = replace(columns, values=(values, *columns.values[1:]))
    for cut in (0.0, -0.0, 5e-324, 1e308, -1e308, special):
        if np.isnan(cut):
            continue
        for branches in ((0, 1), (1, 0)):
            table = SplitTable.of([0, -1, -1], [(float(cut),), (), ()], [branches, (), ()])
            changed = replace(tree, splits=table)
            assert answer(changed, "node", columns).tolist() == ends(changed, columns)
            assert route(changed, columns).node.tolist() == ends(changed, columns)


def test_trees_that_have_no_plan_are_walked():
    low = SplitTable.of([0, -1, -1], [((2.0**53, 1.0),), (), ()], [(0, 1), (), ()])
    tree = replace(chain(1), splits=low)
    assert not plan_of(tree, "missing").is_possible
    columns = random_columns(tree.schema, 1)
    assert answer(tree, "node", columns).tolist() == ends(tree, columns)


def test_whole_numbers_beyond_doubles_are_compared_exactly():
    schema = Schema((Feature("n", NUMERIC),))
    big = 2**53
    X = np.array([[big - 1], [big], [big + 1], [big + 2], [big + 3]])
    fitted = learn_columns(X)
    assert fitted.low[0] is not None
    tree = replace(
        chain(1), schema=schema, splits=SplitTable.of([0, -1, -1], [(float(big),), (), ()], [(0, 1), (), ()])
    )
    assert plan_of(tree, "missing").is_possible
    assert answer(tree, "node", read_columns(X, schema)).tolist() == [1, 1, 2, 2, 2]
    assert answer(tree, "node", read_columns(X.astype(np.uint64), schema)).tolist() == [1, 1, 2, 2, 2]
    assert answer(tree, "node", fitted).tolist() == [1, 1, 2, 2, 2]


def level_tree(kind, n_levels, n_branches, rng):
    """One split by levels, in which some levels are not listed, over leaves of equal weight."""
    levels = tuple(f"l{i}" for i in range(n_levels))
    schema = Schema((Feature("f", kind, levels), Feature("x", NUMERIC)))
    leaves = [-1] * n_branches
    if kind == NOMINAL:
        breaks, branches = (), rng.integers(-1, n_branches, n_levels)
    else:
        breaks = tuple(np.sort(rng.choice(n_levels - 1, 12, replace=False)) + 0.5)
        branches = rng.integers(-1, n_branches, 13)
    splits = SplitTable.of([0, *leaves], [breaks, *[()] * n_branches], [branches.tolist(), *[()] * n_branches])
    one = random_tree(0, CLASSES, 3)
    size = n_branches + 1
    moments = np.ones((size, 3))
    moments[0] = n_branches
    return replace(
        one, schema=schema, parent=np.array([-1] + [0] * n_branches, np.int32), splits=splits, moments=moments,
        first_child=np.array([1, *leaves], np.int32), n_children=np.array([n_branches] + [0] * n_branches, np.int32),
        missing=np.array([1] + [STAYS] * n_branches, np.int32), heuristic=np.zeros(size, bool),
        rows=moments.sum(axis=1).astype(np.int64), score=np.array([0.1] + [np.nan] * n_branches),
        surrogate_start=np.zeros(size + 1, np.int32), surrogates=SplitTable.empty(0), agreement=np.zeros(0),
        adjusted=np.zeros(0), competitor_start=np.zeros(size + 1, np.int32), competitors=SplitTable.empty(0),
        competitor_score=np.zeros(0),
    )  # fmt: skip


@pytest.mark.parametrize("unseen", ["missing", "majority", "stay"])
@pytest.mark.parametrize("kind", [NOMINAL, ORDINAL])
@pytest.mark.parametrize(("n_levels", "n_branches"), [(20, 2), (200, 7), (3000, 2), (3000, 40)])
def test_tables_and_searches_among_levels(kind, n_levels, n_branches, unseen):
    rng = np.random.default_rng(n_levels + n_branches)
    tree = level_tree(kind, n_levels, n_branches, rng)
    if n_levels == 3000 and n_branches == 2 and kind == NOMINAL:  # few levels listed: a search, not a table
        listed = np.sort(rng.choice(3000, 9, replace=False))
        branch = np.full(3000, -1)
        branch[listed] = np.arange(9) % 2
        tree = replace(tree, splits=SplitTable.of([0, -1, -1], [(), (), ()], [branch.tolist(), (), ()]))
    codes = rng.integers(-2, n_levels, 4000).astype(np.int32)
    columns = Columns(tree.schema, 4000, (codes, np.zeros(4000)), (None, None), {})
    assert answer(tree, "node", columns, unseen).tolist() == ends(tree, columns, unseen)
    assert route(tree, columns, unseen).node.tolist() == ends(tree, columns, unseen)


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(6))
def test_a_deep_chain_and_many_threads(seed):
    tree = chain(300)
    columns = random_columns(tree.schema, seed, 70_001)
    numbers = answer(tree, "node", columns, threads=1)
    assert np.array_equal(numbers, answer(tree, "node", columns, threads=4))
    assert numbers[:300].tolist() == ends(tree, columns.take(np.arange(300)))
    routing = route(tree, columns, threads=3)
    assert np.array_equal(routing.node, numbers)
    one_by_one = _kernel.apply(tree, None, columns.for_kernel(), None, 1)
    assert np.array_equal(routing.flags, one_by_one[1])


def test_a_plan_is_cached_and_stays_out_of_copies():
    tree = readable(random_tree(3))
    assert plan_of(tree, "missing") is plan_of(tree, "missing")
    assert plan_of(tree, "missing") is not plan_of(tree, "stay")
    for again in (copy.deepcopy(tree), pickle.loads(pickle.dumps(tree)), replace(tree, made_by={})):
        assert "_plans" not in vars(again)
        columns = random_columns(tree.schema, 1)
        assert np.array_equal(answer(again, "node", columns), answer(tree, "node", columns))


def test_the_kernel_refuses_rows_that_do_not_fit():
    tree = numeric_tree(1)
    plan, values = plan_of(tree, "missing").kernel, plan_of(tree, "missing").leaf_values(tree, "node")
    out = np.empty(5, np.int64)
    with pytest.raises(ValueError, match="every feature"):
        plan.predict(np.zeros((5, 3)), values, out, 1)
    with pytest.raises(ValueError, match="every feature"):
        plan.predict([("numeric", np.zeros(5), None)], values, out, 1)
    with pytest.raises(ValueError, match="room"):
        plan.predict(np.zeros((6, 4)), values, out, 1)
    with pytest.raises(ValueError, match="every leaf"):
        plan.predict(np.zeros((5, 4)), values[:-1], out, 1)
    with pytest.raises(ValueError, match="whole numbers"):
        plan.predict(np.zeros((5, 4), bool), values, out, 1)
    levels = random_tree(2)
    other = plan_of(levels, "missing")
    with pytest.raises(ValueError, match="levels"):
        other.kernel.predict(np.zeros((5, len(levels.schema))), other.leaf_values(levels, "node"), out, 1)
