"""The policy for missing values, a fifth part of a recipe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .._messages import Setting, remedy
from ..errors import ParameterError, check_one_of

#: The usual number of surrogates kept at a node, as in rpart.
SURROGATES = 5

POLICIES = ("surrogate", "majority", "learned", "own_branch", "fractional", "floating", "error")


@dataclass(frozen=True)
class Missing:
    """The fifth choice, what happens to a row whose feature is missing at a node (docs/missing.md).

    Attributes
    ----------
    policy : {"surrogate", "majority", "learned", "own_branch", "fractional", "floating", "error"}
        surrogate: the first surrogate split whose value the row has, else ``otherwise``. majority: the branch with most
        weight of known rows. learned: both branches are tried for every cut, the better one is kept. own_branch: a
        branch of its own. fractional: the row goes down every non-empty branch with its share of the weight (C4.5).
        floating: a category that merges with the group most like it (CHAID). error: refused.
    max_surrogates : int
        Surrogates kept a node, whether or not a value of the learning set is missing.
    style : {0, 1}
        Agreement relative to all rows that know the primary split (0) or to rows that know both (1), as rpart's
        surrogatestyle.
    otherwise : {"majority", "stay"}
        surrogate: what to do when no surrogate decides; "stay" = the row ends at this node.
    rpart_quirk : bool
        Reproduce rpart: nominal surrogates need two disagreeing rows; the majority branch is the child with more rows.
    """

    policy: str = "surrogate"
    max_surrogates: int = SURROGATES
    style: int = 0
    otherwise: str = "majority"
    rpart_quirk: bool = False

    def __post_init__(self):
        check_one_of("missing", self.policy, POLICIES)

    @property
    def stays_in_growth(self) -> bool:
        """Whether training rows that no surrogate routes stay; rpart without surrogates has no majority either."""
        return self.otherwise == "stay" or (self.rpart_quirk and self.max_surrogates == 0)

    @property
    def predicts_by_rows(self) -> bool:
        """Whether rows that no surrogate routes go to the child with more rows in prediction, whatever growth did."""
        return self.rpart_quirk and self.policy == "surrogate" and self.otherwise == "majority"

    def check(self, allowed: Sequence[str], words: str) -> None:
        """Refuse a policy that does not go with a branching.

        Raises
        ------
        ParameterError
        """
        if not isinstance(self.policy, str) or self.policy not in allowed:
            raise ParameterError(
                Setting("missing", self.policy), f" does not go with {words}; ",
                remedy(f"use one of {', '.join(map(repr, allowed))}."),
            )  # fmt: skip
