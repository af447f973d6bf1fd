"""One of two models in their shared schema: the splits of its tree, and what its nodes predict."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ...data.columns.schema import Schema
from ...errors import DataError
from ...exports.boxes import Box, ValueSet, every_value, taken_values
from ...exports.conditions import Between, Condition, NoneOf, OneOf
from ...exports.kinds import EXPORTED
from ...exports.model_plan import NodePlan, PlanStep
from ...exports.plan import ExportPlan

#: Probabilities and numbers that are mixed from several nodes are equal up to this part of them.
_ROUNDING = 1e-12


class Answer(NamedTuple):
    """What a row gets.

    Attributes
    ----------
    value : int or float
        The place of the class among the shared labels, or the number.
    fields : tuple of float
        The probability of each shared label; or the number, and what else is predicted.
    """

    value: float
    fields: tuple[float, ...]

    def is_same(self, other: Answer) -> bool:
        """Whether both are equal but for rounding."""
        return self.value == other.value and all(
            math.isclose(a, b, rel_tol=_ROUNDING, abs_tol=_ROUNDING)
            for a, b in zip(self.fields, other.fields, strict=True)
        )


@dataclass(frozen=True, eq=False)
class Side(NodePlan):
    """A tree with its policies, whose conditions are about the features and levels of a shared schema.

    Attributes
    ----------
    plan : ExportPlan
    schema : Schema
        Shared with the other model.
    labels : tuple
        Class labels of both models.
    steps : dict of int to PlanStep
    start : dict of int to ValueSet
        The values of each feature of the schema that the policies do not refuse.
    """

    plan: ExportPlan
    schema: Schema
    labels: tuple
    steps: dict[int, PlanStep]
    start: Box

    @property
    def shares(self) -> dict[int, list[tuple[int, float]]]:
        """Nodes that share rows out, as the plan has them."""
        return self.plan.shares

    def answer(self, ends: tuple[tuple[int, float], ...]) -> Answer:
        """What rows get that end in some nodes with these shares."""
        tree = self.plan.tree
        predicted = tree.response.columns_of(tree)
        if len(ends) == 1:
            node = ends[0][0]
            return self.shared(tree.value[node], predicted[node])
        mixed = sum(share * predicted[node] for node, share in ends)
        return self.shared(tree.response.decide(mixed[None])[0], mixed)

    def shared(self, value: Any, fields: np.ndarray) -> Answer:
        """A prediction of the tree, by the shared labels."""
        if not self.labels:
            return Answer(float(value), tuple(fields.tolist()))
        own = dict(zip(map(_key, self.plan.labels), fields.tolist(), strict=True))
        found = tuple(own.get(_key(label), 0.0) for label in self.labels)
        return Answer(self.place(self.plan.labels[int(value)]), found)

    def place(self, label: Any) -> int:
        """The place of a label among those of both models."""
        return [*map(_key, self.labels)].index(_key(label))

    def is_made_of(self, plan: ExportPlan) -> bool:
        """Whether a plan routes rows and predicts as this one does."""
        one, other = self.plan.tree, plan.tree
        alike = self.plan.schema == plan.schema and self.plan.labels == plan.labels and self.plan.steps == plan.steps
        same = lambda a, b: a.shape == b.shape and bool((a == b).all())  # noqa: E731
        return alike and same(one.response.columns_of(one), other.response.columns_of(other))


def sides(first: ExportPlan, second: ExportPlan, schema: Schema) -> tuple[Side, Side]:
    """Both models in a schema that they share.

    Raises
    ------
    DataError
        One predicts classes and the other numbers, or they predict other numbers.
    """
    if bool(first.labels) != bool(second.labels):
        words = ("classes", "numbers") if first.labels else ("numbers", "classes")
        raise DataError(f"the first model predicts {words[0]} and the second {words[1]}: their answers have no diff.")
    if not first.labels and first.tree.response.fields != second.tree.response.fields:
        fields = (", ".join(plan.tree.response.fields) for plan in (first, second))
        raise DataError(f"the first model predicts {next(fields)} and the second {next(fields)}; these have no diff.")
    known = set(map(_key, first.labels))
    labels = (*first.labels, *(label for label in second.labels if _key(label) not in known))
    return _side(first, schema, labels), _side(second, schema, labels)


def _key(label: Any) -> tuple[type, Any]:
    """A label with its type, as True is 1 for Python."""
    return type(label), label


def _side(plan: ExportPlan, schema: Schema, labels: tuple) -> Side:
    place = {j: schema.names.index(plan.schema[j].name) for j in plan.features}
    codes = {j: [schema[to].code_of[v] for v in plan.schema[j].levels] for j, to in place.items()}
    start = {j: every_value(feature) for j, feature in enumerate(schema)}
    for j, to in place.items():
        known = frozenset(codes[j])
        refused = every_value(plan.schema[j]).without(taken_values(plan, j))
        new = start[to].levels - known if refused.levels else frozenset()
        start[to] = start[to].without(ValueSet(levels=new, missing=refused.missing))

    def moved(condition: Condition) -> Condition:
        j = condition.feature
        to = place[j]
        if isinstance(condition, Between):
            kind, feature = EXPORTED.of(schema[to]), schema[to]
            ends = (condition.above, condition.upto)
            return Between(to, *(end if end is None else kind.in_columns(feature, end) for end in ends))
        if isinstance(condition, (OneOf, NoneOf)):
            return type(condition)(to, tuple(codes[j][code] for code in condition.levels))
        return replace(condition, feature=to)

    steps = {
        t: PlanStep(t, tuple((tuple(map(moved, tests)), to) for tests, to in step.routes), step.otherwise)
        for t, step in plan.steps.items()
    }
    return Side(plan, schema, labels, steps, start)
