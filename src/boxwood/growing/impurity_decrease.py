"""Choice 2 of CART: the decrease of a measure of impurity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .._messages import Setting, must_be, remedy
from ..data.columns.schema import Schema
from ..errors import ParameterError, check_one_of
from ..statistics.class_measures import is_of_classes, measure_name
from ..statistics.responses.registry import kinds, measures
from ..statistics.responses.response import Response
from ..statistics.tsallis import Tsallis
from .criterion import Criterion
from .partitions import BestPartition, Partitions
from .termination import Termination
from .ties import first_best

_NAMES = {
    "gini": "decrease of Gini impurity",
    "entropy": "information gain",
    "error": "decrease of classification error",
    "variance": "decrease of variance",
    "poisson": "decrease of deviance",
    "gamma": "decrease of gamma deviance",
    "absolute_error": "decrease of absolute error",
}


@dataclass(frozen=True)
class ImpurityDecrease(Criterion):
    """Choice 2: the largest decrease in impurity. Ties go to the first feature and the lowest threshold.

    Attributes
    ----------
    measure : {"gini", "entropy", "error", "variance", "poisson", "gamma"}, Tsallis or Tweedie
        Impurity measure, stored by name; the name of ``Tsallis(1.5)`` is "tsallis:1.5".
    feature_costs : tuple of float, optional
        Decreases are divided by these before features are compared (rpart's ``cost``).
    order_by_mean : bool
        Branch 0 is the side with the lower mean response, as in rpart; otherwise, branch 0 is "x <= threshold".
    min_share : float
        Minimum decrease as a proportion of the impurity of the root (1e-10 in rpart). A negative value allows splits
        without a decrease.
    positive_rates : bool
        No branch may have a mean or a rate of 0, as scikit-learn requires for Poisson deviance.

    Examples
    --------
    >>> from boxwood import ImpurityDecrease, TreeClassifier
    >>> model = TreeClassifier(criterion=ImpurityDecrease("gini", feature_costs=(1.0, 9.0)))
    >>> model.fit([[0, 0], [1, 1], [1, 1]], ["no", "yes", "yes"]).tree_.splits.feature.tolist()
    [0, -1, -1]
    """

    searches: ClassVar[frozenset[str]] = frozenset({"binary"})
    is_decrease: ClassVar[bool] = True

    measure: str | Tsallis
    feature_costs: tuple[float, ...] | None = None
    order_by_mean: bool = False
    min_share: float = -1.0
    positive_rates: bool = False

    def __post_init__(self) -> None:
        if named := measure_name(self.measure):
            object.__setattr__(self, "measure", named)
        else:
            check_one_of("criterion", self.measure, measures())

    def importance_measure(self, kind: str) -> str:
        return self.measure

    @property
    def handicap(self) -> str:
        return "" if self.feature_costs is None else " after division by the costs of the features"

    def search_settings(self) -> dict[str, Any]:
        costs, measure = list(self.feature_costs or ()), self.measure if is_of_classes(self.measure) else None
        settings = {"measure": measure, "feature_costs": costs, "order_by_mean": self.order_by_mean}
        return settings | {"min_share": self.min_share, "positive_rates": self.positive_rates}

    @property
    def score_name(self) -> str:
        return _NAMES.get(self.measure, f"decrease of {self.measure}")

    def arithmetic(self, kind: str) -> tuple[str, ...]:
        of = kinds()[kind]
        has_other_name = self.measure.partition(":")[0] in of.measures and self.measure not in of.sections
        return of.sections[:1] if has_other_name else (self.measure,)

    def check(self, branching: Any, schema: Schema, response: Response) -> None:
        self.check_response(response)
        if self.feature_costs is not None or self.order_by_mean or self.min_share >= 0 or self.positive_rates:
            raise ParameterError(
                Setting("feature_costs"), ", ", Setting("order_by_mean"), ", ", Setting("min_share"), " and ",
                Setting("positive_rates"), " need two branches and the kernel's search; ",
                remedy("use ", Setting("branching", "binary"), " with them."),
            )  # fmt: skip

    def check_response(self, response: Response) -> None:
        if not response.fits(self.measure):
            words = ", ".join(map(repr, response.measures))
            raise ParameterError(must_be("criterion", f"one of {words} for this kind of y", self.measure))
        if self.order_by_mean and not response.adds_up:
            raise ParameterError(
                f"rpart has no {self.measure}; ", remedy("leave ", Setting("compat"), " out with it."),
            )  # fmt: skip

    def best(self, partitions: Partitions, termination: Termination) -> BestPartition | None:
        usable = termination.admits(partitions.trials.rows, partitions.weight)
        if not usable.any():
            return None
        response = partitions.table.response
        decrease = response.decrease(self.measure, partitions.children, partitions.parent)
        scores, scale = decrease * (partitions.known / partitions.total), response.unit_of_scores(partitions.node)
        number = first_best(np.where(usable, scores / scale, np.nan))
        return None if number is None else BestPartition(number, float(scores[number]), float(scores[number] / scale))
