"""The nodes of a tree as scikit-learn numbers them, and its cuts in the precision in which scikit-learn compares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import heappop, heappush

import numpy as np

from .._messages import Setting, remedy
from ..tree.tree import Tree
from .bridges import MatrixColumn, Unfolded, as_cut, matrix_columns, unfolded
from .plan import ExportPlan
from .questions import Question

#: Name of the library, for messages.
TARGET = "scikit-learn"
#: What scikit-learn stores for a leaf in place of a child, and in place of a column and a threshold.
NO_CHILD, NO_TEST = -1, -2


@dataclass(frozen=True)
class NumberedNodes:
    """The N nodes of scikit-learn's tree, level by level; a binary tree keeps the numbers of its nodes.

    Attributes
    ----------
    columns : list of MatrixColumn
    column : int64, shape (N,)
        The column of the matrix that a node tests; ``NO_TEST`` at a leaf.
    cut : float64, shape (N,)
        The test is whether the value is at most this; ``NO_TEST`` at a leaf.
    missing : bool, shape (N,)
        Whether a missing value passes the test.
    children : int64, shape (N, 2)
        Left: the test is passed.
    nodes : int64, shape (N,)
        The tree's node that tests each question or predicts.
    whole : bool, shape (N,)
        Whether all rows of the node come here: not at its further questions, nor where rows stay at an inner node.
    depth : int
    """

    columns: list[MatrixColumn]
    column: np.ndarray
    cut: np.ndarray
    missing: np.ndarray
    children: np.ndarray
    nodes: np.ndarray
    whole: np.ndarray
    depth: int

    def in_order(self, order: np.ndarray) -> NumberedNodes:
        """The same nodes in another order: their present numbers, shape (N,)."""
        number = np.empty(len(order), dtype=np.int64)
        number[order] = np.arange(len(order))
        children = self.children[order]
        return replace(
            self, column=self.column[order], cut=self.cut[order], missing=self.missing[order],
            children=np.where(children >= 0, number[children], NO_CHILD), nodes=self.nodes[order],
            whole=self.whole[order],
        )  # fmt: skip

    def depth_first(self) -> np.ndarray:
        """The order in which each node is followed by all below its left child, then by all below its right child."""
        below = np.ones(len(self.nodes), dtype=np.int64)
        levels = list(self._levels())
        for parents in reversed(levels):
            below[parents] += below[self.children[parents]].sum(axis=1)
        number = np.zeros(len(below), dtype=np.int64)
        for parents in levels:
            left, right = self.children[parents].T
            number[left] = number[parents] + 1
            number[right] = number[left] + below[left]
        return np.argsort(number)

    def best_first(self, tree: Tree) -> np.ndarray:
        """The order in which a tree grows that makes the split of the largest decrease next; its nodes are laid out."""
        decrease = (tree.weight * tree.score)[self.nodes].tolist()
        children = self.children.tolist()
        order, waiting = [0], [(0.0, 0)]
        while waiting:
            _, i = heappop(waiting)
            for child in filter(lambda child: child >= 0, children[i]):
                order.append(child)
                if children[child][0] >= 0:
                    heappush(waiting, (-decrease[child], child))
        return np.array(order)

    def _levels(self) -> Iterator[np.ndarray]:
        """The nodes of each depth that have children."""
        level = np.zeros(1, dtype=np.int64)
        while len(level := level[self.children[level, 0] >= 0]):
            yield level
            level = self.children[level].ravel()


def numbered(plan: ExportPlan, levels: str) -> NumberedNodes:
    """Lay out the tree."""
    tree = plan.tree
    if levels == "codes":
        columns = [MatrixColumn(j) for j in range(len(tree.schema))]
        if _only_cuts(tree):
            return _of_cuts(tree, columns)
        advice = remedy("with ", Setting("levels", "indicators"), " each set becomes a column of 0 and 1")
        found = unfolded(plan, TARGET, lambda q: as_cut(plan, q, TARGET, advice), copies=False, rising=True)
    else:
        columns = matrix_columns(plan)
        place = {column: i for i, column in enumerate(columns)}
        found = unfolded(plan, TARGET, lambda q: _of_column(q, place), copies=False)
    return _of_questions(tree, found, columns)


def _only_cuts(tree: Tree) -> bool:
    """Whether every split is one cut of numbers into two branches with rows, one of which takes missing values."""
    inner = ~tree.is_leaf
    return bool(
        tree.schema.is_numeric
        and not any(feature.temporal for feature in tree.schema)
        and (tree.n_children[inner] == 2).all()
        and (np.diff(tree.splits.breaks_start)[inner] == 1).all()
        and (np.diff(tree.splits.index_start)[inner] == 2).all()
        and not tree.splits.index.reshape(-1, 2)[:, 0].any()
        and (tree.missing[inner] >= 0).all()
        and (tree.rows > 0).all()
    )


def _of_cuts(tree: Tree, columns: list[MatrixColumn]) -> NumberedNodes:
    """The nodes of a tree of cuts, as they are."""
    inner, left = ~tree.is_leaf, tree.first_child.astype(np.int64)
    cut = np.full(tree.n_nodes, float(NO_TEST))
    cut[inner] = tree.splits.breaks
    return NumberedNodes(
        columns, np.where(inner, tree.splits.feature, NO_TEST).astype(np.int64), cut, inner & (tree.missing == 0),
        np.stack([left, np.where(inner, left + 1, NO_CHILD)], axis=1), np.arange(tree.n_nodes),
        np.ones(tree.n_nodes, dtype=bool), tree.max_depth,
    )  # fmt: skip


def _of_questions(tree: Tree, found: Unfolded, columns: list[MatrixColumn]) -> NumberedNodes:
    """The nodes that the questions of a tree make."""
    questions: list[Question | None] = []
    nodes, whole, children = [], [], []
    waiting = [(0 if found.questions else found.links[0][0], 0, 0)]
    for link, node, depth in waiting:  # grows
        begins = found.nodes[link] if link >= 0 else ~link
        nodes.append(node if begins < 0 else begins % tree.n_nodes)
        whole.append(0 <= begins < tree.n_nodes)
        questions.append(found.questions[link] if link >= 0 else None)
        places = [NO_CHILD, NO_CHILD]
        if link >= 0:
            ends = found.links[link]
            for side in sorted((0, 1), key=lambda side: _begins(found, ends[side], tree.n_nodes)):
                places[side] = len(waiting)
                waiting.append((ends[side], nodes[-1], depth + 1))
        children.append((places[0], places[1]))
    return NumberedNodes(
        columns, np.array([NO_TEST if q is None else q.column for q in questions]),
        np.array([NO_TEST if q is None else float(q.cut) for q in questions], dtype=np.float64),
        np.array([q is not None and q.missing for q in questions]), np.array(children), np.array(nodes, dtype=np.int64),
        np.array(whole), waiting[-1][2],
    )  # fmt: skip


def _begins(found: Unfolded, link: int, n_nodes: int) -> int:
    """The node that a link leads to; a further question of a node comes last."""
    node = found.nodes[link] if link >= 0 else ~link
    return n_nodes if node < 0 else node


def _of_column(question: Question, place: dict[MatrixColumn, int]) -> Question:
    """The question about a column of the matrix: whether an indicator is 0."""
    column = place[MatrixColumn(question.column, question.levels)]
    if question.cut is not None:
        return replace(question, column=column)
    return Question(column, 0.5, (), not question.missing, question.no, question.yes)


def thresholds(tree: Tree, laid: NumberedNodes) -> np.ndarray:
    """The threshold of each node; ``NO_TEST`` at leaves, as in scikit-learn."""
    of_column = np.array([is_single(tree, column.feature) for column in laid.columns] + [False])
    return single_cuts(laid.cut, of_column[np.maximum(laid.column, NO_CHILD)])


def is_single(tree: Tree, j: int) -> bool:
    """Whether the values of a column were of single precision in training."""
    return tree.schema[j].why == "float32 column"


def single_cuts(cuts: np.ndarray, single: np.ndarray) -> np.ndarray:
    """Cuts with which numbers rounded to single precision are on the side on which they were before.

    A number that is rounded to the same as the cut counts as the cut if the column is of double precision: cuts are
    short decimals such as 0.1, and so are the numbers that equal them.
    """
    with np.errstate(over="ignore"):
        rounded = cuts.astype(np.float32).astype(np.float64)
    return np.where(single | np.isinf(rounded), cuts, np.maximum(cuts, rounded))
