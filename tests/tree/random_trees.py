"""Random trees that are sound: any kind of feature and response, empty leaves, surrogates, competitors."""

from __future__ import annotations

import numpy as np

from boxwood.data.columns.schema import NOMINAL, NUMERIC, ORDINAL, Feature, Schema
from boxwood.statistics.responses.classes import Classes
from boxwood.statistics.responses.means import Means
from boxwood.statistics.responses.rates import Rates
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from boxwood.tree.split import SplitTable
from boxwood.tree.tree import SHARED, STAYS, Tree

SCHEMA = Schema(
    (
        Feature("age", NUMERIC, (), "float64 column"),
        Feature("count", NUMERIC, (), "int64 column", integer=True),
        Feature("colour", NOMINAL, ("red", "green", "blue", "grey", "white", "black", "gold"), "strings"),
        Feature("等级", ORDINAL, ("低", "中", "高", "极高"), "ordered category"),
        Feature("flag", NOMINAL, (False, True), "bool column"),
        Feature("code", NOMINAL, (3, 17, 2**70), "declared"),
        Feature("size", NOMINAL, (-0.0, 0.1, 2.5), "declared"),
    ),
    named=True,
)

RESPONSES = {
    CLASSES: Classes("fruit", ("apple", "梨", "cherry"), (1.0, 1.0, 1.0)),
    MEAN: Means("price"),
    RATE: Rates("claims", shrink=1.0),
}


def random_tree(
    seed: int, kind: str = CLASSES, n_nodes: int = 31, schema: Schema = SCHEMA, most_branches: int = 4
) -> Tree:
    """A sound tree of about ``n_nodes`` nodes; some leaves are empty, some positions of splits have no branch.

    Moments and rows of a node are the sums over its children, so that everything derived from them agrees.
    """
    rng = np.random.default_rng(seed)
    n_children = _random_children(rng, n_nodes, most_branches)
    size = len(n_children)
    inner = np.flatnonzero(n_children)
    first_child = np.full(size, -1, np.int32)
    first_child[inner] = 1 + np.cumsum(n_children[inner]) - n_children[inner]
    parent = np.full(size, -1, np.int32)
    parent[1:] = np.repeat(inner, n_children[inner])
    leaf = n_children == 0
    moments, rows = random_moments(rng, kind, parent, leaf)
    surrogates, surrogate_start = _random_splits(rng, schema, n_children, np.where(leaf, 0, rng.integers(0, 3, size)))
    competitors, runner_up_start = _random_splits(rng, schema, n_children, np.where(leaf, 0, rng.integers(0, 4, size)))
    splits, _ = _random_splits(rng, schema, n_children, np.where(leaf, 0, 1))
    at = np.cumsum(~leaf) - 1
    score = np.where(leaf, np.nan, rng.random(size))
    return Tree(
        schema=schema,
        response=RESPONSES[kind],
        parent=parent,
        first_child=first_child,
        n_children=n_children,
        splits=splits.take(np.where(leaf, -1, at)),
        missing=np.where(leaf, STAYS, rng.integers(STAYS, np.maximum(n_children, SHARED + 1))).astype(np.int32),
        heuristic=~leaf & (rng.random(size) < 0.2),
        moments=moments,
        rows=rows,
        score=score,
        surrogate_start=surrogate_start,
        surrogates=surrogates,
        agreement=rng.random(len(surrogates)),
        adjusted=rng.random(len(surrogates)),
        competitor_start=runner_up_start,
        competitors=competitors,
        competitor_score=rng.random(len(competitors)),
        made_by={"algorithm": "cart", "measure": {CLASSES: "gini", MEAN: "variance", RATE: "poisson"}[kind]},
    )


def chain(depth: int, kind: str = CLASSES) -> Tree:
    """A tree that is one long path: every left child is a leaf, every right child splits again."""
    size = 2 * depth + 1
    nodes = np.arange(size)
    inner = (nodes % 2 == 0) & (nodes < size - 1)
    parent = np.where(nodes == 0, -1, np.where(nodes % 2 == 1, nodes - 1, nodes - 2)).astype(np.int32)
    moments = np.zeros((size, RESPONSES[kind].width))
    moments[:] = np.where(np.arange(moments.shape[1]) < 3, np.maximum(depth - nodes // 2, 1)[:, None], 0.5)
    steps = np.concatenate([[0], np.cumsum(inner)]).astype(np.int32)
    none = np.zeros(size + 1, np.int32)
    return Tree(
        schema=SCHEMA,
        response=RESPONSES[kind],
        parent=parent,
        first_child=np.where(inner, nodes + 1, -1).astype(np.int32),
        n_children=np.where(inner, 2, 0).astype(np.int32),
        splits=SplitTable(
            np.where(inner, 0, -1).astype(np.int32), steps, np.arange(depth) / 2, np.zeros(depth),
            np.where(inner, 2, 0).astype(np.int32), (2 * steps).astype(np.int32),
            np.tile(np.array([0, 1], np.int32), depth), np.tile(np.array([0, 1], np.int32), depth),
        ),
        missing=np.where(inner, 1, STAYS).astype(np.int32),
        heuristic=np.zeros(size, bool),
        moments=moments,
        rows=np.maximum(depth - nodes // 2, 1),
        score=np.where(inner, 0.5, np.nan),
        surrogate_start=none,
        surrogates=SplitTable.empty(0),
        agreement=np.zeros(0),
        adjusted=np.zeros(0),
        competitor_start=none.copy(),
        competitors=SplitTable.empty(0),
        competitor_score=np.zeros(0),
        made_by={"algorithm": "cart"},
    )  # fmt: skip


def random_moments(rng, kind: str, parent: np.ndarray, leaf: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Moments and rows: drawn at the leaves, added up on the path to the root."""
    size = len(parent)
    rows = np.where(leaf & ~_empty_leaves(parent, leaf), rng.integers(1, 20, size), 0)
    width = RESPONSES[kind].width
    moments = np.zeros((size, width))
    if kind == CLASSES:
        some = rng.multinomial(1, np.full(width, 1 / width), leaf.sum())
        moments[leaf] = some + rng.integers(0, 9, some.shape)
    elif kind == MEAN:
        moments[leaf] = np.column_stack([rows, rng.normal(size=size), rng.random(size) * 5])[leaf]
    else:
        moments[leaf] = rng.random((leaf.sum(), width)) + np.array([1, 1, 0, -1])
    moments[leaf & (rows == 0)] = 0
    for t in range(size - 1, 0, -1):
        if rows[t] == 0:
            continue
        p = parent[t]
        rows[p] += rows[t]
        moments[p] = _joined(moments[p], moments[t]) if kind == MEAN else moments[p] + moments[t]
    return moments, rows


def _empty_leaves(parent: np.ndarray, leaf: np.ndarray) -> np.ndarray:
    """About every fifth leaf, but never the first child of a node, so that no inner node is empty."""
    nodes = np.arange(len(parent))
    first = np.concatenate([[True], parent[1:] != parent[:-1]])
    return leaf & ~first & (nodes % 5 == 0)


def _joined(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Weight, mean and sum of squares of two sets of rows together."""
    weight = a[0] + b[0]
    gap = b[1] - a[1]
    return np.array([weight, a[1] + gap * b[0] / weight, a[2] + b[2] + gap * gap * a[0] * b[0] / weight])


def _random_children(rng, n_nodes: int, most_branches: int) -> np.ndarray:
    """Numbers of children in level order."""
    numbers, open_nodes = [], 1
    while open_nodes:
        total = len(numbers) + open_nodes
        must = open_nodes == 1 and total < n_nodes
        wish = min(int(rng.choice([2, 2, 2, 3, 4])), most_branches) if must or rng.random() < 0.6 else 0
        wish = wish if total + wish <= max(n_nodes, 1) else 0
        numbers.append(wish)
        open_nodes += wish - 1
    return np.array(numbers, dtype=np.int32)


def _random_splits(rng, schema: Schema, n_children: np.ndarray, count: np.ndarray) -> tuple[SplitTable, np.ndarray]:
    """``count[t]`` random splits with the branches of node t, and their offsets."""
    features, breaks, indices = [], [], []
    for t in np.repeat(np.arange(len(count)), count):
        branches = int(n_children[t])
        j = int(rng.integers(len(schema)))
        cut = _random_breaks(rng, schema[j], branches)
        length = len(schema[j].levels) if schema[j].kind == NOMINAL else len(cut) + 1
        features.append(j)
        breaks.append(cut)
        indices.append(rng.integers(-1, min(branches, max(length, 2)), length))
    start = np.concatenate([[0], np.cumsum(count)]).astype(np.int32)
    return SplitTable.of(features, breaks, indices), start


def _random_breaks(rng, feature: Feature, branches: int) -> np.ndarray:
    """Rising cut points."""
    if feature.kind == NOMINAL:
        return np.zeros(0)
    if feature.kind == ORDINAL:
        most = len(feature.levels) - 1
        return np.sort(rng.choice(most, min(branches - 1, most), replace=False)) + 0.5
    return np.sort(rng.choice(1000, branches - 1, replace=False)) / 8 - 20
