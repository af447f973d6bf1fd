"""The Source: holds the rows, wherever they are, and answers two questions about a level of nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..data.columns.schema import Schema
from ..statistics.responses.response import Response
from ..tree.split import LevelSplits
from ..tree.tree import Tree
from .recipe import Recipe


@dataclass(frozen=True, eq=False)
class Level:
    """The nodes of one level, in order of parent and branch.

    Attributes
    ----------
    moments : float64, shape (L, M)
    rows : int64, shape (L,)
    depth : int
        0 for the root's level.
    """

    moments: np.ndarray
    rows: np.ndarray
    depth: int


class Source(Protocol):
    """Rows of a learning set, wherever they live."""

    schema: Schema
    response: Response

    def root(self, recipe: Recipe) -> Level:
        """One node with all rows; starts the growth of a tree by this recipe."""

    def best_splits(self, level: Level, is_open: np.ndarray) -> LevelSplits:
        """The best admissible split of every open node (bool, shape (L,)) of the current level."""

    def route(self, level: Level, found: LevelSplits) -> Level:
        """Send the rows of the split nodes down; the children become the current level."""

    def finish_each(self, recipe: Recipe, keeps: list):
        """Whole trees from several choices of the rows (bool, shape (n,)), or None if this source cannot."""

    def finish(self, recipe: Recipe):
        """The whole Tree at once, equal to the one the loop would grow, or None if this source cannot."""

    def complete(self, top: Tree) -> Tree:
        """The tree that the loop grew, with what the source put aside to grow at once; most put nothing aside."""
