"""A tree as another program stores it, node by node in any order, and its conversion to a Tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..._version import __version__
from ...data.columns.schema import Schema
from ...errors import ModelFileError
from ...statistics.responses.response import Response
from ...tree.split import SplitTable
from ...tree.tree import STAYS
from ...tree.validate import validate
from ...views.confidence import LEAF_VALUES
from ..readable import ReadableTree


@dataclass(frozen=True)
class Test:
    """The test at a node of another program.

    Attributes
    ----------
    feature : int
    breaks : tuple of float
        Rising; empty for a nominal feature.
    branches : tuple of int
        Child (0 or 1) of each interval or level; -1 = not seen here.
    """

    __test__ = False  # not for pytest

    feature: int
    breaks: tuple[float, ...]
    branches: tuple[int, ...]


@dataclass(frozen=True)
class ForeignNode:
    """One node: a leaf has no test and no children.

    Attributes
    ----------
    children : tuple of int
        Positions of the children among the nodes.
    test : Test or None
    missing : int
        Child of a missing value, or STAYS.
    moments : sequence of float
    rows : int
        At least 1.
    surrogates : tuple of (Test, agreement, adjusted)
    competitors : tuple of (Test, score)
    """

    children: tuple[int, ...] = ()
    test: Test | None = None
    missing: int = STAYS
    moments: Sequence[float] = ()
    rows: int = 1
    surrogates: tuple[tuple[Test, float, float], ...] = ()
    competitors: tuple[tuple[Test, float], ...] = ()


@dataclass(frozen=True)
class Foreign:
    """A tree of another program; node 0 is the root, and nodes that it does not lead to are left out.

    Attributes
    ----------
    nodes : sequence of Node
    schema : Schema
    response : Response
    measure : str
        Of impurity, by which scores are computed.
    made_by : dict
        Plain values: the program and what is worth knowing of the model.
    """

    nodes: Sequence[ForeignNode]
    schema: Schema
    response: Response
    measure: str
    made_by: dict = field(default_factory=dict)


def assembled(foreign: Foreign) -> ReadableTree:
    """The tree in level order, checked.

    Raises
    ------
    ModelFileError
        What was read is not a sound tree.
    """
    order = _level_order(foreign.nodes)
    nodes = [foreign.nodes[at] for at in order]
    n_children = np.array([len(node.children) for node in nodes], dtype=np.int32)
    inner = n_children > 0
    first = np.where(inner, 1 + np.cumsum(n_children) - n_children, -1).astype(np.int32)
    surrogates = [found for node in nodes for found in node.surrogates]
    runners_up = [found for node in nodes for found in node.competitors]
    tree = ReadableTree(
        schema=foreign.schema,
        response=foreign.response,
        parent=np.concatenate([[-1], np.repeat(np.arange(len(nodes)), n_children)]).astype(np.int32),
        first_child=first,
        n_children=n_children,
        splits=_splits([node.test for node in nodes]),
        missing=np.array([node.missing for node in nodes], dtype=np.int32),
        heuristic=np.zeros(len(nodes), dtype=bool),
        moments=np.array([node.moments for node in nodes], dtype=np.float64),
        rows=np.array([node.rows for node in nodes], dtype=np.int64),
        score=np.where(inner, 0.0, np.nan),
        surrogate_start=_starts([len(node.surrogates) for node in nodes]),
        surrogates=_splits([test for test, _, _ in surrogates]),
        agreement=np.array([agreement for _, agreement, _ in surrogates], dtype=np.float64),
        adjusted=np.array([adjusted for _, _, adjusted in surrogates], dtype=np.float64),
        competitor_start=_starts([len(node.competitors) for node in nodes]),
        competitors=_splits([test for test, _ in runners_up]),
        competitor_score=np.array([score for _, score in runners_up], dtype=np.float64),
        made_by={"boxwood": __version__, "measure": foreign.measure, **foreign.made_by},
    )
    validate(tree)
    _check_weights(tree)
    return replace(tree, score=_scores(tree))


def _level_order(nodes: Sequence[ForeignNode]) -> list[int]:
    """Positions of the nodes, level by level from the root."""
    return _from_the_root([node.children for node in nodes])


def _splits(tests: Sequence[Test | None]) -> SplitTable:
    """The table of tests; None is the empty split of a leaf."""
    return SplitTable.of(
        [-1 if test is None else test.feature for test in tests],
        [() if test is None else test.breaks for test in tests],
        [() if test is None else test.branches for test in tests],
    )


def _starts(sizes: list[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int32)


def _check_weights(tree: ReadableTree) -> None:
    """Refuse a node that is a million times heavier than the node above it; programs round, but not so much."""
    above = tree.weight[tree.parent[1:]]
    heavy = (above > 0) & (tree.weight[1:] > 1e6 * above)
    if heavy.any():
        node = int(np.argmax(heavy)) + 1
        raise ModelFileError(
            f"this is not a sound tree: node {node} weighs {tree.weight[node]:.3g}, more than its parent, which weighs "
            f"{above[node - 1]:.3g}; the model is damaged."
        )


def _scores(tree: ReadableTree) -> np.ndarray:
    """Decrease of impurity by each split per unit of the node's weight; NaN at leaves."""
    impurity = tree.impurity()
    below = np.bincount(tree.parent[1:], tree.weight[1:] * impurity[1:], tree.n_nodes)
    return np.where(tree.is_leaf, np.nan, impurity - below / tree.weight)


def leaf_moments(children: Sequence[tuple[int, ...]], value: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Moments of a mean from predictions of leaves: a node's mean and spread are those of the leaves below it.

    Parameters
    ----------
    children : sequence of tuple of int
        Of each node; positions.
    value, weight : float64, shape (T,)
        Read at the leaves; a weight that is not positive counts as 1, so that the leaf keeps its value.

    Returns
    -------
    float64, shape (T, 3)
    """
    found = np.zeros((len(children), 3))
    with np.errstate(all="ignore"):  # moments that are not finite are refused by name
        _add_up(found, children, value, weight)
    return found


def _add_up(found: np.ndarray, children: list, value: np.ndarray, weight: np.ndarray) -> None:
    """Fill in the moments from the leaves up."""
    for t in _bottom_up(children):
        if not children[t]:
            found[t] = weight[t] if weight[t] > 0 else 1.0, value[t], 0.0
            continue
        parts = found[list(children[t])]
        whole = parts[:, 0].sum()
        mean = (parts[:, 0] * parts[:, 1]).sum() / whole
        found[t] = whole, mean, parts[:, 2].sum() + (parts[:, 0] * (parts[:, 1] - mean) ** 2).sum()


def rows_below(children: Sequence[tuple[int, ...]], rows: np.ndarray) -> np.ndarray:
    """Rows of every node from those of the leaves, at least 1 each; int64, shape (T,)."""
    if rows.shape != (len(children),) or not (np.abs(rows) < 1e15).all():
        raise ModelFileError("this is not a sound tree: it needs a finite number of rows for every node.")
    found = np.maximum(np.round(rows), 1).astype(np.int64)
    for t in _bottom_up(children):
        if children[t]:
            found[t] = found[list(children[t])].sum()
    return found


def _bottom_up(children: Sequence[tuple[int, ...]]) -> list[int]:
    """Positions of the nodes under the root, each after its children."""
    return _from_the_root(children)[::-1]


def _from_the_root(children: Sequence[tuple[int, ...]]) -> list[int]:
    """Positions of the nodes under the root, level by level."""
    order = [0]
    for t in order:
        if any(not 0 <= child < len(children) for child in children[t]):
            raise ModelFileError("this is not a sound tree: a node names a child that is not there.")
        order += children[t]
        if len(order) > len(children):
            raise ModelFileError("this is not a sound tree: a node has two parents; the model is damaged.")
    return order


#: Put into ``made_by`` of trees whose nodes hold values of leaves instead of rows.
OF_LEAVES = {"moments": LEAF_VALUES}
