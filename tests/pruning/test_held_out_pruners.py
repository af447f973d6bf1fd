"""Reduced error and pre-pruning on held-out rows: the rules by brute force, in both readings of ties."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.pruning.held_out_nodes import held_out_nodes
from boxwood.pruning.pre_pruning import pre_pruned
from boxwood.pruning.reduced_error import reduced_error
from boxwood.pruning.validation import HeldOutRows
from boxwood.statistics.responses.means import Means
from boxwood.tree.rebuild import keep_nodes
from pruning.trees import classes, pruned_trees, random_shape, tree_from_arrays


def grown(seed: int, n_leaves: int, branches: int = 3, kind: str = "classes"):
    """A random tree whose moments add up, some leaves empty, and rows that end in it, some at inner nodes."""
    rng = np.random.default_rng(seed)
    count = random_shape(rng, n_leaves, branches)
    parent = np.concatenate(([-1], np.repeat(np.arange(len(count)), count)))
    if kind == "classes":
        moments = np.where((count == 0)[:, None], rng.integers(0, 4, (len(count), 2)), 0).astype(float)
        # A first branch is never empty, so only leaves are.
        first = np.concatenate(([True], parent[1:] != parent[:-1]))
        moments[:, 0] += first & (count == 0)
        for t in range(len(count) - 1, 0, -1):
            moments[parent[t]] += moments[t]
        tree = replace(tree_from_arrays(count, moments, classes(2)), rows=moments.sum(axis=1).astype(np.int64))
        y = rng.integers(0, 2, 25)
    else:
        moments = np.column_stack((np.ones(len(count)), rng.integers(0, 9, len(count)), np.zeros(len(count))))
        tree = tree_from_arrays(count, moments.astype(float), Means())
        y = rng.integers(0, 9, 25).astype(float)
    ends = np.where(rng.random(25) < 0.9, rng.choice(tree.leaves, 25), rng.integers(0, tree.n_nodes, 25))
    return tree, HeldOutRows(ends.astype(np.int64), y, rng.integers(1, 4, 25).astype(float))


def loss_of(tree, rows, leaves) -> float:
    """Total loss when these nodes are the leaves; a row that ends above them gets the prediction of its own node."""
    total = 0.0
    for node, y, weight in zip(rows.node.tolist(), rows.y.tolist(), rows.weight.tolist(), strict=True):
        path = tree.path(node).tolist()
        at = next((t for t in path if t in leaves), node)
        predicted = tree.value[at]
        total += weight * (float(predicted != y) if tree.response.kind == "classes" else (y - predicted) ** 2)
    return total


def leaves_of(tree, closed) -> set:
    """Leaves that flags leave, by their number in the full tree."""
    below = np.zeros(tree.n_nodes, dtype=bool)
    for t in range(1, tree.n_nodes):
        up = tree.parent[t]
        below[t] = below[up] or closed[up]
    return {t for t in range(tree.n_nodes) if not below[t] and (closed[t] or tree.is_leaf[t])}


@given(st.integers(0, 2**32), st.integers(2, 7), st.sampled_from(["classes", "mean"]))
def test_reduced_error_is_the_least_loss_of_all_pruned_trees(seed, n_leaves, kind):
    tree, rows = grown(seed, n_leaves, kind=kind)
    nodes = held_out_nodes(tree, rows)
    everything = [(round(loss_of(tree, rows, set(leaves)), 9), len(leaves)) for leaves in pruned_trees(tree)]
    least = min(everything)[0]
    best = [size for loss, size in everything if loss == least]
    for ties, size in (("prune", min(best)), ("keep", max(best))):
        leaves = leaves_of(tree, reduced_error(tree, nodes, ties))
        assert loss_of(tree, rows, leaves) == pytest.approx(least)
        assert len(leaves) == size == keep_nodes(tree, reduced_error(tree, nodes, ties)).n_leaves


@given(st.integers(0, 2**32), st.integers(2, 9), st.sampled_from(["prune", "keep"]), st.sampled_from(["leaf", "grow"]))
def test_pre_pruning_is_testing_while_growing(seed, n_leaves, ties, unreached):
    tree, rows = grown(seed, n_leaves)
    leaves, waiting = set(), [0]
    while waiting:
        t = waiting.pop()
        here = [i for i, node in enumerate(rows.node.tolist()) if t in tree.path(node)]
        part = HeldOutRows(rows.node[here], rows.y[here], rows.weight[here])
        children = set(range(tree.first_child[t], tree.first_child[t] + tree.n_children[t]))
        leaf, split = loss_of(tree, part, {t}), loss_of(tree, part, children)
        grows = split < leaf if ties == "prune" else split <= leaf
        if tree.is_leaf[t] or not (grows if here else unreached == "grow"):
            leaves.add(t)
        else:
            waiting += children
    assert leaves_of(tree, pre_pruned(tree, held_out_nodes(tree, rows), ties, unreached)) == leaves


@given(st.integers(0, 2**32), st.integers(2, 9))
def test_the_order_of_rows_changes_no_bit(seed, n_leaves):
    tree, rows = grown(seed, n_leaves, kind="mean")
    rows = HeldOutRows(rows.node, rows.y / 7, rows.weight / 3)
    order = np.random.default_rng(seed).permutation(25)
    other = HeldOutRows(rows.node[order], rows.y[order], rows.weight[order])
    one, two = held_out_nodes(tree, rows), held_out_nodes(tree, other)
    assert np.array_equal(one.loss, two.loss)
    assert np.array_equal(one.stays, two.stays)
    assert np.array_equal(one.weight, two.weight)


def test_no_rows_at_all_prune_everything_or_nothing():
    tree, _ = grown(3, 6)
    none = HeldOutRows(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    nodes = held_out_nodes(tree, none)
    assert reduced_error(tree, nodes, "prune")[0]
    assert not reduced_error(tree, nodes, "keep").any()
    assert pre_pruned(tree, nodes)[0]
    assert not pre_pruned(tree, nodes, unreached="grow").any()
