"""A model in the form from which every export is written; of a tree, how it routes a row, node by node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._version import __version__
from ..data.columns.columns import Columns
from ..data.columns.schema import NUMERIC, UNSEEN, Schema
from ..errors import ParameterTypeError, check_one_of, shortened
from ..statistics.response import CLASSES
from ..tree.descend import UNSEEN_POLICIES, route
from ..tree.plan import majority_branch
from ..tree.shares import SHARED_OUT, branch_shares
from ..tree.tree import SHARED, STAYS, Tree
from ..views.words import plain
from .answers import Answers
from .conditions import AllOf, Between, Condition, IsMissing, NoneOf, answers
from .registry import FORMATS, Format


@dataclass(frozen=True)
class PlanStep:
    """What happens to a row at an inner node.

    Attributes
    ----------
    node : int
    ways : tuple of (tuple of Condition, int)
        Tried in order; any of the conditions sends the row to the target: a node, or STAYS or SHARED.
    otherwise : int
        The target when none holds.
    """

    node: int
    ways: tuple[tuple[tuple[Condition, ...], int], ...]
    otherwise: int

    @property
    def targets(self) -> tuple[int, ...]:
        """Every target once, in the order of first mention, ``otherwise`` last."""
        return tuple(dict.fromkeys([*(to for _, to in self.ways if to != self.otherwise), self.otherwise]))

    @property
    def is_plain(self) -> bool:
        """Whether every target occurs once, so that the code that follows can replace it."""
        return len(self.ways) + 1 == len(self.targets)


class Plan:
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
    """

    what: str
    formats: Mapping[str, Format] = FORMATS
    schema: Schema
    labels: tuple
    response_name: str
    features: list[int]
    refuse_missing: bool = False
    refuse_unseen: bool = False
    refuse_infinite: bool = False

    @property
    def has_classes(self) -> bool:
        """Whether classes are predicted, with probabilities; else numbers."""
        return bool(self.labels)

    @property
    def title(self) -> str:
        """What is exported, for the head of the text."""
        raise NotImplementedError

    def cuts(self, j: int) -> list[float | int]:
        """Values of a feature at which predictions change, rising."""
        raise NotImplementedError

    def predicted(self, columns: Columns) -> Answers:
        """What the model predicts for rows, none of which it refuses."""
        raise NotImplementedError

    def heading(self) -> str:
        """One line: which model this is and who wrote it."""
        return f"{self.title}; written by boxwood {__version__}."

    def refused(self, columns: Columns) -> np.ndarray:
        """Rows that the policies refuse for a feature that is read, bool, shape (n,)."""
        refused = np.zeros(columns.n, dtype=bool)
        for j in self.features:
            if self.refuse_missing:
                refused |= columns.missing(j)
            if self.refuse_unseen and self.schema[j].kind != NUMERIC:
                refused |= columns.values[j] == UNSEEN
            if self.refuse_infinite and self.schema[j].kind == NUMERIC:
                refused |= np.isinf(columns.values[j])
        return refused

    def expected(self, columns: Columns, unread: np.ndarray | bool = False) -> Answers:
        """Predictions of rows; rows that the policies refuse, or that cannot be read, have none."""
        return self.predicted(columns).without(self.refused(columns) | unread)


class NodePlan(Plan):
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
        listed = [c for step in self.steps.values() for way, _ in step.ways for c in way]
        return [part for c in listed for part in (c.parts if isinstance(c, AllOf) else (c,))]

    def cuts(self, j: int) -> list[float | int]:
        """The ends of the intervals that are asked for."""
        between = [c for c in self.conditions if isinstance(c, Between) and c.feature == j]
        return sorted({cut for c in between for cut in (c.above, c.upto) if cut is not None})

    def said(self, node: int):
        """The prediction of a node: a label, a mean or a rate."""
        value = self.value[node]
        return self.labels[int(value)] if self.has_classes else float(value)

    def parent(self, t: int) -> int:
        """The step that leads to a step; -1 for the root."""
        raise NotImplementedError

    def roots_of_parts(self, levels: int) -> list[int]:
        """Steps at which a new part of the program begins, so that no part is deeper than ``levels``."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class ExportPlan(NodePlan):
    """A tree with the policies it predicts under.

    Attributes
    ----------
    tree : Tree
    unseen : {"missing", "majority", "stay", "error"}
        As in :func:`boxwood.tree.descend.route`; "error": a level that training never had is refused.
    refuse_missing : bool
        A row is refused when a feature that the tree tests is missing.
    """

    what = "tree"

    tree: Tree
    unseen: str = "missing"
    refuse_missing: bool = False

    def __post_init__(self):
        check_one_of("unseen", self.unseen, UNSEEN_POLICIES)
        if not isinstance(self.refuse_missing, (bool, np.bool_)):
            raise ParameterTypeError(f"refuse_missing must be True or False; got {shortened(self.refuse_missing)}.")

    @property
    def schema(self) -> Schema:
        """The features of the tree."""
        return self.tree.schema

    @property
    def labels(self) -> tuple:
        """Class labels."""
        return self.tree.response.labels

    @property
    def response_name(self) -> str:
        """Name of the response."""
        return self.tree.response.name

    @property
    def value(self) -> np.ndarray:
        """The predictions of the nodes."""
        return self.tree.value

    @property
    def probability(self) -> np.ndarray:
        """Class probabilities of the nodes."""
        return self.tree.probability

    @property
    def costs(self) -> tuple | None:
        """Costs that the tree minimises."""
        return self.tree.response.costs

    @property
    def title(self) -> str:
        """The algorithm, the response, and the size of the tree."""
        tree = self.tree
        algorithm = str(tree.made_by.get("algorithm", "tree"))
        size = f"{tree.n_nodes} nodes, {tree.n_leaves} leaves" if tree.n_nodes > 1 else "1 node"
        return f"Decision tree ({plain(algorithm)}) for {plain(tree.response.name)}: {size}"

    def parent(self, t: int) -> int:
        """The parent of a node."""
        return int(self.tree.parent[t])

    def predicted(self, columns: Columns) -> Answers:
        """Where rows end, and what is predicted there."""
        routing = route(self.tree, columns, "missing" if self.refuse_unseen else self.unseen)
        value = routing.value(self.tree)
        said = np.array([self.labels[int(v)] if self.has_classes else float(v) for v in value] + [None], dtype=object)
        probability = routing.probability(self.tree).copy() if self.has_classes else None
        summed = (routing.met & SHARED_OUT) > 0
        return Answers(said[:-1], routing.node.astype(np.int64), probability, summed=summed)

    @cached_property
    def steps(self) -> dict[int, PlanStep]:
        """The step of every inner node, in level order."""
        heaviest = majority_branch(self.tree) if self.unseen == "majority" else None
        return {t: self._step(t, heaviest) for t in np.flatnonzero(~self.tree.is_leaf).tolist()}

    @cached_property
    def features(self) -> list[int]:
        """Features that the tree tests, surrogates included, in column order."""
        asked = {int(j) for j in self.tree.splits.feature if j >= 0}
        return sorted(asked | {int(j) for j in self.tree.surrogates.feature})

    @cached_property
    def ends(self) -> list[int]:
        """Nodes in which a row can end, rising: leaves, and inner nodes where a row may stay."""
        stays = [t for t, step in self.steps.items() if STAYS in step.targets]
        return sorted([*self.tree.leaves.tolist(), *stays])

    @cached_property
    def shares(self) -> dict[int, list[tuple[int, float]]]:
        """Nodes that share rows out -> their children with weight and the share of each, in order of branches."""
        part = branch_shares(self.tree).tolist()
        return {t: self._parts(t, part) for t, step in self.steps.items() if SHARED in step.targets}

    @property
    def has_classes(self) -> bool:
        """Whether the tree predicts classes, with probabilities; else a number."""
        return self.tree.response.kind == CLASSES

    def default(self, t: int) -> int:
        """The branch of node ``t`` when nothing decides; SHARED, or STAYS (also when all branches are empty)."""
        target = self._target(t, int(self.tree.missing[t]))
        return target if target < 0 else target - int(self.tree.first_child[t])

    def roots_of_parts(self, levels: int) -> list[int]:
        """Inner nodes at which a new part of the program begins, so that no part is deeper than ``levels``."""
        below = {child for t in self.shares for child, _ in self.shares[t]}
        depth = self.tree.depth
        return [t for t in self.steps if depth[t] % levels == 0 or t in below]

    def _parts(self, t: int, part: list[float]) -> list[tuple[int, float]]:
        first = int(self.tree.first_child[t])
        return [(c, part[c]) for c in range(first, first + int(self.tree.n_children[t])) if part[c] > 0]

    def _step(self, t: int, heaviest: np.ndarray | None) -> PlanStep:
        tree = self.tree
        first = int(tree.first_child[t])
        otherwise = self._target(t, int(tree.missing[t]))
        j = int(tree.splits.feature[t])
        branches, unlisted = answers(tree.schema[j], tree.splits, t)
        ways = [(tuple(conditions), first + b) for b, conditions in branches.items()]
        new = {"majority": lambda: first + int(heaviest[t]), "stay": lambda: STAYS}.get(self.unseen)
        asked = range(int(tree.surrogate_start[t]), int(tree.surrogate_start[t + 1]))
        if not asked:
            return _joined(t, ways, (new() if new else otherwise, unlisted), (otherwise, IsMissing(j)))
        if new:
            ways.append((tuple(unlisted), new()))
        for s in asked:
            said, _ = answers(tree.schema[int(tree.surrogates.feature[s])], tree.surrogates, s)
            ways += [(tuple(conditions), first + b) for b, conditions in said.items()]
        return PlanStep(t, tuple(way for way in ways if way[0]), otherwise)

    def _target(self, t: int, branch: int) -> int:
        if branch >= 0:
            return int(self.tree.first_child[t]) + branch
        first, count = int(self.tree.first_child[t]), int(self.tree.n_children[t])
        nobody = not self.tree.weight[first : first + count].any()
        return STAYS if nobody else branch


def _joined(t: int, ways: list, new: tuple[int, list[Condition]], gone: tuple[int, IsMissing]) -> PlanStep:
    """One way a target: what is not listed and what is missing stand beside the values that go the same way."""
    found: dict[int, list[Condition]] = {}
    for conditions, to in [*ways, (tuple(new[1]), new[0]), ((gone[1],), gone[0])]:
        if conditions:
            found.setdefault(to, []).extend(conditions)
    order = [to for to in found if to >= 0] + [to for to in found if to < 0]
    last = order[-1]
    return PlanStep(t, tuple((tuple(found[to]), to) for to in order[:-1]), last)


def without_unlisted(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """The conditions for known levels, numbers and missing values, for texts that need not name unseen levels."""
    return tuple(c for c in conditions if not isinstance(c, NoneOf))
