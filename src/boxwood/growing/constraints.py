"""Limits on splits that are not limits of size: features in groups, and the order of the means of branches."""

from __future__ import annotations

from dataclasses import dataclass

from .._messages import Setting, remedy
from ..errors import ParameterError
from ..statistics.responses.response import Response


@dataclass(frozen=True)
class FeatureConstraints:
    """What splits may do with each feature, for two branches in the kernel's search.

    Attributes
    ----------
    monotonic : tuple of int
        For each feature 1 = the mean may only rise with it, -1 = only fall, 0 = both; empty: 0 for all. A split whose
        means are in the other order is not made, and a feature with an order is no surrogate: among rows that lack the
        split's value, the branch would follow it instead of the order of the means.
    groups : tuple of int
        For each feature a bit for each group that it belongs to: the features on the path to a node, and the one that
        splits it, are all in one group. Empty: all features are in one.
    """

    monotonic: tuple[int, ...] = ()
    groups: tuple[int, ...] = ()

    def check_response(self, response: Response) -> None:
        """Refuse an order of the probabilities of more than two classes."""
        if self.monotonic and len(response.labels) > 2:
            raise ParameterError(
                Setting("monotonic_cst"), f" needs a number or two classes as y, which has {len(response.labels)} "
                "classes; ", remedy("fit one class against the others."),
            )  # fmt: skip

    def check_tables(self) -> None:
        """Refuse constraints where the kernel's search of two branches is not used."""
        if self != FREE:
            raise ParameterError(
                Setting("monotonic_cst"), " needs two branches and the kernel's search, which this kind of y does not "
                "have; ", remedy("fit without it."),
            )  # fmt: skip


#: No limits.
FREE = FeatureConstraints()
