"""The evaluation of the rows given to an explorer; those of the fit are recognised."""

from __future__ import annotations

import numpy as np

from ..evaluation.evaluate import target_of
from ..evaluation.evaluation import Evaluation
from ..evaluation.rows import coded_rows, number_rows, target_code
from ..explorer.contents import GivenRows
from ..statistics.response import CLASSES, MEAN
from ..tree.descend import Routing, route
from ..tree.interest import class_of_interest
from ..tree.tree import Tree


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
    of = "training set" if _is_training(tree, rows, routing) else "evaluation data"
    if response.kind == CLASSES:
        probability = routing.probability(tree)
        found = coded_rows(response.labels, rows.y, routing.value(tree), probability, rows.weight)
        found = found if response.costs is None else found.with_costs(response.costs)
        return Evaluation(found, of, target_of(response.labels, target_class), None, response.name)
    if response.kind == MEAN:
        found = number_rows(rows.y, routing.value(tree), rows.weight)
    else:
        found = number_rows(rows.y[:, 1], routing.value(tree), rows.weight, rows.y[:, 0])
    return Evaluation(found, of, None, None, response.name)


def _is_training(tree: Tree, rows: GivenRows, routing: Routing) -> bool:
    """Whether as many rows end in each leaf as did in the fit, with the same response."""
    if rows.columns.n != tree.rows[0] or (routing.count()["shared"] == 0 and not _same_ends(tree, routing)):
        return False
    if tree.response.kind == CLASSES:
        moments = np.bincount(rows.y, rows.weight, len(tree.response.labels))
        return bool(np.allclose(moments, tree.moments[0], rtol=1e-9))
    y = rows.y if tree.response.kind == MEAN else rows.y[:, 1]
    total = tree.moments[0, 0] * tree.moments[0, 1] if tree.response.kind == MEAN else tree.moments[0, 2]
    return bool(np.isclose(rows.weight @ y, total, rtol=1e-9))


def _same_ends(tree: Tree, routing: Routing) -> bool:
    ends = np.bincount(routing.node, minlength=tree.n_nodes)
    return bool(np.array_equal(ends[tree.leaves], tree.rows[tree.leaves]))
