"""Rules in order in the form from which exports are written: one chain of ifs, whose ends are the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

import numpy as np

from ...data.columns.columns import Columns
from ...data.columns.schema import ORDINAL, Feature, Schema
from ...exports.answers import Answers
from ...exports.conditions import AllOf, Between, Condition, OneOf
from ...exports.kinds import feature_cut
from ...exports.model_plan import NodePlan, PlanStep
from ...exports.registry import FORMATS, Format
from ...views.words import plain
from .rule import RuleCondition
from .ruleset import RuleSet

#: Rules in one chain of ifs; some compilers take no longer ones.
_AT_ONCE = 100


@dataclass(frozen=True, eq=False)
class RulePlan(NodePlan):
    """Rules with the policies they predict under; node r is rule r, and the last node is the default class.

    Attributes
    ----------
    rule_set : RuleSet
    response_name : str
    refuse_missing, refuse_unseen : bool
    """

    what = "set of rules"
    formats: ClassVar[dict[str, Format]] = {
        **{name: FORMATS[name] for name in ("sql", "python", "c", "js", "r")},
        "json": replace(FORMATS["json"], module="boxwood.algorithms.rules.export_json", what="all of the rules"),
    }

    rule_set: RuleSet
    response_name: str
    refuse_missing: bool = False
    refuse_unseen: bool = False

    @property
    def schema(self) -> Schema:
        """The features the rules were learned from."""
        return self.rule_set.schema

    @property
    def labels(self) -> tuple:
        """Class labels."""
        return self.rule_set.labels

    @property
    def title(self) -> str:
        """The response, and the number of rules."""
        count = len(self.rule_set.rules)
        return f"Rules (c45-rules) for {plain(self.response_name)}: {count} rule{'s' * (count != 1)} in order"

    @cached_property
    def features(self) -> list[int]:
        """Features that a rule tests, in column order."""
        return sorted({c.feature for rule in self.rule_set.rules for c in rule.conditions})

    @property
    def ends(self) -> list[int]:
        """The rules, and the default class."""
        return list(range(len(self.rule_set.rules) + 1))

    @property
    def value(self) -> np.ndarray:
        """Classes that the rules predict."""
        return np.array([*(rule.code for rule in self.rule_set.rules), self.rule_set.default], dtype=np.int64)

    @property
    def probability(self) -> np.ndarray:
        """Shares of the classes among the training rows that a rule covers."""
        return self.rule_set.shares

    @property
    def root(self) -> int:
        """The first chain; without rules, the default class."""
        return len(self.ends) if self.rule_set.rules else 0

    @cached_property
    def steps(self) -> dict[int, PlanStep]:
        """Chains of ifs, numbered behind the rules; each goes on with the next."""
        last = len(self.rule_set.rules)
        starts = [*range(0, last, _AT_ONCE), last]
        numbers = [*range(last + 1, last + len(starts)), last]
        routes = [((self._test(r),), r) for r in range(last)]
        return {
            number: PlanStep(number, tuple(routes[first:end]), following)
            for (first, end), (number, following) in zip(pairwise(starts), pairwise(numbers), strict=True)
        }

    def parent(self, t: int) -> int:
        """The chain before."""
        return t - 1

    def roots_of_parts(self, levels: int) -> list[int]:
        """Every chain is a part."""
        return list(self.steps)

    def predicted(self, columns: Columns) -> Answers:
        """The rule that decides each row, and what it predicts."""
        fired = self.rule_set.fired(columns)
        node = np.where(fired < 0, len(self.rule_set.rules), fired)
        labels = np.array([*map(self.prediction, self.ends), None], dtype=object)[:-1]
        return Answers(labels[node], node, self.probability[node])

    def _test(self, r: int) -> Condition:
        conditions = self.rule_set.rules[r].conditions
        return AllOf(tuple(_condition(c, self.schema[c.feature]) for c in conditions))


def _condition(c: RuleCondition, feature: Feature) -> Condition:
    """The condition of a rule as exports write it."""
    if not c.cut:
        return OneOf(c.feature, c.levels)
    if feature.kind == ORDINAL:
        levels = range(len(feature.levels))
        return OneOf(c.feature, tuple(v for v in levels if (v > c.cut[0]) == c.above))
    cut = feature_cut(feature, *c.cut)
    return Between(c.feature, cut, None) if c.above else Between(c.feature, None, cut)
