"""Input for libraries that support binary tests over one matrix of numbers: the tests, and the matrix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..data.columns import Columns
from ..data.raw import short
from ..data.schema import MISSING, NUMERIC, UNSEEN
from ..errors import ParameterError, check_one_of
from ..tree.plan import UNSEEN_POLICIES, majority_branch
from ..tree.split import SplitTable
from ..tree.tree import STAYS, Tree
from .conditions import answers
from .moments import numbers
from .plan import ExportPlan
from .questions import Ask, asked, laid_out, leads_twice

#: What a bridge does about missing values.
MISSING_CHOICES = ("as_tree", "never")

#: How many times larger than the tree what is written may become.
_MOST_COPIES = 20


def to_codes(columns: Columns, unseen: str = "missing") -> np.ndarray:
    """Rows as one matrix, float64, shape (n, p): numbers, levels by their places from 0, NaN where a value is missing.

    Dates and times are whole numbers of their resolution, from 1970-01-01 or midnight.
    A level that training never had is NaN too under ``unseen="missing"``, else the number of levels.
    """
    check_one_of("unseen", unseen, UNSEEN_POLICIES)
    codes = np.empty((columns.n, len(columns.schema)))
    for j, (feature, values) in enumerate(zip(columns.schema, columns.values, strict=True)):
        codes[:, j] = numbers(columns, j)[0] if feature.kind == NUMERIC else values
        if feature.kind != NUMERIC:
            codes[values == MISSING, j] = np.nan
            codes[values == UNSEEN, j] = np.nan if unseen == "missing" else len(feature.levels)
    return codes


def bridge_plan(tree: Tree, unseen: str, missing: str, target: str) -> ExportPlan:
    """The plan that a bridge follows.

    Parameters
    ----------
    tree : Tree
    unseen : {"missing", "majority", "stay"}
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
    check_one_of("unseen", unseen, UNSEEN_POLICIES)
    if unseen == "error":
        raise ParameterError(f"{target} cannot refuse a row; choose unseen='missing', 'majority' or 'stay'.")
    plan = ExportPlan(tree, unseen)
    if missing == "never":
        return ExportPlan(_without_missing(plan, target), unseen)
    _check(plan, target)
    return plan


def _check(plan: ExportPlan, target: str) -> None:
    """No node shares rows out or has surrogates."""
    remedy = "; with missing='never' you promise that no row has missing values"
    if plan.shares:
        raise ParameterError(
            f"{target} cannot share out a row with a missing value, as node {min(plan.shares)} does{remedy}."
        )
    asks = np.flatnonzero(np.diff(plan.tree.surrogate_start))
    if len(asks):
        raise ParameterError(f"{target} has no surrogate splits, and node {asks[0]} has one{remedy}.")


def _without_missing(plan: ExportPlan, target: str) -> Tree:
    """The same tree for rows without missing values; what it does with known values stays as it was."""
    tree = plan.tree
    for t, step in plan.steps.items():
        feature = tree.schema[int(tree.splits.feature[t])]
        ways, unlisted = answers(feature, tree.splits, t)
        count = sum(len(c.levels) for way in ways.values() for c in way) if feature.kind != NUMERIC else 0
        rest = bool(unlisted) if feature.kind == NUMERIC else count < len(feature.levels)
        plain = tree.surrogate_start[t] == tree.surrogate_start[t + 1] and step.otherwise >= 0
        if rest and not plain and plan.unseen == "missing":
            raise ParameterError(
                f"at node {t} some values of column {short(feature.name)} were not seen in training, and are taken as "
                f"missing, which {target} cannot follow; choose unseen='majority'."
            )
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


def unfolded(
    plan: ExportPlan, target: str, shaped: Callable[[Ask], Ask] = lambda ask: ask, copies: bool = True
) -> tuple[list[Ask], list[tuple[int, int]]]:
    """The questions of a tree in order, and where each answer leads; as :func:`boxwood.exports.questions.laid_out`.

    Ends are nodes; a row that stays at an inner node t has the end ``t + n_nodes``.

    Parameters
    ----------
    plan : ExportPlan
    target : str
        Name of the library, for messages.
    shaped : function of a question
        The same question as the library can ask it.
    copies : bool
        What follows may stand there several times, when several ranges of numbers share a branch. Without copies,
        levels are asked for in rising order where that helps.

    Raises
    ------
    ParameterError
        A branch of a split holds several ranges of numbers, and that is not allowed, or makes the tree too large.
    """
    tree, seen = plan.tree, [0]

    def follow(end: int) -> Ask | int | None:
        if end >= tree.n_nodes or tree.is_leaf[end]:
            return None
        step = plan.steps[end]
        seen[0] += 1
        if seen[0] > _MOST_COPIES * tree.n_nodes or (not copies and leads_twice(step)):
            raise ParameterError(
                f"{target} asks one question at a time, and node {end} sends several ranges of column "
                f"{short(tree.schema[int(tree.splits.feature[end])].name)} down one branch; what follows would stand "
                "there several times."
            )
        return asked(step, lambda to: end + tree.n_nodes if to == STAYS else to, rising=not copies)

    return laid_out(0, follow, shaped)
