"""Limits on splits that are not limits of size: features in groups, and the order of the means of branches."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace

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
        splits it, are all in one group. Empty: all features are in one. A feature in none is never used.
    features_on_path : int
        So many different features at most are tested on a path, 1 or 2; 0 = any number.
    used_above : tuple of int
        Features that are tested on the path to the root of the tree, if it will be a part of another.
    value_limits : tuple of float
        The limits of its means then (growing/value_limits.py), least and greatest; empty: none.
    """

    monotonic: tuple[int, ...] = ()
    groups: tuple[int, ...] = ()
    features_on_path: int = 0
    used_above: tuple[int, ...] = ()
    value_limits: tuple[float, ...] = ()

    def allows(self, path: Sequence[int], j: int) -> bool:
        """Whether a node may be split by feature ``j`` below splits by the features on its path."""
        used = {*path, j}
        if self.features_on_path and len(used) > self.features_on_path:
            return False
        return not self.groups or functools.reduce(operator.and_, (self.groups[i] for i in used)) != 0

    def may_replace(self, split: int, j: int) -> bool:
        """Whether feature ``j`` may be a surrogate of a split by another one."""
        return (not self.monotonic or self.monotonic[j] == 0) and self.allows((*self.used_above, split), j)

    @property
    def needs_path(self) -> bool:
        """Whether what a node may be split by depends on the splits above it."""
        return self.features_on_path > 0 or len({mask for mask in self.groups if mask}) > 1

    def below(self, path: tuple[int, ...], limits: tuple[float, float]) -> FeatureConstraints:
        """The constraints of a tree that will be below splits by these features, and has these limits of its means."""
        here = replace(self, used_above=path) if self.needs_path else self
        return replace(here, value_limits=limits) if self.monotonic else here

    def check_parts(self) -> None:
        """Refuse constraints on paths where rows are in parts."""
        if self.needs_path:
            raise ParameterError(
                Setting("interaction_cst"), " needs the rows in memory: parts of data do not know the path to a node; ",
                remedy("fit rows in memory, or without it."),
            )  # fmt: skip

    def check_response(self, response: Response) -> None:
        """Refuse an order of the probabilities of more than two classes."""
        if self.monotonic and not response.adds_up:
            raise ParameterError(
                Setting("monotonic_cst"), f" is for classes, means and rates, not for the {response.value_name}; ",
                remedy("fit without it."),
            )  # fmt: skip
        if self.monotonic and len(response.labels) > 2:
            raise ParameterError(
                Setting("monotonic_cst"), f" needs a number or two classes as y, which has {len(response.labels)} "
                "classes; ", remedy("fit one class against the others."),
            )  # fmt: skip

    def check_tables(self) -> None:
        """Refuse constraints where the kernel's search of two branches is not used."""
        if self != FREE:
            raise ParameterError(
                Setting("monotonic_cst"), ", ", Setting("interaction_cst"), " and ", Setting("forbidden_features"),
                " need two branches and the kernel's search; ",
                remedy("fit without them."),
            )  # fmt: skip


#: No limits.
FREE = FeatureConstraints()
