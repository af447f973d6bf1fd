"""Reads the settings of what the nodes of a tree draw by chance."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any

from .._messages import must_be
from ..errors import ParameterError
from ..growing.draws import NONE, Draws

_ALLOWED = "a whole number of at least 1, a share above 0 and up to 1, 'sqrt', 'log2' or None"
_OF_NUMBER = {"sqrt": math.sqrt, "log2": math.log2}


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
