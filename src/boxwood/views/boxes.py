"""The path to a node as a box: its conditions merged to intervals or a set of levels per feature."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..data.columns.schema import NOMINAL, NUMERIC, ORDINAL, Feature, Schema
from ..tree.split import SplitTable
from ..tree.tree import SHARED, Tree
from .condition import code_words, codes_in, interval_words, one_interval, set_words
from .words import level, plain, threshold

#: How to treat a missing value on the path: it comes along, a share of it does, or it goes elsewhere.
COMES, PART, LEAVES = "comes", "part", "leaves"

#: The end of an interval: value and low part, as in SplitTable.
End = tuple[float, float]


@dataclass(frozen=True)
class Interval:
    """Numbers above one end, which is left out, and up to another, which belongs to it; None means no end."""

    above: End | None = None
    upto: End | None = None

    def cut_with(self, other: Interval) -> Interval | None:
        """What both hold; None if that is nothing."""
        above = _inner(self.above, other.above, max)
        upto = _inner(self.upto, other.upto, min)
        return None if above is not None and upto is not None and above >= upto else Interval(above, upto)


def _inner(a: End | None, b: End | None, nearer) -> End | None:
    """The end that leaves less; no end leaves all."""
    if a is None or b is None:
        return a if b is None else b
    return nearer(a, b)


@dataclass(frozen=True)
class FeatureRange:
    """What the path to a node requires of one feature.

    Attributes
    ----------
    feature : int
    intervals : tuple of Interval
        Of a numeric feature, rising, none touching the next; empty when no known value comes here.
    levels : tuple of int
        Codes of the levels of an ordinal or nominal feature, rising; empty when no known level comes here.
    missing : {"comes", "part", "leaves"}
        How to treat a missing value where no surrogate decides: it comes to the node, a share of it does (a node on
        the path divides it among branches), or it goes elsewhere. The same holds for a level that a node has not seen.
    asked : bool
        A node on the path tries surrogates first.
    nodes : tuple of int
        The nodes on the path that test the feature, from the root down.
    """

    feature: int
    intervals: tuple[Interval, ...]
    levels: tuple[int, ...]
    missing: str
    asked: bool
    nodes: tuple[int, ...]

    @property
    def has_values(self) -> bool:
        """Whether some known value comes here; a branch for missing values only has none."""
        return bool(self.intervals or self.levels)

    def cut_with(self, other: FeatureRange) -> FeatureRange:
        """What two parts of the path require together."""
        parts = (a.cut_with(b) for a in self.intervals for b in other.intervals)
        kept = set(other.levels)
        fates = {self.missing, other.missing}
        return FeatureRange(
            self.feature,
            tuple(part for part in parts if part is not None),
            tuple(code for code in self.levels if code in kept),
            LEAVES if LEAVES in fates else PART if PART in fates else COMES,
            self.asked or other.asked,
            self.nodes + other.nodes,
        )

    def words(self, schema: Schema, max_levels: int | None = 4) -> str:
        """The values that reach the node, as text; ``missing`` and ``asked`` describe the missing ones.

        Returns
        -------
        str
            For example ``30 < age <= 41.5``, ``colour in {red, green, blue and 3 more}``, ``age is missing``.
        """
        feature = schema[self.feature]
        name = plain(feature.name)
        if not self.has_values:
            return f"{name} is missing" if self.missing != LEAVES or self.asked else f"no value of {name}"
        if feature.kind == NOMINAL:
            return set_words(name, [level(feature.levels[code]) for code in self.levels], max_levels)
        if feature.kind == ORDINAL:
            inside = np.isin(np.arange(len(feature.levels)), self.levels)
            return interval_words(name, [level(value) for value in feature.levels[:-1]], inside)
        if found := codes_in(feature, self.runs):
            return code_words(name, *found, max_levels)
        return " or ".join(one_interval(name, *ends) for ends in interval_ends(self.intervals, feature))

    @property
    def runs(self) -> list[tuple[float | None, float | None]]:
        """The ends of the intervals without their low parts, which codes do not have."""
        return [tuple(end and end[0] for end in (part.above, part.upto)) for part in self.intervals]


def interval_ends(intervals: tuple[Interval, ...], feature: Feature) -> list[tuple[str | None, str | None]]:
    """The ends of some intervals of a feature as text; None means no end."""

    def words(end: tuple[float, float] | None) -> str | None:
        return None if end is None else threshold(feature, *end)

    return [(words(part.above), words(part.upto)) for part in intervals]


def branch_range(tree: Tree, node: int, branch: int) -> FeatureRange:
    """What one split requires of rows that go down one branch.

    Parameters
    ----------
    tree : Tree
    node : int
        An inner node.
    branch : int
    """
    j = int(tree.splits.feature[node])
    intervals, levels = values_of_branch(tree, tree.splits, node, branch)
    goes = int(tree.missing[node])
    fate = COMES if goes == branch else PART if goes == SHARED else LEAVES
    asked = bool(tree.surrogate_start[node + 1] > tree.surrogate_start[node])
    return FeatureRange(j, intervals, levels, fate, asked, (node,))


def values_of_branch(
    tree: Tree, table: SplitTable, s: int, branch: int
) -> tuple[tuple[Interval, ...], tuple[int, ...]]:
    """The intervals, or the codes of the levels, that split ``s`` sends down a branch; the other is empty."""
    feature = tree.schema[int(table.feature[s])]
    inside = table.index_of(s) == branch
    if feature.kind == NOMINAL:
        return (), tuple(np.flatnonzero(inside).tolist())
    if feature.kind == ORDINAL:
        inside = inside[np.searchsorted(table.breaks_of(s), np.arange(len(feature.levels)))]
        return (), tuple(np.flatnonzero(inside).tolist())
    low = table.breaks_low[table.breaks_start[s] : table.breaks_start[s + 1]]
    borders = [None, *zip(table.breaks_of(s).tolist(), low.tolist(), strict=True), None]
    runs, first = [], None
    for at, belongs in enumerate([*inside.tolist(), False]):
        if belongs and first is None:
            first = at
        elif not belongs and first is not None:
            runs.append(Interval(borders[first], borders[at]))
            first = None
    return tuple(runs), ()


def path_ranges(tree: Tree, node: int) -> tuple[FeatureRange, ...]:
    """What the path from the root to a node requires of each feature that is tested on it, in order of the first test.

    Parameters
    ----------
    tree : Tree
    node : int

    Returns
    -------
    tuple of FeatureRange
        Empty for the root.

    Raises
    ------
    ParameterError
        There is no such node.

    Examples
    --------
    >>> from boxwood import CARTRegressor
    >>> from boxwood.views.boxes import path_ranges
    >>> X = {"age": [20, 30, 50, 60], "city": ["Ulm", "Ulm", "Ulm", "京都"]}
    >>> tree = CARTRegressor(pruning=None).fit(X, [1, 5, 9, 9]).tree_
    >>> [(node, [part.words(tree.schema) for part in path_ranges(tree, node)]) for node in tree.leaves.tolist()]
    [(2, ['age > 40']), (3, ['age <= 25']), (4, ['25 < age <= 40'])]
    """
    found: dict[int, FeatureRange] = {}
    for above, below in pairwise(tree.path(node).tolist()):
        _narrow(found, branch_range(tree, above, below - int(tree.first_child[above])))
    return tuple(found.values())


def all_ranges(tree: Tree) -> list[tuple[FeatureRange, ...]]:
    """The same for every node, in level order; each split is looked at once."""
    found: list[tuple[FeatureRange, ...]] = [()]
    for node in range(1, tree.n_nodes):
        above = int(tree.parent[node])
        way = {part.feature: part for part in found[above]}
        _narrow(way, branch_range(tree, above, node - int(tree.first_child[above])))
        found.append(tuple(way.values()))
    return found


def _narrow(found: dict[int, FeatureRange], step: FeatureRange) -> None:
    """One more step of a way."""
    before = found.get(step.feature)
    found[step.feature] = step if before is None else before.cut_with(step)


def admits(part: FeatureRange, kind: str, value: float, low: float = 0.0) -> bool:
    """Whether a known value (of an ordinal or nominal feature its code) stays on the path."""
    if kind != NUMERIC:
        return int(value) in part.levels
    at = (value, low)
    return any((i.above is None or i.above < at) and (i.upto is None or at <= i.upto) for i in part.intervals)
