"""What given rows add to an explorer: counts and responses at each node, and the distribution of each column."""

from __future__ import annotations

import numpy as np

from ...data.columns.distinct import distinct
from ...exports.moments import numbers as of_resolution
from ...pruning.cost_complexity import CostComplexityPath
from ...pruning.validation import HeldOutRows, heldout_losses
from ...tree.shares import Parts
from ...tree.tree import Tree
from .contents import GivenRows
from .json_numbers import numbers
from .kinds import PAGE
from .predicted import GIVEN, added_up, response_page


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
    total = added_up(tree, np.bincount(parts.node, weight, tree.n_nodes)[:, None])[:, 0]
    found = {
        "n": rows.columns.n,
        "weighted": not bool((rows.weight == 1.0).all()),
        "weight": numbers(total, GIVEN),
        "missing": numbers(_without_value(tree, rows, parts, weight)[~tree.is_leaf], GIVEN),
    }
    if rows.y is None:
        return found
    return found | response_page(tree.response).truth(tree, parts.node, rows.y[parts.row], weight)


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
