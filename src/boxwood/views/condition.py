"""The condition of a branch as text: which values of the feature go down it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..data.columns.schema import CODES, NOMINAL, ORDINAL, Feature
from ..tree.split import SplitTable
from ..tree.tree import SHARED, STAYS, Tree
from .words import level, plain, threshold

#: An interval of numbers, above one end and up to the other; None means no end.
Run = tuple[float | None, float | None]
#: Intervals of more codes stay intervals.
_MOST_CODES = 100_000


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


def split_condition(feature: Feature, table: SplitTable, s: int, branch: int, max_levels: int | None = 4) -> str:
    """Which values go down ``branch`` of split ``s`` of a table (also surrogates, competitors); "" if none do."""
    name, inside = plain(feature.name), table.index_of(s) == branch
    if feature.kind == NOMINAL:
        return set_words(name, [level(feature.levels[at]) for at in np.flatnonzero(inside)], max_levels)
    if feature.kind == ORDINAL:
        # Level by level, so that an interval between two breaks that holds no level does not show.
        inside = inside[np.searchsorted(table.breaks_of(s), np.arange(len(feature.levels)))]
        ends = [level(value) for value in feature.levels[:-1]]
    else:
        if found := codes_in(feature, joined_intervals(table.breaks_of(s).tolist(), inside)):
            return code_words(name, *found, max_levels)
        ends = threshold_words(feature, table, s)
    return interval_words(name, ends, inside)


def threshold_words(feature: Feature, table: SplitTable, s: int) -> list[str]:
    """The thresholds of split ``s`` of a table, which tests a numeric feature, as text."""
    low = table.breaks_low[table.breaks_start[s] : table.breaks_start[s + 1]]
    return [threshold(feature, *pair) for pair in zip(table.breaks_of(s).tolist(), low.tolist(), strict=True)]


def set_words(name: str, levels: list[str], max_levels: int | None) -> str:
    """``name = level`` or ``name in {levels}``; the levels are words already."""
    if not levels:
        return ""
    if len(levels) == 1:
        return f"{name} = {levels[0]}"
    if max_levels is None or len(levels) <= max_levels:
        return f"{name} in {{{', '.join(levels)}}}"
    named = max(max_levels - 1, 1)
    return f"{name} in {{{', '.join(levels[:named])} and {len(levels) - named} more}}"


def code_words(name: str, codes: list[int], outside: bool, max_levels: int | None) -> str:
    """``name in {codes}``, or ``name not in {codes}``; what :func:`codes_in` finds of a feature of codes."""
    if outside and not codes:
        return f"{name} is known"
    words = set_words(name, [str(code) for code in codes], max_levels)
    return words.replace(f"{name} ", f"{name} {'!' if len(codes) == 1 else 'not '}", 1) if outside else words


def codes_in(feature: Feature, runs: Sequence[Run]) -> tuple[list[int], bool] | None:
    """The whole numbers in rising intervals; of intervals without ends, those that they leave out, and True.

    None for a feature that holds no codes, and for intervals that are no sets of codes.

    Examples
    --------
    >>> from boxwood.data.columns.schema import CODES, Feature
    >>> from boxwood.views.condition import codes_in
    >>> city = Feature("city", "numeric", (), CODES)
    >>> codes_in(city, [(0.99, 1.99), (2.99, 4.99)]), codes_in(city, [(None, 0.99), (1.99, None)])
    (([1, 3, 4], False), ([1], True))
    """
    outside = bool(runs) and runs[0][0] is None and runs[-1][1] is None
    if outside:
        runs = [(before[1], after[0]) for before, after in pairwise(runs)]
    if feature.why != CODES or not all(end is not None and math.isfinite(end) for run in runs for end in run):
        return None
    if sum(upto - above for above, upto in runs) > _MOST_CODES:
        return None
    return [code for above, upto in runs for code in range(math.floor(above) + 1, math.floor(upto) + 1)], outside


def interval_words(name: str, ends: list[str], inside: np.ndarray) -> str:
    """Neighbouring intervals are joined; ``ends[i]`` closes interval i, and ``inside`` says which belong here."""
    return " or ".join(one_interval(name, above, upto) for above, upto in joined_intervals(ends, inside))


def joined_intervals(ends: list, inside: np.ndarray) -> list[tuple]:
    """Runs of neighbouring intervals as (above, up to) pairs; None means no end.

    Parameters
    ----------
    ends : list, length m
        ``ends[i]`` closes interval i and opens interval i + 1.
    inside : bool, shape (m + 1,)
        Which intervals belong here.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.views.condition import joined_intervals
    >>> joined_intervals([1.5, 2.5, 7.0], np.array([True, True, False, True]))
    [(None, 2.5), (7.0, None)]
    """
    borders, runs, first = [None, *ends, None], [], None
    for at, belongs in enumerate([*inside.tolist(), False]):
        if belongs and first is None:
            first = at
        elif not belongs and first is not None:
            runs.append((borders[first], borders[at]))
            first = None
    return runs


def one_interval(name: str, above: str | None, upto: str | None) -> str:
    """Values above one end and up to the other; None means no end."""
    if above is None and upto is None:
        return f"{name} is known"
    if above is None:
        return f"{name} <= {upto}"
    return f"{name} > {above}" if upto is None else f"{above} < {name} <= {upto}"
