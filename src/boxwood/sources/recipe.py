"""A recipe: the four choices of the theory and the missing-value policy as one frozen record, valid if it exists."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ParameterError
from .limits import check_flag, check_real, check_whole
from .merging import Merged, Significance
from .scored import Scored

MEASURES = ("gini", "entropy", "error", "variance", "poisson")
POLICIES = ("surrogate", "majority", "learned", "own_branch", "fractional", "floating", "error")


@dataclass(frozen=True)
class Branching:
    """Choice 1, the number of branches: two, a nominal feature being cut into two sets of levels.

    Attributes
    ----------
    exhaustive_levels : int
        With three or more classes, up to this many present levels every subset is tried; above, levels are ordered
        along the principal direction of their class shares (Coppersmith et al. 1999) and the node says that it was
        heuristic.
    min_samples_level, pool_above : int
        In features with more than ``pool_above`` levels, levels with fewer than ``min_samples_level`` rows in the
        node are pooled into one before the search.
    correct_levels : bool
        Compare features after taking off what k unrelated levels would gain by chance: (k - 2) (2 / pi) I(t) / N_t.
    """

    exhaustive_levels: int = 10
    min_samples_level: int = 1
    pool_above: int = 0
    correct_levels: bool = False

    def __post_init__(self):
        check_whole(self, "exhaustive_levels", 2)
        check_whole(self, "min_samples_level", 1)
        check_whole(self, "pool_above", 0)
        check_flag(self, "correct_levels")


@dataclass(frozen=True)
class Multiway:
    """Choice 1, the number of branches: one a level of a nominal feature, empty ones too; others are cut in two.

    Attributes
    ----------
    once : bool
        A nominal feature is tested at most once on a path (ID3 step 6; C4.5).
    grouping : bool
        Levels are merged into groups by hill climbing before a nominal feature of more than two levels is judged, and
        the feature may come again below (C4.5's option -s, SPECS 4.5).
    ordinal_levels : bool
        One branch a level of ordinal features too, instead of a cut (CLS, ID3).
    """

    once: bool = True
    grouping: bool = False
    ordinal_levels: bool = False

    def __post_init__(self):
        check_flag(self, "once", "grouping")


@dataclass(frozen=True)
class InOrder:
    """Choice 2 of CLS: no measure, the first feature that is still unused on the path and not constant in the node.

    Attributes
    ----------
    features : tuple of int
        Columns in the order of trial.
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


@dataclass(frozen=True)
class Criterion:
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
    """

    measure: str
    feature_costs: tuple[float, ...] | None = None
    order_by_mean: bool = False
    min_share: float = -1.0

    def __post_init__(self):
        if self.measure not in MEASURES:
            raise ParameterError(f"criterion must be one of {', '.join(MEASURES)}; got {self.measure!r}")


@dataclass(frozen=True)
class Termination:
    """Choice 3, when a node stays a leaf: it is pure, too small, too deep, or no split is good enough.

    Sizes are counted in rows of positive weight. ``min_impurity_decrease`` is compared with weight(t) / weight(root)
    * decrease. ``min_branch_weight`` is C4.5's m: a split needs two branches of so much weight, a node twice of it.
    ``min_cases_split`` and ``min_cases_leaf`` are CHAID's: cases (weights as frequencies, or rows) that a node needs to
    be split and that each branch must get; below 1, shares of all cases.
    """

    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_impurity_decrease: float = 0.0
    min_branch_weight: float = 0.0
    min_cases_split: float = 0.0
    min_cases_leaf: float = 0.0

    def __post_init__(self):
        check_whole(self, "max_depth", 1, optional=True)
        check_whole(self, "min_samples_split", 2)
        check_whole(self, "min_samples_leaf", 1)
        check_real(self, "min_impurity_decrease", 0.0)
        for name in ("min_branch_weight", "min_cases_split", "min_cases_leaf"):
            check_real(self, name, 0.0)


@dataclass(frozen=True)
class Missing:
    """The fifth choice, what happens to a row whose feature is missing at a node (SPECS 5.7, 5.8).

    Attributes
    ----------
    policy : {"surrogate", "majority", "learned", "own_branch", "fractional", "floating", "error"}
        surrogate: the first surrogate split that knows the row, else ``otherwise``. majority: the branch with most
        weight of known rows. learned: both branches are tried for every cut, the better one is kept. own_branch: a
        branch of its own. fractional: the row goes down every non-empty branch with its share of the weight (C4.5).
        floating: a category that merges with the group most like it (CHAID). error: refused.
    max_surrogates : int
    style : {0, 1}
        Agreement relative to all rows that know the primary split (0) or to rows that know both (1), as rpart's
        surrogatestyle.
    otherwise : {"majority", "stay"}
        surrogate: what to do when no surrogate decides; "stay" = the row ends at this node.
    rpart_quirk : bool
        Reproduce rpart: nominal surrogates need two disagreeing rows; the majority branch is the child with more rows.
    """

    policy: str = "surrogate"
    max_surrogates: int = 5
    style: int = 0
    otherwise: str = "majority"
    rpart_quirk: bool = False

    def __post_init__(self):
        if self.policy not in POLICIES:
            raise ParameterError(f"missing must be one of {', '.join(POLICIES)}; got {self.policy!r}")


@dataclass(frozen=True)
class Recipe:
    """The four choices and two policies by which a tree is grown; choice 4, the base hypothesis, lives in the Response.

    Attributes
    ----------
    max_competitors : int
        Runner-up splits kept a node.
    rank_cuts : bool
        Cuts are midpoints between ranks of values in the learning set, not between values. The trees of folds are
        grown so:
        a held-out row whose value lies between two others falls on a side that no monotone map of the feature can
        change.
    """

    criterion: Criterion | InOrder | Gain | Significance | Scored
    branching: Branching | Multiway | Merged = Branching()
    termination: Termination = Termination()
    missing: Missing = Missing()
    max_competitors: int = 4
    rank_cuts: bool = False


def measure_of(criterion, kind: str) -> str:
    """The measure in which impurity and importance of a tree are told: the criterion's own, else the usual one.

    Parameters
    ----------
    criterion : Criterion, InOrder, Gain, Significance or Scored
    kind : {"classes", "mean", "rate"}
        Of the response.

    Examples
    --------
    >>> measure_of(Criterion("gini"), "classes"), measure_of(Gain(), "classes"), measure_of(Significance(), "mean")
    ('gini', 'entropy', 'variance')
    """
    if isinstance(criterion, Criterion):
        return criterion.measure
    return {"classes": "entropy", "mean": "variance", "rate": "poisson"}[kind]
