"""The record of every algorithm in the registry: its name, its tasks, their parameters and estimators."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ...learning.parameters import Checker, Parameter


@dataclass(frozen=True)
class Declaration:
    """Name and parameters of an algorithm.

    Attributes
    ----------
    name : str
        Name in the registry, on the command line and in model files.
    title : str
        One line for people.
    parameters : dict of str to tuple of Parameter
        Task ("classification", "regression") -> its parameters.
    estimators : dict of str to str
        Task -> module and name of its scikit-learn class in ``boxwood.estimators``.
    examples : tuple of str
        What ``boxwood fit --help`` shows behind the name of the table titanic.csv.
    """

    name: str
    title: str
    parameters: dict[str, tuple[Parameter, ...]]
    estimators: dict[str, str]
    examples: tuple[str, ...]

    @cached_property
    def checkers(self) -> dict[str, Checker]:
        """Task -> what checks its settings."""
        return {task: Checker(parameters) for task, parameters in self.parameters.items()}

    def check(self, settings: dict) -> None:
        """Raise ParameterError for settings, each of them possible, that do not go together."""

    @property
    def tasks(self) -> tuple[str, ...]:
        """What it can do."""
        return tuple(self.parameters)
