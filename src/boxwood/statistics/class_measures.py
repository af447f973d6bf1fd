"""The measures of impurity by name: those with a parameter, and those of classes as functions of shares.

A measure with a parameter is a record, and its name is "name:parameter": ``Tsallis(1.5)`` is "tsallis:1.5" in recipes,
model files and on the command line. A new measure of classes is a line in one of the two dictionaries here, and its
twin one in kernel/response/class_measure.hpp. A parameter that is left out has its default.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..errors import ParameterError
from .quantile import Quantile
from .shares import classification_error, entropy, gini
from .tsallis import Tsallis
from .tweedie import Tweedie

_PLAIN = {"gini": gini, "entropy": entropy, "error": classification_error}
_WITH_PARAMETER = {"tsallis": Tsallis, "tweedie": Tweedie, "quantile": Quantile}

#: Names of measures of classes, but for those with a parameter.
PLAIN_MEASURES = tuple(_PLAIN)


def measure_name(given) -> str | None:
    """The name of a measure that has a parameter, from its record, its name or what a model file holds of its record.

    None for anything else.

    Raises
    ------
    ParameterError
        The name is one of these measures, but its parameter is not allowed.
    """
    if isinstance(given, tuple(_WITH_PARAMETER.values())):
        return str(given)
    if isinstance(given, dict):
        kind = next((kind for kind in _WITH_PARAMETER.values() if kind.__name__ == given.get("record")), None)
        return None if kind is None else str(kind(**given["fields"]))
    name, given_one, parameter = given.partition(":") if isinstance(given, str) else ("", "", "")
    if name not in _WITH_PARAMETER:
        return None
    try:
        parameters = [float(one) for one in parameter.split(",")] if given_one else []
        return str(_WITH_PARAMETER[name](*([tuple(parameters)] if parameters[1:] else parameters)))
    except (TypeError, ValueError) as error:
        if isinstance(error, ParameterError):
            raise
        raise ParameterError(f"{name!r} needs its parameter, such as '{name}:1.5'; got {given!r}.") from None


def measure_setting(given) -> str | Tsallis | Tweedie | Quantile | None:
    """A measure that has a parameter as a setting holds it: a record as it is, a name in its usual form.

    None for anything else; errors as for :func:`measure_name`.
    """
    return given if isinstance(given, tuple(_WITH_PARAMETER.values())) else measure_name(given)


def is_of_classes(measure: str | None) -> bool:
    """Whether a measure, by its name, is one of classes."""
    return isinstance(measure, str) and (measure in _PLAIN or measure.partition(":")[0] == "tsallis")


def of_shares(measure: str) -> Callable[[np.ndarray], np.ndarray]:
    """A measure of classes as a function of distributions in the last axis."""
    if measure in _PLAIN:
        return _PLAIN[measure]
    name, _, parameter = measure.partition(":")
    return _WITH_PARAMETER[name](float(parameter)).of_shares
