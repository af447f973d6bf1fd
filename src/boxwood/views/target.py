"""The target of a counterfactual: a class, any other class, or a range of numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._messages import Setting, must_be, remedy
from ..errors import ParameterError
from ..statistics.responses.registry import CLASSES
from ..tree.tree import Tree
from .rules import target_number
from .words import amount, level, plain


@dataclass(frozen=True)
class PredictionTarget:
    """Classes that would do (their numbers), or the lowest and highest number that would; None means no limit."""

    classes: frozenset[int] = frozenset()
    low: float | None = None
    high: float | None = None

    def is_reached_by(self, tree: Tree, value: np.ndarray) -> np.ndarray:
        """Whether answers (class numbers or numbers) will do, bool, shape (n,)."""
        if tree.response.kind == CLASSES:
            return np.isin(value, list(self.classes))
        above = np.ones(len(value), dtype=bool) if self.low is None else value >= self.low
        return above if self.high is None else above & (value <= self.high)

    def words(self, tree: Tree) -> str:
        """What is wanted, as text."""
        name = plain(tree.response.name)
        if tree.response.kind == CLASSES:
            return f"{name} = {' or '.join(level(tree.response.labels[k]) for k in sorted(self.classes))}"
        if self.low is None or self.high is None:
            return f"{name} <= {amount(self.high)}" if self.low is None else f"{name} >= {amount(self.low)}"
        return f"{amount(self.low)} <= {name} <= {amount(self.high)}"


def one_target(tree: Tree, target_class, target_range):
    """The class or the range that is given.

    Raises
    ------
    ParameterError
        A class is given for a tree that predicts a number, or a range for one that predicts classes.
    """
    if tree.response.kind == CLASSES:
        if target_range is not None:
            raise ParameterError(
                Setting("target_range"), " is for models of numbers; ", remedy("give ", Setting("target_class")), "."
            )  # fmt: skip
        return target_class
    if target_class is not None:
        raise ParameterError(
            Setting("target_class"), " is for models of classes; ",
            remedy("give ", Setting("target_range"), "=(low, high)"), ".",
        )  # fmt: skip
    return target_range


def read_target(tree: Tree, target, now: int | None = None) -> PredictionTarget:
    """The target as users give it.

    Parameters
    ----------
    tree : Tree
    target : label, or pair (low, high), or None
        A class; a range of the mean or rate in which None means no limit; None = any class but the present one.
    now : int, optional
        Number of the present class.

    Raises
    ------
    ParameterError
        There is no such class, or the range is empty or no pair of numbers.
    """
    if tree.response.kind == CLASSES:
        if target is not None:
            return PredictionTarget(frozenset([target_number(tree, target)]))
        return PredictionTarget(frozenset(range(len(tree.response.labels))) - {now})
    pair = target if isinstance(target, (tuple, list)) and len(target) == 2 else (None, None)
    numbers = all(end is None or (isinstance(end, (int, float, np.number)) and end == end) for end in pair)
    if not numbers or pair == (None, None) or (None not in pair and pair[0] > pair[1]):
        raise ParameterError(must_be("target_range", "a pair (low, high) of numbers, one of which may be None", target))
    return PredictionTarget(low=pair[0], high=pair[1])
