"""Algorithms by name, with a pruning after a slash: "cart", "cart/1se", "cart/none"."""

from __future__ import annotations

from .._messages import Setting, Value, must_be, remedy
from .._spelling import did_you_mean
from ..errors import ParameterError
from ..learning.parameters import checked
from . import REGISTRY
from .fitting.algorithm import Algorithm

#: Short names of prunings; others are passed on as they are.
_SHORT = {"1se": "cv-1se", "none": None}
#: Models of scikit-learn that a comparison has by name.
BOOSTING, FOREST = BASELINES = ("boosting", "forest")


def algorithm_named(name: str, what: str = "algorithm") -> Algorithm:
    """An algorithm by its name in the registry; "c4.5" is "c45", and capitals do not matter.

    Parameters
    ----------
    name : str
    what : str
        The argument, for the message.

    Raises
    ------
    ParameterError
        There is no such algorithm.

    Examples
    --------
    >>> from boxwood.algorithms.named import algorithm_named
    >>> algorithm_named("C4.5").name, algorithm_named("cart").name
    ('c45', 'cart')
    """
    plain = name.lower().replace("c4.5", "c45")
    if plain not in REGISTRY:
        known = [*REGISTRY, *(BASELINES if what == "models" else ())]
        raise ParameterError(must_be(what, f"one of {', '.join(known)}", name, did_you_mean(plain, known)))
    return REGISTRY[plain]


def named(text: str, task: str | None = None) -> tuple[Algorithm, dict]:
    """An algorithm and the settings that its name implies.

    Parameters
    ----------
    text : str
        Name in the registry; after a slash the value of ``pruning``, "1se" being "cv-1se" and "none" no pruning.

    Raises
    ------
    ParameterError
        There is no such algorithm; or, for a ``task``, it cannot do that task or has no such pruning.

    Examples
    --------
    >>> from boxwood.algorithms.named import named
    >>> algorithm, settings = named("cart/1se")
    >>> algorithm.name, settings
    ('cart', {'pruning': 'cv-1se'})
    """
    name, slash, pruning = text.partition("/")
    algorithm, settings = algorithm_named(name, "models"), {"pruning": _SHORT.get(pruning, pruning)} if slash else {}
    if task is not None:
        _check(text, algorithm, task, settings)
    return algorithm, settings


def _check(text: str, algorithm: Algorithm, task: str, settings: dict) -> None:
    """Refuse, before any fit, an algorithm that cannot do a task, and a pruning that it does not have."""
    if task not in algorithm.tasks:
        raise ParameterError(
            Setting("models"), " names ", Value(text, repr(text)), f", which does not support {task}, only "
            f"{algorithm.tasks[0]}; ", remedy("leave it out."),
        )  # fmt: skip
    try:
        algorithm.check(checked(algorithm.parameters[task], settings))
    except ParameterError as error:
        raise ParameterError(Setting("models"), " names ", Value(text, repr(text)), ": ", error.message) from error
