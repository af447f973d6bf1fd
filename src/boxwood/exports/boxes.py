"""The values that lead a row to its end, feature by feature: boxes that are disjoint and together hold every row."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from ..data.columns.schema import Feature
from ..tree.tree import SHARED, STAYS
from .conditions import Between, Condition, IsMissing, OneOf
from .model_plan import NodePlan, PlanStep


@dataclass(frozen=True)
class ValueSet:
    """Some values of a feature.

    Attributes
    ----------
    parts : tuple of (float, float)
        Of numbers: intervals (above, up to], rising and apart; empty for a feature of levels.
    levels : frozenset of int
        Of levels: places in the schema, and the number of levels for any level that training never had.
    missing : bool
        Whether the missing value is one of them.
    """

    parts: tuple[tuple[float, float], ...] = ()
    levels: frozenset[int] = frozenset()
    missing: bool = False

    def __bool__(self) -> bool:
        """Whether there are some."""
        return bool(self.parts or self.levels or self.missing)

    def within(self, other: ValueSet) -> ValueSet:
        """The values that are in both."""
        both = [(max(a, c), min(b, d)) for a, b in self.parts for c, d in other.parts]
        return ValueSet(_joined(both), self.levels & other.levels, self.missing and other.missing)

    def joined(self, other: ValueSet) -> ValueSet:
        """The values that are in either."""
        parts = _joined([*self.parts, *other.parts])
        return ValueSet(parts, self.levels | other.levels, self.missing or other.missing)

    def without(self, other: ValueSet) -> ValueSet:
        """The values that are not in the other."""
        ends = [-math.inf, *(end for part in other.parts for end in part), math.inf]
        outside = ValueSet(tuple(zip(ends[::2], ends[1::2], strict=True)))
        parts = self.within(outside).parts
        return ValueSet(parts, self.levels - other.levels, self.missing and not other.missing)


#: Feature -> the values that it may have; a feature that is not there may have any.
Box = dict[int, ValueSet]


@dataclass(frozen=True)
class Region:
    """A box, and where its rows end: nodes with shares, one alone unless the rows are shared out."""

    box: Box
    ends: tuple[tuple[int, float], ...]


def every_value(feature: Feature) -> ValueSet:
    """All values that a feature can have."""
    if feature.levels:
        return ValueSet(levels=frozenset(range(len(feature.levels) + 1)), missing=True)
    return ValueSet(((-math.inf, math.inf),), missing=True)


def taken_values(plan: NodePlan, j: int) -> ValueSet:
    """The values of a feature that the policies of a plan do not refuse."""
    new = {len(plan.refused_levels(j))} if plan.refused_levels(j) else set()
    return every_value(plan.schema[j]).without(ValueSet(levels=frozenset(new), missing=plan.refuse_missing))


def regions(plan: NodePlan, start: Box | None = None) -> Iterator[Region]:
    """Every box with its ends, depth first; no two share a row, and every row that is not refused is in one.

    ``start``: the rows that are looked at, a set of values for each feature that the plan tests; None = all.
    """
    start = {j: taken_values(plan, j) for j in plan.features} if start is None else start
    waiting: list[tuple[Box, list[tuple[int, float]], list[tuple[int, float]]]] = [(start, [(0, 1.0)], [])]
    while waiting:
        box, open_, ended = waiting.pop()
        while open_ and open_[-1][0] not in plan.steps:
            ended = [*ended, open_.pop()]
        if not open_:
            yield Region(box, tuple(ended))
            continue
        *rest, (t, share) = open_
        for target, inside in reversed(split_box(plan, plan.steps[t], box)):
            if target == STAYS:
                waiting.append((inside, list(rest), [*ended, (t, share)]))
            elif target == SHARED:
                parts = [(child, share * part) for child, part in reversed(plan.shares[t])]
                waiting.append((inside, [*rest, *parts], ended))
            else:
                waiting.append((inside, [*rest, (target, share)], ended))


def split_box(plan: NodePlan, step: PlanStep, box: Box) -> list[tuple[int, Box]]:
    """The parts of a box that go to each target of a node, a part for each of its routes; empty ones are left out.

    A route tests one feature, so what it takes and what it leaves are boxes again.
    """
    found: list[tuple[int, Box]] = []
    for conditions, target in step.routes:
        j = conditions[0].feature
        left = box[j]
        taken = ValueSet()
        for condition in conditions:
            here = _values(plan, condition)
            taken, left = taken.joined(left.within(here)), left.without(here)
        if taken:
            found.append((target, {**box, j: taken}))
        if not left:
            return found
        box = {**box, j: left}
    return [*found, (step.otherwise, box)]


def _values(plan: NodePlan, condition: Condition) -> ValueSet:
    """The values for which a condition holds."""
    if isinstance(condition, IsMissing):
        return ValueSet(missing=True)
    if isinstance(condition, Between):
        above = -math.inf if condition.above is None else condition.above
        upto = math.inf if condition.upto is None else condition.upto
        return ValueSet(_joined([(above, upto)]))
    named = frozenset(condition.levels)
    count = len(plan.schema[condition.feature].levels)
    return ValueSet(levels=named if isinstance(condition, OneOf) else frozenset(range(count + 1)) - named)


def _joined(parts: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Intervals in rising order without empty ones, those that touch made one."""
    found: list[tuple[float, float]] = []
    for above, upto in sorted(part for part in parts if part[0] < part[1]):
        if found and found[-1][1] == above:
            found[-1] = (found[-1][0], upto)
        else:
            found.append((above, upto))
    return tuple(found)
