"""C4.5's groups of levels: the blocks of a partition are merged by hill climbing (SPECS 4.5)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from .recipe import Gain
from .table_choice import worth
from .table_columns import Table
from .table_criteria import bits
from .table_scores import SLIGHT, Answer, intrinsic_value
from .table_trials import Trials

#: Levels of no more weight than this are kept out of the search; blocks within PURE of one class are pure.
PRESENT, PURE = 0.5, 0.1

#: The search stops where the best merger raises the ratio by less than this.
LEAST_RISE = 1e-5


@dataclass(frozen=True, eq=False)
class Blocks:
    """A partition of levels.

    Attributes
    ----------
    members : list of tuple of int
        Positions in the table, block by block.
    classes : float64, shape (B, K)
        Weights of each block.
    """

    members: list[tuple[int, ...]]
    classes: np.ndarray

    def merged(self, a: int, b: int) -> Blocks:
        """Block ``b`` put into block ``a`` < b."""
        members = [m for i, m in enumerate(self.members) if i != b]
        members[a] = tuple(sorted((*self.members[a], *self.members[b])))
        classes = np.delete(self.classes, b, axis=0)
        classes[a] += self.classes[b]
        return Blocks(members, classes)

    @property
    def weight(self) -> np.ndarray:
        """Of each block, shape (B,)."""
        return self.classes.sum(axis=1)


class Grouping:
    """Search for groups of the levels of one feature at one node.

    Parameters
    ----------
    criterion : Gain
    least : float
        C4.5's m.
    total : float
        Weight of all samples of the node.
    rest : float64, shape (K,)
        Class weights of the levels that are kept out.
    """

    def __init__(self, criterion: Gain, least: float, total: float, rest: np.ndarray):
        self._criterion, self._least, self._total, self._rest = criterion, least, total, rest

    def search(self, blocks: Blocks) -> Blocks:
        """The partition where climbing ends."""
        blocks = _pure_together(blocks)
        first = self._gain(blocks)
        previous = self._worth(blocks)
        while len(blocks.members) > 2:
            found = self._best_pair(blocks, first)
            if found is None:
                break
            pair, best = found
            reasonable = np.count_nonzero(blocks.weight >= self._least - SLIGHT)
            if self._criterion.ratio and reasonable >= 2 and best < previous + LEAST_RISE:
                break
            blocks, previous = blocks.merged(*pair), best
        return blocks

    def _best_pair(self, blocks: Blocks, first: float) -> tuple[tuple[int, int], float] | None:
        """The pair whose merger is worth most, the last of equal ones; gains of half the first come before others."""
        barred = -1
        if np.count_nonzero(blocks.weight >= self._least - SLIGHT) < 3:
            barred = int(np.argmax(blocks.weight))
        pair, best, best_gain = None, -self._criterion.slack, -self._criterion.slack
        for a, b in combinations(range(len(blocks.members)), 2):
            if barred in (a, b):
                continue
            merged = blocks.merged(a, b)
            gain, value = self._gain(merged), self._worth(merged)
            if (best_gain < first / 2 <= gain) or value >= best:
                pair, best, best_gain = (a, b), value, gain
        return None if pair is None else (pair, best)

    def _gain(self, blocks: Blocks) -> float:
        """Gain with m = 1: two blocks need a weight of 1."""
        if np.count_nonzero(blocks.weight >= 1.0 - SLIGHT) < 2:
            return -self._criterion.slack
        classes = np.vstack((blocks.classes, self._rest))
        return float(bits(classes.sum(axis=0)) - bits(classes).sum()) / self._total

    def _worth(self, blocks: Blocks) -> float:
        """Ratio (or gain) of a partition; minus the slack where it cannot be used."""
        weight = np.append(blocks.weight, self._rest.sum())
        gain = self._gain(blocks)
        value = worth(Answer(0, gain, gain, intrinsic_value(weight, self._total)), self._criterion)
        return -self._criterion.slack if gain < 0 or np.isnan(value) else value


def _pure_together(blocks: Blocks) -> Blocks:
    """Blocks of one and the same class become one."""
    k = 0
    while k < blocks.classes.shape[1]:
        pure = np.flatnonzero(blocks.classes[:, k] >= blocks.weight - PURE)
        if len(pure) < 2:
            k += 1
        else:
            blocks = blocks.merged(int(pure[0]), int(pure[1]))
    return blocks


def groups(table: Table, classes: np.ndarray, n_levels: int, grouping: dict) -> Trials:
    """One way to part a node: groups of levels, and a last branch for the levels that hardly occur.

    Parameters
    ----------
    table : Table
    classes : float64, shape (V, K)
        Class weights of each level.
    n_levels : int
        Of the feature.
    grouping : dict
        The other arguments of Grouping: criterion, least, total.
    """
    present = np.flatnonzero(classes.sum(axis=1) > PRESENT)
    scarce = np.flatnonzero(classes.sum(axis=1) <= PRESENT)
    start = Blocks([(int(v),) for v in present], classes[present])
    found = Grouping(rest=classes[scarce].sum(axis=0), **grouping).search(start).members
    branch = np.full(len(table.codes), len(found))
    for c, members in enumerate(found):
        branch[list(members)] = c
    size = len(found) + (len(present) < n_levels)
    sums = np.zeros((1, size, table.sums.shape[1]), dtype=table.sums.dtype)
    rows = np.zeros((1, size), dtype=np.int64)
    np.add.at(sums[0], branch, table.sums)
    np.add.at(rows[0], branch, table.rows)
    return Trials(sums, rows, lambda c: branch, "groups")
