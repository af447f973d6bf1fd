"""The evaluation of the rows given to an explorer; those of the fit are recognised."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..data.columns.columns import Columns
from ..evaluation.evaluate import target_of
from ..evaluation.evaluation import ROWS, Evaluation
from ..evaluation.rows import coded_rows, number_rows, target_code
from ..statistics.responses.registry import CLASSES
from ..tree.descend import Routing, route, route_shares
from ..tree.interest import class_of_interest
from ..tree.tree import Tree
from .explorer.contents import GivenRows


def given_evaluation(tree: Tree, rows: GivenRows | None, unseen: str, target_class=None) -> Evaluation | None:
    """How good the predictions of rows are; None without rows or without their response.

    Parameters
    ----------
    tree : Tree
    rows : GivenRows or None
    unseen : {"missing", "majority", "stay", "error"}
    target_class : label, optional
        The class of AUC and lift; by default the class of interest of the tree.

    Raises
    ------
    ParameterError
        There is no such class.
    """
    response = tree.response
    if target_class is not None:
        target_code(response.labels, target_class)
    else:
        target_class = class_of_interest(tree)
    if rows is None or rows.y is None or not (rows.weight > 0).any():
        return None
    routing = route(tree, rows.columns, unseen, rows.threads)
    of = ROWS[is_training_set(tree, rows.columns, (rows.y, rows.weight), routing)]
    if response.kind == CLASSES:
        probability = routing.probability(tree)
        found = coded_rows(response.labels, rows.y, routing.value(tree), probability, rows.weight)
        found = found if response.costs is None else found.with_costs(response.costs)
        return Evaluation(found, of, target_of(response.labels, target_class), None, response.name)
    y, exposure = response.split(rows.y)
    power = response.for_kernel().get("power")
    found = number_rows(y, routing.value(tree), rows.weight, exposure, power, response.level)
    return Evaluation(found, of, None, None, response.name)


def is_training_set(tree: Tree, columns: Columns, given: tuple[np.ndarray, np.ndarray], routing: Routing) -> bool:
    """Whether rows are those that a tree was fitted to.

    As many rows of the same response end in each leaf, or as large shares of rows.

    Parameters
    ----------
    tree : Tree
    columns : Columns of n rows
    given : (array, float64 array)
        Response, as in :class:`boxwood.model.explorer.contents.GivenRows`, and weights.
    routing : Routing
        Of the rows.
    """
    if columns.n != tree.rows[0] or tree.n_nodes == 1:  # a single leaf holds nothing of its rows but their classes
        return False
    y, weight = given
    node, share = routing.node, np.ones(columns.n)
    if len(routing.shared):
        parts = route_shares(tree, columns)
        node, share, y, weight = parts.node, parts.share, y[parts.row], weight[parts.row]
    elif not np.array_equal(np.bincount(node, minlength=tree.n_nodes)[tree.leaves], tree.rows[tree.leaves]):
        return False
    return any(_same_response(tree, node, y, each) for each in (share * weight, share))


def _same_response(tree: Tree, node: np.ndarray, y: np.ndarray, weight: np.ndarray) -> bool:
    """Whether the rows in each leaf have the response of the fit, with these weights."""
    leaves, sums = tree.leaves, partial(np.bincount, node, minlength=tree.n_nodes)
    if tree.response.kind == CLASSES:
        table = np.column_stack([sums(weight * (y == k))[leaves] for k in range(len(tree.response.labels))])
        return same_shares(table, tree.counts[leaves])
    filled = leaves[tree.rows[leaves] > 0]
    if not tree.response.adds_up:
        order = np.argsort(node, kind="stable")
        first = np.searchsorted(node[order], filled), np.searchsorted(node[order], filled, side="right")
        parts = [order[i:j] for i, j in zip(*first, strict=True)]
        found = np.array([tree.response.moments_of(y[rows], weight[rows]) for rows in parts])
        return bool(np.allclose(found[:, 1:], tree.moments[filled, 1:], rtol=1e-9, atol=0.0))
    upper, exposure = tree.response.split(y)
    lower = np.ones(len(y)) if exposure is None else exposure
    fitted = tree.response.place(tree.moments[filled])
    return bool(np.allclose(sums(weight * upper)[filled] / sums(weight * lower)[filled], fitted, rtol=1e-9, atol=0.0))


def same_shares(found: np.ndarray, fitted: np.ndarray) -> bool:
    """Whether weights are divided among classes (columns) and parts (rows) alike, whatever their unit is."""
    shares = [table / max(table.sum(), 1e-300) for table in (found, fitted)]
    return bool(np.allclose(*shares, rtol=1e-9, atol=0.0))
