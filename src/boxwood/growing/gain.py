"""Choice 2 of ID3 and C4.5: information gain and its ratio."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np

from .._messages import Message, Setting, remedy
from ..data.columns.schema import Feature
from ..statistics.class_decreases import bits
from ..statistics.responses.response import Response
from .criterion import Criterion
from .limits import check_flag, check_real
from .partitions import BestPartition, FeatureSplit, LearningStats, Partitions
from .termination import SLIGHT, Termination
from .ties import TIE, better, first_best
from .trials import NodeTable, Trials, separable_cuts

#: Nominal features with at least this share of the rows as levels do not count in the average gain (docs/c45.md).
MANY_LEVELS = 0.3

#: Least weight on each side of a cut: this share of the known weight a class, but no more than MOST (docs/c45.md).
SHARE, MOST = 0.10, 25.0


@dataclass(frozen=True)
class Gain(Criterion):
    """Choice 2 of ID3 and C4.5: information gain, or gain ratio.

    Attributes
    ----------
    ratio : bool
        Rank by gain / intrinsic value.
    above_average : bool
        Rank only features whose gain is at least the average gain of the candidates (minus ``slack``).
    charge : bool
        Subtract log2(number of admissible thresholds) / weight from the gain of a numeric split (release 8).
    epsilon : float
        A node becomes a leaf if its best score is below this (step 4 of ID3).
    slack : float
        Tolerance below the average gain, and the minimum intrinsic value of a candidate: 1e-3 in C4.5, 0 in ID3.
    data_cuts : bool
        Use as threshold the largest training value that does not exceed the midpoint, as in C4.5.
    value_tolerance : float
        Values that differ by at most this are not separated (1e-5 in C4.5 and J48).
    count_rows : bool
        A numeric split also needs twice as many rows with known values as the minimum weight of a side (J48).

    Examples
    --------
    C4.5's choice of a split:

    >>> from boxwood import Gain, TreeClassifier
    >>> c45 = Gain(ratio=True, above_average=True, charge=True, slack=1e-3, data_cuts=True)
    >>> X, y = [[1], [2], [3], [4], [5], [6]], ["no", "no", "no", "yes", "yes", "yes"]
    >>> TreeClassifier(branching="multiway", criterion=c45).fit(X, y).tree_.splits.breaks.tolist()
    [3.0]
    """

    searches: ClassVar[frozenset[str]] = frozenset({"multiway"})
    is_decrease: ClassVar[bool] = True

    ratio: bool = False
    above_average: bool = False
    charge: bool = False
    epsilon: float = 0.0
    slack: float = 0.0
    data_cuts: bool = False
    value_tolerance: float = 0.0
    count_rows: bool = False

    def __post_init__(self) -> None:
        check_flag(self, "ratio", "above_average", "charge", "data_cuts", "count_rows")
        check_real(self, "epsilon")
        check_real(self, "slack", 0.0)
        check_real(self, "value_tolerance", 0.0)

    @property
    def gain(self) -> Gain:
        return self

    @property
    def _least(self) -> float:
        return self.epsilon

    def search_settings(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)} | {"order": []}

    def cuts(self, node: NodeTable) -> Trials:
        return separable_cuts(node, self.value_tolerance)

    @property
    def score_name(self) -> str:
        return "gain ratio" if self.ratio else "information gain"

    @property
    def unfiltered(self) -> Gain:
        return replace(self, above_average=False, epsilon=-math.inf)

    @property
    def uncharged(self) -> Gain:
        return replace(self, charge=False)

    def check_response(self, response: Response) -> None:
        check_classes(response)

    def best(self, partitions: Partitions, termination: Termination) -> BestPartition | None:
        # The partition of largest gain less its charge, with its intrinsic value (docs/c45.md).
        usable = termination.admits(partitions.trials.rows, partitions.weight)
        cut = partitions.trials.kind == "cut"
        if cut:
            usable &= _large_enough(termination.min_branch_weight, partitions, self.count_rows)
        if not usable.any():
            return None
        children, parent, total = partitions.children, partitions.parent, partitions.total
        gain = np.maximum(bits(parent) - bits(children).sum(axis=1), 0.0) / total
        if cut and self.charge:
            gain = gain - np.log2(np.count_nonzero(usable)) / total
        compared = gain
        if self.ratio and partitions.trials.kind == "one level":
            compared = gain / np.array([intrinsic_value(weight, total) for weight in partitions.weight])
        number = first_best(np.where(usable, compared, np.nan))
        if cut and not better(float(gain[number]), 0.0):
            return None
        intrinsic = intrinsic_value(partitions.weight[number], total)
        return BestPartition(number, float(gain[number]), float(gain[number]), intrinsic)

    def worth(self, best: BestPartition) -> float:
        """Gain or gain ratio; NaN if the ratio is undefined.

        Parameters
        ----------
        best : BestPartition
            A scored partition of one feature.

        Returns
        -------
        float

        Examples
        --------
        >>> from boxwood import Gain
        >>> from boxwood.growing.partitions import BestPartition
        >>> Gain(ratio=True).worth(BestPartition(0, 0.5, 0.5, intrinsic=2.0))
        0.25
        """
        if best.intrinsic <= max(self.slack if self.ratio else 0.0, TIE):
            return math.nan
        return best.value / best.intrinsic if self.ratio else best.value

    def _eligible(self, candidates: list[FeatureSplit], stats: LearningStats) -> list[FeatureSplit]:
        kept = self._above_average(candidates, stats) if self.above_average else candidates
        worth = [self.worth(c.best) for c in kept]
        return [replace(c, compared=w, score=w) for c, w in zip(kept, worth, strict=True) if not math.isnan(w)]

    def _above_average(self, candidates: list[FeatureSplit], stats: LearningStats) -> list[FeatureSplit]:
        """C4.5's first filter: gains of at least the average; without groups, very many levels do not count in it."""
        few = [j for j, feature in enumerate(stats.schema) if not has_many_levels(feature, stats.n)]
        counted = range(len(stats.schema)) if stats.grouped else few
        gains = [
            c.best.value
            for c in candidates
            if (c.feature in counted or not counted) and c.best.value > -self.slack - TIE
        ]
        if not gains:
            return []
        average = math.fsum(gains) / len(gains) - self.slack
        return [c for c in candidates if c.best.value >= average - TIE * max(1.0, abs(average))]


def check_classes(response: Response) -> None:
    """Refuse a number where information gain is meant.

    Raises
    ------
    ParameterError
    """
    response.need_classes(
        Message(
            "information gain is about classes, and y is a number; ",
            remedy("use ", Setting("criterion", "variance"), " or a function of your own."),
        )
    )  # fmt: skip


def has_many_levels(feature: Feature, n: int) -> bool:
    """Whether a nominal feature has so many levels for n rows that C4.5 leaves it out of the average gain."""
    return not feature.type.has_cuts and len(feature.levels) >= MANY_LEVELS * n


def intrinsic_value(weight: np.ndarray, total: float) -> float:
    """Entropy in bits of the branches' weights, shape (B,), the weight that has no branch being one more group."""
    groups = np.append(weight, max(total - float(weight.sum()), 0.0))
    return float(bits(groups)) / total


def _large_enough(m: float, partitions: Partitions, count_rows: bool) -> np.ndarray:
    """Cuts with enough known weight on both sides (docs/c45.md); a minimum of 0 allows every cut."""
    if m == 0.0:
        return np.ones(len(partitions.weight), dtype=bool)
    sides = partitions.weight[:, :2]
    known = float(sides[0].sum())
    least = max(m, min(SHARE * known / partitions.parent.size, MOST))
    if count_rows and int(partitions.trials.rows[0].sum()) < 2 * least - SLIGHT:
        return np.zeros(len(partitions.weight), dtype=bool)
    return (sides >= least - SLIGHT).all(axis=1) & (known >= 2 * m - SLIGHT)
