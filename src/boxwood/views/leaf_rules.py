"""The rule of each leaf of a tree of one response."""

from __future__ import annotations

import numpy as np

from ..statistics.responses.registry import CLASSES
from ..tree.tree import Tree
from .boxes import all_ranges
from .confidence import node_intervals, row_intervals
from .leaves import leaves_of
from .predicted import views_of
from .rule import Rule


def leaf_rules(tree: Tree, level: float) -> tuple[Rule, ...]:
    """The rules of a tree of one response."""
    ends, ranges = leaves_of(tree), all_ranges(tree)
    classes, lift = tree.response.kind == CLASSES, _lifts(tree, ends.node)
    intervals = node_intervals(tree, ends.node, level)
    of_rows = row_intervals(tree, ends.node, level) if classes else np.full((2, len(ends.node), 1), np.nan)
    sure, sure_rows = (np.column_stack(both).reshape(len(ends.node), 2, -1) for both in (intervals, of_rows))
    counts = tree.response.counts(ends.moments) if classes else [None] * len(ends.node)
    total = float(tree.row_weight[0])
    rules = []
    for i, t in enumerate(ends.node.tolist()):
        predicted = int(tree.value[t]) if classes else 0
        rules.append(Rule(
            node=t, ranges=ranges[t],
            stays_for=None if tree.is_leaf[t] else tree.schema.names[int(tree.splits.feature[t])],
            rows=int(ends.rows[i]), weight=float(ends.weight[i]), share=float(ends.weight[i]) / total,
            value=tree.response.labels[predicted] if classes else float(tree.value[t]),
            probability=tree.probability[t] if classes else None,
            counts=counts[i], interval=tuple(sure[i, :, predicted].tolist()),
            row_interval=tuple(sure_rows[i, :, predicted].tolist()), lift=float(lift[i]), level=level, tree=tree,
        ))  # fmt: skip
    return tuple(rules)


def _lifts(tree: Tree, nodes: np.ndarray) -> np.ndarray:
    """Predictions of nodes as multiples of the root's, shape (E,); NaN where that is 0."""
    here, root = views_of(tree.response).compared(tree, nodes)
    with np.errstate(over="ignore"):  # infinite where the root is next to nothing
        return np.divide(here, root, out=np.full(len(nodes), np.nan), where=root != 0)
