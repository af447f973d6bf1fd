"""A recipe: the four choices of the theory and the missing-value policy as one frozen record, valid if it exists."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property

from ..errors import ParameterError
from .branching import Binary, Multiway
from .criterion import Gain, ImpurityDecrease, InOrder
from .limits import check_real, check_whole
from .merging import Merged, Significance
from .scored import Scored

#: Choice 1 where nothing else is said.
BINARY = Binary()

#: Surrogates kept a node where nothing else is said, as by rpart.
SURROGATES = 5

POLICIES = ("surrogate", "majority", "learned", "own_branch", "fractional", "floating", "error")


@dataclass(frozen=True)
class Termination:
    """Choice 3, when a node stays a leaf: it is pure, too small, too deep, or no split is good enough.

    Sizes are counted in rows of positive weight. ``min_impurity_decrease`` is compared with weight(t) / weight(root)
    * decrease. ``min_branch_weight`` is C4.5's m: a split needs two branches of so much weight, a node twice of it.
    ``min_cases_split`` and ``min_cases_leaf`` are CHAID's: cases (weights as frequencies, or rows) that a node needs to
    be split and that each branch must get; below 1, shares of all cases. ``collapse`` is C4.5's last look: a split that
    saves no error on the rows it was grown from is taken back when the tree is complete.

    Examples
    --------
    >>> from boxwood import Termination, TreeRegressor
    >>> model = TreeRegressor(termination=Termination(max_depth=1, min_samples_leaf=2))
    >>> model.fit([[1], [2], [3], [4], [5]], [0, 1, 1, 5, 5]).tree_.rows.tolist()
    [5, 3, 2]
    """

    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_impurity_decrease: float = 0.0
    min_branch_weight: float = 0.0
    min_cases_split: float = 0.0
    min_cases_leaf: float = 0.0
    collapse: bool = False

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
    max_surrogates : int or None
        None = SURROGATES where the learning set has a missing value, else none; settled before growth.
    style : {0, 1}
        Agreement relative to all rows that know the primary split (0) or to rows that know both (1), as rpart's
        surrogatestyle.
    otherwise : {"majority", "stay"}
        surrogate: what to do when no surrogate decides; "stay" = the row ends at this node.
    rpart_quirk : bool
        Reproduce rpart: nominal surrogates need two disagreeing rows; the majority branch is the child with more rows.
    """

    policy: str = "surrogate"
    max_surrogates: int | None = SURROGATES
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
    least_risk : float
        Nodes of no more risk (weight times impurity by the criterion) stay leaves, in binary trees: nobody asks what
        stands below them in trees of folds that are judged from a price of a leaf upwards.
    rank_cuts : bool
        Cuts are midpoints between ranks of values in the learning set, not between values. The trees of folds are
        grown so:
        a held-out row whose value lies between two others falls on a side that no monotone map of the feature can
        change.
    """

    criterion: ImpurityDecrease | InOrder | Gain | Significance | Scored
    branching: Binary | Multiway | Merged = BINARY
    termination: Termination = Termination()
    missing: Missing = Missing()
    max_competitors: int = 4
    least_risk: float = 0.0
    rank_cuts: bool = False

    @cached_property
    def with_surrogates(self) -> Recipe:
        """The same with the usual number of surrogates."""
        return replace(self, missing=replace(self.missing, max_surrogates=SURROGATES))

    @cached_property
    def without_surrogates(self) -> Recipe:
        """The same with none."""
        return replace(self, missing=replace(self.missing, max_surrogates=0))

    @cached_property
    def remembered(self) -> dict:
        """What has been made from this recipe in this process: many fits use the same."""
        return {}

    def __getstate__(self) -> dict:
        """The fields alone: what has been made from them stays in this process."""
        return {f.name: getattr(self, f.name) for f in fields(self)}
