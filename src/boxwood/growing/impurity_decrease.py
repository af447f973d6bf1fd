"""Choice 2 of CART: the decrease of a measure of impurity."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ParameterError
from .criterion import Criterion

MEASURES = ("gini", "entropy", "error", "variance", "poisson")


@dataclass(frozen=True)
class ImpurityDecrease(Criterion):
    """Choice 2, the branching criterion: the largest decrease of a measure; ties to the first feature and lowest cut.

    Attributes
    ----------
    measure : {"gini", "entropy", "error", "variance", "poisson"}
    feature_costs : tuple of float, optional
        Decreases are divided by these before features are compared (rpart's ``cost``).
    order_by_mean : bool
        Branch 0 is the side with the lower mean response, as rpart orders children; else branch 0 is "x <= cut".
    min_share : float
        A split must gain more than this share of the root's impurity (rpart: 1e-10); negative = splits without gain
        are allowed.

    Examples
    --------
    >>> from boxwood import ImpurityDecrease, TreeClassifier
    >>> model = TreeClassifier(criterion=ImpurityDecrease("gini", feature_costs=(1.0, 9.0)))
    >>> model.fit([[0, 0], [1, 1], [1, 1]], ["no", "yes", "yes"]).tree_.splits.feature.tolist()
    [0, -1, -1]
    """

    measure: str
    feature_costs: tuple[float, ...] | None = None
    order_by_mean: bool = False
    min_share: float = -1.0

    def __post_init__(self):
        if self.measure not in MEASURES:
            raise ParameterError(f"criterion must be one of {', '.join(MEASURES)}; got {self.measure!r}")

    def importance_measure(self, kind: str) -> str:
        return self.measure
