"""What is derived from the arrays of a tree: depth, leaves, paths, values; smaller trees cut out of it."""

import numpy as np
import pytest

from boxwood.errors import ParameterError
from boxwood.model.readable import readable
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from boxwood.tree.rebuild import keep_nodes
from boxwood.tree.split import SplitTable
from boxwood.tree.store import to_bytes
from boxwood.tree.tree import STAYS
from boxwood.tree.validate import validate
from tree.random_trees import chain, random_tree

KINDS = (CLASSES, MEAN, RATE)


def slow_path(tree, node):
    path = [node]
    while tree.parent[path[0]] >= 0:
        path.insert(0, int(tree.parent[path[0]]))
    return path


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(8))
def test_depth_and_paths(seed, kind):
    tree = random_tree(seed, kind, 40)
    paths = [slow_path(tree, t) for t in range(tree.n_nodes)]
    assert tree.depth.tolist() == [len(path) - 1 for path in paths]
    assert tree.max_depth == max(len(path) - 1 for path in paths)
    assert [tree.path(t).tolist() for t in range(tree.n_nodes)] == paths
    for rows in (25, 900):  # few rows climb from their nodes, many look their paths up
        ends = np.random.default_rng(seed).integers(0, tree.n_nodes, rows)
        indptr, indices = tree.paths_to(ends)
        assert [indices[indptr[i] : indptr[i + 1]].tolist() for i in range(rows)] == [paths[t] for t in ends]


@pytest.mark.parametrize("kind", KINDS)
def test_leaves_and_values(kind):
    tree = random_tree(1, kind, 40)
    assert tree.leaves.tolist() == [t for t in range(tree.n_nodes) if tree.first_child[t] < 0]
    assert tree.n_leaves == len(tree.leaves)
    assert tree.is_leaf.sum() == tree.n_leaves
    filled = tree.rows > 0
    assert 0 < filled.sum() < tree.n_nodes
    assert np.array_equal(tree.value[filled], tree.response.value(tree.moments[filled]))
    assert np.array_equal(tree.weight, tree.response.weight(tree.moments))
    assert (tree.impurity() >= -1e-12).all()
    with pytest.raises(ValueError, match="read-only"):
        tree.value[0] = 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(5))
def test_an_empty_leaf_speaks_with_its_parents_moments(seed, kind):
    tree = random_tree(seed, kind, 60)
    empty = np.flatnonzero(tree.rows == 0)
    above = tree.parent[empty]
    assert tree.is_leaf[empty].tolist() == [True] * len(empty) != []
    assert (tree.rows[above] > 0).all()
    assert np.array_equal(tree.value[empty], tree.value[above])
    assert np.array_equal(tree.moments_node[empty], above)
    assert not tree.weight[empty].any()
    if kind == CLASSES:
        assert np.array_equal(tree.probability[empty], tree.probability[above])
    for measure in tree.response.measures:
        assert not tree.impurity(measure)[empty].any()
        assert not tree.response.risk(tree.moments, measure)[empty].any()
        assert np.isfinite(tree.impurity(measure)).all()


def test_impurity_takes_a_measure_of_the_response():
    tree = random_tree(1, CLASSES, 40)
    assert not np.array_equal(tree.impurity("entropy"), tree.impurity())
    assert np.array_equal(tree.impurity("gini"), tree.impurity())
    with pytest.raises(ParameterError, match="gini, entropy, error"):
        tree.impurity("variance")


def test_probability_is_for_classes():
    assert np.allclose(random_tree(1, CLASSES).probability.sum(axis=1), 1)
    with pytest.raises(ParameterError, match="use its value"):
        _ = random_tree(1, MEAN).probability


@pytest.mark.parametrize("node", [-1, 99999, 1.5, "a", None, [1], [[1], 2]])
def test_unknown_nodes_are_refused(node):
    with pytest.raises(ParameterError, match="node"):
        random_tree(1).path(node)


def test_unknown_nodes_of_rows_are_named():
    with pytest.raises(ParameterError, match=r"node 77 \(position 2\)"):
        random_tree(1, n_nodes=9).paths_to(np.array([0, 1, 77]))
    indptr, indices = random_tree(1).paths_to(np.zeros(0, int))
    assert indptr.tolist() == [0]
    assert len(indices) == 0


def test_single_leaf():
    tree = random_tree(0, n_nodes=1)
    assert (tree.n_nodes, tree.n_leaves, tree.max_depth) == (1, 1, 0)
    assert tree.path(0).tolist() == [0]
    assert to_bytes(keep_nodes(tree, np.array([True]))) == to_bytes(tree)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(10))
def test_keep_nodes_against_a_slow_rebuild(seed, kind):
    tree = random_tree(seed, kind, 50)
    flags = np.random.default_rng(seed).random(tree.n_nodes) < 0.15
    small = keep_nodes(tree, flags)
    validate(small)
    old = [t for t in range(tree.n_nodes) if not any(flags[a] for a in slow_path(tree, t)[:-1])]
    assert small.n_nodes == len(old)
    for new, t in enumerate(old):
        leaf = bool(flags[t] or tree.is_leaf[t])
        assert small.is_leaf[new] == leaf
        assert np.array_equal(small.moments[new], tree.moments[t])
        assert small.rows[new] == tree.rows[t]
        assert small.missing[new] == (STAYS if leaf else tree.missing[t])
        if leaf:
            assert np.isnan(small.score[new])
            assert small.surrogate_start[new] == small.surrogate_start[new + 1]
            continue
        assert old[small.first_child[new]] == tree.first_child[t]
        assert small.score[new] == tree.score[t]
        same_split(small.splits, new, tree.splits, t)
        for lists, start in (("surrogates", "surrogate_start"), ("competitors", "competitor_start")):
            here = range(*getattr(small, start)[new : new + 2])
            there = range(*getattr(tree, start)[t : t + 2])
            assert len(here) == len(there)
            for a, b in zip(here, there, strict=True):
                same_split(getattr(small, lists), a, getattr(tree, lists), b)


def same_split(table, s, other, r):
    assert table.feature[s] == other.feature[r]
    assert np.array_equal(table.breaks_of(s), other.breaks_of(r))
    assert np.array_equal(table.index_of(s), other.index_of(r))


def test_keep_nodes_is_nested():
    tree = random_tree(4, n_nodes=80)
    rng = np.random.default_rng(0)
    first = rng.random(tree.n_nodes) < 0.1
    both = first | (rng.random(tree.n_nodes) < 0.1)
    small = keep_nodes(tree, first)
    kept = [t for t in range(tree.n_nodes) if not any(first[a] for a in slow_path(tree, t)[:-1])]
    assert to_bytes(keep_nodes(small, both[kept])) == to_bytes(keep_nodes(tree, both))


def test_keep_nodes_edges():
    tree = random_tree(2, n_nodes=30)
    before = to_bytes(tree)
    assert to_bytes(keep_nodes(tree, np.zeros(tree.n_nodes, bool))) == before
    assert keep_nodes(tree, np.ones(tree.n_nodes, bool)).n_nodes == 1
    assert to_bytes(tree) == before
    for flags in (np.zeros(3, bool), np.zeros(tree.n_nodes), None):
        with pytest.raises(ParameterError, match="is_leaf_now"):
            keep_nodes(tree, flags)


def test_a_chain_of_a_million_nodes():
    tree = chain(500_000)
    assert tree.max_depth == 500_000
    assert len(tree.path(tree.n_nodes - 1)) == 500_001
    flags = np.zeros(tree.n_nodes, bool)
    flags[2000] = True
    assert keep_nodes(tree, flags).max_depth == 1000


def test_take_of_nothing_from_nothing():
    taken = SplitTable.empty(0).take(np.array([-1, -1]))
    assert taken.feature.tolist() == [-1, -1]
    assert taken.breaks_start.tolist() == [0, 0, 0]


def test_print_and_repr():
    tree = random_tree(3, n_nodes=200)
    assert repr(tree) == f"<Tree: {tree.n_nodes} nodes, {tree.n_leaves} leaves, depth {tree.max_depth}>"
    assert str(readable(tree)) == readable(tree).to_text()
    assert len(str(readable(tree)).splitlines()) <= 30
