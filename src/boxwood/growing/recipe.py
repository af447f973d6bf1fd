"""A recipe: the four choices of the theory and the missing-value policy as one frozen record, valid if it exists."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property

from .branching import Binary, Merged, Multiway
from .criterion import Criterion
from .missing import SURROGATES, Missing
from .termination import Termination

#: Choice 1 where nothing else is said.
BINARY = Binary()
#: Choice 3 where nothing else is said.
NO_LIMITS = Termination()
#: The policy where nothing else is said.
SURROGATE = Missing()


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

    criterion: Criterion
    branching: Binary | Multiway | Merged = BINARY
    termination: Termination = NO_LIMITS
    missing: Missing = SURROGATE
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
