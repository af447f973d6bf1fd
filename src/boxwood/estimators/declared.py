"""The algorithm of an estimator, and its parameters as they are checked."""

from __future__ import annotations

from typing import Any, ClassVar

from ..algorithms import REGISTRY
from ..learning.parameters import checked
from .response import as_salt


class Declared:
    """An estimator of an algorithm of the registry."""

    _algorithm: ClassVar[str]
    _task: ClassVar[str]

    @property
    def _declared(self) -> Any:
        """The algorithm."""
        return REGISTRY[self._algorithm]

    def _settings(self, algorithm: Any) -> dict[str, Any]:
        """The parameters, checked; a generator of random numbers is replaced by a number drawn from it."""
        given = getattr(self, "random_state", None)
        salt = None if given is None else as_salt(given)
        if salt is given:
            return algorithm.checkers[self._task].of(self)
        parameters = algorithm.parameters[self._task]
        return checked(parameters, {p.name: getattr(self, p.name) for p in parameters} | {"random_state": salt})
