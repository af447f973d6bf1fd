"""The values of leaves that have an order: against quadratic programmes over all pairs of rows of a grid."""

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize

from boxwood.data.columns.schema import Feature, Schema
from boxwood.statistics.responses.means import Means
from boxwood.tree.split import SplitTable
from boxwood.tree.tree import Tree

SIDE = 3  # values 0, 1, 2 of each feature, cut at 0.5 and 1.5
CUTS = [(j, cut) for j in (0, 1) for cut in (0.5, 1.5)]
GRID = np.array(list(itertools.product(range(SIDE), repeat=2)), dtype=float)


def trees_of_depth_two():
    """Every tree of a root split and any split, or none, of both children, by the rows of the grid in each node."""
    for root, *below in itertools.product(CUTS, [None, *CUTS], [None, *CUTS]):
        sides = [GRID[:, root[0]] <= root[1], GRID[:, root[0]] > root[1]]
        nodes, splits, parent = [np.ones(len(GRID), dtype=bool), *sides], [root, *below], [-1, 0, 0]
        for child, split in enumerate(below, start=1):
            if split is not None:
                left = nodes[child] & (GRID[:, split[0]] <= split[1])
                nodes += [left, nodes[child] & ~left]
                splits += [None, None]
                parent += [child, child]
        if all(node.any() for node in nodes):
            yield nodes, splits, parent


def tree_of(nodes, splits, parent, moments, signs):
    """The same as a tree of boxwood."""
    n, none = len(nodes), np.zeros(len(nodes) + 1, dtype=np.int32)
    inner = np.array([split is not None for split in splits])
    starts = np.concatenate([[0], np.cumsum(inner)]).astype(np.int32)
    cuts = np.array([split[1] for split in splits if split is not None])
    table = SplitTable(
        np.array([-1 if split is None else split[0] for split in splits], dtype=np.int32), starts, cuts,
        np.zeros(len(cuts)), np.where(inner, 2, 0).astype(np.int32), 2 * starts,
        np.tile([0, 1], len(cuts)).astype(np.int32), np.tile([0, 1], len(cuts)).astype(np.int32),
    )  # fmt: skip
    first = np.array([parent.index(t) if t in parent else -1 for t in range(n)], dtype=np.int32)
    empty = SplitTable.empty(0)
    return Tree(
        Schema((Feature("a", "numeric"), Feature("b", "numeric"))), Means(), np.array(parent, dtype=np.int32), first,
        np.where(inner, 2, 0).astype(np.int32), table, np.where(inner, 0, -2).astype(np.int32), np.zeros(n, dtype=bool),
        moments, np.array([node.sum() for node in nodes]), np.where(inner, 0.0, np.nan), none, empty, np.zeros(0),
        np.zeros(0), none, empty, np.zeros(0), monotonic=np.array([signs, [0, 0]], dtype=np.int32),
    )  # fmt: skip


def pairs_of(leaves, signs):
    """Leaves of which one must not exceed the other, from all pairs of rows of the grid."""
    leaf_of = np.argmax(leaves, axis=0)
    signs = np.array(signs)
    found = set()
    for i, j in itertools.product(range(len(GRID)), repeat=2):
        off = GRID[j] - GRID[i]
        if (np.where(signs == 0, off == 0, signs * off >= 0)).all() and leaf_of[i] != leaf_of[j]:
            found.add((int(leaf_of[i]), int(leaf_of[j])))
    return found


def quadratic_programme(weight, value, pairs):
    """Least squares about the values under the pairs."""
    limits = [{"type": "ineq", "fun": lambda v, a=a, b=b: v[b] - v[a]} for a, b in pairs]
    found = minimize(
        lambda v: weight @ (v - value) ** 2, np.full(len(value), value.mean()),
        jac=lambda v: 2 * weight * (v - value), constraints=limits, method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )  # fmt: skip
    return found.x


@pytest.mark.parametrize("signs", [(1, 0), (1, 1), (1, -1), (0, -1)])
def test_values_are_those_of_a_quadratic_programme_in_all_trees_of_depth_two(signs):
    trees = list(trees_of_depth_two())
    assert len(trees) == 48
    rng = np.random.default_rng(sum(3**j * (sign + 1) for j, sign in enumerate(signs)))
    moved = 0
    for nodes, splits, parent in trees:
        y, w = rng.normal(size=len(GRID)), rng.uniform(0.5, 2.0, size=len(GRID))
        moments = np.array([[w[n].sum(), w[n] @ y[n] / w[n].sum(), 1.0] for n in nodes])
        tree = tree_of(nodes, splits, parent, moments, signs)
        leaves = tree.leaves
        pairs = pairs_of(np.array(nodes)[leaves], signs)
        expected = quadratic_programme(moments[leaves, 0], moments[leaves, 1], pairs)
        np.testing.assert_allclose(tree.value[leaves], expected, atol=2e-5)
        assert all(tree.value[leaves[a]] <= tree.value[leaves[b]] for a, b in pairs)
        moved += bool((tree.value[leaves] != moments[leaves, 1]).any())
    assert moved > 5
