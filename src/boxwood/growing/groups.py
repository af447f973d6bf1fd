"""C4.5's groups of levels: the blocks of a partition are merged by hill climbing (docs/c45.md)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..statistics.class_decreases import bits
from .tables import FeatureTable
from .termination import SLIGHT
from .ties import TIE, first_best
from .trials import Trials

#: Levels of no more weight than this are kept out of the search; blocks within PURE of one class are pure (to SLIGHT).
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
        """Block ``b`` put into block ``a`` < b; the last block takes the free place, as in release 8."""
        members, classes = list(self.members), self.classes.copy()
        members[a] = tuple(sorted((*members[a], *members[b])))
        classes[a] += classes[b]
        members[b], classes[b] = members[-1], classes[-1]
        return Blocks(members[:-1], classes[:-1])

    @property
    def weight(self) -> np.ndarray:
        """Of each block, shape (B,)."""
        return self.classes.sum(axis=1)


class Grouping:
    """Search for groups of the levels of one feature at one node.

    Parameters
    ----------
    ratio, slack : bool, float
        As of :class:`boxwood.Gain`.
    least : float
        C4.5's m.
    total : float
        Weight of all samples of the node.
    known : float64, shape (K,)
        Class weights of the samples whose level is known.
    """

    def __init__(self, ratio: bool, slack: float, least: float, total: float, known: np.ndarray):
        self._ratio, self._slack, self._least, self._total = ratio, slack, least, total
        self._bits, self._unknown = float(bits(known)), max(total - float(known.sum()), 0.0)

    def search(self, blocks: Blocks, first: float) -> Blocks:
        """The partition where climbing ends; ``first`` is the gain before anything was merged."""
        blocks = _pure_together(blocks)
        previous = self._measure(blocks)[1]
        while len(blocks.members) > 2:
            found = self._best_pair(blocks, first / 2 - TIE)
            if found is None:
                break
            pair, best = found
            if self._ratio and self._reasonable(blocks) >= 2 and best < previous + LEAST_RISE:
                break
            blocks, previous = blocks.merged(*pair), best
        return blocks

    def gain(self, classes: np.ndarray) -> float:
        """Gain of branches with these class weights, shape (B, K)."""
        return (self._bits - float(bits(classes).sum())) / self._total

    def _reasonable(self, blocks: Blocks) -> int:
        """Number of blocks that are large enough to be a branch."""
        return int(np.count_nonzero(blocks.weight >= self._least - SLIGHT))

    def _best_pair(self, blocks: Blocks, half: float) -> tuple[tuple[int, int], float] | None:
        """The pair whose merger is worth most, the last of equal ones; gains of half the first come before others."""
        barred = first_best(blocks.weight) if self._reasonable(blocks) < 3 else -1
        pair, best, best_gain = None, 0.0, -self._slack
        for a, b in combinations(range(len(blocks.members)), 2):
            if barred in (a, b):
                continue
            gain, value = self._measure(blocks.merged(a, b))
            if (best_gain < half <= gain) or value >= best - TIE:
                pair, best, best_gain = (a, b), value, gain
        return None if pair is None else (pair, best)

    def _measure(self, blocks: Blocks) -> tuple[float, float]:
        """Gain and worth with m = 1; levels that hardly occur are in neither, minus the slack is no use."""
        useless = -self._slack
        if np.count_nonzero(blocks.weight >= 1.0 - SLIGHT) < 2:
            return useless, useless
        gain = self.gain(blocks.classes)
        groups = np.append(blocks.weight, self._unknown)
        info = float(bits(groups)) / self._total
        if not self._ratio:
            return gain, gain if info > 0 and gain > useless else useless
        return gain, gain / info if gain >= -TIE and info > self._slack else useless


def _pure_together(blocks: Blocks) -> Blocks:
    """Blocks of one and the same class become one, the first block first, whose class stays as it grows."""
    a = 0
    while a + 1 < len(blocks.members):
        k = _purely(blocks)[a]
        while k >= 0 and len(same := np.flatnonzero(_purely(blocks)[a + 1 :] == k)):
            blocks = blocks.merged(a, a + 1 + int(same[0]))
        a += 1
    return blocks


def _purely(blocks: Blocks) -> np.ndarray:
    """The only class of each block, -1 where it is mixed, shape (B,)."""
    alone = blocks.weight[:, None] - blocks.classes <= PURE + SLIGHT
    return np.where(alone.any(axis=1), np.argmax(alone, axis=1), -1)


def groups(table: FeatureTable, classes: np.ndarray, n_levels: int, grouping: dict) -> Trials:
    """One partition of a node: groups of levels, and a last branch for the levels that hardly occur.

    Parameters
    ----------
    table : FeatureTable
    classes : float64, shape (V, K)
        Class weights of each level.
    n_levels : int
        Of the feature.
    grouping : dict
        The other arguments of Grouping: ratio, slack, least, total.
    """
    present = np.flatnonzero(classes.sum(axis=1) > PRESENT + SLIGHT)
    search = Grouping(known=classes.sum(axis=0), **grouping)
    start = Blocks([(int(v),) for v in present], classes[present])
    found = search.search(start, search.gain(classes)).members
    branch = np.full(len(table.codes), len(found))
    for c, members in enumerate(found):
        branch[list(members)] = c
    size = len(found) + (len(present) < n_levels)
    sums = np.zeros((1, size, table.sums.shape[1]), dtype=table.sums.dtype)
    rows = np.zeros((1, size), dtype=np.int64)
    np.add.at(sums[0], branch, table.sums)
    np.add.at(rows[0], branch, table.rows)
    return Trials(sums, rows, lambda c: branch, "groups")
