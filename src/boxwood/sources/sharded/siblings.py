"""Tables that need not be asked for: a node's, less those of all its children but one, is the table of that one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ... import _kernel
from .facts import LevelFacts

#: Rows, words and spread of each bin or level of a feature at a node, missing last.
Table = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class NodeTables:
    """What is known of a node that was searched.

    Attributes
    ----------
    rows : int
    middle : int
        Of a quantity: deviations in the tables are counted from here.
    fine : bool
        Of a quantity: the tables are of its fine half.
    features : list of Table
        One a feature.
    """

    rows: int
    middle: int
    fine: bool
    features: list[Table] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Family:
    """A node that was split, and where its children stand in the next level."""

    parent: NodeTables
    children: range


class Siblings:
    """Which tables of a level follow from others.

    Parameters
    ----------
    families : list of Family
        Of the level above.
    facts : LevelFacts
        Of this level.
    nodes : list of int
        The nodes of this level whose tables are wanted.

    Attributes
    ----------
    groups : list of list of int
        The nodes, those of a family together, the one that is left of it last.
    """

    def __init__(self, families: list[Family], facts: LevelFacts, nodes: list[int]):
        self._facts, wanted = facts, set(nodes)
        self._left: dict[int, tuple[Family, list[int]]] = {}
        for family in families:
            if self._is_whole(family, wanted):
                left = max(family.children, key=lambda i: (facts.rows[i], i))
                self._left[left] = family, [i for i in family.children if i != left]
        others = {i for _, found in self._left.values() for i in found}
        alone = [[i] for i in nodes if i not in others and i not in self._left]
        self.groups = sorted([*alone, *([*found, left] for left, (_, found) in self._left.items())])

    def _is_whole(self, family: Family, wanted: set[int]) -> bool:
        """Whether every row of the parent is at a child, and the tables of all children are wanted."""
        rows, fine = self._facts.rows, self._facts.fine
        if not wanted.issuperset(family.children) or int(rows[family.children].sum()) != family.parent.rows:
            return False
        return all(bool(fine[i]) == family.parent.fine for i in family.children)

    def is_left(self, i: int) -> bool:
        """Whether a node's tables follow from others."""
        return i in self._left

    def tables(self, i: int, known: dict[int, NodeTables]) -> Iterator[Table]:
        """The tables of a node that is left, feature by feature; ``known``: of its siblings."""
        family, others = self._left[i]
        whole, middle = family.parent, int(self._facts.shift[i])
        for j, table in enumerate(whole.features):
            parts = [(*known[other].features[j], known[other].middle) for other in others]
            yield _kernel.table_left((*table, whole.middle), parts, middle)
