"""The measures of impurity of classes by name, as functions of shares.

A measure with a parameter is a record, and its name is "name:parameter": ``Tsallis(1.5)`` is "tsallis:1.5" in recipes,
model files and on the command line. A new measure of classes is a line in one of the two dictionaries here, and its
twin one in kernel/response/class_measure.hpp.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..errors import ParameterError
from .shares import classification_error, entropy, gini
from .tsallis import Tsallis

_PLAIN = {"gini": gini, "entropy": entropy, "error": classification_error}
_WITH_PARAMETER = {"tsallis": Tsallis}

#: Names of measures of classes, but for those with a parameter.
PLAIN_MEASURES = tuple(_PLAIN)


def measure_name(given) -> str | None:
    """The name of a measure of classes that has a parameter, from its record or its name; None for anything else.

    Raises
    ------
    ParameterError
        The name is one of these measures, but its parameter is not allowed.
    """
    if isinstance(given, tuple(_WITH_PARAMETER.values())):
        return str(given)
    name, _, parameter = given.partition(":") if isinstance(given, str) else ("", "", "")
    if name not in _WITH_PARAMETER:
        return None
    try:
        return str(_WITH_PARAMETER[name](float(parameter)))
    except ValueError as error:
        if isinstance(error, ParameterError):
            raise
        raise ParameterError(f"{name!r} needs its parameter, such as '{name}:1.5'; got {given!r}.") from None


def measure_setting(given) -> str | Tsallis | None:
    """A measure of classes that has a parameter as a setting holds it: a record as it is, a name in its usual form.

    None for anything else; errors as for :func:`measure_name`.
    """
    return given if isinstance(given, tuple(_WITH_PARAMETER.values())) else measure_name(given)


def of_shares(measure: str) -> Callable[[np.ndarray], np.ndarray]:
    """A measure of classes as a function of distributions in the last axis."""
    if measure in _PLAIN:
        return _PLAIN[measure]
    name, _, parameter = measure.partition(":")
    return _WITH_PARAMETER[name](float(parameter)).of_shares
