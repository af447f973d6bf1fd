"""Levels that cannot come back and branches nothing can come to: removed, and no row ends elsewhere."""

from dataclasses import replace

import numpy as np
import pytest

from boxwood.data.columns.schema import NOMINAL, NUMERIC, Feature, Schema
from boxwood.pruning.unreachable import drop_unreachable
from boxwood.statistics.responses.registry import CLASSES, MEAN
from boxwood.tree.descend import route
from boxwood.tree.split import SplitTable
from boxwood.tree.store import to_bytes
from boxwood.tree.tree import SHARED, STAYS
from boxwood.tree.validate import validate
from tree.random_trees import SCHEMA, chain, random_tree
from tree.slow_descent import random_columns

FEW = Schema((Feature("颜色", NOMINAL, tuple("abcdefg")), Feature("x", NUMERIC)))


@pytest.mark.sample(2)
@pytest.mark.parametrize("unseen", ["missing", "majority", "stay"])
@pytest.mark.parametrize("kind", [CLASSES, MEAN])
def test_no_row_ends_elsewhere(kind, unseen):
    fewer_nodes = fewer_levels = 0
    for seed in range(40):
        tree = random_tree(seed, kind, 60, FEW if seed % 4 else SCHEMA)
        small = drop_unreachable(tree)
        validate(small)
        assert to_bytes(drop_unreachable(small)) == to_bytes(small)
        columns = random_columns(tree.schema, seed, 400)
        before, after = route(tree, columns, unseen), route(small, columns, unseen)
        assert np.array_equal(before.value(tree), after.value(small))
        assert np.array_equal(before.flags, after.flags)
        assert np.array_equal(tree.moments[before.node], small.moments[after.node])
        fewer_nodes += small.n_nodes < tree.n_nodes
        fewer_levels += len(small.splits.index) < len(tree.splits.index)
    assert fewer_levels >= 10
    assert fewer_nodes >= 1 or unseen != "missing"


def two_tests(below, missing=SHARED):
    """Red or green against the rest, then ``below`` (branch of each level) among red and green."""
    tree = chain(2)
    schema = Schema((Feature("colour", NOMINAL, ("red", "green", "blue")),))
    splits = SplitTable.of([0, -1, 0, -1, -1, -1], [()] * 6, [(1, 1, 0), (), below, (), (), ()])
    moments = np.array([[6, 2, 0], [0, 2, 0], [6, 0, 0], [3, 0, 0], [3, 0, 0], [0, 0, 0]], dtype=float)
    return replace(
        tree,
        schema=schema,
        splits=splits,
        parent=np.array([-1, 0, 0, 2, 2, 2], np.int32),
        first_child=np.array([1, -1, 3, -1, -1, -1], np.int32),
        n_children=np.array([2, 0, 3, 0, 0, 0], np.int32),
        missing=np.array([missing, STAYS, missing, STAYS, STAYS, STAYS], np.int32),
        heuristic=np.zeros(6, bool),
        moments=moments,
        rows=moments.sum(axis=1).astype(np.int64),
        score=np.array([0.5, np.nan, 0.5, np.nan, np.nan, np.nan]),
        surrogate_start=np.zeros(7, np.int32),
        competitor_start=np.zeros(7, np.int32),
    )


def test_a_branch_of_levels_that_took_another_branch():
    tree = two_tests((0, 1, 2))
    validate(tree)
    small = drop_unreachable(tree)
    assert small.n_children.tolist() == [2, 0, 2, 0, 0]
    assert small.splits.index_of(2).tolist() == [0, 1, -1]
    assert small.splits.index_of(0).tolist() == [1, 1, 0]


def test_branches_in_the_middle_are_renumbered():
    tree = two_tests((0, 2, 1))
    empty = [0, 1, 2, 3, 5, 4]
    tree = replace(tree, moments=tree.moments[empty], rows=tree.rows[empty])
    small = drop_unreachable(tree)
    assert small.splits.index_of(2).tolist() == [0, 1, -1]
    assert small.rows.tolist() == [8, 2, 6, 3, 3]


def test_a_branch_for_missing_values_stays():
    tree = two_tests((0, 1, -1), missing=1)
    tree = replace(tree, missing=np.array([1, STAYS, 2, STAYS, STAYS, STAYS], np.int32))
    assert drop_unreachable(tree) is tree


def test_an_empty_branch_for_a_level_that_can_come_stays():
    tree = two_tests((0, 1, 2))
    both = SplitTable.of([0, -1, 0, -1, -1, -1], [()] * 6, [(1, 1, 1), (), (0, 1, 2), (), (), ()])
    tree = replace(tree, splits=both)
    assert drop_unreachable(tree) is tree
