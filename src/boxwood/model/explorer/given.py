"""What given rows add to an explorer: counts and responses at each node, and the distribution of each column."""

from __future__ import annotations

import numpy as np

from ...data.columns.distinct import distinct
from ...exports.moments import numbers as of_resolution
from ...pruning.cost_complexity import CostComplexityPath
from ...pruning.validation import HeldOutRows, heldout_losses
from ...statistics.responses.registry import CLASSES, MEAN
from ...tree.shares import Parts
from ...tree.tree import Tree
from .contents import GivenRows
from .json_numbers import numbers
from .kinds import PAGE

_SHOWN = 6


def column_counts(rows: GivenRows, held: list[np.ndarray]) -> list[dict]:
    """For each feature: quantiles of its finite values, or rows with each level held; and rows without a value."""
    return [_column(rows, j, held[j]) for j in range(len(rows.columns.schema))]


def _column(rows: GivenRows, j: int, held: np.ndarray) -> dict:
    (values, _), feature = of_resolution(rows.columns, j), rows.columns.schema[j]
    found = {"missing": int(np.count_nonzero(rows.columns.missing(j)))}
    return found | PAGE.of(feature).counts(feature, values, held)


def node_counts(tree: Tree, rows: GivenRows, parts: Parts) -> dict:
    """What is true of the rows that come to each node; shares of rows count as shares.

    Returns
    -------
    dict
        ``n`` rows given; ``weighted``; ``weight`` of the rows at each node; ``missing``: of those at each inner node
        without a value of the feature tested there. With the truth, for classes ``moments`` (weights by class), for
        means ``mean`` and ``spread``, for rates ``rate``; null where no row comes.
    """
    weight = rows.weight[parts.row] * parts.share
    total = _added_up(tree, np.bincount(parts.node, weight, tree.n_nodes)[:, None])[:, 0]
    found = {
        "n": rows.columns.n,
        "weighted": not bool((rows.weight == 1.0).all()),
        "weight": numbers(total, _SHOWN),
        "missing": numbers(_without_value(tree, rows, parts, weight)[~tree.is_leaf], _SHOWN),
    }
    return found if rows.y is None else found | _truth(tree, rows, parts, weight)


def _added_up(tree: Tree, at_ends: np.ndarray) -> np.ndarray:
    """Sums of what ended in each node or below it; shape (T, m), changed in place."""
    for t in range(tree.n_nodes - 1, 0, -1):
        at_ends[tree.parent[t]] += at_ends[t]
    return at_ends


def _truth(tree: Tree, rows: GivenRows, parts: Parts, weight: np.ndarray) -> dict:
    """What is true of the rows at each node."""
    y, kind = rows.y[parts.row], tree.response.kind
    if kind == CLASSES:
        k = len(tree.response.labels)
        sums = np.bincount(parts.node.astype(np.int64) * k + y, weight, tree.n_nodes * k).reshape(-1, k)
        return {"moments": numbers(_added_up(tree, sums), _SHOWN)}
    # Sums about the root's value: no digits are lost when all y are far from zero.
    middle = float(tree.value[0]) if kind == MEAN else 0.0
    terms = (np.ones(len(y)), y - middle, (y - middle) ** 2) if kind == MEAN else (y[:, 0], y[:, 1])
    sums = np.column_stack([np.bincount(parts.node, weight * term, tree.n_nodes) for term in terms])
    sums = _added_up(tree, sums)
    with np.errstate(divide="ignore", invalid="ignore"):
        first = sums[:, 1] / sums[:, 0]
        if kind != MEAN:
            return {"rate": numbers(first, _SHOWN)}
        spread = np.sqrt(np.maximum(sums[:, 2] / sums[:, 0] - first**2, 0.0))
    return {"mean": numbers(first + middle, _SHOWN), "spread": numbers(spread, _SHOWN)}


def _without_value(tree: Tree, rows: GivenRows, parts: Parts, weight: np.ndarray) -> np.ndarray:
    """Weight of the rows at each node that have no value of the feature tested there, shape (T,)."""
    missing = [rows.columns.missing(j) for j in range(len(rows.columns.schema))]
    found = np.zeros(tree.n_nodes)
    at, row = parts.node.astype(np.int64), parts.row
    while len(at):
        tested = tree.splits.feature[at]
        for j in distinct(tested[tested >= 0]).tolist():
            here = (tested == j) & missing[j][row]
            found += np.bincount(at[here], weight[here], tree.n_nodes)
        at = tree.parent[at].astype(np.int64)
        going = at >= 0
        at, row, weight = at[going], row[going], weight[going]
    return found


def held_out_losses(tree: Tree, evaluated: tuple[CostComplexityPath, str], rows: GivenRows, parts: Parts) -> np.ndarray:
    """Loss and its standard error of given rows in each tree of ``evaluated``, a family, by a loss; shape (S, 2)."""
    family, loss = evaluated
    ends = HeldOutRows(parts.node.astype(np.int64), rows.y[parts.row], rows.weight[parts.row] * parts.share)
    losses = heldout_losses(tree, family.collapses_at, family.alphas, ends, loss)
    return np.column_stack((losses.mean(), losses.standard_error()))
