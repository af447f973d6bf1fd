"""Fractional rows as matrix operators of an ONNX graph."""

from __future__ import annotations

import numpy as np

from ..statistics.responses.classes import EQUAL
from ..tree.shares import branch_shares
from ..tree.tree import STAYS
from .onnx_graph import Graph, labels_of
from .onnx_trees import Split


def ends_by_shares(graph: Graph, split: Split, resolved: str) -> tuple[str, dict[str, str]]:
    """The node with the largest share of each row, and the combined prediction of all ends of a row, by output.

    Of nodes with equal shares, but for rounding, it is the one with the lowest number. The share of a node is the
    product of what its row passes on along the path; level by level these are products of matrices of n rows. What is
    predicted is the sum over the ends, so it is exact where a row is not shared out.

    Parameters
    ----------
    graph : Graph
    split : Split
        With all nodes resolved.
    resolved : str
        The matrix of branches taken, one column an inner node.
    """
    tree, plan = split.plan.tree, split.plan
    share = _ended(graph, split, resolved, _shares(graph, split, resolved))
    node = _first_near_best(graph, share, "most", EQUAL)
    if not plan.has_classes:
        predicted = graph.add("MatMul", [share, graph.constant(np.ascontiguousarray(tree.value[:, None]))])
        return node, {"prediction": graph.add("Squeeze", [predicted, graph.constant(np.array([1]))])}
    probability = graph.add("MatMul", [share, graph.constant(np.ascontiguousarray(tree.probability))])
    return node, {"label": _decided(graph, split, probability), "probabilities": probability}


def _shares(graph: Graph, split: Split, resolved: str) -> str:
    """The share of each row that comes to each node, (n, T)."""
    tree = split.plan.tree
    place = np.zeros(tree.n_nodes, dtype=np.int64)
    place[split.hard] = np.arange(len(split.hard))
    above = tree.parent[1:].astype(np.int64)
    taken = graph.add("Gather", [resolved, graph.constant(place[above])], axis=1)
    branch = (np.arange(1, tree.n_nodes) - tree.first_child[above]).astype(np.float64)
    shared = (tree.n_children[above] + 1).astype(np.float64)
    zero, one = graph.constant(np.array(0.0)), graph.constant(np.array(1.0))
    in_parts = graph.add("Equal", [taken, graph.constant(shared)])
    part = graph.add("Where", [in_parts, graph.constant(branch_shares(tree)[1:]), zero])
    passed = graph.add("Where", [graph.add("Equal", [taken, graph.constant(branch)]), one, part])
    first = graph.add("Gather", [resolved, graph.constant(np.array([0]))], axis=1)
    levels = [graph.add("Cast", [graph.add("Equal", [first, first])], to=graph.DOUBLE)]
    starts = np.searchsorted(tree.depth, np.arange(tree.max_depth + 2))
    for depth in range(1, tree.max_depth + 1):
        here = np.arange(starts[depth], starts[depth + 1])
        up = graph.constant(tree.parent[here].astype(np.int64) - starts[depth - 1])
        inherited = graph.add("Gather", [levels[-1], up], axis=1)
        factor = graph.add("Gather", [passed, graph.constant(here - 1)], axis=1)
        levels.append(graph.add("Mul", [inherited, factor]))
    return levels[0] if len(levels) == 1 else graph.add("Concat", levels, axis=1)


def _ended(graph: Graph, split: Split, resolved: str, share: str) -> str:
    """The share of each row that ends in each node, (n, T): all that comes to a leaf, and what stays elsewhere."""
    tree = split.plan.tree
    stays = np.array([split.code(t, STAYS) for t in split.hard], dtype=np.float64)
    kept = graph.add("Cast", [graph.add("Equal", [resolved, graph.constant(stays)])], to=graph.DOUBLE)
    inner, leaves = np.array(split.hard, dtype=np.int64), tree.leaves
    stayed = graph.add("Mul", [graph.add("Gather", [share, graph.constant(inner)], axis=1), kept])
    at_leaves = graph.add("Gather", [share, graph.constant(np.array(leaves))], axis=1)
    back = np.argsort(np.concatenate([inner, leaves]))
    return graph.add("Gather", [graph.add("Concat", [stayed, at_leaves], axis=1), graph.constant(back)], axis=1)


def _decided(graph: Graph, split: Split, probability: str) -> str:
    """The label of each row: as :meth:`boxwood.statistics.responses.classes.Classes.decide`."""
    response = split.plan.tree.response
    if response.costs is None:
        chosen = _first_near_best(graph, probability, "most", EQUAL)
    else:
        cost = graph.add("MatMul", [probability, graph.constant(response.cost_matrix())])
        chosen = _first_near_best(graph, cost, "least", EQUAL * np.max(response.costs))
    return graph.add("Gather", [graph.constant(labels_of(split.plan)), chosen])


def _first_near_best(graph: Graph, table: str, best: str, gap: float) -> str:
    """The first column of each row whose number is the most or the least of the row, but for rounding."""
    extreme, beyond, compared = {
        "most": ("ReduceMax", "Sub", "GreaterOrEqual"), "least": ("ReduceMin", "Add", "LessOrEqual"),
    }[best]  # fmt: skip
    reached = graph.add(extreme, [table, graph.constant(np.array([1]))], keepdims=1)
    near = graph.add(compared, [table, graph.add(beyond, [reached, graph.constant(np.array(gap))])])
    return graph.add("ArgMax", [graph.add("Cast", [near], to=graph.INT32)], axis=1, keepdims=0, select_last_index=0)
