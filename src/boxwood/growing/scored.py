"""Choice 2 as a user-defined function."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._messages import Setting, Value, remedy, shortened
from ..errors import ParameterError
from .criterion import Criterion
from .partitions import BestPartition, FeatureSplit, Partitions
from .termination import Termination
from .ties import first_best


@dataclass(frozen=True)
class Scored(Criterion):
    """Choice 2 as a function of your own that scores partitions of a node; larger is better.

    Attributes
    ----------
    name : str
        The name in reports.
    score : callable
        (children, parent) -> scores. ``children``, of shape (C, B, M), are the moments of C partitions into B branches;
        ``parent``, of shape (M,), are those of the node. The result is an array of C numbers; NaN excludes a partition.
        ``Response.kind`` describes the M moments. Rows with a missing value are included only if they have a separate
        branch; otherwise a score is multiplied by the proportion of the node's weight that is known (a negative one is
        divided by it), as the gain and the decrease of impurity are. So 0 should be the score of a useless partition.
    epsilon : float
        A node becomes a leaf if its best score is below this.

    Examples
    --------
    >>> from boxwood import Scored, TreeRegressor
    >>> def gap(children, parent):
    ...     return abs(children[:, 0, 1] - children[:, 1, 1])
    >>> model = TreeRegressor(criterion=Scored("gap", gap, epsilon=3.0))
    >>> model.fit([[1], [2], [3]], [0, 1, 5]).tree_.splits.breaks.tolist()
    [2.5]
    """

    name: str
    score: Callable[..., Any]
    epsilon: float = -math.inf

    def __post_init__(self) -> None:
        if not callable(self.score):
            raise ParameterError(
                Setting("criterion"), f" {self.name!r}", " must be a function of (children, parent); got ",
                Value(self.score, shortened(self.score)),
            )  # fmt: skip

    @property
    def _least(self) -> float:
        return self.epsilon

    @property
    def score_name(self) -> str:
        return self.name

    def best(self, partitions: Partitions, termination: Termination) -> BestPartition | None:
        usable = termination.admits(partitions.trials.rows, partitions.weight)
        if not usable.any():
            return None
        scores = self._called(partitions.children, partitions.parent)
        share = partitions.known / partitions.total  # a column that few rows know must not win by them alone
        scores = np.where(scores < 0.0, scores / share, scores * share)
        tie = np.max(np.abs(scores), initial=0.0, where=usable & ~np.isnan(scores))
        number = first_best(np.where(usable, scores, np.nan), float(tie))
        return None if number is None else BestPartition(number, float(scores[number]), float(scores[number]))

    def _unit(self, candidates: list[FeatureSplit]) -> float:
        return max((abs(c.compared) for c in candidates), default=0.0)

    def _called(self, children: np.ndarray, parent: np.ndarray) -> np.ndarray:
        """What the function returns for all partitions; NaN = not a candidate.

        Parameters
        ----------
        children : float64, shape (C, B, M)
        parent : float64, shape (M,)

        Raises
        ------
        ParameterError
            It fails, or does not return one number, not infinite upwards, for each partition.
        """
        try:
            with np.errstate(all="ignore"):  # 0 / 0 of an empty branch gives NaN: not a candidate
                scores = np.array(self.score(_read_only(children), _read_only(parent)), dtype=np.float64)
        except Exception as failure:
            raise ParameterError(
                f"the criterion {self.name!r} failed on children of shape {children.shape} and a parent of shape "
                f"{parent.shape}: {type(failure).__name__}: {failure}"
            ) from failure
        if scores.shape != children.shape[:1]:
            raise ParameterError(
                f"the criterion {self.name!r} must return one score for each of {len(children)} ways to divide a node, "
                f"shape {children.shape[:1]}; it returned shape {scores.shape}. Sum over branches with axis=1."
            )
        if (scores == np.inf).any():
            raise ParameterError(
                f"the criterion {self.name!r} returned an infinite score; ",
                remedy("return NaN for what must not be chosen."),
            )  # fmt: skip
        return np.where(np.isfinite(scores), scores, np.nan)


def _read_only(array: np.ndarray) -> np.ndarray:
    """The same numbers, protected from changes."""
    array = array.view()
    array.flags.writeable = False
    return array
