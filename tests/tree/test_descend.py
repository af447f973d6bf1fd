"""Rows down random trees: the kernel equals a plain walk, for every kind of split, empty branch and policy."""

from dataclasses import replace

import numpy as np
import pytest

from boxwood.data.columns.schema import NUMERIC, Feature, Schema
from boxwood.errors import ParameterError
from boxwood.model.readable import readable
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from boxwood.tree.descend import answer, nodes_passed, route, route_shares
from boxwood.tree.plan import majority_branch
from boxwood.tree.split import SplitTable
from boxwood.tree.store import from_bytes, to_bytes
from boxwood.tree.trace import trace
from boxwood.tree.tree import SHARED, STAYS
from boxwood.tree.validate import validate
from tree.random_trees import chain, random_tree
from tree.slow_descent import random_columns, walk


def largest(parts):
    """The node of the largest part, the lowest number when parts are equal within rounding."""
    most = max(share for _, share in parts)
    return min(node for node, share in parts if share > most - 1e-12)


def mixture(values, parts):
    """The predictions of the parts of a row, added up by shares in their order."""
    total = np.zeros(values.shape[1])
    for node, share in parts:
        total += share * values[node]
    return total


@pytest.mark.parametrize("unseen", ["missing", "majority", "stay"])
@pytest.mark.parametrize("seed", range(30))
def test_the_kernel_equals_a_plain_walk(seed, unseen):
    tree = random_tree(seed, n_nodes=60)
    columns = random_columns(tree.schema, seed)
    routing = route(tree, columns, unseen)
    walks = [walk(tree, columns, row, unseen) for row in range(columns.n)]
    assert routing.node.tolist() == [largest(parts) for parts, _ in walks]
    assert routing.flags.tolist() == [flags for _, flags in walks]
    assert routing.shared.tolist() == [row for row, (_, flags) in enumerate(walks) if flags & 16]
    predicted = np.array([mixture(tree.probability, parts) for parts, _ in walks])
    assert np.array_equal(routing.probability(tree), predicted)
    assert np.array_equal(routing.value(tree), tree.response.decide(predicted))
    parts = route_shares(tree, columns, unseen)
    flat = [(row, *part) for row, (parts, _) in enumerate(walks) for part in parts]
    assert list(zip(parts.row.tolist(), parts.node.tolist(), parts.share.tolist(), strict=True)) == flat
    indptr, indices = nodes_passed(tree, columns, unseen)
    for row, (ends, _) in enumerate(walks):
        passed = sorted({int(t) for node, _ in ends for t in tree.path(node)})
        assert indices[indptr[row] : indptr[row + 1]].tolist() == passed


@pytest.mark.parametrize("unseen", ["missing", "majority", "stay"])
@pytest.mark.parametrize("seed", range(30))
def test_answers_are_those_of_a_plain_walk(seed, unseen):
    tree = random_tree(seed, (CLASSES, MEAN, RATE)[seed % 3], n_nodes=60)
    columns = random_columns(tree.schema, seed, 150 + seed)
    parts = [walk(tree, columns, row, unseen)[0] for row in range(columns.n)]
    assert answer(tree, "node", columns, unseen).tolist() == [largest(p) for p in parts]
    values = tree.probability if tree.response.kind == CLASSES else tree.value[:, None]
    predicted = np.array([mixture(values, p) for p in parts])
    if tree.response.kind != CLASSES:
        assert np.array_equal(answer(tree, "label", columns, unseen, threads=2), predicted[:, 0])
        return
    assert np.array_equal(answer(tree, "probability", columns, unseen), predicted)
    value = tree.response.decide(predicted)
    assert np.array_equal(answer(tree, "value", columns, unseen), value)
    assert np.array_equal(answer(tree, "label", columns, unseen), tree.classes[value])


@pytest.mark.parametrize("kind", [MEAN, RATE])
def test_shared_numbers_are_weighted_means(kind):
    tree = random_tree(4, kind, 60)
    columns = random_columns(tree.schema, 4, 2000)
    routing = route(tree, columns, threads=3)
    assert 0 < routing.count()["shared"] == len(routing.shared) < 2000
    walks = [walk(tree, columns, row, "missing")[0] for row in range(2000)]
    assert routing.value(tree).tolist() == [mixture(tree.value[:, None], parts)[0] for parts in walks]
    assert np.allclose([sum(share for _, share in parts) for parts in walks], 1.0)


def test_the_readable_tree_and_threads():
    tree = random_tree(4, n_nodes=80)
    tree = readable(replace(tree, missing=np.where(tree.is_leaf, STAYS, SHARED).astype(np.int32)))
    columns = random_columns(tree.schema, 4, 9000)
    one, many = route(tree, columns), route(tree, columns, threads=4)
    assert len(one.shared) > 2000
    assert np.array_equal(one.mixture, many.mixture)
    assert np.array_equal(one.node, many.node)
    assert np.array_equal(tree.apply(columns), one.node)
    assert np.array_equal(tree.predict(columns), tree.classes[one.value(tree)])
    assert tree.decision_path(columns).nnz > tree.paths_to(one.node)[0][-1]


def test_smoothing_and_empty_leaves():
    tree = random_tree(5, n_nodes=60)
    empty = np.flatnonzero(tree.rows == 0)
    laplace = replace(tree, response=replace(tree.response, smoothing=(1.0,) * 3))
    speaking = tree.moments[tree.moments_node]
    assert np.array_equal(laplace.probability, (speaking + 1) / (speaking + 1).sum(axis=1, keepdims=True))
    assert np.array_equal(laplace.impurity(), tree.impurity())
    release_8 = replace(tree, response=replace(tree.response, empty="class"))
    assert np.array_equal(release_8.probability[empty], np.eye(3)[tree.value[empty]])
    assert np.array_equal(np.delete(release_8.probability, empty, 0), np.delete(tree.probability, empty, 0))
    columns = random_columns(tree.schema, 5)
    for changed in (laplace, release_8):
        validate(changed)
        again = from_bytes(to_bytes(changed))[0]
        assert again.response == changed.response
        routing = route(again, columns)
        p = routing.probability(again)
        assert np.array_equal(routing.value(again), np.argmax(p >= p.max(axis=1, keepdims=True) - 1e-12, axis=1))


def test_a_node_whose_branches_are_all_empty_keeps_its_rows():
    tree = chain(1)
    moments = tree.moments * np.array([[1], [0], [0]])
    tree = replace(tree, moments=moments, rows=np.array([1, 0, 0]), missing=np.array([SHARED, -2, -2], np.int32))
    validate(tree)
    columns = random_columns(tree.schema, 0)
    is_missing = np.isnan(columns.values[0])
    routing = route(tree, columns)
    assert routing.node[is_missing].tolist() == [0] * int(is_missing.sum())
    assert np.array_equal(routing.probability(tree), np.tile(tree.probability[0], (columns.n, 1)))
    assert routing.count()["stayed"] == routing.count()["shared"] == int(is_missing.sum())
    steps = trace(tree, columns)
    assert steps.node[steps.ends].tolist() == routing.node.tolist()


@pytest.mark.parametrize("seed", range(20))
def test_trees_of_numbers_take_the_fast_route_only_when_it_gives_the_same(seed):
    schema = Schema((Feature("a", NUMERIC), Feature("b", NUMERIC)))
    tree = random_tree(seed, n_nodes=9, schema=schema)
    columns = random_columns(schema, seed, 500)
    for unseen in ("missing", "stay"):
        ends = [largest(walk(tree, columns, row, unseen)[0]) for row in range(columns.n)]
        assert route(tree, columns, unseen).node.tolist() == ends


def test_one_cut_whose_upper_side_nobody_has_seen():
    tree = chain(1)
    columns = random_columns(tree.schema, 0, 100)
    columns = replace(columns, values=(np.arange(100.0), *columns.values[1:]))
    for branches, ends in (((0, -1), (1, 0)), ((1, 1), (2, 2)), ((1, 0), (2, 1)), ((0, 1), (1, 2))):
        table = SplitTable.of([0, -1, -1], [(49.5,), (), ()], [branches, (), ()])
        assert route(replace(tree, splits=table), columns, "stay").node.tolist() == [ends[0]] * 50 + [ends[1]] * 50


def test_unseen_policies_are_named():
    tree = random_tree(0)
    with pytest.raises(ParameterError, match="'missing', 'majority', 'stay', 'error'"):
        route(tree, random_columns(tree.schema, 0), "leave")


def test_majority_branch_is_the_first_heaviest():
    tree = random_tree(5, CLASSES, 80)
    for t, branch in enumerate(majority_branch(tree).tolist()):
        children = tree.weight[tree.first_child[t] : tree.first_child[t] + tree.n_children[t]]
        assert branch == (int(np.argmax(children)) if len(children) else 0)
