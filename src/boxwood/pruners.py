"""The public pruners: choices for ``pruning=`` at fit and for ``prune()`` after it (docs/pruning.md).

Examples
--------
>>> from boxwood import CARTClassifier, datasets, pruners
>>> X = datasets.load("titanic")
>>> y = X.pop("survived")
>>> model = CARTClassifier(pruning=pruners.CostComplexity(rule="1se")).fit(X, y)
>>> model.prune(pruners.MinimumDescriptionLength()).get_n_leaves()
7
"""

from .training.pruners import (
    CostComplexity,
    CriticalValue,
    ErrorBased,
    MinimumDescriptionLength,
    OneLeaf,
    PrePruning,
    ReducedError,
    SameDecision,
)

__all__ = [
    "CostComplexity",
    "CriticalValue",
    "ErrorBased",
    "MinimumDescriptionLength",
    "OneLeaf",
    "PrePruning",
    "ReducedError",
    "SameDecision",
]
