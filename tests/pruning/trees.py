"""Small trees written by hand, for tests of pruning and importance: nested tuples in, a Tree out."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from boxwood.data.columns.schema import Feature, Schema
from boxwood.statistics.responses.classes import Classes
from boxwood.statistics.responses.registry import MEAN
from boxwood.statistics.responses.response import Response
from boxwood.tree.split import SplitTable
from boxwood.tree.tree import STAYS, Tree


@dataclass
class Stays:
    """An inner node at which some rows stay: its own moments, and what is below."""

    moments: tuple
    below: tuple


@dataclass
class Surrogates:
    """Surrogates of all nodes: the node each belongs to (rising), its feature and its adjusted agreement."""

    node: list = field(default_factory=list)
    feature: list = field(default_factory=list)
    adjusted: list = field(default_factory=list)


def classes(n_classes: int, **facts) -> Response:
    """A response of classes "a", "b", ... without priors."""
    facts.setdefault("factors", (1.0,) * n_classes)
    return Classes(labels=tuple("abcdefghijklmnopqrstuvwxyz"[:n_classes]), **facts)


def tree_of(nested, response: Response, **facts) -> Tree:
    """A tree of nested tuples: a leaf is its moments, an inner node ("feature", child, child, ...).

    Moments of inner nodes are those of their children together, unless the node is wrapped in Stays.
    """
    order, names = [nested], []
    for node in order:
        name, children = _parts(node)
        order.extend(children)
        names += [name] if name is not None and name not in names else []
    count = np.array([len(_parts(node)[1]) for node in order])
    feature = [names.index(_parts(node)[0]) if _parts(node)[1] else -1 for node in order]
    moments = np.array([_moments(node, response.kind) for node in order], dtype=float)
    return tree_from_arrays(count, moments, response, feature=feature, names=names, **facts)


def _parts(node):
    """Feature name and children of a nested node."""
    node = node.below if isinstance(node, Stays) else node
    return (node[0], list(node[1:])) if isinstance(node[0], str) else (None, [])


def _moments(node, kind):
    """Moments of a nested node."""
    if isinstance(node, Stays):
        return np.array(node.moments, dtype=float)
    _, children = _parts(node)
    if not children:
        return np.array(node, dtype=float)
    parts = np.array([_moments(child, kind) for child in children])
    if kind != MEAN:
        return parts.sum(axis=0)
    n, mean, squares = parts.T
    center = (n * mean).sum() / n.sum()
    return np.array([n.sum(), center, (squares + n * (mean - center) ** 2).sum()])


def tree_from_arrays(
    count, moments, response, *, feature=None, names=("x",), score=None, surrogates=None, made_by=None
):
    """A Tree in level order from the number of children of each node, shape (T,), and moments, shape (T, M)."""
    count = np.asarray(count, dtype=np.int32)
    size, inner = len(count), count > 0
    first = np.where(inner, 1 + np.cumsum(count) - count, -1).astype(np.int32)
    parent = np.concatenate(([-1], np.repeat(np.arange(size), count))).astype(np.int32)
    feature = np.where(inner, 0, -1) if feature is None else feature
    surrogates = Surrogates() if surrogates is None else surrogates
    start = np.searchsorted(surrogates.node, np.arange(size + 1)).astype(np.int32)
    tests = SplitTable.empty(len(surrogates.node))
    tests.feature[:] = surrogates.feature
    splits = SplitTable.empty(size)
    splits.feature[:] = feature
    return Tree(
        schema=Schema(tuple(Feature(name, "numeric") for name in names)),
        response=response,
        parent=parent,
        first_child=first,
        n_children=count,
        splits=splits,
        missing=np.full(size, STAYS, np.int32),
        heuristic=np.zeros(size, bool),
        moments=np.asarray(moments, dtype=float),
        rows=np.ones(size, np.int64),
        score=np.where(inner, 0.0, np.nan) if score is None else np.asarray(score, dtype=float),
        surrogate_start=start,
        surrogates=tests,
        agreement=np.zeros(len(surrogates.node)),
        adjusted=np.array(surrogates.adjusted, dtype=float),
        competitor_start=np.zeros(size + 1, np.int32),
        competitors=SplitTable.empty(0),
        competitor_score=np.zeros(0),
        made_by={} if made_by is None else made_by,
    )


def shape_only(count) -> Tree:
    """A tree without facts about y: only its shape counts, from the number of children of each node in level order."""
    return tree_from_arrays(count, np.ones((len(count), 1)), classes(1))


def random_shape(rng: np.random.Generator, n_leaves: int, branches: int = 2) -> np.ndarray:
    """Number of children, in level order, of a random tree with at most ``n_leaves`` leaves, at least one split."""
    children = {0: []}
    leaves, size = [0], 1
    while len(leaves) < n_leaves:
        t = leaves.pop(int(rng.integers(len(leaves))))
        new = list(range(size, size + int(rng.integers(2, branches + 1))))
        if len(leaves) + len(new) > n_leaves and size > 1:
            break
        children[t] = new
        children.update({c: [] for c in new})
        leaves += new
        size += len(new)
    order = [0]
    for t in order:
        order.extend(children[t])
    return np.array([len(children[t]) for t in order])


def chain_shape(n_nodes: int) -> np.ndarray:
    """Number of children of a chain: every second node of a level splits on (an odd number of nodes)."""
    count = np.zeros(n_nodes, dtype=int)
    count[0] = 2
    count[2 : n_nodes - 1 : 2] = 2
    return count


def bushy_shape(n_nodes: int) -> np.ndarray:
    """Number of children of a complete binary tree (an odd number of nodes)."""
    count = np.zeros(n_nodes, dtype=int)
    count[: n_nodes // 2] = 2
    return count


def pruned_trees(tree: Tree):
    """Every tree that pruning can make, as the tuple of its leaves, by brute force."""

    def below(t):
        yield (t,)
        if tree.n_children[t]:
            parts = [list(below(tree.first_child[t] + c)) for c in range(tree.n_children[t])]
            combined = [()]
            for part in parts:
                combined = [done + new for done in combined for new in part]
            yield from combined

    return list(below(0))
