"""Routes rows step by step: the value at every node, what decided, and the shares passed on."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..data.columns.columns import Columns
from ..data.columns.distinct import distinct
from ..errors import check_one_of
from .plan import UNSEEN_POLICIES, majority_branch
from .split import SplitTable
from .tree import SHARED, STAYS, Tree

#: How a value relates to a test; the first two also mean "no branch" in :func:`branch_of`.
MISSING, UNSEEN, KNOWN = -1, -2, 0

#: What decides at a node: the value, a surrogate, the branch of missing values, the branch with most weight (a level
#: not seen here), all branches by their shares; or the row stays, or has reached a leaf.
VALUE, SURROGATE, DEFAULT, HEAVIEST, SHARES, STAYED, LEAF = range(7)


@dataclass(frozen=True, eq=False)
class Trace:
    """Every passage of a row through a node, ordered by row and then by node, the root first.

    Attributes
    ----------
    row, node : int64, shape (S,)
    share : float64, shape (S,)
        Share of the row that came to the node; below 1 only below a node that shares out missing values.
    met : int8, shape (S,)
        KNOWN, MISSING or UNSEEN: the value that the node tests; KNOWN at a leaf.
    decided : int8, shape (S,)
        VALUE, SURROGATE, DEFAULT, HEAVIEST, SHARES, STAYED or LEAF.
    surrogate : int32, shape (S,)
        Number of the surrogate that decided, from 0; -1 = none.
    branch : int32, shape (S,)
        Branch taken; -1 = all that have weight, -2 = none.
    """

    row: np.ndarray
    node: np.ndarray
    share: np.ndarray
    met: np.ndarray
    decided: np.ndarray
    surrogate: np.ndarray
    branch: np.ndarray

    @property
    def ends(self) -> np.ndarray:
        """Whether the (share of the) row ends at this node, bool, shape (S,)."""
        return self.decided >= STAYED

    def count(self) -> dict[str, int]:
        """Number of rows for each event: missing, unseen, surrogate, stayed, shared."""
        what = {
            "missing": self.met == MISSING,
            "unseen": self.met == UNSEEN,
            "surrogate": self.decided == SURROGATE,
            "stayed": self.decided == STAYED,
            "shared": self.decided == SHARES,
        }
        return {name: len(distinct(self.row[met])) for name, met in what.items()}


def trace(tree: Tree, columns: Columns, unseen: str = "missing") -> Trace:
    """Send rows down and write down every step.

    Parameters
    ----------
    tree : Tree
    columns : Columns
        Read with the tree's schema.
    unseen : {"missing", "majority", "stay"}
        What is done with a level that a node has not seen, as in :func:`boxwood.tree.descend.route`.
    """
    check_one_of("unseen", unseen, UNSEEN_POLICIES)
    routes = Routes(tree, columns, unseen)
    waiting = {0: (np.arange(columns.n), np.ones(columns.n))}
    parts = []
    while waiting:
        t = min(waiting)
        rows, share = waiting.pop(t)
        passage = routes.at(t, rows)
        parts.append((rows, np.full(len(rows), t), share, *passage))
        for c, went, part in routes.children(t, passage[3]):
            if len(went):
                waiting[c] = (rows[went], share[went] * part)
    arrays = [np.concatenate(column) for column in zip(*parts, strict=True)]
    order = np.lexsort((arrays[1], arrays[0]))
    return Trace(*(a[order] for a in arrays))


def arrivals(
    tree: Tree, columns: Columns, node: int, in_growth: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The rows that come to a node, int64, ascending, and the share of each that does, float64.

    ``in_growth``: weights of the rows, int64, shape (n,), for a tree that grew as rpart's do (see :class:`Routes`).
    """
    routes = Routes(tree, columns, "missing", in_growth)
    rows, share = np.arange(columns.n), np.ones(columns.n)
    path = tree.path(node).tolist()
    for t, child in pairwise(path):
        for c, went, part in routes.children(t, routes.at(t, rows)[3]):
            if c == child:
                rows, share = rows[went], (share[went] * part)
                break
    return rows, share


def branch_of(table: SplitTable, s: int, columns: Columns, rows: np.ndarray) -> np.ndarray:
    """Branch of some rows at split ``s`` of a table, int32; MISSING or UNSEEN where the value has none."""
    j = int(table.feature[s])
    kind, values = columns.schema[j].type, columns.values[j][rows]
    known, at = kind.known(values), slice(table.breaks_start[s], table.breaks_start[s + 1])
    low = None if columns.low[j] is None else columns.low[j][rows]
    position = kind.positions(values, low, table.breaks[at], table.breaks_low[at])
    index = table.index_of(s)
    inside = known & (position < len(index))
    branch = np.full(len(rows), UNSEEN, dtype=np.int32)
    listed = index[position[inside]]
    branch[inside] = np.where(listed >= 0, listed, UNSEEN)
    branch[~known] = np.where(kind.missing(values[~known]), MISSING, UNSEEN)
    return branch


class Routes:
    """Which branch rows take at the nodes of a tree.

    Parameters
    ----------
    tree : Tree
    columns : Columns
    unseen : {"missing", "majority", "stay"}
    in_growth : int64, shape (n,), optional
        Weights of the rows. rpart grows with another branch for rows that no surrogate routes than it predicts with:
        the one with most weight of rows whose value is known, and none when these are equal (or 0, without surrogates).
    """

    def __init__(self, tree: Tree, columns: Columns, unseen: str, in_growth: np.ndarray | None = None):
        self._tree, self._columns, self._unseen = tree, columns, unseen
        self._in_growth = in_growth
        self._heaviest = majority_branch(tree) if unseen == "majority" else None

    def at(self, t: int, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """What rows have at node ``t``, what decides, the surrogate, and the branch, as the arrays of Trace."""
        n = len(rows)
        surrogate = np.full(n, -1, dtype=np.int32)
        if self._tree.is_leaf[t]:
            return np.full(n, KNOWN, np.int8), np.full(n, LEAF, np.int8), surrogate, np.full(n, STAYS, np.int32)
        branch = branch_of(self._tree.splits, t, self._columns, rows)
        met = np.where(branch >= 0, KNOWN, branch).astype(np.int8)
        decided = np.full(n, VALUE, dtype=np.int8)
        waiting = np.flatnonzero(branch < 0)
        if self._unseen != "missing":
            unseen = waiting[met[waiting] == UNSEEN]
            waiting = waiting[met[waiting] == MISSING]
            stays = self._unseen == "stay"
            branch[unseen] = STAYS if stays else self._heaviest[t]
            decided[unseen] = STAYED if stays else HEAVIEST
        first = int(self._tree.surrogate_start[t])
        for s in range(first, int(self._tree.surrogate_start[t + 1])):
            found = branch_of(self._tree.surrogates, s, self._columns, rows[waiting])
            routed = waiting[found >= 0]
            branch[routed], decided[routed], surrogate[routed] = found[found >= 0], SURROGATE, s - first
            waiting = waiting[found < 0]
        otherwise = int(self._tree.missing[t]) if self._in_growth is None else self._heavier(rows, branch, met)
        if otherwise == SHARED and not child_shares(self._tree, t).any():
            otherwise = STAYS
        branch[waiting] = otherwise
        decided[waiting] = {SHARED: SHARES, STAYS: STAYED}.get(otherwise, DEFAULT)
        return met, decided, surrogate, branch

    def _heavier(self, rows: np.ndarray, branch: np.ndarray, met: np.ndarray) -> int:
        """The branch with most weight of rows whose value is known, STAYS when two have equally much."""
        known = met == KNOWN
        weight = np.zeros(2, dtype=np.int64)
        np.add.at(weight, branch[known], self._in_growth[rows[known]])
        return STAYS if weight[0] == weight[1] else int(weight[1] > weight[0])

    def children(self, t: int, branch: np.ndarray):
        """For each child of ``t``: its number, the positions of the rows that go there, and the shares that do."""
        first, count = int(self._tree.first_child[t]), int(self._tree.n_children[t])
        shares = child_shares(self._tree, t)
        for c in range(count):
            went = np.flatnonzero((branch == c) | ((branch == SHARED) & (shares[c] > 0)))
            yield first + c, went, np.where(branch[went] == SHARED, shares[c], 1.0)


def child_shares(tree: Tree, t: int) -> np.ndarray:
    """Share of each child of ``t`` in their weight, shape (n_children[t],): how a missing value is shared out.

    All 0 when the children are empty: then the row stays.
    """
    first = int(tree.first_child[t])
    weight = tree.weight[first : first + int(tree.n_children[t])]
    return weight / weight.sum() if weight.any() else weight
