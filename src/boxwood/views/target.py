"""The target of a prediction: a class, any other class, or a range of numbers; one object for each kind of y."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np

from .._messages import Setting, must_be, remedy
from ..data.frames.class_labels import class_code
from ..errors import ParameterError
from ..statistics.responses.classes import Classes
from ..statistics.responses.response import Response
from ..tree.interest import class_of_interest
from ..tree.tree import Tree
from .class_number import target_number
from .words import amount, level, plain


@dataclass(frozen=True)
class RangeTarget:
    """The lowest and highest number that would do; None means no limit."""

    low: float | None = None
    high: float | None = None

    @staticmethod
    def given(target_class: Any, target_range: Any) -> Any:
        """The class or the range that is given.

        Raises
        ------
        ParameterError
            A class is given for a tree that predicts a number, or a range for one that predicts classes.
        """
        if target_class is not None:
            raise ParameterError(
                Setting("target_class"), " is for models of classes; ",
                remedy("give ", Setting("target_range"), "=(low, high)"), ".",
            )  # fmt: skip
        return target_range

    @classmethod
    def read(cls, tree: Tree, target: Any, now: int) -> RangeTarget:
        """The target as users give it.

        Parameters
        ----------
        tree : Tree
        target : label, or pair (low, high), or None
            A class; a range of the mean or rate in which None means no limit; None = any class but the present one.
        now : int
            Number of the present class.

        Raises
        ------
        ParameterError
            There is no such class, or the range is empty or no pair of numbers.
        """
        pair = target if isinstance(target, (tuple, list)) and len(target) == 2 else (None, None)
        numbers = all(end is None or (isinstance(end, (int, float, np.number)) and end == end) for end in pair)
        if not numbers or pair == (None, None) or (None not in pair and pair[0] > pair[1]):
            raise ParameterError(
                must_be("target_range", "a pair (low, high) of numbers, one of which may be None", target)
            )
        return cls(*pair)

    @staticmethod
    def code(tree: Tree, target_class: Any) -> int | None:
        """Number of the target class; None where the tree predicts a number.

        Raises
        ------
        ParameterError
            There is no such class, none is given for more than two, or one is given where there are no classes.
        """
        if target_class is not None:
            raise ParameterError(
                Setting("target_class"), " is for trees of classes; this one predicts a number, ",
                remedy("leave it out"), ".",
            )  # fmt: skip

    def is_reached_by(self, value: np.ndarray) -> np.ndarray:
        """Whether predictions (numbers, or numbers of classes) will do, bool, shape (n,)."""
        above = np.ones(len(value), dtype=bool) if self.low is None else value >= self.low
        return above if self.high is None else above & (value <= self.high)

    def words(self, response: Response) -> str:
        """What is wanted, as text."""
        name = plain(response.name)
        if self.low is None or self.high is None:
            return f"{name} <= {amount(self.high)}" if self.low is None else f"{name} >= {amount(self.low)}"
        return f"{amount(self.low)} <= {name} <= {amount(self.high)}"


@dataclass(frozen=True)
class TargetClasses(RangeTarget):
    """Numbers of the classes that would do."""

    classes: frozenset[int] = frozenset()

    @staticmethod
    def given(target_class: Any, target_range: Any) -> Any:
        if target_range is not None:
            raise ParameterError(
                Setting("target_range"), " is for models of numbers; ", remedy("give ", Setting("target_class")), "."
            )  # fmt: skip
        return target_class

    @classmethod
    def read(cls, tree: Tree, target: Any, now: int) -> TargetClasses:
        if target is not None:
            return cls(classes=frozenset([target_number(tree, target)]))
        return cls(classes=frozenset(range(len(tree.response.labels))) - {now})

    @staticmethod
    def code(tree: Tree, target_class: Any) -> int:
        return class_code(tree.response.labels, class_of_interest(tree) if target_class is None else target_class)

    def is_reached_by(self, value: np.ndarray) -> np.ndarray:
        return np.isin(value, list(self.classes))

    def words(self, response: Response) -> str:
        return f"{plain(response.name)} = {' or '.join(level(response.labels[k]) for k in sorted(self.classes))}"


@singledispatch
def target_of(response: Response) -> type[RangeTarget]:
    """How targets of a kind of y are read."""
    return RangeTarget


@target_of.register
def _(response: Classes) -> type[RangeTarget]:
    return TargetClasses
