"""The trace of a row ends where it does in the kernel, with the same events, and its shares add to 1."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import NUMERIC
from boxwood.tree.descend import route
from boxwood.tree.trace import SHARES, STAYED, arrivals, trace
from boxwood.tree.tree import SHARED, STAYS
from tree.random_trees import SCHEMA, random_tree


def random_columns(seed: int, n: int = 40) -> Columns:
    """Rows with values on and between cuts, missing ones, and levels that did not occur in training."""
    rng = np.random.default_rng(seed)
    values = []
    for feature in SCHEMA:
        if feature.kind == NUMERIC:
            column = rng.integers(-30, 30, n) / 4
            column[rng.random(n) < 0.2] = np.nan
        else:
            column = rng.integers(-2, len(feature.levels), n).astype(np.int32)
        values.append(column)
    return Columns(SCHEMA, n, tuple(values), (None,) * len(SCHEMA), {})


def without_shares(tree):
    """The same tree, rows staying where they would be shared out."""
    return replace(tree, missing=np.where(tree.missing == SHARED, STAYS, tree.missing).astype(np.int32))


@given(st.integers(0, 10_000), st.sampled_from(["missing", "majority"]))
def test_rows_end_as_in_the_kernel_with_the_same_events(seed, unseen):
    tree, columns = without_shares(random_tree(seed)), random_columns(seed)
    steps, routing = trace(tree, columns, unseen), route(tree, columns, unseen)
    np.testing.assert_array_equal(steps.node[steps.ends], routing.node)
    assert {**routing.count(), "shared": 0} == steps.count()


@given(st.integers(0, 10_000))
def test_shares_add_to_1_and_follow_the_branches(seed):
    tree, columns = random_tree(seed), random_columns(seed)
    steps = trace(tree, columns)
    came = np.bincount(steps.row[steps.ends], steps.share[steps.ends], columns.n)
    np.testing.assert_allclose(came, 1.0, rtol=1e-12)
    at = dict(zip(zip(steps.row.tolist(), steps.node.tolist(), strict=True), steps.share.tolist(), strict=True))
    for row, node, share, decided in zip(steps.row, steps.node, steps.share, steps.decided, strict=True):
        if decided == SHARES:
            first = int(tree.first_child[node])
            below = sum(at.get((row, first + c), 0.0) for c in range(tree.n_children[node]))
            assert below == pytest.approx(share, rel=1e-12)


@given(st.integers(0, 10_000), st.integers(0, 30))
def test_arrivals_are_the_rows_whose_steps_come_by(seed, node):
    tree, columns = random_tree(seed), random_columns(seed)
    node = min(node, tree.n_nodes - 1)
    steps = trace(tree, columns)
    rows, share = arrivals(tree, columns, node)
    np.testing.assert_array_equal(rows, steps.row[steps.node == node])
    np.testing.assert_allclose(share, steps.share[steps.node == node], rtol=1e-12)


def test_a_level_not_seen_can_stay():
    tree, columns = without_shares(random_tree(3)), random_columns(3)
    steps = trace(tree, columns, "stay")
    assert (steps.decided[steps.met == -2] == STAYED).all()
    assert np.bincount(steps.row[steps.ends], minlength=columns.n).tolist() == [1] * columns.n


def test_whole_numbers_beyond_float64_keep_to_their_side():
    from boxwood import CARTClassifier

    x = [2**60, 2**60 + 1, 2**60 + 2, 2**60 + 3]
    model = CARTClassifier(pruning=None).fit({"x": x}, ["a", "b", "b", "b"])
    assert [row.prediction for row in model.explain({"x": x})] == ["a", "b", "b", "b"]
