"""Competing splits of a tree that kept none, from rows that are at hand."""

from __future__ import annotations

import numpy as np

from ...data.columns.columns import Columns
from ...growing.below import ROOT
from ...growing.recipe import Recipe
from ...growing.replay import alone
from ...learning.learning_set import LearningSet
from ...tree.trace import arrivals
from ...tree.tree import Tree
from ..explorer.contents import GivenRivals

#: So many nodes from the root on are looked at, while the rows that reach them add up to no more than this.
MOST_NODES, MOST_ROWS = 60, 3_000_000


def without_unseen(columns: Columns) -> Columns:
    """The columns with levels that did not occur in training as missing values."""
    if not columns.unseen:
        return columns
    values = tuple(feature.type.seen(column) for feature, column in zip(columns.schema, columns.values, strict=True))
    return columns.with_fields(values=values, unseen={})


def rivals_of(tree: Tree, recipe: Recipe, learning: LearningSet) -> GivenRivals:
    """The best split of every feature among the rows that reach each of the first inner nodes.

    Parameters
    ----------
    tree : Tree
    recipe : Recipe
        By which the tree was grown.
    learning : LearningSet
        Rows with their response; they need not be those of the fit.
    """
    found, spent = {}, 0
    for t in np.flatnonzero(~tree.is_leaf)[:MOST_NODES].tolist():
        rows, _ = arrivals(tree, learning.columns, t)
        spent += len(rows)
        if spent > MOST_ROWS:
            break
        if len(rows) < 2:
            continue
        keep = np.zeros(learning.n, dtype=bool)
        keep[rows] = True
        here = alone(ROOT, learning.source(recipe, keep), recipe, len(tree.schema))
        found[t] = (here.splits, here.score)
    return GivenRivals(found)
