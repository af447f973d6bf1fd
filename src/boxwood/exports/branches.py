"""What sends a value down each branch of a split: intervals of numbers, or sets of levels."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

import numpy as np

from ..data.raw import short
from ..data.schema import NOMINAL, NUMERIC
from ..errors import ParameterError
from ..tree.split import SplitTable
from ..tree.tree import SHARED, STAYS, Tree

#: From here on a float64 may stand for several whole numbers.
_WIDE = 2.0**53


@dataclass(frozen=True)
class Interval:
    """The numbers x with ``low < x <= high``; None = no bound on that side."""

    low: float | None
    high: float | None


@dataclass(frozen=True)
class Branches:
    """One split, branch by branch.

    Attributes
    ----------
    feature : int
    parts : tuple of tuple, one a branch
        Intervals of a numeric feature, rising and apart; level codes of another, rising. Empty when no value goes there.
    unlisted : tuple
        Intervals or level codes with no branch: training did not see them here.
    """

    feature: int
    parts: tuple[tuple, ...]
    unlisted: tuple

    def with_unlisted(self, branch: int | None) -> Branches:
        """The same split with the unlisted values in a branch; None = in none, as they are."""
        if branch is None or not self.unlisted:
            return self
        numbers = isinstance(self.unlisted[0], Interval)
        joined = _joined(self.parts[branch] + self.unlisted) if numbers else sorted(self.parts[branch] + self.unlisted)
        parts = tuple(tuple(joined) if c == branch else part for c, part in enumerate(self.parts))
        return Branches(self.feature, parts, ())


def branches_of(tree: Tree, table: SplitTable, s: int, n_branches: int) -> Branches:
    """Split ``s`` of one of the tree's tables, at a node of ``n_branches`` branches."""
    feature = tree.schema[int(table.feature[s])]
    index, cuts = table.index_of(s), table.breaks_of(s)
    if feature.kind == NUMERIC:
        edges = [None, *cuts.tolist(), None]
        runs = [
            (branch, Interval(edges[(run := [p for p, _ in group])[0]], edges[run[-1] + 1]))
            for branch, group in groupby(enumerate(index.tolist()), key=lambda pair: pair[1])
        ]
    else:
        codes = np.arange(len(feature.levels))
        position = codes if feature.kind == NOMINAL else np.searchsorted(cuts, codes, side="left")
        runs = list(zip(index[position].tolist(), codes.tolist(), strict=True))
    parts = tuple(tuple(part for branch, part in runs if branch == c) for c in range(n_branches))
    return Branches(int(table.feature[s]), parts, tuple(part for branch, part in runs if branch < 0))


def default_branch(tree: Tree, t: int) -> int:
    """Where a value goes when nothing else decides: a branch, SHARED, or STAYS (also when all branches are empty)."""
    end = int(tree.missing[t])
    first = int(tree.first_child[t])
    if end == SHARED and not tree.weight[first : first + int(tree.n_children[t])].any():
        return STAYS
    return end


def stand_ins(tree: Tree, t: int) -> range:
    """Rows of ``tree.surrogates`` that belong to node ``t``, in order of trial."""
    return range(int(tree.surrogate_start[t]), int(tree.surrogate_start[t + 1]))


def used_features(tree: Tree) -> list[int]:
    """Columns that a split or a surrogate tests, in column order."""
    tested = np.concatenate([tree.splits.feature, tree.surrogates.feature])
    return np.unique(tested[tested >= 0]).tolist()


def refuse_wide_numbers(tree: Tree, target: str) -> None:
    """Refuse a tree that tells whole numbers apart which are one double.

    Raises
    ------
    ParameterError
        Names the column and the threshold.
    """
    for table in (tree.splits, tree.surrogates):
        owner = np.repeat(np.arange(len(table)), np.diff(table.breaks_start))
        whole = np.array([feature.integer for feature in tree.schema] + [False])[table.feature[owner]]
        wide = (table.breaks_low != 0) | (whole & np.isfinite(table.breaks) & (np.abs(table.breaks) >= _WIDE))
        if wide.any():
            at = int(np.argmax(wide))
            name = tree.schema[int(table.feature[owner[at]])].name
            raise ParameterError(
                f"{target} holds numbers as doubles, but the tree cuts column {short(name)} near {table.breaks[at]:.0f}, "
                "where whole numbers beyond 2**53 are no longer told apart; subtract a constant from the column and fit "
                "again."
            )


def _joined(intervals: tuple[Interval, ...]) -> list[Interval]:
    """Intervals in rising order, neighbours that touch made one."""
    joined: list[Interval] = []
    for part in sorted(intervals, key=lambda part: (part.low is not None, part.low or 0.0)):
        if joined and joined[-1].high == part.low and part.low is not None:
            joined[-1] = Interval(joined[-1].low, part.high)
        else:
            joined.append(part)
    return joined
