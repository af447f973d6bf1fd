"""A MARS model as a formula for people."""

from __future__ import annotations

from ..exports.kinds import EXPORTED
from .exports import MARSPlan
from .words import column_words, term_name


def write(plan: MARSPlan, options: dict) -> str:
    """A sum a response, with all digits, and below it what h, indicators and probabilities are."""
    model, lines = plan.model, []
    kept, design = model.kept, model.design
    names = [term_name(design, kept, m, digits=None) for m in range(len(kept))]
    for k, name in enumerate(plan.sum_names):
        lines.append(f"{name} =")
        for m, weight in enumerate(model.predicting[:, k].tolist()):
            sign = "-" if weight < 0 else "+" if m else " "
            lines.append(f"  {sign} {abs(weight)!r}" + (f" * {names[m]}" if m else ""))
    notes = ["h(z) is z where z is above 0, else 0"] * plan.has_hinges
    features = [model.schema[j] for j in plan.features]
    notes += [f"{f.name} stands for {counts}" for f in features if (counts := EXPORTED.of(f).counts(f))]
    for j, column in enumerate(design.columns):
        if kept.directions[:, j].any() and column.what != "value":
            notes.append(f"{design.name(j)} is {column_words(design, j)}, else 0")
    notes += _link_words(plan)
    return "\n".join([*lines, *(f"{'where' if i == 0 else '  and'} {note}" for i, note in enumerate(notes))]) + "\n"


def _link_words(plan: MARSPlan) -> list[str]:
    if not plan.labels:
        return []
    each = "1 / (1 + exp(-log odds))" if plan.logistic else "the share, cut to 0 and 1"
    if plan.n_sums == 1:
        return [f"probability of {plan.labels[-1]} is {each}"]
    return [f"each class counts {each}", "its probability is this, divided by the sum over the classes"]
