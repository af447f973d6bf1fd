"""A tree with fractional rows as a PMML RegressionModel: derived fields for the share of each node, and sums."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

import numpy as np

from ..tree.tree import SHARED, STAYS
from .conditions import Between, Condition, IsMissing, OneOf
from .plan import ExportPlan
from .pmml_elements import Element
from .pmml_fields import Fields
from .pmml_predicates import above, up_to
from .pmml_verification import verification
from .wording import decision_costs


def shares_model(plan: ExportPlan, fields: Fields) -> Element:
    """The model.

    The share of a node is that of its parent times 1, 0, or the branch's part where the row is shared out. What is
    predicted is the sum over the ends, and the class is picked by the tree's own rule, so that ties and costs are as in
    :meth:`boxwood.statistics.responses.classes.Classes.decide`; the outputs hold the probabilities.
    """
    attributes = {"modelName": "boxwood", "functionName": "classification" if plan.has_classes else "regression"}
    if plan.has_classes:
        attributes["normalizationMethod"] = "none"
    derived = [*_shares(plan, fields), *_sums(plan, fields)]
    inside = [fields.mining_schema(), Element("Output", {}, tuple(_outputs(plan, fields)))]
    inside += [Element("LocalTransformations", {}, tuple(derived)), *_tables(plan, fields)]
    inside += verification(plan, fields)
    return Element("RegressionModel", attributes, tuple(inside))


def _outputs(plan: ExportPlan, fields: Fields) -> Iterator[Element]:
    optype = "categorical" if plan.has_classes else "continuous"
    attributes = {"optype": optype, "dataType": fields.target.type, "feature": "predictedValue"}
    yield Element("OutputField", {"name": fields.predicted, **attributes})
    for k, label in enumerate(fields.target.levels):
        attributes = {"name": fields.probability(label), "optype": "continuous", "dataType": "double"}
        yield Element("OutputField", {**attributes, "feature": "transformedValue"}, (_sum_of_class(fields, k),))


def _tables(plan: ExportPlan, fields: Fields) -> Iterator[Element]:
    if not plan.has_classes:
        predictor = Element("NumericPredictor", {"name": fields.free("predicted"), "coefficient": "1"})
        yield Element("RegressionTable", {"intercept": "0"}, (predictor,))
        return
    for k, label in enumerate(fields.target.levels):
        predictor = Element("NumericPredictor", {"name": fields.free(f"chosen {k}"), "coefficient": "1"})
        yield Element("RegressionTable", {"intercept": "0", "targetCategory": label}, (predictor,))


def _shares(plan: ExportPlan, fields: Fields) -> Iterator[Element]:
    """The share of each row that comes to each node but the root, then the share that stays at an inner node."""
    for t, step in plan.steps.items():
        part = dict(plan.shares.get(t, ()))
        first = int(plan.tree.first_child[t])
        for child in range(first, first + int(plan.tree.n_children[t])):
            passed = _when(plan, fields, t, {child: 1.0, SHARED: part.get(child, 0.0)})
            yield _derived(fields.free(f"share {child}"), _times(_share_of(fields, t), passed))
        if STAYS in step.targets:
            yield _derived(
                fields.free(f"stays {t}"), _times(_share_of(fields, t), _when(plan, fields, t, {STAYS: 1.0}))
            )


def _share_of(fields: Fields, t: int) -> Element | None:
    """The field with the share of a node; None at the root, whose share is 1."""
    return _field(fields.free(f"share {t}")) if t else None


def _when(plan: ExportPlan, fields: Fields, t: int, worth: dict[int, float]) -> Element:
    """A number by the target of a row at node ``t``; 0 for targets that are not listed."""
    step = plan.steps[t]
    chosen = _constant(worth.get(step.otherwise, 0.0))
    for conditions, to in reversed(step.routes):
        here = _constant(worth.get(to, 0.0))
        if here != chosen:
            tests = [_holds(plan, fields, condition) for condition in conditions]
            test = tests[0] if len(tests) == 1 else _apply("or", *tests)
            chosen = _apply("if", test, here, chosen)
    return chosen


def _holds(plan: ExportPlan, fields: Fields, condition: Condition) -> Element:
    """Whether a condition holds: true or false, false when the value is missing."""
    field = fields.of_feature[condition.feature]
    if isinstance(condition, IsMissing):
        return _apply("isMissing", _field(field.name))
    if isinstance(condition, Between):
        tests = [] if condition.above is None else [_compared(field.name, *above(condition.above))]
        tests += [] if condition.upto is None else [_compared(field.name, *up_to(condition.upto))]
        tests = tests or [_apply("isNotMissing", _field(field.name))]
        return tests[0] if len(tests) == 1 else _apply("and", *tests)
    # By attributes, not by constants: a text inside an element loses its outer blanks.
    marks = [
        Element("NormDiscrete", {"field": field.name, "value": field.levels[code], "mapMissingTo": "0"})
        for code in condition.levels
    ]
    found = _sum(marks)
    if isinstance(condition, OneOf):
        return _apply("equal", found, _constant(1.0))
    known = _apply("isNotMissing", _field(field.name))
    return _apply("and", known, _apply("equal", found, _constant(0.0)))


def _compared(field: str, operator: str, value: str) -> Element:
    constant = Element("Constant", {"dataType": "double"}, (value,))
    return Element("Apply", {"function": operator, "mapMissingTo": "false"}, (_field(field), constant))


def _sums(plan: ExportPlan, fields: Fields) -> Iterator[Element]:
    """The combined prediction of all ends of a row, and for classes which of them is chosen (1, else 0)."""
    tree = plan.tree
    leaf = set(tree.leaves.tolist())
    ends = [(fields.free(f"{'share' if t in leaf else 'stays'} {t}"), t) for t in plan.ends]
    if not plan.has_classes:
        yield _derived(fields.free("predicted"), _weighted(ends, tree.value))
        return
    n_classes = len(fields.target.levels)
    for k in range(n_classes):
        yield _derived(fields.free(f"sum {k}"), _weighted(ends, tree.probability[:, k]))
    costs, equal = decision_costs(plan)
    sums = [_sum_of_class(fields, k) for k in range(n_classes)]
    if costs is None:
        least = _apply("-", _apply("max", *sums), _constant(equal))
        good = [_apply("greaterOrEqual", total, _field(fields.free("least"))) for total in sums]
        yield _derived(fields.free("least"), least)
    else:
        for k in range(n_classes):
            parts = [_apply("*", total, _constant(costs[i][k])) for i, total in enumerate(sums) if costs[i][k]]
            yield _derived(fields.free(f"cost {k}"), _sum(parts))
        expected = [_field(fields.free(f"cost {k}")) for k in range(n_classes)]
        yield _derived(fields.free("most"), _apply("+", _apply("min", *expected), _constant(equal)))
        good = [_apply("lessOrEqual", cost, _field(fields.free("most"))) for cost in expected]
    chosen: list[Element] = []
    for k in range(n_classes):
        left = _apply("-", _constant(1.0), _sum(chosen))
        yield _derived(fields.free(f"chosen {k}"), _apply("if", good[k], left, _constant(0.0)))
        chosen.append(_field(fields.free(f"chosen {k}")))


def _sum_of_class(fields: Fields, k: int) -> Element:
    return _field(fields.free(f"sum {k}"))


def _weighted(ends: list[tuple[str, int]], value: np.ndarray) -> Element:
    """The sum over the ends of share times the value there."""
    return _sum([_apply("*", _field(name), _constant(float(value[t]))) for name, t in ends if value[t] != 0.0])


def _times(share: Element | None, factor: Element) -> Element:
    return factor if share is None else _apply("*", share, factor)


def _sum(parts: list[Element]) -> Element:
    """A sum of two at a time, the first first; 0 when there is nothing to add."""
    return reduce(lambda total, part: _apply("+", total, part), parts) if parts else _constant(0.0)


def _derived(name: str, value: Element) -> Element:
    return Element("DerivedField", {"name": name, "optype": "continuous", "dataType": "double"}, (value,))


def _apply(function: str, *inside: Element) -> Element:
    return Element("Apply", {"function": function}, inside)


def _field(name: str) -> Element:
    return Element("FieldRef", {"field": name})


def _constant(value: float) -> Element:
    return Element("Constant", {"dataType": "double"}, (repr(value),))
