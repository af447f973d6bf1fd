"""How a tree routes a row, node by node, in the form from which every export is written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from .._messages import must_be
from ..data.columns.columns import Columns
from ..data.columns.schema import Schema
from ..errors import ParameterTypeError, check_one_of
from ..tree.descend import UNSEEN_POLICIES, route
from ..tree.one_response import of_response
from ..tree.plan import majority_branch
from ..tree.shares import SHARED_OUT, branch_shares
from ..tree.tree import SHARED, STAYS, Tree
from ..views.words import plain
from .answers import Answers, side_by_side
from .conditions import Condition, IsMissing, NoneOf, answers
from .model_plan import NodePlan, PlanStep


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
            raise ParameterTypeError(must_be("refuse_missing", "True or False", self.refuse_missing))

    @property
    def refuse_unseen(self) -> bool:
        """Whether a level that training never had, of a feature that the tree tests, refuses the row."""
        return self.unseen == "error"

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
    def further(self) -> tuple[str, ...]:
        """Names of what the nodes predict besides their value."""
        return self.tree.response.further

    def further_of(self, node: int) -> list[float]:
        """What a node predicts besides its value."""
        return self.tree.further[node].tolist()

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

    @cached_property
    def parts(self) -> dict[str, ExportPlan]:
        """Of several responses: the plan of each, by its name."""
        responses = self.tree.response.responses
        return {one.name: replace(self, tree=of_response(self.tree, r)) for r, one in enumerate(responses)}

    def need_one(self, what: str) -> None:
        self.tree.response.need_one(what)

    def parent(self, t: int) -> int:
        """The parent of a node."""
        return int(self.tree.parent[t])

    def predicted(self, columns: Columns) -> Answers:
        """Where rows end, and what is predicted there."""
        if self.parts:
            return side_by_side([part.predicted(columns) for part in self.parts.values()])
        routing = route(self.tree, columns, "missing" if self.refuse_unseen else self.unseen)
        value = routing.value(self.tree)
        labels = np.array([self.labels[int(v)] if self.has_classes else float(v) for v in value] + [None], dtype=object)
        probability = routing.probability(self.tree).copy() if self.has_classes else None
        summed = (routing.flags & SHARED_OUT) > 0
        further = routing.columns(self.tree)[:, 1:] if self.further else None
        return Answers(labels[:-1], routing.node.astype(np.int64), probability, summed=summed, further=further)

    @cached_property
    def steps(self) -> dict[int, PlanStep]:
        """The step of every inner node, in level order."""
        heaviest = majority_branch(self.tree) if self.unseen == "majority" else None
        return {t: self._step(t, heaviest) for t in np.flatnonzero(~self.tree.is_leaf).tolist()}

    @cached_property
    def features(self) -> list[int]:
        """Features that the tree tests, surrogates included, in column order."""
        tested = {int(j) for j in self.tree.splits.feature if j >= 0}
        return sorted(tested | {int(j) for j in self.tree.surrogates.feature})

    @cached_property
    def ends(self) -> list[int]:
        """Nodes in which a row can end, rising: leaves, and inner nodes where a row may stay."""
        stays = [t for t, step in self.steps.items() if STAYS in step.targets]
        return sorted([*self.tree.leaves.tolist(), *stays])

    @cached_property
    def shares(self) -> dict[int, list[tuple[int, float]]]:
        """Nodes that share rows out -> their children with weight and the share of each, in order of branches."""
        if not (self.tree.missing == SHARED).any():
            return {}
        part = branch_shares(self.tree).tolist()
        return {t: self._parts(t, part) for t, step in self.steps.items() if SHARED in step.targets}

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
        routes = [(tuple(conditions), first + b) for b, conditions in branches.items()]
        new = {"majority": lambda: first + int(heaviest[t]), "stay": lambda: STAYS}.get(self.unseen)
        surrogates = range(int(tree.surrogate_start[t]), int(tree.surrogate_start[t + 1]))
        if not surrogates:
            return _joined(t, routes, (new() if new else otherwise, unlisted), (otherwise, IsMissing(j)))
        if new:
            routes.append((tuple(unlisted), new()))
        for s in surrogates:
            leading, _ = answers(tree.schema[int(tree.surrogates.feature[s])], tree.surrogates, s)
            routes += [(tuple(conditions), first + b) for b, conditions in leading.items()]
        return PlanStep(t, tuple(each for each in routes if each[0]), otherwise)

    def _target(self, t: int, branch: int) -> int:
        if branch >= 0:
            return int(self.tree.first_child[t]) + branch
        first, count = int(self.tree.first_child[t]), int(self.tree.n_children[t])
        nobody = not self.tree.weight[first : first + count].any()
        return STAYS if nobody else branch


def _joined(t: int, routes: list, new: tuple[int, list[Condition]], missing: tuple[int, IsMissing]) -> PlanStep:
    """One route a target: what is not listed and what is missing join the values with the same target."""
    found: dict[int, list[Condition]] = {}
    for conditions, to in [*routes, (tuple(new[1]), new[0]), ((missing[1],), missing[0])]:
        if conditions:
            found.setdefault(to, []).extend(conditions)
    order = [to for to in found if to >= 0] + [to for to in found if to < 0]
    last = order[-1]
    return PlanStep(t, tuple((tuple(found[to]), to) for to in order[:-1]), last)


def without_unlisted(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """The conditions for known levels, numbers and missing values, for texts that need not name unseen levels."""
    return tuple(c for c in conditions if not isinstance(c, NoneOf))
