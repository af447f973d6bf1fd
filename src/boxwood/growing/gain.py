"""Choice 2 of ID3 and C4.5: information gain and its ratio."""

from __future__ import annotations

from dataclasses import dataclass

from .criterion import Criterion
from .limits import check_flag, check_real


@dataclass(frozen=True)
class Gain(Criterion):
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
