"""A kind of model that the package does not know: a straight line, with its file, its text and its exports."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import Schema
from boxwood.exports.answers import Answers
from boxwood.exports.registry import FORMATS, Format
from boxwood.exports.sums import LINEAR, Input, SumPlan
from boxwood.model.predictions import Predictions
from boxwood.model.protocol import Model
from boxwood.tree.meaning import schema_from_json, schema_to_json
from boxwood.tree.sections import pack, unpack


class LinePlan(SumPlan):
    """The line as a sum: Python comes with it, and a format of its own is this module."""

    what = "line"
    formats: ClassVar[dict[str, Format]] = {
        "python": replace(FORMATS["python"], module="python_sums"),
        "line": Format("line", "cli.line_model", "the line as text", (".line",)),
    }

    def predicted(self, columns: Columns) -> Answers:
        (constant,), (slope,) = self.coefficients
        values = constant + slope * columns.values[0]
        return Answers(values.astype(object))


def write(plan: LinePlan, options: dict) -> str:
    (constant,), (slope,) = plan.coefficients
    return f"{plan.response_name} = {constant!r} + {slope!r} * {plan.schema[0].name}\n"


@dataclass(frozen=True, eq=False)
class LineModel(Model):
    kind: ClassVar[str] = "line"
    part: ClassVar[str] = "line"
    mark: ClassVar[str] = "line"
    tree: ClassVar[None] = None

    schema: Schema
    constant: float
    slope: float
    response_name: str = "y"
    labels: tuple = ()
    notes: tuple = ()
    settings: dict = field(default_factory=lambda: {"unseen": "missing"})
    algorithm: str = "line"
    task: str = "regression"

    def predict(self, columns: Columns) -> np.ndarray:
        return self.constant + self.slope * columns.values[0]

    def predictions(self, columns: Columns, proba: bool) -> Predictions:
        return Predictions(self.predict(columns))

    def to_text(self, max_lines: int | None = None, hint: str = "") -> str:
        return write(self.export_plan(), {}).rstrip()

    def facts(self) -> dict:
        return {"line": {"text": self.to_text(), "constant": self.constant, "slope": self.slope}}

    def export_plan(self) -> LinePlan:
        return LinePlan(
            schema=self.schema, response_name=self.response_name, labels=(), inputs=(Input(0),),
            terms=((), ((0, LINEAR, 0.0),)), coefficients=((self.constant,), (self.slope,)), logistic=False,
            title="A line", refuse_missing=True, refuse_unseen=False,
        )  # fmt: skip

    def to_bytes(self) -> bytes:
        header = {"schema": schema_to_json(self.schema), "line": [self.constant, self.slope, self.response_name]}
        return pack(header, {})

    @staticmethod
    def from_bytes(data: bytes) -> LineModel:
        header = unpack(data)[0]
        return LineModel(schema_from_json(header["schema"]), *header["line"])
