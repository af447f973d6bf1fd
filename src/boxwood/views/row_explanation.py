"""The explanation of one row: its steps, their effects on the prediction, and the text."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..statistics.response import CLASSES
from ..tree.tree import Tree
from .figures import signed
from .words import amount, level, plain, share


@dataclass(frozen=True, eq=False)
class Step:
    """One node that a row came to.

    Attributes
    ----------
    node, depth : int
    rows : int
        Of training, in the node.
    weight : float
        Of training, in the node.
    share : float
        Share of the row that came here; below 1 only below a node that shares out missing values.
    prediction : float64, shape (K,), or float
        Class probabilities of the node, or its mean or rate.
    interval : float64, shape (K, 2) or (2,)
        Where these lie, at the level of confidence asked for; NaN where the rows of the node are too few to tell.
    feature : str or None
        Tested here; None at a leaf.
    value : str or None
        The row's value of it as text; None at a leaf.
    met : {"value", "missing", "unseen", None}
        Whether the value was known here; None at a leaf.
    decided : str
        What decided where the row goes, as text; at the end of the way "leaf" or why the row stays.
    goes : tuple of (int, float)
        The nodes to which the row goes on, with the share of it that does; empty where it ends.
    condition : str or None
        The condition of the branch taken, as text; None where the row ends or is shared out.
    contribution : float64, shape (K,), or float
        Change of the prediction by this step: the prediction of the next nodes less that of this one, times the share.
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
    """The way of one row.

    Attributes
    ----------
    row : int
        Position in the data given.
    steps : tuple of Step
        From the root to where the row ends; after a node that shares it out, all ways in order of depth.
    prediction : label or float
    probability : float64, shape (K,), or None
        Of the classes; None when the tree predicts a number.
    baseline : float64, shape (K,), or float
        The prediction of the root; the contributions of the steps add up to the prediction less this.
    tree : Tree
    """

    row: int
    steps: tuple[Step, ...]
    prediction: object
    probability: np.ndarray | None
    baseline: np.ndarray | float
    tree: Tree = field(repr=False)

    @property
    def contributions(self) -> dict[str, np.ndarray | float]:
        """Contribution of each feature that was tested: the sum over the steps that tested it."""
        found: dict[str, np.ndarray | float] = {}
        for step in self.steps:
            if step.feature is not None:
                found[step.feature] = found.get(step.feature, 0.0) + step.contribution
        return found

    def to_text(self, first_row: int = 0) -> str:
        """The way as text, one line per step; rows are counted from ``first_row``."""
        response = self.tree.response
        head = f"row {self.row + first_row}: {plain(response.name)} = "
        if response.kind != CLASSES:
            return "\n".join([head + amount(self.prediction), *(_line(step, None, "") for step in self.steps)])
        said = int(np.flatnonzero([label == self.prediction for label in response.labels])[0])
        name = level(self.prediction)
        head += f"{name} (probability {share(float(self.probability[said]))})"
        return "\n".join([head, *(_line(step, said, f"{name} ") for step in self.steps)])

    def __str__(self) -> str:
        return self.to_text()


def _line(step: Step, code: int | None, name: str) -> str:
    """One step: the prediction of the node, in which interval that lies, and where the row goes and why."""
    part = f" × {share(step.share)}" if step.share < 1.0 else ""
    counted = f"{step.rows} row{'s' * (step.rows != 1)}"
    words = amount if code is None else share
    value, interval = step.prediction, step.interval
    if code is not None:
        value, interval = value[code], interval[code]
    low, high = interval
    sure = "" if np.isnan(low) else f" [{words(low)}, {words(high)}]"
    head = f"{'  ' * step.depth}node {step.node}{part} ({counted}): {name}{words(float(value))}{sure}"
    if step.feature is None:
        return head
    change = float(step.contribution if code is None else step.contribution[code])
    return f"{head}; {_way_words(step)} ({signed(change)})"


def _way_words(step: Step) -> str:
    """Why the row goes on, and the condition of its branch; a level that is the condition is not named twice."""
    why = f"{plain(step.feature)} = {step.value}" if step.met == "value" else step.decided
    return why if step.condition in (None, why) else f"{why} → {step.condition}"
