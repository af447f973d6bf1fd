"""Choice 1 of CHAID: as many branches as there are groups that differ significantly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .._messages import Setting, Value, must_be, remedy
from ..errors import ParameterError
from .branching import Branching
from .criterion import Criterion
from .limits import check_flag, check_real, check_whole
from .missing import Missing
from .termination import Termination


@dataclass(frozen=True)
class Merged(Branching):
    """Choice 1, the number of branches: categories that do not differ significantly are merged (CHAID).

    Attributes
    ----------
    exhaustive : bool
        Merge down to two groups, then keep the most significant grouping (Biggs, de Ville, Suen, 1991).
    alpha_merge : float
        Merge the most similar pair of groups while its p-value exceeds this.
    alpha_split_merged : float, optional
        Split a merged group of three or more categories again if the p-value is at most this; None means never.
    min_segment : float
        Before the feature is tested, merge groups with fewer cases with the most similar group. A value below 1 is a
        proportion of all cases; 0 disables this.
    n_bins : int
        Maximum number of ordered bins of a numeric feature, determined once on the whole training set.

    Raises
    ------
    ParameterError
        A value is out of range, or two of them exclude each other.

    Examples
    --------
    >>> from boxwood import Merged, TreeClassifier
    >>> X = {"city": ["Ulm", "Bonn", "京都"] * 20}
    >>> model = TreeClassifier(branching=Merged(exhaustive=True), criterion="significance", pruning=None)
    >>> print(model.fit(X, ["no", "no", "yes"] * 20).tree_)
    Decision tree (tree) for y: 3 nodes, 2 leaves, depth 1
    all rows (60 rows, no 0.667; p 1.14e-13; missing: stays)
    ├─ city in {Bonn, Ulm} → no 1.000 (40 rows)
    └─ city = 京都 → yes 1.000 (20 rows)
    """

    search: ClassVar[str] = "merged"
    usual_missing: ClassVar[str] = "floating"
    policies: ClassVar[tuple[str, ...]] = ("error", "floating")

    exhaustive: bool = False
    alpha_merge: float = 0.05
    alpha_split_merged: float | None = None
    min_segment: float = 0.0
    n_bins: int = 10

    def __post_init__(self) -> None:
        check_flag(self, "exhaustive")
        check_real(self, "alpha_merge", 0.0, 1.0)
        check_real(self, "min_segment", 0.0)
        check_whole(self, "n_bins", 2)
        if self.n_bins > 1000:
            raise ParameterError("Merged: ", must_be("n_bins", "at most 1000", self.n_bins))
        if self.alpha_split_merged is None:
            return
        check_real(self, "alpha_split_merged", 0.0, 1.0)
        if self.exhaustive:
            raise ParameterError("exhaustive merging keeps the best stage and cuts no merged group again.")
        if self.alpha_split_merged > self.alpha_merge:
            raise ParameterError(
                Setting("alpha_split_merged"), " must be at most ", Setting("alpha_merge"), ", or merging and cutting "
                "undo each other; got ", Value(self.alpha_split_merged), f" above {self.alpha_merge}.",
            )  # fmt: skip

    def check(self, criterion: Criterion) -> None:
        raise ParameterError(
            Setting("branching", "merged"), " merges categories by their significance; ",
            remedy("use ", Setting("criterion", "significance"), " with it."),
        )  # fmt: skip

    def check_search(self, termination: Termination, missing: Missing) -> None:
        rows = ("min_samples_split", "min_samples_leaf")
        others = (*rows, "min_weight_fraction_leaf", "min_impurity_decrease", "min_branch_weight")
        cases = remedy("use ", Setting("min_cases_split"), " and ", Setting("min_cases_leaf"), ".")
        termination.refuse(others, " do not go with ", Setting("branching", "merged"), "; ", cases)
        missing.check(self.policies, "merged branches")
