"""Routes rows down a tree: the node where each ends, and the missing or unseen values on its path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .. import _kernel
from ..data.columns.columns import Columns, Matrix
from ..data.columns.distinct import distinct
from ..data.columns.sparse import SparseColumns
from ..errors import check_one_of
from .lazy_arrays import with_arrays
from .plan import UNSEEN_POLICIES, plan_for_known, plan_of, unseen_branches, without_surrogates
from .shares import SHARED_OUT, Parts, branch_shares, joined_parts, parts_of, passed_in_parts
from .tree import SHARED, Tree

_MISSING, _UNSEEN, _SURROGATE, _STAY = 1, 2, 4, 8
#: Fewer rows are sent down a tree faster than a plan is made of it.
_WORTH_A_PLAN = 10_000


@dataclass(frozen=True, eq=False)
class Routing:
    """Where rows ended.

    Attributes
    ----------
    node : int32, shape (n,)
        A leaf, or the inner node at which a row had to stay. Of a row that was shared out, the node that got the
        largest share, the lowest number when shares are equal.
    flags : uint8, shape (n,)
        Bits: 1 a value was missing at a node, 2 a level was not seen in training at a node, 4 a surrogate decided, 8
        the row stayed at an inner node, 16 a node shared it out.
    shared : int64, shape (m,)
        The rows that were shared out, rising.
    mixture : float64, shape (m, K) or (m, 1 + F)
        The predictions of the nodes where these rows end, averaged by shares: class probabilities, or the value and
        further fields.
    """

    node: np.ndarray
    flags: np.ndarray
    shared: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    mixture: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))

    @property
    def is_unknown(self) -> np.ndarray:
        """Whether a value was missing or a level not seen in training at a node of the path, bool, shape (n,)."""
        return (self.flags & (_MISSING | _UNSEEN)) != 0

    def value(self, tree: Tree) -> np.ndarray:
        """The predicted class number, mean or rate of each row, shape (n,)."""
        value = tree.value[self.node]
        if len(self.shared):
            value[self.shared] = tree.response.decide(self.mixture)
        return value

    def columns(self, tree: Tree) -> np.ndarray:
        """What is predicted for each row, a column for each of ``response.fields``; shape (n, F)."""
        predicted = tree.response.columns_of(tree)[self.node]
        if len(self.shared):
            predicted[self.shared] = self.mixture
        return predicted

    def probability(self, tree: Tree) -> np.ndarray:
        """Class probabilities of each row, shape (n, K), when the tree predicts classes."""
        return self.columns(tree)

    def answer(self, tree: Tree, question: str) -> np.ndarray:
        """The prediction for each row; see :func:`answer`."""
        if question == "node":
            return self.node.astype(np.int64)
        if question == "probability":
            return self.probability(tree)
        value = self.value(tree)
        return tree.response.labelled(value, tree.classes) if question == "label" else value

    def count(self) -> dict[str, int]:
        """Number of rows for each event on a path."""
        names = {"missing": _MISSING, "unseen": _UNSEEN, "surrogate": _SURROGATE, "stayed": _STAY, "shared": SHARED_OUT}
        return {name: int(np.count_nonzero(self.flags & bit)) for name, bit in names.items()}


def used_features(tree: Tree, has_missing: bool = True) -> np.ndarray:
    """Features that a split of a tree tests, or a surrogate where some value is missing; rising."""
    tested = tree.splits.feature
    if has_missing:
        tested = np.concatenate([tested, tree.surrogates.feature])
    return distinct(tested[tested >= 0])


def _narrowed(tree: Tree, columns: SparseColumns) -> tuple[Tree, Iterator[Matrix]]:
    """A tree over the features that it uses alone, kept beside it, and blocks of rows that hold these."""
    has_missing = columns.has_missing
    used = used_features(tree, has_missing)
    used = used if len(used) else np.zeros(1, dtype=np.int32)
    kept = vars(tree).setdefault("_narrowed", {})
    if has_missing not in kept:
        place = np.full(len(tree.schema) + 1, -1, dtype=np.int32)  # the last is where -1, no split, looks
        place[used] = np.arange(len(used))
        given = tree if has_missing else without_surrogates(tree)
        splits, surrogates = (replace(s, feature=place[s.feature]) for s in (given.splits, given.surrogates))
        schema = replace(tree.schema, features=tuple(tree.schema[j] for j in used))
        kept[has_missing] = replace(given, schema=schema, splits=splits, surrogates=surrogates)
    return kept[has_missing], columns.blocks(used)


def _joined(routings: list[Routing]) -> Routing:
    """The routings of blocks of rows as that of all rows."""
    if len(routings) == 1:
        return routings[0]
    starts = np.cumsum([0, *(len(one.node) for one in routings[:-1])])
    mixtures = [one.mixture for one in routings if len(one.shared)]
    return Routing(
        np.concatenate([one.node for one in routings]),
        np.concatenate([one.flags for one in routings]),
        np.concatenate([one.shared + start for one, start in zip(routings, starts, strict=True)]),
        np.concatenate(mixtures) if mixtures else np.zeros((0, 0)),
    )


def route(tree: Tree, columns: Columns, unseen: str = "missing", threads: int = 1) -> Routing:
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
    if isinstance(columns, SparseColumns):
        narrow, blocks = _narrowed(tree, columns)
        return _joined([route(narrow, block, unseen, threads) for block in blocks])
    plain = columns.for_kernel(in_place=True)
    node, flags = _kernel.apply(with_arrays(tree), unseen_branches(tree, unseen), plain, None, threads)
    shared = np.flatnonzero(flags & SHARED_OUT)
    if len(shared) == 0:
        return Routing(node, flags)
    node[shared], flags[shared], mixture = _mixed(tree, columns, shared.astype(np.uint32), unseen, threads)
    return Routing(node, flags, shared, mixture)


def _mixed(tree: Tree, columns: Columns, rows: np.ndarray, unseen: str, threads: int) -> tuple[Any, ...]:
    """Largest part, the flags and the averaged prediction of rows (uint32) that are shared out."""
    values = tree.response.columns_of(tree)
    shares = branch_shares(tree)
    plain, branch = columns.for_kernel(in_place=True), unseen_branches(tree, unseen)
    largest, flags, mixture = _kernel.mix(
        with_arrays(tree), branch, plain, rows, (shares, np.ascontiguousarray(values)), threads
    )
    return largest, flags, mixture.reshape(len(rows), -1)


def answer(tree: Tree, question: str, columns: Columns, unseen: str = "missing", threads: int = 1) -> np.ndarray:
    """Predict rows, without an account of the path of each.

    Parameters
    ----------
    tree : Tree
    question : {"label", "value", "probability", "node"}
        Class label or number; class number or number; class probabilities; the node that each row ends in.
    columns, unseen, threads
        As for :func:`route`, with its errors.

    Returns
    -------
    ndarray of shape (n,), or (n, K) for probabilities
        As the :class:`Routing` has it; nodes are int64.
    """
    _check_policy(columns, unseen)
    if isinstance(columns, SparseColumns):
        narrow, blocks = _narrowed(tree, columns)
        return np.concatenate([answer(narrow, question, block, unseen, threads) for block in blocks])
    plan = plan_for_known(tree, unseen)
    values, shared = plan.predict(tree, question, columns, threads)
    if shared is not None and plan is not (whole := plan_of(tree, unseen)):
        values, shared = whole.predict(tree, question, columns, threads)
    if shared is not None:
        largest, flags, mixture = _mixed(tree, columns, shared, unseen, threads)
        values[shared] = Routing(largest, flags, np.arange(len(shared)), mixture).answer(tree, question)
    if values is not None:
        return values
    return route(tree, columns, unseen, threads).answer(tree, question)


def route_shares(tree: Tree, columns: Columns, unseen: str = "missing", threads: int = 1) -> Parts:
    """Every end of every row, with the share of the row that ends there; parameters and errors as for :func:`route`."""
    if columns.n >= _WORTH_A_PLAN and not (tree.missing == SHARED).any():
        node = answer(tree, "node", columns, unseen, threads).astype(np.int32)
        return Parts(np.arange(columns.n), node, np.ones(columns.n))
    _check_policy(columns, unseen)
    if isinstance(columns, SparseColumns):
        narrow, blocks = _narrowed(tree, columns)
        sizes, parts = zip(*((block.n, route_shares(narrow, block, unseen, threads)) for block in blocks), strict=True)
        return joined_parts(list(parts), sizes[0])
    rows = np.arange(columns.n, dtype=np.uint32)
    return parts_of(tree, columns.for_kernel(in_place=True), rows, unseen_branches(tree, unseen), threads)


def _check_policy(columns: Columns, unseen: str) -> None:
    """The policy exists, and does not refuse these rows."""
    check_one_of("unseen", unseen, UNSEEN_POLICIES)
    if unseen == "error":
        columns.refuse_unseen()


def nodes_passed(tree: Tree, columns: Columns, unseen: str = "missing", threads: int = 1) -> tuple[Any, ...]:
    """The nodes each row passes with some part, root first, as :meth:`Tree.paths_to` gives them.

    Parameters and errors as for :func:`route`.
    """
    if not (tree.missing == SHARED).any():
        return tree.paths_to(answer(tree, "node", columns, unseen, threads))
    parts = route_shares(tree, columns, unseen, threads)
    return tree.paths_to(parts.node) if len(parts.row) == columns.n else passed_in_parts(tree, parts, columns.n)
