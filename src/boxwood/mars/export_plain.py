"""A MARS model as a formula for people, and as JSON."""

from __future__ import annotations

import json

from ..exports.moments import counted
from .export_language import coefficients, counts_of_times, has_hinges, n_scores, score_names, used_columns
from .model import MARSModel
from .words import column_words, term_name

#: Version of the JSON form; a change that old readers would misread raises it.
JSON_VERSION = 1


def formula(model: MARSModel) -> str:
    """A sum a response, with all digits, and below it what h, indicators and probabilities are."""
    kept, table, lines = model.kept, coefficients(model), []
    names = [term_name(model.design, kept, m, digits=None) for m in range(len(kept))]
    for k, name in enumerate(score_names(model)):
        lines.append(f"{name} =")
        for m, weight in enumerate(table[:, k].tolist()):
            sign = "-" if weight < 0 else "+" if m else " "
            lines.append(f"  {sign} {abs(weight)!r}" + (f" * {names[m]}" if m else ""))
    notes = []
    if has_hinges(model):
        notes.append("h(z) is z where z is above 0, else 0")
    notes += [f"{name} stands for {counts}" for name, counts in counts_of_times(model).items()]
    for j in used_columns(model):
        if model.design.columns[j].what != "value":
            notes.append(f"{model.design.name(j)} is {column_words(model.design, j)}, else 0")
    notes += _link_words(model)
    return "\n".join([*lines, *(f"{'where' if i == 0 else '  and'} {note}" for i, note in enumerate(notes))]) + "\n"


def _link_words(model: MARSModel) -> list[str]:
    if not model.labels:
        return []
    each = "1 / (1 + exp(-log odds))" if model.log_odds is not None else "the share, cut to 0 and 1"
    if n_scores(model) == 1:
        return [f"probability of {model.labels[-1]} is {each}"]
    return [f"each class counts {each}", "its probability is this, divided by the sum over the classes"]


def json_text(model: MARSModel) -> str:
    """The parts of a model; docs/mars.md documents them."""
    link = "identity" if not model.labels else "clip" if model.log_odds is None else "logistic"
    parts = {
        "format": "boxwood mars",
        "version": JSON_VERSION,
        "task": model.task,
        "response": model.response_name,
        "labels": list(model.labels),
        "link": link,
        "missing": model.settings["missing"],
        "unseen": model.settings["unseen"],
        "features": [
            {"name": f.name, "kind": f.kind, "levels": list(f.levels), "fill": fill}
            | ({} if f.temporal is None else {"counts": counted(f.temporal)})
            for f, fill in zip(model.schema, model.design.fill, strict=True)
        ],
        "columns": [{"feature": c.feature, "what": c.what, "levels": list(c.levels)} for c in model.design.columns],
        "terms": [_term(model, m) for m in range(len(model.kept))],
        "rss": model.rss,
        "rsq": model.r_squared,
    }
    return json.dumps(parts, ensure_ascii=False, indent=1, allow_nan=False)


def _term(model: MARSModel, m: int) -> dict:
    return {
        "name": term_name(model.design, model.kept, m),
        "factors": [{"column": j, "direction": d, "cut": cut} for j, d, cut in model.kept.factors(m)],
        "coefficients": coefficients(model)[m].tolist(),
    }
