"""A rule: conditions on features that must all hold, and the class that it predicts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...data.columns.columns import Columns
from ...data.columns.schema import Feature
from ...tree.tree import Tree
from ...views.kinds import VALUE_WORDS, set_words
from ...views.words import level, plain


@dataclass(frozen=True, order=True)
class RuleCondition:
    """The condition of a rule on one feature: the value is at most a cut, above it, or one of some levels.

    Attributes
    ----------
    feature : int
        Number of the column.
    above : bool
        Whether the value must be above the cut; otherwise, it must be at most the cut.
    cut : tuple of float
        Value and low part (see SplitTable); empty for levels. The levels of an ordinal feature are numbered from 0.
    levels : tuple of int
        Level codes of a nominal feature, in ascending order.
    """

    feature: int
    above: bool = False
    cut: tuple[float, ...] = ()
    levels: tuple[int, ...] = ()

    def holds(self, columns: Columns) -> np.ndarray:
        """Whether each row satisfies the condition, bool, shape (n,); missing and unseen values never do."""
        values = columns.values[self.feature]
        if not self.cut:
            return np.isin(values, self.levels)
        cut, low = self.cut[0], columns.low[self.feature]
        if low is not None:
            ties, beyond = values == cut, low > self.cut[1]
            return (values > cut) | (ties & beyond) if self.above else (values < cut) | (ties & ~beyond)
        return values > cut if self.above else (values <= cut) & columns.schema[self.feature].type.known(values)

    def text(self, feature: Feature) -> str:
        """The condition as text.

        Examples
        --------
        >>> from boxwood.data.columns.schema import Feature
        >>> RuleCondition(0, cut=(2.5, 0.0)).text(Feature("age", "numeric"))
        'age <= 2.5'
        """
        name = plain(feature.name)
        if not self.cut:
            return set_words(name, [level(feature.levels[v]) for v in self.levels], None)
        end = VALUE_WORDS.of(feature).value(feature, *self.cut)
        return f"{name} {'>' if self.above else '<='} {end}"


@dataclass(frozen=True)
class OrderedRule:
    """One rule of ``C45Rules.rules_``: conditions, and the class that is predicted for rows that satisfy all of them.

    Attributes
    ----------
    conditions : tuple of RuleCondition
        The conditions.
    code : int
        Number of the class.
    label : object
        Label of the class.
    classes : tuple of float
        Weight of each class among the training rows that satisfy all conditions; ``class_weight`` included.
    accuracy : float
        1 minus the estimated error rate on new rows, which is an upper confidence limit.

    Examples
    --------
    >>> from boxwood import C45Rules
    >>> X, y = {"size": ["big", "big", "small", "small"] * 5}, ["yes", "yes", "no", "no"] * 5
    >>> rule = C45Rules().fit(X, y).rules_[0]
    >>> rule.label, rule.weight, rule.errors
    ('no', 10.0, 0.0)
    """

    conditions: tuple[RuleCondition, ...]
    code: int
    label: object
    classes: tuple[float, ...]
    accuracy: float

    @property
    def weight(self) -> float:
        """Weight of the training rows that satisfy all conditions."""
        return sum(self.classes)

    @property
    def errors(self) -> float:
        """Weight of the training rows that satisfy all conditions but are of another class."""
        return sum(weight for k, weight in enumerate(self.classes) if k != self.code)

    def holds(self, columns: Columns) -> np.ndarray:
        """Whether all conditions hold for each row, bool, shape (n,)."""
        out = np.ones(columns.n, dtype=bool)
        for condition in self.conditions:
            out &= condition.holds(columns)
        return out


@dataclass(frozen=True)
class RulePath:
    """The path to a leaf: conditions from the root down, each once, their numbers in the tree, and the leaf's class."""

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
        path, t = [], leaf
        while t:
            path.append(number[t])
            t = parent[t]
        own = tuple(dict.fromkeys(reversed(path)))
        out.append(RulePath(tuple(known[i] for i in own), own, int(value[leaf])))
    return out


def _condition(tree: Tree, t: int, branch: int) -> RuleCondition:
    """The condition of the split of node ``t`` for a branch."""
    feature = int(tree.splits.feature[t])
    if not tree.schema[feature].type.has_cuts:
        levels = np.flatnonzero(tree.splits.index_of(t) == branch)
        return RuleCondition(feature, levels=tuple(levels.tolist()))
    at = slice(tree.splits.breaks_start[t], tree.splits.breaks_start[t + 1])
    cut = (float(tree.splits.breaks[at][0]), float(tree.splits.breaks_low[at][0]))
    return RuleCondition(feature, above=branch == 1, cut=cut)
