"""The public pruners: choices for ``pruning=`` at fit and for ``prune()`` after it (docs/pruning.md).

Examples
--------
>>> from boxwood import CARTClassifier, datasets, pruners
>>> X = datasets.load("titanic")
>>> y = X.pop("survived")
>>> model = CARTClassifier(pruning=pruners.CostComplexity(rule="1se")).fit(X, y)
>>> model.prune(pruner=pruners.MinimumDescriptionLength()).get_n_leaves()
7
"""

from .cost_complexity import CostComplexity
from .critical_value import CriticalValue
from .description_length import MinimumDescriptionLength
from .error_based import ErrorBased
from .one_leaf import OneLeaf
from .pre_pruning import PrePruning
from .reduced_error import ReducedError
from .same_decision import SameDecision

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


def __dir__() -> list[str]:
    """The public names, without the modules they are in."""
    return list(__all__)
