"""A MARS model as JSON: the parts of its sums."""

from __future__ import annotations

import json

import numpy as np

from .._version import __version__
from ..exports.answers import Answers
from ..exports.kinds import EXPORTED
from ..exports.raw_rows import RawRows
from .design import Design, DesignColumn
from .exports import MARSPlan
from .terms import Terms
from .words import term_name

#: Version of the JSON form; a change that old readers would misread raises it.
JSON_VERSION = 1


def write(plan: MARSPlan, options: dict) -> str:
    """The parts of a model; docs/mars.md documents them."""
    model = plan.model
    parts = {
        "format": "boxwood mars",
        "version": JSON_VERSION,
        "task": model.task,
        "response": model.response_name,
        "labels": list(model.labels),
        "link": "identity" if not model.labels else "logistic" if plan.logistic else "clip",
        "missing": model.settings["missing"],
        "unseen": model.settings["unseen"],
        "features": [
            {"name": f.name, "kind": f.kind, "levels": list(f.levels), "fill": fill}
            | ({"counts": counts} if (counts := EXPORTED.of(f).counts(f)) else {})
            for f, fill in zip(model.schema, model.design.fill, strict=True)
        ],
        "columns": [{"feature": c.feature, "what": c.what, "levels": list(c.levels)} for c in model.design.columns],
        "terms": [
            {
                "name": term_name(model.design, model.kept, m),
                "factors": [{"column": j, "direction": d, "cut": cut} for j, d, cut in model.kept.factors(m)],
                "coefficients": row,
            }
            for m, row in enumerate(model.predicting.tolist())
        ],
        "rss": model.rss,
        "rsq": model.r_squared,
    }
    return json.dumps(parts, ensure_ascii=False, indent=1, allow_nan=False)


def run(content: str, plan: MARSPlan, rows: RawRows, options: dict) -> tuple[Answers, str]:
    """The predictions of the parts that are read back."""
    parts = json.loads(content)
    columns = tuple(DesignColumn(c["feature"], c["what"], tuple(c["levels"])) for c in parts["columns"])
    design = Design(plan.schema, columns, tuple(feature["fill"] for feature in parts["features"]))
    products = [[(f["column"], f["direction"], f["cut"]) for f in term["factors"]] for term in parts["terms"]]
    coefficients = np.array([term["coefficients"] for term in parts["terms"]])
    sums = Terms.of(products, len(design)).sums(design.values(rows.columns), rows.n, coefficients)
    refused = plan.refused(rows.columns) | rows.refused
    return plan.answers(sums).without(refused), f"the parts read back by boxwood {__version__}"
