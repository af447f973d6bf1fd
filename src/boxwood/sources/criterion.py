"""Choice 2 of a recipe: how ways to part a node are scored and chosen."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ParameterError
from .limits import check_flag, check_real

MEASURES = ("gini", "entropy", "error", "variance", "poisson")


@dataclass(frozen=True)
class InOrder:
    """Choice 2 of CLS: no measure, the first feature that is still unused on the path and not constant in the node.

    Attributes
    ----------
    features : tuple of int
        Columns in the order of trial.

    Examples
    --------
    >>> from boxwood import InOrder, TreeClassifier
    >>> X = {"a": ["x", "x", "y"], "b": ["p", "q", "q"]}
    >>> model = TreeClassifier(branching="multiway", criterion=InOrder((1, 0))).fit(X, ["no", "no", "yes"])
    >>> model.tree_.splits.feature.tolist()
    [1, -1, 0, -1, -1]
    """

    features: tuple[int, ...]


@dataclass(frozen=True)
class Gain:
    """Choice 2 of ID3 and C4.5: information gain, or its ratio to the intrinsic value (SPECS 3 and 4).

    Attributes
    ----------
    ratio : bool
        Rank by gain / intrinsic value.
    above_average : bool
        Only features whose gain is at least the average gain of the candidates (less ``slack``) are ranked.
    charge : bool
        Take log2(number of admissible cuts) / weight off the gain of a cut (release 8, SPECS 4.4).
    epsilon : float
        A node whose best score is below this stays a leaf (ID3 step 4, strict).
    slack : float
        C4.5's 1e-3 below the average, and the least intrinsic value of a candidate; 0 for ID3.
    data_cuts : bool
        Report a cut as the largest value of the learning set that is not above the midpoint, as C4.5 does.
    value_tolerance : float
        Numbers that differ by no more are not cut apart (C4.5 and J48: 1e-5).

    Examples
    --------
    C4.5's way to choose a split:

    >>> from boxwood import Gain, TreeClassifier
    >>> c45 = Gain(ratio=True, above_average=True, charge=True, slack=1e-3, data_cuts=True)
    >>> X, y = [[1], [2], [3], [4], [5], [6]], ["no", "no", "no", "yes", "yes", "yes"]
    >>> TreeClassifier(branching="multiway", criterion=c45).fit(X, y).tree_.splits.breaks.tolist()
    [3.0]
    """

    ratio: bool = False
    above_average: bool = False
    charge: bool = False
    epsilon: float = 0.0
    slack: float = 0.0
    data_cuts: bool = False
    value_tolerance: float = 0.0

    def __post_init__(self):
        check_flag(self, "ratio", "above_average", "charge", "data_cuts")
        check_real(self, "epsilon")
        check_real(self, "slack", 0.0)
        check_real(self, "value_tolerance", 0.0)


@dataclass(frozen=True)
class ImpurityDecrease:
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


def measure_of(criterion, kind: str) -> str:
    """The measure in which impurity and importance of a tree are told: the criterion's own, else the usual one.

    Parameters
    ----------
    criterion : ImpurityDecrease, InOrder, Gain, Significance or Scored
    kind : {"classes", "mean", "rate"}
        Of the response.

    Examples
    --------
    >>> measure_of(ImpurityDecrease("gini"), "classes"), measure_of(Gain(), "classes"), measure_of(Gain(), "mean")
    ('gini', 'entropy', 'variance')
    """
    if isinstance(criterion, ImpurityDecrease):
        return criterion.measure
    return {"classes": "entropy", "mean": "variance", "rate": "poisson"}[kind]
