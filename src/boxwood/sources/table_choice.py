"""The choice across features: each feature's best way, filtered and ranked as the criterion says."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ..data.schema import NOMINAL, Schema
from ..growing.branching import Multiway
from ..growing.gain import Gain
from ..growing.impurity_decrease import ImpurityDecrease
from ..growing.in_order import InOrder
from ..growing.recipe import Recipe
from ..growing.scored import Scored
from .reference_search import TIE
from .table_columns import Table
from .table_scores import Answer
from .table_trials import Trials

#: Nominal features with at least this share of the rows as levels do not count in the average gain (SPECS 4.1).
MANY_LEVELS = 0.3

#: Rounding allowed to a decrease that is compared with ``min_impurity_decrease``.
ROUNDING = 1e-15


@dataclass(frozen=True, eq=False)
class Candidate:
    """What a feature offers at a node: a table, a way to part it, the rank it gets and the score that is told."""

    feature: int
    table: Table
    trials: Trials
    answer: Answer
    compared: float
    score: float

    @property
    def branch(self) -> np.ndarray:
        """Branch of each value of the table, shape (V,)."""
        return self.trials.branch(self.answer.way)


@dataclass(frozen=True)
class Choice:
    """Ranks the candidates of a node.

    Attributes
    ----------
    recipe : Recipe
    schema : Schema
    n : int
        Rows of the learning set.
    whole : float
        Their weight.
    """

    recipe: Recipe
    schema: Schema
    n: int
    whole: float

    def ranked(self, candidates: list[Candidate], weight: float) -> list[Candidate]:
        """The eligible candidates of a node of some weight, best first; equal ones in column order."""
        criterion = self.recipe.criterion
        found = [c for c in candidates if self._gains_enough(c, weight)]
        if isinstance(criterion, InOrder):
            return sorted(found, key=lambda c: criterion.features.index(c.feature))
        if isinstance(criterion, Gain):
            found = [_by_worth(c, criterion) for c in self._above_average(found)]
            found = [c for c in found if not math.isnan(c.score)]
        tie = max((abs(c.compared) for c in found), default=0.0) if isinstance(criterion, Scored) else 1.0
        ranked: list[Candidate] = []
        for c in found:
            behind = [i for i, o in enumerate(ranked) if c.compared > o.compared + TIE * max(tie, abs(o.compared))]
            ranked.insert(behind[0] if behind else len(ranked), c)
        least = criterion.epsilon if isinstance(criterion, (Gain, Scored)) else -math.inf
        return ranked if ranked and ranked[0].score >= least - TIE * abs(least) else []

    def _gains_enough(self, candidate: Candidate, weight: float) -> bool:
        """scikit-learn's minimum decrease, which is measured against all rows."""
        least = self.recipe.termination.min_impurity_decrease
        if not isinstance(self.recipe.criterion, (ImpurityDecrease, Gain, InOrder)):
            return True
        return candidate.answer.value * weight / self.whole + ROUNDING >= least

    def _above_average(self, candidates: list[Candidate]) -> list[Candidate]:
        """C4.5's first filter: gains of at least the average; without groups, very many levels do not count in it."""
        criterion = self.recipe.criterion
        if not criterion.above_average:
            return candidates
        grouped = isinstance(self.recipe.branching, Multiway) and self.recipe.branching.grouping
        counted = [j for j in range(len(self.schema)) if grouped or not self._has_many_levels(j)]
        gains = [
            c.answer.value
            for c in candidates
            if (c.feature in counted or not counted) and c.answer.value > -criterion.slack - TIE
        ]
        if not gains:
            return []
        average = math.fsum(gains) / len(gains) - criterion.slack
        return [c for c in candidates if c.answer.value >= average - TIE * max(1.0, abs(average))]

    def _has_many_levels(self, j: int) -> bool:
        feature = self.schema[j]
        return feature.kind == NOMINAL and len(feature.levels) >= MANY_LEVELS * self.n


def _by_worth(candidate: Candidate, criterion: Gain) -> Candidate:
    """The candidate ranked by its gain or gain ratio."""
    value = worth(candidate.answer, criterion)
    return replace(candidate, compared=value, score=value)


def worth(answer: Answer, criterion: Gain) -> float:
    """Gain, or its ratio to the intrinsic value; NaN where the ratio means nothing (SPECS 1, 4.1)."""
    if answer.intrinsic <= max(criterion.slack if criterion.ratio else 0.0, TIE):
        return math.nan
    return answer.value / answer.intrinsic if criterion.ratio else answer.value
