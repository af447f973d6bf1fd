"""Rows down random trees: the kernel equals a plain walk, for every kind of split, empty branch and policy."""

from dataclasses import replace

import numpy as np
import pytest

from boxwood.data.columns import Columns
from boxwood.data.schema import NUMERIC, Feature, Schema
from boxwood.errors import ParameterError
from boxwood.statistics.response import CLASSES
from boxwood.tree.descend import land, majority_branch
from boxwood.tree.split import SplitTable
from tree.random_trees import chain, random_tree

GONE, NEW = -1, -2


def random_columns(schema, seed, n=200):
    """Values on, between and beyond the cuts of the random trees; every kind of value that can be met."""
    rng = np.random.default_rng(seed)
    values = []
    for feature in schema:
        if feature.kind == NUMERIC:
            x = rng.integers(-180, 860, n) / 8
            values.append(np.where(rng.random(n) < 0.2, np.nan, np.where(rng.random(n) < 0.05, np.inf, x)))
        else:
            values.append(rng.integers(NEW, len(feature.levels), n).astype(np.int32))
    return Columns(schema, n, tuple(values), (None,) * len(schema), {})


def branch_at(tree, table, s, columns, row):
    """Branch of a row at one split, GONE or NEW."""
    j = int(table.feature[s])
    value = columns.values[j][row]
    kind = tree.schema[j].kind
    if (kind == NUMERIC and np.isnan(value)) or (kind != NUMERIC and value == GONE):
        return GONE
    if kind != NUMERIC and value == NEW:
        return NEW
    at = int(value) if kind == "nominal" else int(np.searchsorted(table.breaks_of(s), value, side="left"))
    branch = int(table.index_of(s)[at])
    return NEW if branch < 0 else branch


def walk(tree, columns, row, unseen):
    """Node in which a row ends, and the bits of what it met."""
    node, met = 0, 0
    while not tree.is_leaf[node]:
        branch = branch_at(tree, tree.splits, node, columns, row)
        if branch < 0:
            met |= 1 if branch == GONE else 2
            branch, met = asked_elsewhere(tree, node, columns, row, unseen if branch == NEW else "missing", met)
        if branch < 0:
            return node, met | 8
        node = int(tree.first_child[node]) + branch
    return node, met


def asked_elsewhere(tree, node, columns, row, policy, met):
    """What decides when the split at a node does not."""
    if policy == "stay":
        return -2, met
    if policy == "majority":
        children = slice(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
        return int(np.argmax(tree.weight[children])), met
    for s in range(tree.surrogate_start[node], tree.surrogate_start[node + 1]):
        branch = branch_at(tree, tree.surrogates, s, columns, row)
        if branch >= 0:
            return branch, met | 4
    return int(tree.missing[node]), met


@pytest.mark.parametrize("unseen", ["missing", "majority", "stay"])
@pytest.mark.parametrize("seed", range(30))
def test_the_kernel_equals_a_plain_walk(seed, unseen):
    tree = random_tree(seed, n_nodes=60)
    columns = random_columns(tree.schema, seed)
    landing = land(tree, columns, unseen)
    ends = [walk(tree, columns, row, unseen) for row in range(columns.n)]
    assert landing.node.tolist() == [node for node, _ in ends]
    assert landing.met.tolist() == [met for _, met in ends]


@pytest.mark.parametrize("seed", range(20))
def test_trees_of_numbers_take_the_fast_way_only_when_it_is_the_same_way(seed):
    schema = Schema((Feature("a", NUMERIC), Feature("b", NUMERIC)))
    tree = random_tree(seed, n_nodes=9, schema=schema)
    columns = random_columns(schema, seed, 500)
    for unseen in ("missing", "stay"):
        ends = [walk(tree, columns, row, unseen)[0] for row in range(columns.n)]
        assert land(tree, columns, unseen).node.tolist() == ends


def test_one_cut_whose_upper_side_nobody_has_seen():
    tree = chain(1)
    columns = random_columns(tree.schema, 0, 100)
    columns = replace(columns, values=(np.arange(100.0), *columns.values[1:]))
    for branches, ends in (((0, -1), (1, 0)), ((1, 1), (2, 2)), ((1, 0), (2, 1)), ((0, 1), (1, 2))):
        table = SplitTable.of([0, -1, -1], [(49.5,), (), ()], [branches, (), ()])
        assert land(replace(tree, splits=table), columns, "stay").node.tolist() == [ends[0]] * 50 + [ends[1]] * 50


def test_unseen_policies_are_named():
    tree = random_tree(0)
    with pytest.raises(ParameterError, match="'missing', 'majority', 'stay', 'error'"):
        land(tree, random_columns(tree.schema, 0), "leave")


def test_majority_branch_is_the_first_heaviest():
    tree = random_tree(5, CLASSES, 80)
    for t, branch in enumerate(majority_branch(tree).tolist()):
        children = tree.weight[tree.first_child[t] : tree.first_child[t] + tree.n_children[t]]
        assert branch == (int(np.argmax(children)) if len(children) else 0)
