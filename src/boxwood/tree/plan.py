"""A tree compiled for speed: the plan that the kernel sends rows down, with what each of its ends says."""

from __future__ import annotations

import numpy as np

from .. import _kernel
from ..data.columns import Columns, Matrix
from ..data.untouched import Untouched
from ..statistics.response import CLASSES
from .tree import STAYS, Tree

#: What rows can be told: a class label or number; a class number or number; class probabilities; the node they end in.
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
        self.kernel = _kernel.Plan(tree, self.unseen, [(f.kind, len(f.levels)) for f in tree.schema])
        self.is_possible = self.kernel.possible
        self._by_rows = tree.schema.is_numeric
        self._says = {}

    def says(self, tree: Tree, question: str) -> np.ndarray:
        """What each end of the plan answers to one of ``QUESTIONS``, one row an end."""
        found = self._says.get(question)
        if found is None:
            found = np.ascontiguousarray(says_of_nodes(tree, question)[self.kernel.node_of()])
            self._says[question] = found
        return found

    def rows(self, columns: Columns):
        """Columns as the kernel takes them: as a table in place, or one by one."""
        if self._by_rows and isinstance(columns, Matrix):
            return columns.matrix
        return columns.for_kernel(in_place=True)

    def tell(self, tree: Tree, question: str, columns: Columns, threads: int) -> tuple[np.ndarray, np.ndarray | None]:
        """The answer to every row, and which rows (uint32) must be asked in parts, if any.

        Returns
        -------
        told : ndarray of shape (n,) or (n, K), or None
            None when a value is a whole number beyond 2**53, which the plan cannot compare.
        shared : uint32 array, or None
            Rows that some node shares out; what is told of them is void.
        """
        says = self.says(tree, question)
        told = np.empty((columns.n, *says.shape[1:]), says.dtype)
        out = (says.view(np.uint8), told.view(np.uint8)) if says.dtype.kind == "U" else (says, told)
        if isinstance(columns, Untouched):
            shared, columns.has_unseen = self.kernel.say_given(columns.given, *out, threads)
        else:
            shared = self.kernel.say(self.rows(columns), None, *out, threads)
        return (None, None) if shared is False else (told, shared)


def plan_of(tree: Tree, unseen: str) -> Plan:
    """The plan of a tree, made once and kept beside it."""
    plans = vars(tree).setdefault("_plans", {})
    plan = plans.get(unseen)
    if plan is None:
        plan = plans[unseen] = Plan(tree, unseen)
    return plan


def has_plan(tree: Tree, unseen: str) -> bool:
    """Whether the plan has been made."""
    return unseen in vars(tree).get("_plans", ())


def says_of_nodes(tree: Tree, question: str) -> np.ndarray:
    """What every node of a tree answers to one of ``QUESTIONS``, shape (T,), or (T, K) for probabilities."""
    if question == "label":
        return tree.classes[tree.value] if tree.response.kind == CLASSES else tree.value
    if question == "node":
        return np.arange(tree.n_nodes)
    return tree.value if question == "value" else tree.probability


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
