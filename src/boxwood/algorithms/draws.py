"""The settings of what the nodes of a tree draw by chance, declared and read."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any

from .._messages import must_be
from ..errors import ParameterError
from ..growing.draws import NONE, Draws
from ..learning.parameters import Parameter

_ALLOWED = "a whole number of at least 1, a share above 0 and up to 1, 'sqrt', 'log2' or None"
_OF_NUMBER = {"sqrt": math.sqrt, "log2": math.log2}


#: Both settings.
DRAWS = (
    Parameter(
        "splitter", "choice", "best", "the best split of each feature, or one drawn at random",
        choices=("best", "random"),
        doc="""
        Which partition of each feature is compared with those of the others (docs/random.md):
        - "best": the one that lowers the impurity most.
        - "random": one that is drawn, as in scikit-learn's extra-trees: a threshold between the least and the greatest
          value in the node, or a random set of its levels.
        """,
    ),
    Parameter(
        "max_features", "free", None,
        "features drawn at each node: a number, a share of the features, 'sqrt' or 'log2'; none = all",
        type='int, float, "sqrt", "log2" or None',
        doc="""
        Number of features that are drawn at random at each node, as in scikit-learn (docs/random.md): a number, a share
        in (0, 1] of the features, "sqrt" or "log2" of their number, always at least 1. Only these are searched for a
        split; if they offer none, further ones are drawn until one does. None searches all features.
        """,
    ),
)  # fmt: skip


def draws_of(settings: Mapping, n_features: int) -> Draws:
    """What nodes draw in a fit with so many features.

    Raises
    ------
    ParameterError
    """
    most = _most_features(settings["max_features"], n_features)
    drawn, random_cuts = most if most < n_features else 0, settings["splitter"] == "random"
    return Draws(drawn, random_cuts, settings["random_state"] or 0) if drawn or random_cuts else NONE


def is_random(settings: Mapping) -> bool:
    """Whether nodes draw anything, so that a tree is one for ensembles."""
    return settings["max_features"] is not None or settings["splitter"] == "random"


def _most_features(given: Any, n_features: int) -> int:
    """How many features each node draws, as scikit-learn counts them."""
    if given is None:
        return n_features
    if isinstance(given, str) and given in _OF_NUMBER:
        return max(1, int(_OF_NUMBER[given](n_features)))
    if isinstance(given, numbers.Integral) and not isinstance(given, bool) and given >= 1:
        return min(int(given), n_features)
    if isinstance(given, numbers.Real) and not isinstance(given, numbers.Integral) and 0.0 < given <= 1.0:
        return max(1, int(given * n_features))
    raise ParameterError(must_be("max_features", _ALLOWED, given))
