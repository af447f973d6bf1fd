"""Algorithms by name, with a pruning after a slash: "cart", "cart/1se", "cart/none"."""

from __future__ import annotations

from ..algorithms import REGISTRY
from ..errors import ParameterError
from ..fitting.algorithm import Algorithm

#: Short names of prunings; others are passed on as they are.
_SHORT = {"1se": "cv-1se", "none": None}


def named(text: str) -> tuple[Algorithm, dict]:
    """An algorithm and the settings that its name stands for.

    Parameters
    ----------
    text : str
        Name in the registry; after a slash the value of ``pruning``, "1se" being "cv-1se" and "none" no pruning.

    Raises
    ------
    ParameterError
        There is no such algorithm.

    Examples
    --------
    >>> from boxwood.algorithms.named import named
    >>> algorithm, settings = named("cart/1se")
    >>> algorithm.name, settings
    ('cart', {'pruning': 'cv-1se'})
    """
    name, slash, pruning = text.partition("/")
    if name not in REGISTRY:
        raise ParameterError(f"there is no algorithm {name!r}; there are {', '.join(REGISTRY)}.")
    return REGISTRY[name], {"pruning": _SHORT.get(pruning, pruning)} if slash else {}
