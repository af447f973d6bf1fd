"""Rows down a tree: where each one ends and what it met on the way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import _kernel
from ..data.columns import Columns
from ..data.raw import short
from ..data.schema import UNSEEN
from ..errors import ParameterError, UnseenLevelError
from .tree import STAYS, Tree

#: Policies for a level that the tree, or the node, has not seen in training.
UNSEEN_POLICIES = ("missing", "majority", "stay", "error")

_MISSING, _UNSEEN, _SURROGATE, _STAY = 1, 2, 4, 8


@dataclass(frozen=True, eq=False)
class Landing:
    """Where rows ended.

    Attributes
    ----------
    node : int32, shape (n,)
        A leaf, or the inner node at which a row had to stay.
    met : uint8, shape (n,)
        Bits: 1 a value was missing at a node, 2 a level was not seen in training at a node, 4 a surrogate decided, 8
        the row stayed at an inner node.
    """

    node: np.ndarray
    met: np.ndarray

    def count(self) -> dict[str, int]:
        """Number of rows for each thing that can be met."""
        names = {"missing": _MISSING, "unseen": _UNSEEN, "surrogate": _SURROGATE, "stayed": _STAY}
        return {name: int(np.count_nonzero(self.met & bit)) for name, bit in names.items()}


def land(tree: Tree, columns: Columns, unseen: str = "missing", threads: int = 1) -> Landing:
    """Send rows down a tree.

    Parameters
    ----------
    tree : Tree
    columns : Columns
        Read with the tree's schema.
    unseen : {"missing", "majority", "stay", "error"}
        What to do with a level not seen in training, in the data or at a node: as if missing; the branch with most
        weight; the row ends at this node; refuse levels the data never had.
    threads : int
        The result does not depend on it.

    Raises
    ------
    ParameterError
        Unknown policy.
    UnseenLevelError
        Policy "error" and a level that training never had; names the column, the level and the first row.
    """
    if unseen not in UNSEEN_POLICIES:
        raise ParameterError(f"unseen must be one of {', '.join(map(repr, UNSEEN_POLICIES))}; got {unseen!r}.")
    if unseen == "error" and columns.unseen:
        name, levels = next(iter(columns.unseen.items()))
        level, count = next(iter(levels.items()))
        row = int(np.argmax(columns.values[columns.schema.names.index(name)] == UNSEEN))
        others = f" and {len(levels) - 1} other such level(s)" if len(levels) > 1 else ""
        raise UnseenLevelError(
            f"column {short(name)} holds the level {short(level)} in {count} row(s){others}, which training did not "
            f"have, the first in row {row} (counted from 0), and unseen='error' refuses it; correct the data or choose "
            "unseen='missing'."
        )
    node, met = _kernel.apply(
        tree, _branch_of_unseen(tree, unseen), columns.for_kernel(in_place=True), columns.n, threads
    )
    return Landing(node, met)


def _branch_of_unseen(tree: Tree, unseen: str) -> np.ndarray | None:
    """Branch of a level that a node does not list, int32, shape (T,); None = it is treated as missing."""
    if unseen == "majority":
        return majority_branch(tree)
    return np.full(tree.n_nodes, STAYS, dtype=np.int32) if unseen == "stay" else None


def majority_branch(tree: Tree) -> np.ndarray:
    """Branch with the most weight at each node, the first on ties; 0 at leaves; int32, shape (T,)."""
    inner = np.flatnonzero(~tree.is_leaf)
    best = np.zeros(tree.n_nodes, dtype=np.int32)
    weight = tree.weight
    for branch in range(1, int(tree.n_children.max(initial=0))):
        at = inner[tree.n_children[inner] > branch]
        first = tree.first_child[at]
        better = weight[first + branch] > weight[first + best[at]]
        best[at[better]] = branch
    return best
