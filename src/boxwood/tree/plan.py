"""A tree compiled for fast prediction: the plan on which the kernel routes rows, with the value of each leaf."""

from __future__ import annotations

import numpy as np

from .. import _kernel
from ..data.columns.columns import Columns, Matrix
from ..data.frames.zero_copy import ZeroCopyColumns
from ..errors import check_one_of
from .lazy_arrays import changed, with_arrays
from .split import SplitTable
from .tree import SHARED, STAYS, Tree

#: Policies for a level that the tree, or the node, has not seen in training.
UNSEEN_POLICIES = ("missing", "majority", "stay", "error")

#: What prediction returns: a class label or number; a class number or number; class probabilities; the node of a row.
QUESTIONS = ("label", "value", "probability", "node")


class Plan:
    """A tree compiled for one policy for levels not seen in training.

    Parameters
    ----------
    tree : Tree
    unseen : {"missing", "majority", "stay", "error"}

    Attributes
    ----------
    kernel : _kernel.Plan
    is_possible : bool
        Whether the tree can be compiled; cuts of whole numbers beyond 2**53 cannot.
    unseen : int32, shape (T,), or None
        Branch of a level that a node does not list; None = it is treated as missing.
    """

    def __init__(self, tree: Tree, unseen: str):
        self.unseen = unseen_branches(tree, unseen)
        self.kernel = _kernel.Plan(with_arrays(tree), self.unseen, [(f.kind, len(f.levels)) for f in tree.schema])
        self.is_possible = self.kernel.possible
        self._by_rows = tree.schema.is_numeric
        self._values = {}

    def leaf_values(self, tree: Tree, question: str) -> np.ndarray:
        """The answer of each leaf of the plan to one of ``QUESTIONS``, one row per leaf."""
        found = self._values.get(question)
        if found is None:
            found = np.ascontiguousarray(node_values(tree, question)[self.kernel.node_of()])
            self._values[question] = found
        return found

    def predict(self, tree: Tree, question: str, columns: Columns, threads: int) -> tuple:
        """The answer for every row, and the rows (uint32) that are shared out, if any.

        Returns
        -------
        values : ndarray of shape (n,) or (n, K), or None
            None when a value, or a cut of the tree, is a whole number beyond 2**53, which the plan cannot compare.
        shared : uint32 array, or None
            Rows that some node shares out; their values are void.
        """
        if not self.is_possible:
            return None, None
        values = self.leaf_values(tree, question)
        out = np.empty((columns.n, *values.shape[1:]), values.dtype)
        as_bytes = (values.view(np.uint8), out.view(np.uint8)) if values.dtype.kind == "U" else (values, out)
        unseen, shared = self.kernel.predict(self._rows(columns), *as_bytes, threads)
        if isinstance(columns, ZeroCopyColumns):
            columns.has_unseen = unseen
        return (None, None) if shared is False else (out, shared)

    def _rows(self, columns: Columns):
        """Columns as the kernel takes them: where they lie, as a table, or one by one."""
        if isinstance(columns, ZeroCopyColumns):
            return columns.given
        if self._by_rows and isinstance(columns, Matrix):
            return columns.matrix
        return columns.for_kernel(in_place=True)


def plan_of(tree: Tree, unseen: str) -> Plan:
    """The plan of a tree, made once and kept beside it."""
    plans = vars(tree).setdefault("_plans", {})
    plan = plans.get(unseen)
    if plan is None:
        plan = plans[unseen] = Plan(tree, unseen)
    return plan


def plan_for_known(tree: Tree, unseen: str) -> Plan:
    """A plan in which rows that need a surrogate count as shared out; the whole plan once that has been made.

    Complete rows then pay nothing for surrogates: neither for compiling them nor for the features they read.
    """
    plans = vars(tree).setdefault("_plans", {})
    if unseen in plans or not len(tree.surrogates):
        return plan_of(tree, unseen)
    plan = plans.get(("known", unseen))
    if plan is None:
        plan = plans["known", unseen] = Plan(without_surrogates(tree), unseen)
    return plan


def without_surrogates(tree: Tree) -> Tree:
    """The same tree, where nodes with surrogates share out rows without a value instead."""
    has_surrogates = np.diff(tree.surrogate_start) > 0
    return changed(
        tree,
        missing=np.where(has_surrogates, np.int32(SHARED), tree.missing),
        surrogate_start=np.zeros(tree.n_nodes + 1, dtype=np.int32),
        surrogates=SplitTable.empty(0),
        agreement=np.zeros(0),
        adjusted=np.zeros(0),
    )


def node_values(tree: Tree, question: str) -> np.ndarray:
    """The answer of every node of a tree to one of ``QUESTIONS``, shape (T,), or (T, K) for probabilities."""
    if question == "label":
        return tree.response.labelled(tree.value, tree.classes)
    if question == "node":
        return np.arange(tree.n_nodes)
    return tree.value if question == "value" else tree.probability


def unseen_branches(tree: Tree, unseen: str) -> np.ndarray | None:
    """Branch of a level that a node does not list, int32, shape (T,); None = it is treated as missing."""
    check_one_of("unseen", unseen, UNSEEN_POLICIES)
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
