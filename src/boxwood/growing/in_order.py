"""Choice 2 of CLS: features in a given order, without a measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from .._messages import Column, Setting, remedy
from ..data.columns.raw import EMPTY
from ..data.columns.schema import Schema
from ..errors import ParameterError
from ..statistics.responses.response import Response
from .criterion import Criterion
from .gain import Gain, check_classes
from .partitions import BestPartition, FeatureSplit, LearningStats, Partitions
from .termination import Termination

#: Cuts and sets of levels are chosen by it where a feature allows several.
_GAIN = Gain()


@dataclass(frozen=True)
class InOrder(Criterion):
    """Choice 2 of CLS: no measure, but the first feature that is unused on the path and not constant in the node.

    Attributes
    ----------
    features : tuple of int
        Columns in the order in which they are tested.

    Examples
    --------
    >>> from boxwood import InOrder, TreeClassifier
    >>> X = {"a": ["x", "x", "y"], "b": ["p", "q", "q"]}
    >>> model = TreeClassifier(branching="multiway", criterion=InOrder((1, 0))).fit(X, ["no", "no", "yes"])
    >>> model.tree_.splits.feature.tolist()
    [1, -1, 0, -1, -1]
    """

    searches: ClassVar[frozenset[str]] = frozenset({"multiway"})
    is_decrease: ClassVar[bool] = True

    features: tuple[int, ...] = field()

    @property
    def unfiltered(self) -> Gain:
        return _GAIN

    def search_settings(self) -> dict[str, Any]:
        return _GAIN.search_settings() | {"order": list(self.features)}

    def place(self, first: str | None) -> str:
        if first is None:
            return "the first feature in order that is not constant here and was not tested above"
        return f"comes after {first} in the order of the features"

    def check(self, branching: Any, schema: Schema, response: Response) -> None:
        self.check_response(response)
        for j in self.features:
            feature = schema[j]
            if feature.why == EMPTY:
                continue
            if feature.type.has_cuts and not branching.has_branch_per_level(feature):
                raise ParameterError(
                    Setting("criterion", "in_order"), " takes features as they come and has no measure that could cut "
                    "one: ", Column(feature.name, "column"), f" is {feature.kind}; ",
                    remedy("name it in ", Setting("categorical_features"), ", or cut it into levels first."),
                )  # fmt: skip

    def check_response(self, response: Response) -> None:
        check_classes(response)

    def columns(self, n_features: int) -> Sequence[int]:
        return self.features

    def best(self, partitions: Partitions, termination: Termination) -> BestPartition | None:
        return _GAIN.best(partitions, termination)

    def ranked(self, candidates: list[FeatureSplit], stats: LearningStats, weight: float) -> list[FeatureSplit]:
        found = [c for c in candidates if self._gains_enough(c, stats, weight)]
        return sorted(found, key=lambda c: self.features.index(c.feature))
