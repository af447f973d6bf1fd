"""A rule: conditions on features that must all hold, and the class that it predicts."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..data.columns import Columns
from ..data.schema import NOMINAL, ORDINAL, Feature
from ..tree.tree import Tree
from ..views.condition import set_words
from ..views.cuts import CutWords
from ..views.words import level, plain, threshold


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
    sides : tuple of float
        The training values on either side of the cut, by which it can be written shorter; empty where not known.
    """

    feature: int
    above: bool = False
    cut: tuple[float, ...] = ()
    levels: tuple[int, ...] = ()
    sides: tuple[float, ...] = field(default=(), compare=False)

    def holds(self, columns: Columns) -> np.ndarray:
        """Whether it holds for each row, bool, shape (n,); never for a value that is missing or was never seen."""
        values = columns.values[self.feature]
        if not self.cut:
            return np.isin(values, self.levels)
        low = columns.low[self.feature]
        if low is None:
            above = values > self.cut[0]
        else:
            above = (values > self.cut[0]) | ((values == self.cut[0]) & (low > self.cut[1]))
        if self.above:
            return above
        known = values >= 0 if columns.schema[self.feature].kind == ORDINAL else ~np.isnan(values)
        return known & ~above

    def text(self, feature: Feature, cuts: CutWords | None = None) -> str:
        """The condition as text, its cut as in ``cuts``, or with all digits.

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
            end = level(feature.levels[int(np.floor(self.cut[0]))])
        else:
            end = threshold(feature, *self.cut) if cuts is None else cuts.text(self.feature, self.cut)
        return f"{name} {'>' if self.above else '<='} {end}"


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


@dataclass(frozen=True)
class RulePath:
    """The way to a leaf: conditions from the root down, each once, their numbers in the tree, and the leaf's class."""

    conditions: tuple[RuleCondition, ...]
    numbers: tuple[int, ...]
    code: int


def paths(tree: Tree) -> list[RulePath]:
    """The paths to all leaves with a weight of 1 or more."""
    parent, first_child, value = tree.parent.tolist(), tree.first_child.tolist(), tree.value.tolist()
    every = [None, *(_condition(tree, parent[t], t - first_child[parent[t]]) for t in range(1, tree.n_nodes))]
    numbers: dict[RuleCondition, int] = {}
    number = [-1, *(numbers.setdefault(condition, len(numbers)) for condition in every[1:])]
    known, out = list(numbers), []
    for leaf in tree.leaves[tree.weight[tree.leaves] >= 1.0 - 1e-9].tolist():
        way, t = [], leaf
        while t:
            way.append(number[t])
            t = parent[t]
        own = tuple(dict.fromkeys(reversed(way)))
        out.append(RulePath(tuple(known[i] for i in own), own, int(value[leaf])))
    return out


def _condition(tree: Tree, t: int, branch: int) -> RuleCondition:
    """What the split of node ``t`` asks of rows of a branch."""
    feature = int(tree.splits.feature[t])
    if tree.schema[feature].kind == NOMINAL:
        levels = np.flatnonzero(tree.splits.index_of(t) == branch)
        return RuleCondition(feature, levels=tuple(levels.tolist()))
    at = slice(tree.splits.breaks_start[t], tree.splits.breaks_start[t + 1])
    cut = (float(tree.splits.breaks[at][0]), float(tree.splits.breaks_low[at][0]))
    known = tree.neighbours is not None and not np.isnan(tree.neighbours[at]).any()
    sides = tuple(tree.neighbours[at][0].tolist()) if known else ()
    return RuleCondition(feature, above=branch == 1, cut=cut, sides=sides)
