"""The kernel grows the tree that the reference source grows by definition, at once and by level."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from boxwood.growing.grow import grow
from boxwood.sources.memory import EncodedColumns, MemorySource
from boxwood.sources.reference import ReferenceSource
from boxwood.tree.descend import route
from boxwood.tree.tree import Tree
from boxwood.tree.validate import validate
from effort import examples
from twins.brute_force import Problem, assert_same_tree, problems


class ByLevel(MemorySource):
    """The in-memory source, made to answer level by level."""

    def finish(self, recipe) -> None:
        """No short cut."""


def tree_of(problem: Problem, kind: type = MemorySource, threads: int = 1) -> Tree:
    """The tree the kernel grows."""
    rows = np.arange(problem.exact.n, dtype=np.uint32)
    source = kind(EncodedColumns(problem.columns, threads), rows, problem.response, problem.exact, threads)
    return grow(source, problem.recipe, {})


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
