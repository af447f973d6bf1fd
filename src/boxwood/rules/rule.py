"""A rule: conditions on features that must all hold, and the class that it predicts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..data.columns import Columns
from ..data.schema import NOMINAL, ORDINAL, Feature
from ..tree.tree import Tree
from ..views.condition import set_words
from ..views.words import FULL_DIGITS, level, plain, threshold


@dataclass(frozen=True, order=True)
class RuleCondition:
    """What one feature must be: at most a cut, above it, or one of some levels.

    Attributes
    ----------
    feature : int
        Column.
    above : bool
        The value is above the cut, instead of at most the cut.
    cut : tuple of float
        Value and low part (see SplitTable); empty for levels. Ordinal features count their levels from 0.
    levels : tuple of int
        Level codes of a nominal feature, rising.
    """

    feature: int
    above: bool = False
    cut: tuple[float, ...] = ()
    levels: tuple[int, ...] = ()

    def holds(self, columns: Columns) -> np.ndarray:
        """Whether it holds for each row, bool, shape (n,); never for a value that is missing or was never seen."""
        values = columns.values[self.feature]
        if not self.cut:
            return np.isin(values, self.levels)
        known = values >= 0 if columns.schema[self.feature].kind == ORDINAL else ~np.isnan(values)
        low = columns.low[self.feature]
        below = values < self.cut[0]
        equal = values == self.cut[0]
        below |= equal if low is None else equal & (low <= self.cut[1])
        return known & (below != self.above)

    def text(self, feature: Feature) -> str:
        """The condition as text.

        Examples
        --------
        >>> from boxwood.data.schema import Feature
        >>> RuleCondition(0, cut=(2.5, 0.0)).text(Feature("age", "numeric"))
        'age <= 2.5'
        """
        name = plain(feature.name)
        if not self.cut:
            return set_words(name, [level(feature.levels[v]) for v in self.levels], None)
        if feature.kind == ORDINAL:
            below = int(np.floor(self.cut[0]))
            return f"{name} {'>' if self.above else '<='} {level(feature.levels[below])}"
        return f"{name} {'>' if self.above else '<='} {threshold(feature, *self.cut, FULL_DIGITS)}"


@dataclass(frozen=True)
class OrderedRule:
    """Conditions, the predicted class when all hold, and how often that is right.

    Attributes
    ----------
    conditions : tuple of RuleCondition
    code : int
        Class number.
    label : object
        Class label.
    classes : tuple of float
        Weight of each class among the training rows for which all conditions hold.
    accuracy : float
        One less the estimated error rate on new rows, the upper limit at the confidence asked for.
    """

    conditions: tuple[RuleCondition, ...]
    code: int
    label: object
    classes: tuple[float, ...]
    accuracy: float

    @property
    def weight(self) -> float:
        """Weight of the training rows for which all conditions hold."""
        return sum(self.classes)

    @property
    def errors(self) -> float:
        """Weight of those of another class."""
        return sum(weight for k, weight in enumerate(self.classes) if k != self.code)

    def holds(self, columns: Columns) -> np.ndarray:
        """Whether all conditions hold for each row, bool, shape (n,)."""
        out = np.ones(columns.n, dtype=bool)
        for condition in self.conditions:
            out &= condition.holds(columns)
        return out


def paths(tree: Tree) -> list[tuple[int, tuple[RuleCondition, ...]]]:
    """(leaf, conditions from the root down) of every leaf with a weight of 1 or more."""
    out = []
    for leaf in tree.leaves.tolist():
        if tree.weight[leaf] < 1.0 - 1e-9:
            continue
        way = tree.path(leaf).tolist()
        found = [_condition(tree, t, child - int(tree.first_child[t])) for t, child in pairwise(way)]
        out.append((leaf, tuple(found)))
    return out


def _condition(tree: Tree, t: int, branch: int) -> RuleCondition:
    """What the split of node ``t`` asks of rows of a branch."""
    feature = int(tree.splits.feature[t])
    if tree.schema[feature].kind == NOMINAL:
        levels = np.flatnonzero(tree.splits.index_of(t) == branch)
        return RuleCondition(feature, levels=tuple(levels.tolist()))
    at = slice(tree.splits.breaks_start[t], tree.splits.breaks_start[t + 1])
    cut = (float(tree.splits.breaks[at][0]), float(tree.splits.breaks_low[at][0]))
    return RuleCondition(feature, above=branch == 1, cut=cut)
