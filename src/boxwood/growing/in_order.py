"""Choice 2 of CLS: features as they come, without a measure."""

from __future__ import annotations

from dataclasses import dataclass

from .criterion import Criterion


@dataclass(frozen=True)
class InOrder(Criterion):
    """Choice 2 of CLS: no measure, the first feature that is still unused on the path and not constant in the node.

    Attributes
    ----------
    features : tuple of int
        Columns in the order of trial.

    Examples
    --------
    >>> from boxwood import InOrder, TreeClassifier
    >>> X = {"a": ["x", "x", "y"], "b": ["p", "q", "q"]}
    >>> model = TreeClassifier(branching="multiway", criterion=InOrder((1, 0))).fit(X, ["no", "no", "yes"])
    >>> model.tree_.splits.feature.tolist()
    [1, -1, 0, -1, -1]
    """

    features: tuple[int, ...]
