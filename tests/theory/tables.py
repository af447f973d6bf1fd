"""The small tables of the lecture notes as CART problems."""

from __future__ import annotations

import numpy as np

from boxwood.algorithms import REGISTRY
from boxwood.data import datasets
from boxwood.data.frame import learn_columns, read_columns
from boxwood.training.model import TreeModel
from boxwood.views.condition import condition

RESPONSES = {"loan": "类别", "lihang_5_1": "类别", "watermelon_3": "好瓜", "play_tennis": "play"}


def table(name: str, *without: str) -> tuple[dict, list]:
    """Columns of a bundled table and its response; the row number and the columns named are left out."""
    columns = datasets.load(name)
    y = columns.pop(RESPONSES[name])
    for column in ("id", "编号", "day", *without):
        columns.pop(column, None)
    return columns, y


def fit(X, y, task: str = "classification", **settings) -> TreeModel:
    """CART fully grown unless told otherwise."""
    settings = {"pruning": None, "missing": "majority"} | settings
    return REGISTRY["cart"].fit(learn_columns(X), y, task=task, settings=settings)


def root_scores(X, y, **settings) -> dict[str, tuple[float, str]]:
    """Every feature's best split of the root: decrease of impurity and its condition, from the competitors kept."""
    tree = fit(X, y, max_depth=1, max_competitors=50, **settings).tree
    out = {tree.schema[tree.splits.feature[0]].name: (float(tree.score[0]), condition(tree, 0, 0))}
    for c in range(len(tree.competitors)):
        out[tree.schema[tree.competitors.feature[c]].name] = (float(tree.competitor_score[c]), "")
    return out


def nested(model: TreeModel, node: int = 0):
    """A tree as nested tuples: (feature, levels or cut of branch 0, child 0, child 1); leaves are (label, rows)."""
    tree = model.tree
    if tree.is_leaf[node]:
        return (tree.response.labels[tree.value[node]], int(tree.rows[node]))
    feature = tree.schema[tree.splits.feature[node]]
    index = tree.splits.index_of(node)
    first = int(tree.first_child[node])
    if feature.levels:
        test = frozenset(level for level, branch in zip(feature.levels, index, strict=True) if branch == 0)
    else:
        test = float(tree.splits.breaks_of(node)[0])
    return (feature.name, test, nested(model, first), nested(model, first + 1))


def training_error(X, y, model: TreeModel) -> int:
    """Rows of the learning set that the model gets wrong."""
    return int(np.sum(model.predict(read_columns(X, model.schema)) != np.asarray(y)))
