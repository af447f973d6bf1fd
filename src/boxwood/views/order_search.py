"""The search for two rows whose predictions are in the wrong order: a descent of both through the tree, box by box."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._messages import Setting, remedy
from ..data.columns.distinct import distinct
from ..errors import ParameterError
from ..tree.split import SplitTable
from ..tree.tree import SHARED, STAYS, Tree

#: Steps of a search after which a tree has too many ways of treating rows with gaps.
_MOST_STEPS = 2_000_000
#: What a feature is in both rows where neither has a value.
_GAP = (0, 0)

#: Of each feature that was tested, the cells in which the value of either row lies, a bit each; or a gap in both.
_RowCells = dict[int, tuple[int, int]]


@dataclass(frozen=True)
class Violation:
    """Two rows that agree but for features with an order, and whose predictions are in the wrong one.

    Attributes
    ----------
    low, high : int
        The leaves of the row that must not be above and of the other one.
    low_value, high_value : float
        What they predict.
    low_row, high_row : dict
        The rows; None = no value.
    """

    low: int
    high: int
    low_value: float
    high_value: float
    low_row: dict[str, Any]
    high_row: dict[str, Any]


class OrderSearch:
    """Finds two rows in the wrong order, if there are any.

    Parameters
    ----------
    tree : Tree
    value : float64, shape (T,)
        The numbers that have an order.
    signs : int, shape (p,)
    gaps : bool, shape (p,)
        Features whose values both rows may lack.
    unseen : str
        The policy for levels that a node has not seen.
    """

    def __init__(self, tree: Tree, value: np.ndarray, signs: np.ndarray, gaps: np.ndarray, unseen: str = "missing"):
        self._unseen = unseen
        self._tree, self._value, self._signs, self._gaps = tree, value.tolist(), signs.tolist(), gaps.tolist()
        used = distinct(np.concatenate((tree.splits.feature, tree.surrogates.feature)))
        self._cuts = {j: _cuts_of((tree.splits, tree.surrogates), j) for j in used[used >= 0].tolist()}
        self._splits = _Branches(tree, tree.splits, self._cuts)
        self._surrogates = _Branches(tree, tree.surrogates, self._cuts)
        self._least, self._most = self._extremes()

    def find(self) -> Violation | None:
        """The first two rows found, or None: every pair of rows is in order.

        Raises
        ------
        ParameterError
            The tree has too many ways of treating rows with gaps to be searched.
        """
        open_pairs: list[tuple[int, int, bool, bool, _RowCells]] = [(0, 0, False, False, {})]
        for _ in range(_MOST_STEPS):
            if not open_pairs:
                return None
            a, b, a_ends, b_ends, cells = open_pairs.pop()
            a_ends, b_ends = a_ends or bool(self._tree.is_leaf[a]), b_ends or bool(self._tree.is_leaf[b])
            most = self._value[a] if a_ends else self._most[a]
            least = self._value[b] if b_ends else self._least[b]
            if most <= least:
                continue
            if a_ends and b_ends:
                return self._violation(a, b, cells)
            side = int(a_ends or (not b_ends and b < a))
            for to, ends, narrowed in self._steps(b if side else a, side, cells):
                pair = (a, to, a_ends, ends, narrowed) if side else (to, b, ends, b_ends, narrowed)
                open_pairs.append(pair)
        raise ParameterError(
            "the tree has too many ways of treating rows with gaps to be searched; ",
            remedy("give ", Setting("gaps", "none"), ", which compares complete rows alone."),
        )  # fmt: skip

    def _steps(self, node: int, side: int, cells: _RowCells) -> Iterator[tuple[int, bool, _RowCells]]:
        """Where one of the rows goes from a node: the next node, whether it ends there, and what is known then."""
        tree = self._tree
        rest = []
        for branch, narrowed in self._branches(self._splits, node, side, cells):
            if branch is not None:
                yield int(tree.first_child[node]) + branch, False, narrowed
            elif narrowed[self._splits.feature[node]] == _GAP or self._unseen not in ("majority", "stay"):
                rest.append(narrowed)
            else:
                stays = self._unseen == "stay"
                yield node if stays else heaviest_child(tree, node), stays, narrowed
        for s in range(int(tree.surrogate_start[node]), int(tree.surrogate_start[node + 1])):
            waiting, rest = rest, []
            for unknown in waiting:
                for branch, narrowed in self._branches(self._surrogates, s, side, unknown):
                    if branch is None:
                        rest.append(narrowed)
                    else:
                        yield int(tree.first_child[node]) + branch, False, narrowed
        goes = int(tree.missing[node])
        for unknown in rest:
            if goes == STAYS:
                yield node, True, unknown
            else:
                children = range(int(tree.n_children[node])) if goes == SHARED else (goes,)
                for branch in children:
                    yield int(tree.first_child[node]) + branch, False, unknown

    def _branches(
        self, table: _Branches, s: int, side: int, cells: _RowCells
    ) -> Iterator[tuple[int | None, _RowCells]]:
        """The branches that a split may send a row to, None = the split does not know the row."""
        j = table.feature[s]
        here = cells.get(j)
        if here == _GAP or (here is None and self._gaps[j]):
            yield None, cells | {j: _GAP}
        if here == _GAP:
            return
        every = table.every[j]
        both = (every, every) if here is None else here
        for branch, mask in table.masks[s]:
            narrowed = self._narrowed(j, both, side, mask)
            if narrowed is not None:
                yield branch, cells | {j: narrowed}

    def _narrowed(self, j: int, both: tuple[int, int], side: int, mask: int) -> tuple[int, int] | None:
        """The cells of both rows if that of one side is among some; None where no two are in order."""
        if self._signs[j] == 0:
            cells = both[0] & mask
            return (cells, cells) if cells else None
        x, y = (both[0], both[1] & mask) if side else (both[0] & mask, both[1])
        if not x or not y:
            return None
        in_order = _first(x) <= _last(y) if self._signs[j] > 0 else _last(x) >= _first(y)
        return (x, y) if in_order else None

    def _extremes(self) -> tuple[list[float], list[float]]:
        """The least and the greatest prediction at or below each node; rows may stay at nodes that are not leaves."""
        tree, least, most = self._tree, list(self._value), list(self._value)
        for t in range(tree.n_nodes - 1, -1, -1):
            below = slice(int(tree.first_child[t]), int(tree.first_child[t]) + int(tree.n_children[t]))
            if not tree.is_leaf[t]:
                own = [self._value[t]] if tree.missing[t] == STAYS else []
                least[t], most[t] = min(least[below] + own), max(most[below] + own)
        return least, most

    def _violation(self, a: int, b: int, cells: _RowCells) -> Violation:
        rows: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
        for j, feature in enumerate(self._tree.schema):
            if j not in cells:
                x = y = None if self._gaps[j] else self._example(j, 0)
            elif cells[j] == _GAP:
                x = y = None
            else:
                of_x, of_y = cells[j]
                low, high = (_first(of_x), _last(of_y)) if self._signs[j] >= 0 else (_last(of_x), _first(of_y))
                x, y = self._example(j, low), self._example(j, low if self._signs[j] == 0 else high)
            rows[0][feature.name], rows[1][feature.name] = x, y
        return Violation(a, b, self._value[a], self._value[b], *rows)

    def _example(self, j: int, cell: int) -> Any:
        """A value in a cell of a feature, as tables have it."""
        feature = self._tree.schema[j]
        if feature.levels:
            if not feature.type.has_cuts:
                return feature.levels[cell]
            cuts = self._cuts.get(j)
            below = 0 if cuts is None or cell == 0 else int(np.floor(cuts[cell - 1, 0])) + 1
            return feature.levels[below]
        number = self._number(j, cell)
        return feature.temporal.text(int(number)) if feature.temporal else number

    def _number(self, j: int, cell: int) -> float:
        """A number in a cell of a feature, a whole one, or a whole day, where there is one."""
        cuts, temporal = self._cuts.get(j), self._tree.schema[j].temporal
        step = float(temporal.step) if temporal else 1.0
        if cuts is None or not len(cuts):
            return 0.0
        if cell == len(cuts):
            return float(np.floor(cuts[-1, 0] / step) + 1.0) * step
        whole = float(np.floor(cuts[cell, 0] / step)) * step
        return whole if cell == 0 or whole > cuts[cell - 1, 0] else float(cuts[cell, 0])


def heaviest_child(tree: Tree, node: int) -> int:
    """The child with the largest training weight, the first of equal ones."""
    first = int(tree.first_child[node])
    return first + int(np.argmax(tree.weight[first : first + int(tree.n_children[node])]))


class _Branches:
    """The cells that each branch of each split of a table takes, and, as the branch None, those it has not seen."""

    def __init__(self, tree: Tree, table: SplitTable, cuts: dict[int, np.ndarray]):
        self.feature = table.feature.tolist()
        self.every: dict[int, int] = {}
        self.masks: list[list[tuple[int | None, int]]] = []
        for j, of_feature in cuts.items():
            feature = tree.schema[j]
            self.every[j] = (1 << (len(of_feature) + 1 if feature.type.has_cuts else len(feature.levels))) - 1
        for s, j in enumerate(self.feature):
            self.masks.append([] if j < 0 else self._masks(tree, table, s, cuts[j]))

    def _masks(self, tree: Tree, table: SplitTable, s: int, cuts: np.ndarray) -> list[tuple[int | None, int]]:
        j, found = self.feature[s], {}
        at = slice(table.breaks_start[s], table.breaks_start[s + 1])
        own = np.column_stack((table.breaks[at], table.breaks_low[at]))
        ends = [int(np.flatnonzero((cuts == cut).all(axis=1))[0]) + 1 for cut in own]
        starts = [0, *ends, len(cuts) + 1]
        for position, branch in enumerate(table.index_of(s).tolist()):
            mask = 1 << position
            if tree.schema[j].type.has_cuts:
                mask = (1 << starts[position + 1]) - (1 << starts[position])
            found[branch if branch >= 0 else None] = found.get(branch if branch >= 0 else None, 0) | mask
        return list(found.items())


def _cuts_of(tables: tuple[SplitTable, ...], j: int) -> np.ndarray:
    """The cuts of a feature in some tables, rising, with their low parts."""
    found = []
    for table in tables:
        here = np.repeat(table.feature, np.diff(table.breaks_start)) == j
        found.append(np.column_stack((table.breaks[here], table.breaks_low[here])))
    return np.unique(np.concatenate(found), axis=0)


def _first(cells: int) -> int:
    return (cells & -cells).bit_length() - 1


def _last(cells: int) -> int:
    return cells.bit_length() - 1
