"""The features that moved each prediction most, as text, found once for each node instead of once for each row."""

from __future__ import annotations

import numpy as np

from ..data.columns.columns import Columns
from ..tree.descend import Routing, route_shares, used_features
from ..tree.tree import Tree
from .class_number import target_number
from .deciding import value_words
from .figures import signed
from .words import plain


def row_reasons(
    tree: Tree, columns: Columns, routing: Routing, n: int, target: object = None, unseen: str = "missing"
) -> list[np.ndarray]:
    """The n features with the largest contributions to each prediction, the strongest first, with sign.

    Contributions are those of :func:`.explanation.explain_rows`: to the probability of ``target``, by default of the
    class predicted for the row, or to the number.

    Returns
    -------
    list of ndarray of object, shape (rows,)
        One array for each rank; texts such as "age = 25 (+0.333)", None where no further feature had an effect.
    """
    feature, change = moved_most(tree, columns, routing, n, target, unseen)
    return [_texts(columns, feature[:, rank], change[:, rank]) for rank in range(n)]


def moved_most(
    tree: Tree, columns: Columns, routing: Routing, n: int, target: object = None, unseen: str = "missing"
) -> tuple[np.ndarray, np.ndarray]:
    """The same as the numbers of the features and their contributions, shape (rows, n); 0 where no further had any."""
    answers = np.atleast_2d(tree.response.as_given(tree.response.columns_of(tree)).T)
    if target is not None:
        chosen = np.full(columns.n, target_number(tree, target))
    else:
        chosen = routing.value(tree).astype(np.int64) if tree.response.labels else np.zeros(columns.n, np.int64)
    used = used_features(tree, has_missing=False)
    used = used if len(used) else np.zeros(1, dtype=np.int64)  # a tree of one leaf
    feature, change = np.zeros((columns.n, n), np.int64), np.zeros((columns.n, n))
    for k in np.flatnonzero(np.bincount(chosen, minlength=len(answers))):
        rows, by_node = np.flatnonzero(chosen == k), _changes(tree, answers[k], used)
        strongest = _strongest(by_node, n)
        feature[rows], change[rows] = (each[routing.node[rows]] for each in strongest)
        shared = np.intersect1d(rows, routing.shared)
        if len(shared):
            parts = route_shares(tree, columns.take(shared), unseen)
            mixed = np.zeros((len(shared), len(used)))
            np.add.at(mixed, parts.row, parts.share[:, None] * by_node[parts.node])
            feature[shared], change[shared] = _strongest(mixed, n)
    return used[feature], change


def _changes(tree: Tree, answers: np.ndarray, used: np.ndarray) -> np.ndarray:
    """What each used feature changed on the path from the root to each node, shape (T, U)."""
    place = np.zeros(len(tree.schema) + 1, dtype=np.int64)
    place[used] = np.arange(len(used))
    found = np.zeros((tree.n_nodes, len(used)))
    for node in range(1, tree.n_nodes):  # a parent precedes its children
        parent = tree.parent[node]
        found[node] = found[parent]
        found[node, place[tree.splits.feature[parent]]] += answers[node] - answers[parent]
    return found


def _strongest(changes: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The positions and values of the n largest changes of each row, filled up with changes of 0."""
    order = np.argsort(-np.abs(changes), axis=1, kind="stable")[:, :n]
    found = np.take_along_axis(changes, order, axis=1)
    more = ((0, 0), (0, n - order.shape[1]))
    return np.pad(order, more), np.pad(found, more)


def _texts(columns: Columns, feature: np.ndarray, change: np.ndarray) -> np.ndarray:
    """One reason of each row as text; None where nothing changed."""
    found = np.full(columns.n, None, dtype=object)
    for j in np.flatnonzero(np.bincount(feature, minlength=1)):
        rows = np.flatnonzero((feature == j) & (change != 0.0))
        name, missing, words = plain(columns.schema[j].name), columns.missing(j), {}
        low = columns.low[j]
        cells = zip(rows.tolist(), columns.values[j][rows].tolist(), change[rows].tolist(), strict=True)
        for row, value, moved in cells:
            key = None if missing[row] else (value, 0.0 if low is None else low[row])
            if key not in words:
                words[key] = f"{name} is missing" if key is None else f"{name} = {value_words(columns, j, row)}"
            found[row] = f"{words[key]} ({signed(moved)})"
    return found
