"""Tables that need no request: the table of a node, less those of all its children but one, is that child's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from .level_stats import LevelStats

#: Rows, words and spread of each bin or level of a feature at a node, missing last.
SummedTable = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class NodeSums:
    """What is known of a node that was searched.

    Attributes
    ----------
    rows : int
    by_low : bool
        Of a numeric target: the tables are of the low part of its numbers.
    features : list of SummedTable
        One a feature.
    """

    rows: int
    by_low: bool
    features: list[SummedTable] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class SplitFamily:
    """A node that was split, and where its children are in the next level."""

    parent: NodeSums
    children: range


class Siblings:
    """Which tables of a level follow from others.

    Parameters
    ----------
    families : list of SplitFamily
        Of the level above.
    stats : LevelStats
        Of this level.
    nodes : list of int
        The nodes of this level whose tables are needed.

    Attributes
    ----------
    groups : list of list of int
        The nodes, those of a family together, the derived one last.
    """

    def __init__(self, families: list[SplitFamily], stats: LevelStats, nodes: list[int]):
        self._stats, needed = stats, set(nodes)
        self._derived: dict[int, tuple[SplitFamily, list[int]]] = {}
        for family in families:
            if self._is_whole(family, needed):
                left = max(family.children, key=lambda i: (stats.rows[i], i))
                self._derived[left] = family, [i for i in family.children if i != left]
        others = {i for _, found in self._derived.values() for i in found}
        alone = [[i] for i in nodes if i not in others and i not in self._derived]
        self.groups = sorted([*alone, *([*found, left] for left, (_, found) in self._derived.items())])

    def _is_whole(self, family: SplitFamily, needed: set[int]) -> bool:
        """Whether every row of the parent is at a child, and the tables of all children are needed."""
        rows, by_low = self._stats.rows, self._stats.by_low
        if not needed.issuperset(family.children) or int(rows[family.children].sum()) != family.parent.rows:
            return False
        return all(bool(by_low[i]) == family.parent.by_low for i in family.children)

    def is_derived(self, i: int) -> bool:
        """Whether a node's tables follow from others."""
        return i in self._derived

    def tables(self, i: int, known: dict[int, NodeSums]) -> Iterator[SummedTable]:
        """The tables of a derived node, feature by feature; ``known``: of its siblings."""
        family, others = self._derived[i]
        for j, table in enumerate(family.parent.features):
            yield table_left(table, [known[other].features[j] for other in others])


def table_left(whole: SummedTable, parts: list[SummedTable]) -> SummedTable:
    """A table less those of some parts: rows and words as counting would find them, and a spread of at least that."""
    rows, words, spread = (whole[k] - sum(part[k] for part in parts) for k in range(3))
    terms = whole[2] + sum(part[2] for part in parts)  # rounding loses far less than the share of them that is added
    return rows, words, np.where(rows > 0, np.maximum(spread, 0.0) + 1e-12 * terms, 0.0) if len(terms) else terms
