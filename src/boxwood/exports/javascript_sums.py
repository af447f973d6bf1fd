"""A sum of terms as JavaScript without dependencies, for browsers and Node.js."""

from __future__ import annotations

from ..data.columns.schema import Feature
from .javascript import comments, condition, module, run, values_function
from .javascript_kinds import javascript_kind
from .javascript_values import literal
from .sums import Arithmetic, SumPlan, signed

__all__ = ["run", "write"]

_HINGE = """\
// z where z is above 0, else 0
function h(z) {
  return z > 0 ? z : 0;
}
"""
_SIGMOID = """\
// The probability of log odds.
function sigmoid(z) {
  const small = Math.exp(-Math.abs(z));
  return (z >= 0 ? 1 : small) / (1 + small);
}
"""


def write(plan: SumPlan, options: dict) -> str:
    """Source of an object with ``predict(row)`` and, for classes, ``predictProba(row)`` and LABELS."""
    lines = [*comments(plan), "", *values_function(plan), *[_HINGE] * plan.has_hinges, *[_SIGMOID] * plan.logistic]
    names = ["LABELS", "predict", "predictProba"] if plan.labels else ["predict"]
    return module(plan, [*lines, *_sums(plan), *_predictions(plan)], "model", names)


def _sums(plan: SumPlan) -> list[str]:
    arithmetic = Arithmetic(
        lambda v: signed(literal(v)), lambda j: _value(plan.schema[j]),
        lambda conditions: " || ".join(condition(plan, c) for c in conditions),
        lambda cases, last: " : ".join([f"{test} ? {value}" for test, value in cases] + [last]),
        lambda a, b: f"h({a} - {b})",
    )  # fmt: skip
    lines = [f"// {literal('; '.join(plan.sum_names))}", "function sums(row) {"]
    lines += ["  const x = values(row);"] * bool(plan.features)
    lines += [f"  const c{i} = {arithmetic.input(plan, i)};" for i in range(len(plan.inputs))]
    lines.append("  return [")
    for k in range(plan.n_sums):
        lines += [f"    {term}" for term in arithmetic.sum(plan, k)]
        lines[-1] += ","
    return [*lines, "  ];", "}", ""]


def _value(feature: Feature) -> str:
    """The number of a value; of Dates whole numbers of the resolution since 1970."""
    return javascript_kind(feature).number(f"x[{literal(feature.name)}]", feature)


def _predictions(plan: SumPlan) -> list[str]:
    """The functions that predict: of classes the link, the shares, the most probable label."""
    if not plan.labels:
        return [f"function predict(row) {{\n  return sums(row){'[0]' if plan.n_sums == 1 else ''};\n}}", ""]
    link = "sigmoid" if plan.logistic else "(z) => Math.min(Math.max(z, 0), 1)"
    lines = [f"const LABELS = [{', '.join(map(literal, plan.labels))}];", ""]
    lines += ["// The probability of each class, in the order of LABELS.", "function predictProba(row) {"]
    lines.append(f"  const each = sums(row).map({link});")
    if len(plan.labels) == 1:
        lines.append("  return [1];")
    elif plan.n_sums == 1:
        lines.append("  return [1 - each[0], each[0]];")
    else:
        lines.append("  const total = each.reduce((sum, p) => sum + p, 0);")
        lines.append("  return each.map((p) => (total > 0 ? p / total : 1 / LABELS.length));")
    lines += ["}", "", "// The most probable label; the first of equals.", "function predict(row) {"]
    return [*lines, "  const p = predictProba(row);", "  return LABELS[p.indexOf(Math.max(...p))];", "}", ""]
