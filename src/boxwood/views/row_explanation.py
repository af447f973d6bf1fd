"""The explanation of one row: its steps, their effects on the prediction, and the text."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..statistics.responses.registry import CLASSES
from ..tree.tree import Tree
from .counted import counted
from .figures import signed
from .predicted import views_of
from .words import amount, level, plain, share


@dataclass(frozen=True, eq=False)
class Step:
    """One node on the path of a row.

    Attributes
    ----------
    node, depth : int
        Number and depth of the node.
    rows : int
        Number of training rows in the node.
    weight : float
        Weight of these rows; class weights do not enter.
    share : float
        Share of the row that reached the node; below 1 only if a missing value divided the row before.
    prediction : float64, shape (K,), or float
        Class probabilities of the node, or its mean or rate. Of several responses, this, ``interval`` and
        ``contribution`` are dictionaries by response.
    interval : float64, shape (K, 2) or (2,)
        Confidence intervals of the prediction; NaN if the node has too few rows.
    feature : str or None
        The feature that the node tests; None at a leaf.
    value : str or None
        The value of the row as text; None at a leaf.
    met : {"value", "missing", "unseen", None}
        Whether the value was known, missing, or a level that did not occur in training; None at a leaf.
    decided : str
        Why the row follows its branch, as text. At the end of the path, "leaf" or the reason why the row stays.
    goes : tuple of (int, float)
        The next nodes, with the share of the row that each receives; empty at the end of the path.
    condition : str or None
        The condition of the branch, as text; None at the end of the path or if the row is divided.
    contribution : float64, shape (K,), or float
        Change in the prediction by this step: the prediction of the next nodes minus that of this one, times the share.
    """

    node: int
    depth: int
    rows: int
    weight: float
    share: float
    prediction: np.ndarray | float
    interval: np.ndarray
    feature: str | None
    value: str | None
    met: str | None
    decided: str
    goes: tuple[tuple[int, float], ...]
    condition: str | None
    contribution: np.ndarray | float


@dataclass(frozen=True, eq=False)
class RowExplanation:
    """The path of one row.

    Attributes
    ----------
    row : int
        Position of the row in X, from 0.
    steps : tuple of Step
        The nodes from the root to the end of the path. If the row was divided, the nodes of all its parts, by depth.
    prediction : label or float
        The prediction for the row. Of several responses, this, ``probability`` and ``baseline`` are dictionaries by
        response.
    probability : float64, shape (K,), or None
        Class probabilities; None for regression.
    baseline : float64, shape (K,), or float
        The prediction of the root. The contributions of all steps add up to the difference from it.
    tree : Tree
        The tree.

    Examples
    --------
    >>> from boxwood import CARTRegressor
    >>> model = CARTRegressor(pruning=None).fit({"age": [20, 30, 50]}, [1, 1, 4])
    >>> row = model.explain({"age": [45]})[0]
    >>> row.prediction, row.baseline, row.contributions
    (4.0, 2.0, {'age': 2.0})
    >>> [(step.node, step.condition) for step in row.steps]
    [(0, 'age > 40'), (2, None)]
    """

    row: int
    steps: tuple[Step, ...]
    prediction: object
    probability: np.ndarray | None
    baseline: np.ndarray | float
    tree: Tree = field(repr=False)

    @property
    def contributions(self) -> dict[str, np.ndarray | float]:
        """Contribution of each feature to the prediction: the sum over the steps that tested the feature."""
        found: dict[str, np.ndarray | float] = {}
        for step in self.steps:
            if step.feature is not None:
                found[step.feature] = found.get(step.feature, 0.0) + step.contribution
        return found

    def to_text(self, first_row: int = 0) -> str:
        """The path as text, one line per step; the first row of X has the number ``first_row``."""
        lines = [self._line(i, step) for i, step in enumerate(self.steps)]
        return "\n".join([f"row {self.row + first_row}: {self._predicted_words()}", *lines])

    def __str__(self) -> str:
        return self.to_text()

    @cached_property
    def _code(self) -> int | None:
        """Number of the predicted class; None for regression."""
        response = self.tree.response
        if response.kind != CLASSES:
            return None
        return int(np.flatnonzero([label == self.prediction for label in response.labels])[0])

    def _predicted_words(self) -> str:
        """The response and its prediction."""
        response, code = self.tree.response, self._code
        name = plain(response.name)
        if code is not None:
            return f"{name} = {level(self.prediction)} (probability {share(float(self.probability[code]))})"
        further = sum(step.share * self.tree.further[step.node] for step in self.steps if not step.goes)
        return f"{name} = " + ", ".join([amount(self.prediction), *views_of(response).further(response, further)])

    def _line(self, i: int, step: Step) -> str:
        """One step: the prediction of the node, in which interval that lies, and where the row goes and why."""
        part = f" × {share(step.share)}" if step.share < 1.0 else ""
        head = f"{'  ' * step.depth}node {step.node}{part} ({self._rows_words(step)}): {self._value_words(i)}"
        return head if step.feature is None else f"{head}; {_reason_words(step)} ({self._change_words(i)})"

    def _rows_words(self, step: Step) -> str:
        """How many rows the node has."""
        rows = f"{step.rows} row{'s' * (step.rows != 1)}"
        return rows if self._code is None or not step.rows else counted(self.tree, step.node, self._code, rows)

    def _value_words(self, i: int) -> str:
        """The prediction of the node of a step, with its interval."""
        value, interval, name, words = self.steps[i].prediction, self.steps[i].interval, "", amount
        if self._code is not None:
            value, interval, name, words = value[self._code], interval[self._code], f"{level(self.prediction)} ", share
        low, high = interval
        sure = "" if np.isnan(low) else f" [{words(low)}, {words(high)}]"
        return f"{name}{words(float(value))}{sure}"

    def _change_words(self, i: int) -> str:
        """The change in the prediction by a step."""
        change = self.steps[i].contribution
        return signed(float(change if self._code is None else change[self._code]))


def _reason_words(step: Step) -> str:
    """Why the row goes on, and the condition of its branch; a level that is the condition is not named twice."""
    why = f"{plain(step.feature)} = {step.value}" if step.met == "value" else step.decided
    return why if step.condition in (None, why) else f"{why} → {step.condition}"
