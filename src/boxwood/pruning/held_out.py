"""Held-out rows, ready to evaluate a tree: their leaves and their true responses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..data.columns.columns import Columns
from ..learning.learning_set import LearningSet
from ..tree.descend import route_shares
from ..tree.shares import Parts
from ..tree.tree import Tree
from .validation import HeldOutRows


@dataclass(frozen=True, eq=False)
class LabelledSample:
    """Rows with known response.

    Attributes
    ----------
    columns : Columns
    y : shape (n,), or (n, 2) for rates
        Class numbers, numeric values, or exposure and events.
    weight : float64, shape (n,)
    unseen : str
        What to do with levels that the tree has not seen; see :func:`boxwood.tree.descend.route`.
    threads : int
    """

    columns: Columns
    y: np.ndarray
    weight: np.ndarray
    unseen: str = "missing"
    threads: int = 1

    def ends(self, tree: Tree) -> HeldOutRows:
        """Where the rows end in a tree; a row that a node shares out counts in parts, each by its share."""
        return _in_parts(route_shares(tree, self.columns, self.unseen, self.threads), self.y, self.weight)


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Rows of a learning set that a tree of it was not grown from.

    Attributes
    ----------
    learning : LearningSet
    rows : bool, shape (n,)
        The rows left out.
    rank_cuts : bool
        The trees cut by rank: rows go down by their codes.
    open_below : bool
        Cuts are rpart's, "x < cut": a held-out value can lie right on one.
    """

    learning: LearningSet
    rows: np.ndarray
    rank_cuts: bool = False
    open_below: bool = False

    @cached_property
    def numbers(self) -> np.ndarray:
        """Which rows are left out, uint32, ascending."""
        return np.flatnonzero(self.rows).astype(np.uint32)

    def sample(self, unseen: str = "missing") -> LabelledSample:
        """The rows on their own."""
        learning = self.learning
        y, weight = learning.truth(self.numbers), _weight_of(learning, self.numbers)
        return LabelledSample(learning.columns.take(self.numbers), y, weight, unseen, learning.threads)

    def ends(self, tree: Tree) -> HeldOutRows:
        """Where the rows end in a tree."""
        if not self.rank_cuts:
            return self.sample().ends(open_below_cuts(tree) if self.open_below else tree)
        learning, rows = self.learning, self.numbers
        y, weight = learning.truth(rows), _weight_of(learning, rows)
        return _in_parts(learning.encoded.parts(tree, rows, learning.threads), y, weight)


def _in_parts(parts: Parts, y: np.ndarray, weight: np.ndarray) -> HeldOutRows:
    """Ends of rows with the truth of each row, and its weight times the share."""
    if len(parts.row) == len(y):  # no row is divided
        return HeldOutRows(parts.node.astype(np.int64), y, weight)
    return HeldOutRows(parts.node.astype(np.int64), y[parts.row], weight[parts.row] * parts.share)


def open_below_cuts(tree: Tree) -> Tree:
    """The same tree with rpart's cuts, "x < cut"."""
    lower = [replace(table, breaks=np.nextafter(table.breaks, -np.inf)) for table in (tree.splits, tree.surrogates)]
    return replace(tree, splits=lower[0], surrogates=lower[1])


def _weight_of(learning: LearningSet, rows: np.ndarray) -> np.ndarray:
    """True weight of some rows, class weights left out."""
    exact = learning.exact
    if exact.weight is None:
        return np.ones(len(rows))
    weight = exact.weight[rows] * exact.unit
    return weight if exact.codes is None else learning.response.row_weights(weight, exact.codes[rows])
