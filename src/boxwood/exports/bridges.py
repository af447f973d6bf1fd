"""Input for libraries that support binary tests over one matrix of numbers: the tests, and the matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from .._messages import Column, Remedy, Setting, remedy
from ..data.columns.columns import Columns
from ..errors import ParameterError, check_one_of
from ..tree.plan import majority_branch
from ..tree.split import SplitTable
from ..tree.tree import STAYS, Tree
from .conditions import answers
from .kinds import EXPORTED
from .plan import ExportPlan
from .questions import Question, laid_out, leads_twice, question_of
from .raw_rows import RawRows
from .rows import ROWS

#: What a bridge does about missing values.
MISSING_CHOICES = ("as_tree", "never")
#: How the matrix holds levels: the place of each, or a column of 0 and 1 for each set that the tree tests for.
LEVELS_CHOICES = ("codes", "indicators")

_CHOOSE_UNSEEN = remedy("choose ", Setting("unseen", "missing"), ", 'majority' or 'stay'")
#: How many times larger than the tree what is written may become.
_MOST_COPIES = 20


@dataclass(frozen=True)
class MatrixColumn:
    """A column of the matrix: the numbers or codes of a feature; with ``levels``, 1 for these and 0 for the others."""

    feature: int
    levels: tuple[int, ...] = ()


def to_codes(plan: ExportPlan, columns: Columns, levels: str = "codes", missing: str = "as_tree") -> np.ndarray:
    """Rows as one matrix, float64, shape (n, p): numbers, levels by their places from 0, NaN where a value is missing.

    Dates and times are whole numbers of their resolution, from 1970-01-01 or midnight.
    A level that training never had is NaN too under ``unseen="missing"``, else the number of levels.
    With ``levels="indicators"``, the columns are those of :func:`matrix_columns`.
    """
    if plan.unseen == "error":
        raise ParameterError("a matrix cannot refuse a row; ", _CHOOSE_UNSEEN, ".")
    check_one_of("levels", levels, LEVELS_CHOICES)
    check_one_of("missing", missing, MISSING_CHOICES)
    if levels == "codes":
        laid = [MatrixColumn(j) for j in range(len(columns.schema))]
    else:
        laid = matrix_columns(bridge_plan(plan, missing, "a matrix of indicators"))
    matrix = np.empty((columns.n, len(laid)))
    for place, column in enumerate(laid):
        codes = ROWS.of(columns.schema[column.feature]).matrix(columns, column.feature, plan.unseen)
        if column.levels:
            codes = np.where(np.isnan(codes), np.nan, np.isin(codes, column.levels))
        matrix[:, place] = codes
    return matrix


def not_compared(plan: ExportPlan, rows: RawRows, missing: str) -> np.ndarray:
    """Rows that a matrix cannot hold, bool, shape (n,): what ``predict`` refuses, and rows made against the promise."""
    lost = rows.refused.copy()
    if missing == "never" and rows.made:
        for j in plan.features:
            lacking = rows.columns.missing(j)
            lacking |= ~rows.schema[j].type.known(rows.columns.values[j])
            lost[-rows.made :] |= lacking[-rows.made :]
    return lost


def matrix_columns(plan: ExportPlan) -> list[MatrixColumn]:
    """The columns of a matrix of numbers and indicators: for levels, one for each question about them.

    The first column of each feature is at the place of the feature, so that programs that name columns by the features
    name the right one; further columns come last. Levels that the tree does not test are numbered.
    """
    tested = list(dict.fromkeys((q.column, q.levels) for q in _questions(plan)))
    first, further = [], []
    for j, feature in enumerate(plan.tree.schema):
        levels = EXPORTED.of(feature).matrix_levels([levels for column, levels in tested if column == j]) or [()]
        first.append(MatrixColumn(j, levels[0]))
        further += [MatrixColumn(j, column) for column in levels[1:]]
    return first + further


def _questions(plan: ExportPlan) -> Iterator[Question]:
    for step in plan.steps.values():
        waiting = [question_of(step, lambda to: to)]
        while waiting:
            item = waiting.pop()
            if isinstance(item, Question):
                yield item
                waiting += [item.no, item.yes]


def bridge_plan(plan: ExportPlan, missing: str, target: str) -> ExportPlan:
    """The plan that a bridge follows.

    Parameters
    ----------
    plan : ExportPlan
        The tree and its policies.
    missing : {"as_tree", "never"}
        "never": the caller promises that no value that the tree tests is missing, nor is it a level that training never
        had; then it does not matter what the tree would do with them, and surrogates are left out.
    target : str
        Name of the library, for messages.

    Raises
    ------
    ParameterError
        An unknown choice, or a tree that the library cannot follow.
    """
    check_one_of("missing", missing, MISSING_CHOICES)
    if any(map(plan.refused_levels, plan.features)):
        raise ParameterError(f"{target} cannot refuse a row; ", _CHOOSE_UNSEEN, ", which methods of tree_ take.")
    unseen = "missing" if plan.unseen == "error" else plan.unseen
    if missing == "never":
        return ExportPlan(_without_missing(ExportPlan(plan.tree, unseen), target), unseen)
    if plan.refuse_missing and plan.features:
        raise ParameterError(
            f"{target} cannot refuse a row with a missing value; ",
            remedy("with ", Setting("missing", "never"), " you promise that there is none"), ".",
        )  # fmt: skip
    plan = ExportPlan(plan.tree, unseen)
    _check(plan, target)
    return plan


def _check(plan: ExportPlan, target: str) -> None:
    """No node shares rows out or has surrogates."""
    promise = remedy("with ", Setting("missing", "never"), " you promise that no row has missing values")
    if plan.shares:
        raise ParameterError(
            f"{target} cannot share out a row with a missing value, as node {min(plan.shares)} does; ", promise, "."
        )
    divided = np.flatnonzero(np.diff(plan.tree.surrogate_start))
    if len(divided):
        raise ParameterError(f"{target} has no surrogate splits, and node {divided[0]} has one; ", promise, ".")


def _without_missing(plan: ExportPlan, target: str) -> Tree:
    """The same tree for rows without missing values; what it does with known values stays as it was."""
    tree = plan.tree
    for t, step in plan.steps.items():
        feature = tree.schema[int(tree.splits.feature[t])]
        routes, unlisted = answers(feature, tree.splits, t)
        rest = EXPORTED.of(feature).leaves_out(feature, routes, unlisted)
        plain = tree.surrogate_start[t] == tree.surrogate_start[t + 1] and step.otherwise >= 0
        if rest and not plain and plan.unseen == "missing":
            raise ParameterError(
                f"at node {t} some values of ", Column(feature.name, "column"), " were not seen in training, and are "
                f"taken as missing, which {target} cannot follow; ",
                remedy("choose ", Setting("unseen", "majority")), ".",
            )  # fmt: skip
    heaviest = np.where(tree.is_leaf, STAYS, majority_branch(tree)).astype(np.int32)
    resolved = np.where(tree.missing >= 0, tree.missing, heaviest).astype(np.int32)
    return replace(
        tree,
        missing=resolved,
        surrogate_start=np.zeros(tree.n_nodes + 1, dtype=np.int32),
        surrogates=SplitTable.empty(0),
        agreement=np.zeros(0),
        adjusted=np.zeros(0),
    )


@dataclass(frozen=True)
class Unfolded:
    """A tree as questions in order.

    Attributes
    ----------
    questions, links
        As of :func:`boxwood.exports.questions.laid_out`. Ends are nodes; a row that stays at an inner node t has the
        end ``t + n_nodes``.
    nodes : list of int
        The node that begins with each question; -1 for a further question of a node.
    """

    questions: list[Question]
    links: list[tuple[int, int]]
    nodes: list[int]


def unfolded(
    plan: ExportPlan, target: str, shaped: Callable[[Question], Question] = lambda q: q, copies: bool = True,
    rising: bool = False,
) -> Unfolded:  # fmt: skip
    """The questions of a tree in order, and where each answer leads.

    Parameters
    ----------
    plan : ExportPlan
    target : str
        Name of the library, for messages.
    shaped : function of a question
        The same question in the form that the library supports.
    copies : bool
        What follows may be there several times, when several ranges of numbers share a branch.
    rising : bool
        Levels are tested in rising order where that helps.

    Raises
    ------
    ParameterError
        A branch of a split holds several ranges of numbers, and that is not allowed, or makes the tree too large.
    """
    tree, seen, begun = plan.tree, [0], [-1]
    nodes: list[int] = []

    def follow(end: int) -> Question | int | None:
        if end >= tree.n_nodes or tree.is_leaf[end]:
            begun[0] = -1
            return None
        step = plan.steps[end]
        seen[0] += 1
        if seen[0] > _MOST_COPIES * tree.n_nodes or (not copies and leads_twice(step)):
            raise ParameterError(
                f"{target} asks one question at a time, and node {end} sends several ranges of ",
                Column(tree.schema[int(tree.splits.feature[end])].name, "column"),
                " down one branch; what follows would be written several times.",
            )
        begun[0] = end
        return question_of(step, lambda to: end + tree.n_nodes if to == STAYS else to, rising=rising)

    def placed(question: Question) -> Question:
        nodes.append(begun[0])
        begun[0] = -1
        return shaped(question)

    return Unfolded(*laid_out(0, follow, placed), nodes)


def as_cut(plan: ExportPlan, question: Question, target: str, advice: Remedy) -> Question:
    """The question as a comparison with a cut, where the levels are the first or the last ones."""
    if question.cut is not None:
        return question
    feature, listed = plan.tree.schema[question.column], set(question.levels)
    n, count = len(feature.levels), len(listed)
    if listed == set(range(count)):
        return Question(question.column, count - 0.5, (), question.missing, question.yes, question.no)
    if listed == set(range(n - count, n)) and plan.unseen == "missing":  # else a new level has the place n
        return Question(question.column, n - count - 0.5, (), not question.missing, question.no, question.yes)
    raise ParameterError(
        f"{target} has no sets of levels, and the tree tests for some of ",
        Column(feature.name, "column"), "; ", advice, ".",
    )  # fmt: skip
