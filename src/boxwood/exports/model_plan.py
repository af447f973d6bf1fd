"""A model of any kind in the form from which exports are written; steps and nodes where it has such."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._version import __version__
from ..data.columns.columns import Columns
from ..data.columns.schema import UNSEEN, Schema
from .answers import Answers
from .conditions import AllOf, Between, Condition
from .registry import FORMATS, Format


@dataclass(frozen=True)
class PlanStep:
    """What happens to a row at an inner node.

    Attributes
    ----------
    node : int
    routes : tuple of (tuple of Condition, int)
        Tried in order; any of the conditions sends the row to the target: a node, or STAYS or SHARED.
    otherwise : int
        The target when none holds.
    """

    node: int
    routes: tuple[tuple[tuple[Condition, ...], int], ...]
    otherwise: int

    @property
    def targets(self) -> tuple[int, ...]:
        """Every target once, in the order of first mention, ``otherwise`` last."""
        return tuple(dict.fromkeys([*(to for _, to in self.routes if to != self.otherwise), self.otherwise]))

    @property
    def is_plain(self) -> bool:
        """Whether every target occurs once, so that the code that follows can replace it."""
        return len(self.routes) + 1 == len(self.targets)


class ModelPlan:
    """What an export needs to know of a model, whatever its kind; :class:`ExportPlan` is that of a tree.

    Attributes
    ----------
    what : str
        What the model is called in messages.
    formats : dict of str to Format
        The formats it can be written in, by name.
    schema : Schema
    labels : tuple
        Class labels; empty for numbers.
    response_name : str
    features : list of int
        Features that the export reads, in column order.
    refuse_missing, refuse_unseen, refuse_infinite : bool
        A row is refused when one of these features is missing, has a level that training did not have, or is infinite.
    title : str
        What is exported, for the head of the text.
    width : int
        How many numbers are predicted; 1 for classes.
    further : tuple of str
        Names of what is predicted besides the value.
    parts : dict of str to NodePlan
        Of several responses: the plan of each, by its name.
    has_nodes : bool
        Whether the export reports the node in which a row ends.
    """

    what: str
    formats: Mapping[str, Format] = FORMATS
    schema: Schema
    labels: tuple
    response_name: str
    features: list[int]
    refuse_missing: bool
    refuse_unseen: bool
    refuse_infinite: bool = False
    title: str
    width: int = 1
    further: tuple[str, ...] = ()
    parts: Mapping[str, NodePlan] = {}
    has_nodes: bool = False

    @property
    def has_classes(self) -> bool:
        """Whether classes are predicted, with probabilities; else numbers."""
        return bool(self.labels)

    def need_one(self, what: str) -> None:
        """Check that one response is predicted, which a format called ``what`` holds.

        Raises
        ------
        ParameterError
        """

    def cuts(self, j: int) -> list[float | int]:
        """Values of a feature at which predictions change, rising."""
        raise NotImplementedError

    def predicted(self, columns: Columns) -> Answers:
        """What the model predicts for rows, none of which it refuses."""
        raise NotImplementedError

    def heading(self) -> str:
        """One line: which model this is and who wrote it."""
        return f"{self.title}; written by boxwood {__version__}."

    def refused_levels(self, j: int) -> tuple:
        """The levels beside which the policies refuse any other; empty where they do not, or for numbers."""
        return self.schema[j].levels if self.refuse_unseen else ()

    def refused(self, columns: Columns) -> np.ndarray:
        """Rows that the policies refuse for a feature that is read, bool, shape (n,)."""
        refused = np.zeros(columns.n, dtype=bool)
        for j in self.features:
            if self.refuse_missing:
                refused |= columns.missing(j)
            if self.refused_levels(j):
                refused |= columns.values[j] == UNSEEN
            if self.refuse_infinite:
                refused |= np.isinf(columns.values[j])
        return refused

    def expected(self, columns: Columns, unread: np.ndarray | bool = False) -> Answers:
        """Predictions of rows; rows that the policies refuse, or that cannot be read, have none."""
        return self.predicted(columns).without(self.refused(columns) | unread)


class NodePlan(ModelPlan):
    """A model whose rows end in numbered nodes: a tree, or rules in order.

    Attributes
    ----------
    root : int
        The step at which every row begins; where there is none, the node in which every row ends.
    steps : dict of int to PlanStep
        What happens to a row, by the number of the step; a step comes before those it leads to.
    ends : list of int
        Nodes in which a row can end, rising.
    value : ndarray
        Number of the class, or the number that is predicted, by node.
    probability : float64, shape (nodes, K)
    shares : dict of int to list of (int, float)
        Nodes that share rows out -> their children with weight and the share of each, in order of branches.
    costs : tuple of tuple, or None
    """

    has_nodes = True

    root: int = 0
    steps: dict[int, PlanStep]
    ends: list[int]
    value: np.ndarray
    probability: np.ndarray
    shares: Mapping[int, list[tuple[int, float]]] = {}
    costs: tuple | None = None

    @cached_property
    def conditions(self) -> list[Condition]:
        """All conditions of all steps."""
        listed = [c for step in self.steps.values() for tests, _ in step.routes for c in tests]
        return [part for c in listed for part in (c.parts if isinstance(c, AllOf) else (c,))]

    def cuts(self, j: int) -> list[float | int]:
        """The ends of the intervals that are tested."""
        between = [c for c in self.conditions if isinstance(c, Between) and c.feature == j]
        return sorted({cut for c in between for cut in (c.above, c.upto) if cut is not None})

    def prediction(self, node: int):
        """The prediction of a node: a label, a mean or a rate."""
        value = self.value[node]
        return self.labels[int(value)] if self.has_classes else float(value)

    def parent(self, t: int) -> int:
        """The step that leads to a step; -1 for the root."""
        raise NotImplementedError

    def roots_of_parts(self, levels: int) -> list[int]:
        """Steps at which a new part of the program begins, so that no part is deeper than ``levels``."""
        raise NotImplementedError
