"""A recipe: the four choices of the theory and the missing-value policy as one frozen record, valid if it exists."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property

from .._messages import Learner, Setting, remedy
from ..data.columns.schema import Feature, Schema
from ..errors import ParameterError
from ..statistics.responses.registry import kinds
from ..statistics.responses.response import Response
from .branching import Binary, Branching
from .constraints import FREE, FeatureConstraints
from .criterion import Criterion
from .draws import NONE, Draws
from .missing import Missing
from .termination import OF_CASES, Termination

#: Policies for missing values that growth from tables allows, whatever the branching.
TABLE_POLICIES = ("error", "majority", "own_branch", "fractional")

#: The usual choice 1.
BINARY = Binary()
#: The usual choice 3.
NO_LIMITS = Termination()
#: The usual policy.
SURROGATE = Missing()


@dataclass(frozen=True)
class Recipe:
    """The choices and the policy for missing values by which a tree is grown.

    Choice 4, the base hypothesis, does not affect growth: a constant is in the Response, an object in LeafModels.

    Attributes
    ----------
    max_competitors : int
        Runner-up splits kept a node.
    min_risk : float
        Nodes of no more risk (weight times impurity by the criterion, under the altered priors) stay leaves, in binary
        trees: what is below them does not matter in trees of folds that are scored from a price of a leaf upwards.
    rank_cuts : bool
        Cuts are midpoints between ranks of values in the learning set, not between values. The trees of folds are grown
        so: a held-out row whose value lies between two others is then on a side that no monotone map of the feature
        changes.
    short_cuts : tuple of bool
        For each feature, whether a cut is the shortest number between the values on its sides, and not their midpoint;
        empty: for none.
    constraints : FeatureConstraints
        Which features may split a node, and the order of the means of branches.
    draws : Draws
        What nodes draw by chance.
    in_kernel : bool
        The kernel has sums of the response; otherwise tables in numpy are searched.
    """

    criterion: Criterion
    branching: Branching = BINARY
    termination: Termination = NO_LIMITS
    missing: Missing = SURROGATE
    max_competitors: int = 4
    min_risk: float = 0.0
    rank_cuts: bool = False
    short_cuts: tuple[bool, ...] = ()
    constraints: FeatureConstraints = FREE
    draws: Draws = NONE
    in_kernel: bool = True

    @cached_property
    def search(self) -> str | None:
        """The search of the kernel that grows by this recipe: "binary", "multiway" or "merged"; None = in tables."""
        tabled = self.missing.policy in self.branching.tabled
        return None if tabled or not (self.in_kernel and self.has_kernel_search) else self.branching.search

    @property
    def has_kernel_search(self) -> bool:
        """Whether the kernel has the branching with the criterion, whatever the policy for missing values."""
        limited = self.termination.min_weight_fraction_leaf > 0.0 and self.branching.search == "multiway"
        return self.branching.search in self.criterion.searches and not limited

    def has_short_cuts(self, j: int) -> bool:
        """Whether cuts of a feature are the shortest numbers between values."""
        return bool(self.short_cuts) and self.short_cuts[j]

    def tests_once(self, feature: Feature) -> bool:
        """Whether a feature that was tested at a node may not be tested again below it (ID3 step 6)."""
        return (
            self.branching.once
            and self.branching.has_branch_per_level(feature)
            and not self.branching.is_grouped(feature)
        )

    def in_order(self, monotonic: tuple[int, ...]) -> Recipe:
        """The recipe for a part of a tree whose predictions have an order."""
        return replace(self, constraints=replace(self.constraints, monotonic=monotonic))

    def for_response(self, kind: str) -> Recipe:
        """The recipe for a kind of response; see :meth:`boxwood.growing.criterion.Criterion.for_response`."""
        criterion = self.criterion.for_response(self.branching.search, kind)
        found = self if criterion is self.criterion else replace(self, criterion=criterion)
        return found if kinds()[kind].in_kernel else replace(found, in_kernel=False)

    def check(self, schema: Schema, response: Response) -> None:
        """Refuse what cannot be grown, or what would have no effect.

        Raises
        ------
        ParameterError
            The message names the invalid combination and the valid ones.
        """
        if self.search in (None, "multiway"):  # whose rules are those of tables
            self.check_tables(schema, response)
        else:
            self.criterion.check_response(response)
            self.constraints.check_response(response)
            self._check_search()
            if self.search != "binary":
                self.constraints.check_tables()
                self.draws.check_kernel()

    def _check_search(self) -> None:
        """Refuse limits and policies that the kernel's search does not have; once, as many fits use one recipe."""
        if "search" not in self.remembered:
            self.branching.check_search(self.termination, self.missing)
            self.remembered["search"] = True

    def check_tables(self, schema: Schema, response: Response) -> None:
        """Refuse what cannot be grown from tables, or what would have no effect there.

        Raises
        ------
        ParameterError
        """
        self.criterion.check(self.branching, schema, response)
        self.constraints.check_tables()
        self.draws.check_kernel()
        if self.termination.min_impurity_decrease > 0 and not self.criterion.is_decrease:
            raise ParameterError(
                "min_impurity_decrease needs a criterion that is a decrease of impurity; a function of your own can "
                "return NaN for what it does not accept, or use Scored(name, function, epsilon=...)."
            )
        rows = remedy("use ", Setting("min_samples_split"), " and ", Setting("min_samples_leaf"), ".")
        self.termination.refuse(OF_CASES, " belong to ", Setting("branching", "merged"), "; ", rows)
        self.branching.check(self.criterion)
        policies = TABLE_POLICIES
        if "surrogate" in self.branching.policies:
            policies += ("surrogate",)
        if self.missing.policy not in policies:
            raise ParameterError(
                Setting("missing", self.missing.policy), " does not go with this branching and criterion; ", remedy(
                f"use one of {', '.join(map(repr, policies))}, or ",
                Learner("cart", "CARTClassifier or CARTRegressor"), "."),
            )  # fmt: skip

    @cached_property
    def remembered(self) -> dict:
        """What has been made from this recipe in this process: many fits use the same."""
        return {}

    def __getstate__(self) -> dict:
        """Only the fields; derived values stay in this process."""
        return {f.name: getattr(self, f.name) for f in fields(self)}
