"""Paths as boxes: a row without missing values ends in a leaf exactly if the box of the leaf holds its values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood import C45Classifier, CARTClassifier, CARTRegressor
from boxwood.errors import ParameterError
from boxwood.tree.descend import route
from boxwood.views.boxes import COMES, LEAVES, PART, all_ranges, path_ranges
from boxwood.views.given_condition import fulfilled
from boxwood.views.intervals import Interval
from tree.random_trees import random_tree
from tree.slow_descent import random_columns


@given(st.integers(0, 10_000))
def test_known_rows_end_where_their_box_is(seed):
    tree, columns = random_tree(seed), random_columns(random_tree(seed).schema, seed, 60)
    known = ~np.any([columns.missing(j) | (columns.values[j] == -2) for j in range(len(tree.schema))], axis=0)
    columns = columns.take(known)
    routing, holds = route(tree, columns), [fulfilled(ranges, columns) for ranges in all_ranges(tree)]
    for row in range(columns.n):
        inside = [node for node in tree.leaves.tolist() if holds[node][row]]
        # A level that some node has not seen leaves the boxes: it goes as a missing value does.
        assert inside == [routing.node[row]] if routing.flags[row] == 0 else len(inside) == 0


@given(st.integers(0, 10_000))
def test_one_path_and_all_paths_agree(seed):
    tree = random_tree(seed)
    assert [path_ranges(tree, node) for node in range(tree.n_nodes)] == all_ranges(tree)


def test_conditions_on_a_feature_are_merged_and_worded():
    X = {"age": [20, 30, 50, 60, 70], "颜色": list("红红绿蓝蓝")}
    tree = CARTRegressor(pruning=None).fit(X, [1, 5, 9, 14, 30]).tree_
    words = [" and ".join(part.words(tree.schema) for part in path_ranges(tree, node)) for node in tree.leaves]
    assert words == ["age > 65", "age <= 25", "25 < age <= 40", "40 < age <= 55", "55 < age <= 65"]


def test_levels_are_a_set_and_many_are_counted():
    X = {"colour": list("abcdefgh") * 4}
    y = ["no" if v in "abcdef" else "yes" for v in X["colour"]]
    tree = CARTClassifier(pruning=None).fit(X, y).tree_
    part = path_ranges(tree, 1)[0]
    assert part.words(tree.schema) == "colour in {a, b, c and 3 more}"
    assert part.words(tree.schema, max_levels=None) == "colour in {a, b, c, d, e, f}"


@pytest.mark.parametrize(
    ("missing", "fates"),
    [("majority", [COMES, LEAVES]), ("stay", [LEAVES, LEAVES]), ("surrogate", [COMES, LEAVES])],
)
def test_where_missing_values_go_is_kept(missing, fates):
    X, y = {"x": [1, 2, 3, 4, 5], "z": [1, 2, 3, 4, 5]}, [0, 0, 0, 1, 1]
    tree = CARTClassifier(pruning=None, missing=missing, max_surrogates=3).fit(X, y).tree_
    parts = [path_ranges(tree, node)[0] for node in (1, 2)]
    assert [part.missing for part in parts] == fates
    assert [part.has_surrogates for part in parts] == [missing == "surrogate"] * 2


def test_a_branch_of_missing_values_alone_and_shares_are_reported():
    X, y = {"x": [1, 2, None, None, 5, 6]}, ["a", "a", "c", "c", "b", "b"]
    own = CARTClassifier(pruning=None, missing="own_branch").fit(X, y).tree_
    words = {part.words(own.schema) for node in own.leaves for part in path_ranges(own, node)}
    assert "x is missing" in words
    shared = C45Classifier(pruning=None, min_branch_weight=1).fit(X, y).tree_
    assert path_ranges(shared, 1)[0].missing == PART


def test_intervals_meet():
    a, b = Interval(None, (3.0, 0.0)), Interval((1.0, 0.0), None)
    assert a.cut_with(b) == Interval((1.0, 0.0), (3.0, 0.0))
    assert Interval((3.0, 0.0), None).cut_with(a) is None


def test_nodes_that_are_not_there_are_refused():
    tree = CARTRegressor(pruning=None).fit([[1], [2]], [0, 1]).tree_
    assert path_ranges(tree, 0) == ()
    with pytest.raises(ParameterError, match="node 9"):
        path_ranges(tree, 9)
