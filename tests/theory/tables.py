"""The small tables of the lecture notes as problems, and tables of counts for properties."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from boxwood import measures
from boxwood.algorithms import REGISTRY
from boxwood.data import datasets
from boxwood.data.frames.frame import learn_columns, read_columns
from boxwood.model.tree_model import TreeModel
from boxwood.views.condition import condition

#: Counts of classes, tables of counts, and how close two computations of a measure are.
COUNTS = arrays(np.int64, st.integers(1, 6), elements=st.integers(0, 50)).filter(lambda c: c.sum() > 0)
TABLES = arrays(np.int64, st.tuples(st.integers(1, 5), st.integers(1, 4)), elements=st.integers(0, 30))
CLOSE = {"rel": 1e-12, "abs": 1e-12}


def table(name: str, *without: str) -> tuple[dict, list]:
    """Columns of a bundled table and its response; the row number and the columns named are left out."""
    columns = datasets.load(name)
    about = datasets.describe(name)
    y = columns.pop(about.target)
    for column in (about.row_names, *without):
        columns.pop(column, None)
    return columns, y


def gains(name: str) -> dict[str, float]:
    """Information gain of every feature of a bundled table."""
    X, y = table(name)
    return {feature: measures.information_gain(y=y, x=column) for feature, column in X.items()}


def fit(X, y, task: str = "classification", **settings) -> TreeModel:
    """CART fully grown by default."""
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
