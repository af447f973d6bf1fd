"""A MARS model in the form from which exports are written: its design columns as inputs, its terms, its link."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ..data.columns.columns import Columns
from ..data.columns.schema import Feature
from ..exports.answers import Answers
from ..exports.conditions import OneOf
from ..exports.registry import FORMATS, Format
from ..exports.sums import Input, SumPlan
from ..views.words import plain
from .design import ENCODINGS, LEVELS, MISSING, DesignColumn

_LANGUAGES = ("sql", "python", "c", "js", "r")


@dataclass(frozen=True, eq=False)
class MARSPlan(SumPlan):
    """The sums of a MARS model.

    Attributes
    ----------
    model : MARSModel
    """

    what = "MARS model"
    formats: ClassVar[dict[str, Format]] = {
        **{name: replace(FORMATS[name], module=f"{FORMATS[name].module}_sums") for name in _LANGUAGES},
        "json": replace(FORMATS["json"], module="boxwood.mars.export_json", what="the parts of the model"),
        "formula": Format("formula", "boxwood.mars.export_formula", "a formula for people, with all digits", (".txt",)),
    }

    model: Any

    def predicted(self, columns: Columns) -> Answers:
        """What the model predicts; the features that no term holds are not read."""
        return self.answers(self.model.sums(columns))

    def answers(self, sums: np.ndarray) -> Answers:
        """The predictions that follow from the sums of rows, float64, shape (n, K)."""
        rounded = np.full(len(sums), bool(self.labels))
        if not self.labels:
            listed = sums[:, 0].tolist() if self.n_sums == 1 else list(map(tuple, sums.tolist()))
            return Answers(_objects(listed), summed=rounded)
        shares = self.model.shares(sums)
        labels = [self.labels[k] for k in np.argmax(shares, axis=1).tolist()]
        return Answers(_objects(labels), probability=shares, summed=rounded)


def plan_of(model) -> MARSPlan:
    """The plan of a model."""
    used = np.flatnonzero(model.kept.directions.any(axis=0)).tolist()
    columns = [model.design.columns[j] for j in used]
    inputs = [Input(c.feature, _tests(c, model.schema[c.feature]), model.design.fill[c.feature]) for c in columns]
    terms = [model.kept.factors(m) for m in range(len(model.kept))]
    size = f"{model.size} term{'s' * (model.size != 1)}"
    return MARSPlan(
        schema=model.schema, response_name=model.response_name, labels=model.labels, inputs=tuple(inputs),
        terms=tuple(tuple((used.index(j), d, cut) for j, d, cut in factors) for factors in terms),
        coefficients=tuple(map(tuple, model.predicting.tolist())), logistic=model.log_odds is not None,
        title=f"MARS model for {plain(model.response_name)}: {size}",
        refuse_missing=model.settings["missing"] == "error", refuse_unseen=model.settings["unseen"] == "error",
        model=model,
    )  # fmt: skip


def _tests(column: DesignColumn, feature: Feature) -> tuple:
    """When an indicator is 1; none for the value itself."""
    j = column.feature
    if column.what == LEVELS:
        return (OneOf(j, column.levels),)
    if column.what != MISSING:
        return ()
    return ENCODINGS.of(feature).unknown(j, feature)


def _objects(values: list) -> np.ndarray:
    """Values, which may be tuples, as an array of objects."""
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out
