"""The condition of a branch as text: which values of the feature go down it."""

from __future__ import annotations

from ..data.columns.schema import Feature, Schema
from ..tree.split import SplitTable
from ..tree.tree import SHARED, STAYS, Tree
from .intervals import values_of_branch
from .kinds import VALUE_WORDS, ConditionStyle, one_interval
from .words import plain


def condition(tree: Tree, node: int, branch: int, max_levels: int | None = 4) -> str:
    """Which values of the feature tested at ``node`` go down ``branch``, as text.

    :func:`missing_words` describes the branch of missing values; only a separate branch reads "is missing" here.

    Parameters
    ----------
    tree : Tree
    node : int
        An inner node.
    branch : int
        Number of the branch, from 0.
    max_levels : int, optional
        Up to this many levels are named, the others counted ("and 3 more"); None names all.

    Returns
    -------
    str
        For example ``age <= 41.5``, ``2.5 < size <= 4.0``, ``colour in {red, green, blue and 3 more}``,
        ``grade > mid``, ``age is missing``.
    """
    feature = tree.schema[int(tree.splits.feature[node])]
    words = split_condition(feature, tree.splits, node, branch, max_levels)
    if words:
        return words
    name = plain(feature.name)
    return f"{name} is missing" if tree.missing[node] == branch else f"no value of {name}"


def has_values(tree: Tree, node: int, branch: int) -> bool:
    """Whether some known value goes down ``branch``; a branch for missing values only has none."""
    feature = tree.schema[int(tree.splits.feature[node])]
    return bool(split_condition(feature, tree.splits, node, branch, 1))


def missing_words(tree: Tree, node: int) -> str:
    """Where a missing value goes if no surrogate decides: "branch 1", "shared", "stays", or "" at a leaf."""
    if tree.is_leaf[node]:
        return ""
    branch = int(tree.missing[node])
    return {SHARED: "shared", STAYS: "stays"}.get(branch, f"branch {branch}")


def split_condition(
    feature: Feature, table: SplitTable, s: int, branch: int, max_levels: int | None = 4, interval=one_interval
) -> str:
    """Which values go down ``branch`` of split ``s`` of a table (also surrogates, competitors); "" if none do."""
    style = ConditionStyle(plain(feature.name), max_levels, interval)
    values = values_of_branch(feature, table, s, branch)
    return VALUE_WORDS.of(feature).condition(feature, *values, style)


def branch_words(schema: Schema, table: SplitTable, s: int) -> tuple[str, ...]:
    """The conditions of the branches of a split, exactly, with all levels."""
    feature = schema[int(table.feature[s])]
    branches = range(int(table.index_of(s).max(initial=0)) + 1)
    words = [split_condition(feature, table, s, c, None) for c in branches]
    return tuple(text for text in words if text)


def first_branch(feature: Feature, table: SplitTable, s: int, interval=one_interval) -> str:
    """Which values go down the first branch of split ``s`` of a table; where none do, which do not."""
    first, second = (split_condition(feature, table, s, branch, interval=interval) for branch in (0, 1))
    return first or f"not {second}"
