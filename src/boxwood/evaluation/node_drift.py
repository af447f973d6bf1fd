"""How the nodes of a tree differ between the rows of the fit and newer ones: in y, and in the share of rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..statistics.effective import effective
from ..statistics.intervals import check_level
from ..statistics.moments_changed import log_p_of_change, log_p_of_counts
from ..statistics.responses.response import Response
from ..statistics.two_samples import holm
from ..tree.tree import Tree
from ..views.boxes import path_ranges
from ..views.figures import percent
from ..views.table import frame_of
from ..views.words import amount, level, p_value, plain, share

#: Nodes that are smaller in either sample are not tested.
_LEAST_ROWS = 10.0


@dataclass(frozen=True, eq=False)
class FreshSums:
    """Sums over new rows at each node of a tree.

    Attributes
    ----------
    moments : float64, shape (T, M)
    rows : int64, shape (T,)
    weight_squares : float64, shape (T,), or None
        Sums of squared weights; None = all weights are equal.
    """

    moments: np.ndarray
    rows: np.ndarray
    weight_squares: np.ndarray | None


@dataclass(frozen=True, eq=False)
class NodeDrift:
    """How the nodes of a tree differ between two samples; print it, or use ``to_frame()``.

    Attributes
    ----------
    rows : (int64, int64), shape (T,) each
        Rows of the fit and new rows in each node.
    values : (float64, float64), shape (T,) each
        What both samples predict: a number, or the probability of the class that the node predicted; NaN without rows.
    log_p, log_p_share : float64, shape (T,)
        ln of the p-values that y is distributed alike in the node, and that its branches get the same shares of its
        rows; adjusted for all these tests by Holm's method. 0 where nothing is tested.
    n_tests : int
    level : float
        Confidence level at which a node has drifted.
    """

    tree: Tree = field(repr=False)
    rows: tuple[np.ndarray, np.ndarray]
    values: tuple[np.ndarray, np.ndarray]
    log_p: np.ndarray
    log_p_share: np.ndarray
    n_tests: int
    level: float

    @property
    def drifted(self) -> np.ndarray:
        """Numbers of the nodes in which y is distributed otherwise, the clearest first, int64."""
        return self._beyond(self.log_p)

    @property
    def shifted(self) -> np.ndarray:
        """Numbers of the nodes that divide their rows in other shares, the clearest first, int64."""
        return self._beyond(self.log_p_share)

    def _beyond(self, log_p: np.ndarray) -> np.ndarray:
        order = np.argsort(log_p, kind="stable")
        return order[log_p[order] <= math.log1p(-self.level)]

    @property
    def headline(self) -> str:
        """How many nodes have drifted."""
        before, after = (int(rows[0]) for rows in self.rows)
        tests = f"{self.n_tests:,} test{'s' * (self.n_tests != 1)}"
        return (
            f"{len(self.drifted)} of {self.tree.n_nodes:,} nodes with another distribution of "
            f"{plain(self.tree.response.name)}, {len(self.shifted)} that divide their rows otherwise: "
            f"{after:,} new rows, {before:,} at the fit, p below {1.0 - self.level:.3g} after adjustment for {tests}."
        )

    def to_text(self) -> str:
        """The nodes that have drifted, one a line."""
        lines = [self.headline]
        for t in self.drifted.tolist():
            before, after = (self._value(t, values[t]) for values in self.values)
            rows, p = f"{int(self.rows[1][t]):,} rows", p_value(float(self.log_p[t]))
            lines.append(f"- node {t}, {self.where(t)}: {self._of(t)}{before} → {after}, {rows}, p {p}")
        for t in self.shifted.tolist():
            before, after = (self._shares(t, rows) for rows in self.rows)
            lines.append(
                f"- node {t}, {self.where(t)}: its branches get {before} → {after}, "
                f"p {p_value(float(self.log_p_share[t]))}"
            )
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.to_text()

    def where(self, node: int) -> str:
        """The conditions on the path to a node."""
        return ", ".join(part.words(self.tree.schema) for part in path_ranges(self.tree, node)) or "all rows"

    def _value(self, node: int, value: float) -> str:
        return share(value) if self.tree.response.labels else amount(value)

    def _shares(self, node: int, rows: np.ndarray) -> str:
        """The shares of the rows of a node that go down its branches."""
        first = int(self.tree.first_child[node])
        below = rows[first : first + int(self.tree.n_children[node])]
        return ", ".join(percent(part) for part in below / max(below.sum(), 1))

    def _of(self, node: int) -> str:
        """Of what a value is the probability; nothing for numbers."""
        labels = self.tree.response.labels
        return f"{level(labels[int(self.tree.value[node])])} " if labels else ""

    def to_records(self) -> dict[str, list[Any]]:
        """All nodes as columns: node, where, rows and value before and after, and the adjusted p-values."""
        return {
            "node": list(range(self.tree.n_nodes)), "where": [self.where(t) for t in range(self.tree.n_nodes)],
            "rows_before": self.rows[0].tolist(), "rows_after": self.rows[1].tolist(),
            "value_before": self.values[0].tolist(), "value_after": self.values[1].tolist(),
            "p": np.exp(self.log_p).tolist(), "p_share": np.exp(self.log_p_share).tolist(),
        }  # fmt: skip

    def to_frame(self, backend: str | None = None) -> Any:
        """The same as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.
        """
        return frame_of(self.to_records(), backend)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, as ``--json`` prints it."""
        found = {"headline": self.headline, "level": self.level, "tests": self.n_tests}
        return found | {"drifted": self.drifted.tolist(), "shifted": self.shifted.tolist(), "nodes": self.to_records()}


def drift_of_nodes(tree: Tree, sums: FreshSums, confidence: float) -> NodeDrift:
    """Compare the nodes of a tree with sums over new rows.

    Raises
    ------
    ParameterError
        The level is not between 0 and 1.
    """
    check_level(confidence)
    response, pair = tree.response, (tree.moments, sums.moments)
    squares = (tree.weight_squares, sums.weight_squares)
    n = [
        effective(response.row_weight(moments), square, rows)
        for moments, square, rows in zip(pair, squares, (tree.rows, sums.rows), strict=True)
    ]
    counts = np.stack(n, axis=1)
    tested = np.flatnonzero((counts >= _LEAST_ROWS).all(axis=1))
    log_p = log_p_of_change(response, pair[0][tested], pair[1][tested], counts[tested])
    inner = tested[~tree.is_leaf[tested]]
    scale = counts[0] / np.array([tree.rows[0], sums.rows[0]])
    both = np.stack([tree.rows, sums.rows]) * scale[:, None]
    log_p_share = [log_p_of_counts(both[:, tree.parent == t]) for t in inner.tolist()]
    adjusted = holm(np.concatenate([log_p, log_p_share]))
    found = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
    found[0][tested], found[1][inner] = np.split(adjusted, [len(tested)])
    values = tuple(_values(response, moments, tree) for moments in pair)
    return NodeDrift(tree, (tree.rows, sums.rows), values, *found, len(adjusted), confidence)


def _values(response: Response, moments: np.ndarray, tree: Tree) -> np.ndarray:
    """What moments predict: a number, or the probability of the class that each node predicted; NaN without rows."""
    filled = response.weight(moments) > 0
    found = np.full(len(moments), np.nan)
    if not response.labels:
        found[filled] = response.value(moments[filled])
    else:
        probability = response.probability(moments[filled])
        found[filled] = probability[np.arange(len(probability)), tree.value[filled].astype(np.int64)]
    return found
