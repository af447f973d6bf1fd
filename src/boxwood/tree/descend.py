"""Rows down a tree: where each one ends and what it met on the way."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .. import _kernel
from ..data.columns import Columns
from ..errors import ParameterError
from ..statistics.response import CLASSES
from .shares import SHARED_OUT, Parts, branch_shares, parts_of, passed_in_parts
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
        A leaf, or the inner node at which a row had to stay. Of a row that was shared out, the node that got the
        largest share, the lowest number when shares are equal.
    met : uint8, shape (n,)
        Bits: 1 a value was missing at a node, 2 a level was not seen in training at a node, 4 a surrogate decided, 8
        the row stayed at an inner node, 16 a node shared it out.
    shared : int64, shape (m,)
        The rows that were shared out, rising.
    mixture : float64, shape (m, K) or (m, 1)
        What the ends of these rows say, added up by shares: class probabilities, or the value.
    """

    node: np.ndarray
    met: np.ndarray
    shared: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    mixture: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))

    def value(self, tree: Tree) -> np.ndarray:
        """What the tree says of each row: class number, mean or rate, shape (n,)."""
        value = tree.value[self.node]
        if len(self.shared):
            value[self.shared] = (
                tree.response.decide(self.mixture) if tree.response.kind == CLASSES else self.mixture[:, 0]
            )
        return value

    def probability(self, tree: Tree) -> np.ndarray:
        """Class probabilities of each row, shape (n, K), when the tree predicts classes."""
        probability = tree.probability[self.node]
        if len(self.shared):
            probability[self.shared] = self.mixture
        return probability

    def count(self) -> dict[str, int]:
        """Number of rows for each thing that can be met."""
        names = {"missing": _MISSING, "unseen": _UNSEEN, "surrogate": _SURROGATE, "stayed": _STAY, "shared": SHARED_OUT}
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
    _check_policy(columns, unseen)
    branch, plain = unseen_branches(tree, unseen), columns.for_kernel(in_place=True)
    node, met = _kernel.apply(tree, branch, plain, None, threads)
    shared = np.flatnonzero(met & SHARED_OUT)
    if len(shared) == 0:
        return Landing(node, met)
    says = tree.probability if tree.response.kind == CLASSES else tree.value[:, None]
    facts = (branch_shares(tree), np.ascontiguousarray(says))
    node[shared], met[shared], mixture = _kernel.mix(tree, branch, plain, shared.astype(np.uint32), facts, threads)
    return Landing(node, met, shared, mixture.reshape(len(shared), -1))


def land_in_parts(tree: Tree, columns: Columns, unseen: str = "missing", threads: int = 1) -> Parts:
    """Every end of every row, with the share of the row that ends there; parameters and errors as for :func:`land`."""
    _check_policy(columns, unseen)
    rows = np.arange(columns.n, dtype=np.uint32)
    return parts_of(tree, columns.for_kernel(in_place=True), rows, unseen_branches(tree, unseen), threads)


def _check_policy(columns: Columns, unseen: str) -> None:
    """The policy exists, and does not refuse these rows."""
    if unseen not in UNSEEN_POLICIES:
        raise ParameterError(f"unseen must be one of {', '.join(map(repr, UNSEEN_POLICIES))}; got {unseen!r}.")
    if unseen == "error":
        columns.refuse_unseen()


def unseen_branches(tree: Tree, unseen: str) -> np.ndarray | None:
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


def nodes_passed(tree: Tree, columns: Columns, unseen: str = "missing", threads: int = 1) -> tuple:
    """The nodes each row passes with some part, root first, as :meth:`Tree.passed` gives them.

    Parameters and errors as for :func:`land`.
    """
    parts = land_in_parts(tree, columns, unseen, threads)
    return tree.passed(parts.node) if len(parts.row) == columns.n else passed_in_parts(tree, parts, columns.n)
