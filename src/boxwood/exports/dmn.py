"""A tree as a DMN 1.3 decision table of hit policy U, which rule engines run and people read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np

from .._messages import Setting, remedy, short
from ..errors import ParameterError
from .answers import Answers
from .boxes import Region, every_value, regions
from .column_words import described
from .feel import literal, name_of, unary_tests
from .moments import counted
from .plan import ExportPlan
from .pmml_elements import Element, lines, sound
from .raw_rows import RawRows
from .typed_rows import number_codes, text_codes
from .values import BOOLEAN, DOUBLE, STRING, refuse_wide_cuts, type_of_feature, type_of_values

_SPACE = "https://www.omg.org/spec/DMN/20191111/MODEL/"
#: Rules of a table; engines compare each row with all of them.
_MOST_RULES = 10_000
_TYPES = {BOOLEAN: "boolean", STRING: "string"}


def write(plan: ExportPlan, options: dict) -> bytes:
    """The tree as a decision table, UTF-8.

    One row a leaf; several where surrogates decide, or where rows are shared out. No two rows of the table fit the same
    values, and every value fits one, but for those that the policies refuse: then no row does. Inputs are the columns
    that the tree tests; outputs are ``predicted``, ``node`` and, for classes, the probability of each.

    Parameters
    ----------
    plan : ExportPlan
    options : dict
        None are known.

    Raises
    ------
    ParameterError
        The table would be too long, or a name, level or cut cannot be written.

    Notes
    -----
    Source: Object Management Group, Decision Model and Notation 1.3, formal/21-02-01: decision tables, FEEL.
    """
    refuse_wide_cuts(plan, "DMN")
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n' + "\n".join(lines(DecisionTable(plan).document())) + "\n"
    ).encode()


@dataclass(frozen=True, eq=False)
class DecisionTable:
    """A plan as a decision table."""

    plan: ExportPlan

    @cached_property
    def inputs(self) -> dict[int, str]:
        """Name of each column's input."""
        taken: set[str] = set()
        names = self.plan.tree.schema.names
        return {j: name_of(names[j], taken, f"x{j}") for j in self.plan.features}

    @cached_property
    def outputs(self) -> list[str]:
        """Names of the outputs: the prediction, the node, the probability of each class."""
        taken = {"predicted", "node"}
        labels = self.plan.tree.response.labels
        named = [name_of(f"probability_{label}", taken, "probability") for label in labels]
        return ["predicted", "node", *named]

    @cached_property
    def rules(self) -> list[Region]:
        """The regions of the tree, one a rule."""
        found = list(islice(regions(self.plan), _MOST_RULES + 1))
        if len(found) > _MOST_RULES:
            raise ParameterError(
                f"a decision table of this tree has more than {_MOST_RULES:,} rules, as surrogates, or rows that are "
                "shared out, multiply them; ", remedy(
                    "prune the tree, fit with ", Setting("missing", "majority"), ", or export to another format"
                ), ".",
            )  # fmt: skip
        return found

    def type_of(self, j: int) -> str:
        """Type of a column in DMN."""
        feature = self.plan.tree.schema[j]
        kind = type_of_feature(feature, "DMN")
        return _TYPES.get(kind, "number")

    def document(self) -> Element:
        title = sound(self.plan.heading(), "the heading")
        given = {"xmlns": _SPACE, "id": "boxwood", "name": "boxwood", "namespace": "urn:boxwood"}
        needs = [
            Element("informationRequirement", {"id": f"needs_{j}"}, (Element("requiredInput", {"href": f"#data_{j}"}),))
            for j in self.inputs
        ]
        label = sound(str(self.plan.tree.response.name or "y"), "the response")
        variable = Element("variable", {"id": "result", "name": "prediction"})
        attributes = {"id": "prediction", "name": "prediction", "label": label}
        decision = Element("decision", attributes, (variable, *needs, self._table()))
        return Element("definitions", given, (Element("description", {}, (title,)), *self._data(), decision))

    def _data(self) -> Iterator[Element]:
        for j, name in self.inputs.items():
            feature = self.plan.tree.schema[j]
            type_ = counted(feature.temporal) if feature.temporal else self.type_of(j)
            held = Element("description", {}, (sound(described(feature, type_, text=False), "a level"),))
            variable = Element("variable", {"id": f"variable_{j}", "name": name, "typeRef": self.type_of(j)})
            label = sound(feature.name, "the column")
            yield Element("inputData", {"id": f"data_{j}", "name": name, "label": label}, (held, variable))

    def _table(self) -> Element:
        inside = [self._input(j) for j in self.inputs]
        types = [self._type_of_prediction(), "number", *["number"] * (len(self.outputs) - 2)]
        labels = ["prediction", "node", *(f"probability of {label}" for label in self.plan.tree.response.labels)]
        for k, (name, type_, label) in enumerate(zip(self.outputs, types, labels, strict=True)):
            attributes = {"id": f"output_{k}", "label": sound(label, "a class label"), "name": name, "typeRef": type_}
            inside.append(Element("output", attributes))
        inside += [self._rule(i, region) for i, region in enumerate(self.rules)]
        return Element("decisionTable", {"id": "table", "hitPolicy": "UNIQUE"}, tuple(inside))

    def _type_of_prediction(self) -> str:
        response = self.plan.tree.response
        kind = type_of_values(response.labels, response.name, "DMN") if self.plan.has_classes else DOUBLE
        return _TYPES.get(kind, "number")

    def _input(self, j: int) -> Element:
        """The value of a column; a code for a missing value is null."""
        name, feature, type_ = self.inputs[j], self.plan.tree.schema[j], self.type_of(j)
        codes: list = text_codes(feature) if type_ == "string" else number_codes(feature) if type_ == "number" else []
        tests = " or ".join(f"{name} = {literal(code)}" for code in codes)
        text = sound(f"if {tests} then null else {name}" if tests else name, "a code for missing values")
        expression = Element("inputExpression", {"id": f"expression_{j}", "typeRef": type_}, (_text_element(text),))
        label = sound(feature.name, "the column")
        return Element("input", {"id": f"input_{j}", "label": label}, (expression,))

    def _rule(self, i: int, region: Region) -> Element:
        cells = []
        for j in self.inputs:
            feature = self.plan.tree.schema[j]
            test = unary_tests(region.box[j], every_value(feature), feature.levels)
            words = sound(test, f"a level of column {short(feature.name)}")
            cells.append(Element("inputEntry", {"id": f"rule_{i}_input_{j}"}, (_text_element(words),)))
        for k, value in enumerate(self._predictions(region)):
            words = sound(literal(value), "a class label")
            cells.append(Element("outputEntry", {"id": f"rule_{i}_output_{k}"}, (_text_element(words),)))
        return Element("rule", {"id": f"rule_{i}"}, tuple(cells))

    def _predictions(self, region: Region) -> list:
        """The outputs for the rows of a region."""
        tree, nodes = self.plan.tree, [node for node, _ in region.ends]
        if len(nodes) == 1:
            t = nodes[0]
            return [self.plan.prediction(t), t, *(tree.probability[t].tolist() if self.plan.has_classes else [])]
        share = np.array([part for _, part in region.ends])
        node = min(t for t, part in region.ends if part >= share.max() - 1e-12)
        if not self.plan.has_classes:
            return [float(share @ tree.value[nodes]), node]
        mixture = share @ tree.probability[nodes]
        return [tree.response.labels[int(tree.response.decide(mixture[None])[0])], node, *mixture.tolist()]


def _text_element(text: str) -> Element:
    return Element("text", {}, (text,))


def run(content: bytes, plan: ExportPlan, rows: RawRows, options: dict) -> tuple[Answers, str]:
    """The predictions of the table for rows, read by boxwood's own evaluator of the part of FEEL that is written."""
    from .dmn_engine import run_table

    table = DecisionTable(plan)
    return run_table(content, plan, rows, (table.inputs, table.outputs)), "boxwood's reader of decision tables"
