"""The nodes of a tree as scikit-learn numbers them, and its cuts in the precision in which scikit-learn compares."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .._messages import Setting, remedy
from ..tree.tree import Tree
from .bridges import MatrixColumn, Unfolded, as_cut, matrix_columns, unfolded
from .plan import ExportPlan
from .questions import Question

#: Name of the library, for messages.
TARGET = "scikit-learn"


@dataclass(frozen=True)
class NumberedNodes:
    """The nodes of scikit-learn's tree, level by level; a binary tree keeps the numbers of its nodes.

    Attributes
    ----------
    columns : list of MatrixColumn
    questions : list of Question or None
        None at a leaf. The columns of the questions are those of the matrix.
    children : list of (int, int)
        Left: the value is at most the cut.
    nodes : list of int
        The tree's node that tests each question or predicts.
    whole : list of bool
        Whether all rows of the node come here: not at its further questions, nor where rows stay at an inner node.
    depth : int
    """

    columns: list[MatrixColumn]
    questions: list[Question | None]
    children: list[tuple[int, int]]
    nodes: list[int]
    whole: list[bool]
    depth: int


def numbered(plan: ExportPlan, levels: str) -> NumberedNodes:
    """Lay out the tree."""
    tree = plan.tree
    if levels == "codes":
        columns = [MatrixColumn(j) for j in range(len(tree.schema))]
        advice = remedy("with ", Setting("levels", "indicators"), " each set becomes a column of 0 and 1")
        found = unfolded(plan, TARGET, lambda q: as_cut(plan, q, TARGET, advice), copies=False, rising=True)
    else:
        columns = matrix_columns(plan)
        place = {column: i for i, column in enumerate(columns)}
        found = unfolded(plan, TARGET, lambda q: _of_column(q, place), copies=False)
    laid = NumberedNodes(columns, [], [], [], [], 0)
    waiting = [(0 if found.questions else found.links[0][0], 0, 0)]
    for link, node, depth in waiting:  # grows
        begins = found.nodes[link] if link >= 0 else ~link
        laid.nodes.append(node if begins < 0 else begins % tree.n_nodes)
        laid.whole.append(0 <= begins < tree.n_nodes)
        laid.questions.append(found.questions[link] if link >= 0 else None)
        places = [-1, -1]
        if link >= 0:
            ends = found.links[link]
            for side in sorted((0, 1), key=lambda side: _begins(found, ends[side], tree.n_nodes)):
                places[side] = len(waiting)
                waiting.append((ends[side], laid.nodes[-1], depth + 1))
        laid.children.append((places[0], places[1]))
    return replace(laid, depth=waiting[-1][2])


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
    """The threshold of each node; -2 at leaves, as in scikit-learn."""
    cuts = np.array([-2.0 if q is None else float(q.cut) for q in laid.questions])
    single = [q is not None and is_single(tree, laid.columns[q.column].feature) for q in laid.questions]
    return single_cuts(cuts, np.array(single))


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
