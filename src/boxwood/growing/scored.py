"""A criterion in a person's own words, as a record that a recipe can hold."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ..errors import ParameterError
from .criterion import Criterion


@dataclass(frozen=True)
class Scored(Criterion):
    """Choice 2 in a person's own words: a Python function that scores ways to part a node; larger is better.

    Attributes
    ----------
    name : str
        What the tree says it was grown by.
    score : callable
        (children, parent) -> scores: float64 moments of shape (C, B, M) and (M,) to C numbers, NaN = not a candidate.
        C ways to part a node into B branches; M moments as ``Response.kind`` describes them. Rows whose value is
        missing are in neither, unless they have a branch of their own.
    epsilon : float
        A node whose best score is below this stays a leaf.

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
    score: Callable
    epsilon: float = -math.inf

    def __post_init__(self):
        if not callable(self.score):
            raise ParameterError(
                f"criterion {self.name!r} must be a function of (children, parent); got {self.score!r}"
            )
