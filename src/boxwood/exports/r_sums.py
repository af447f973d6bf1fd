"""A sum of terms as R source that needs nothing but R."""

from __future__ import annotations

from .r import closure, condition, run, values_function
from .r_text import ascii_only, literal, vector
from .sums import Arithmetic, SumPlan, signed
from .values import type_of_values

__all__ = ["run", "write"]

_HINGE = """\
# z where z is above 0, else 0
h <- function(z) if (z > 0) z else 0
"""
_SIGMOID = """\
# The probability of log odds.
link <- function(z) {
  small <- exp(-abs(z))
  ifelse(z >= 0, 1, small) / (1 + small)
}
"""
_CUT = """\
# A share, cut to 0 and 1.
link <- function(z) pmin(pmax(z, 0), 1)
"""


def write(plan: SumPlan, options: dict) -> str:
    """Source of ``model$predict(data)`` and, for classes, ``model$probability(data)``."""
    lines = [*values_function(plan), *[_HINGE] * plan.has_hinges, *_sums(plan)]
    if not plan.labels:
        return closure(plan, [*lines, *_numbers(plan)], "model", ["predict = predict"])
    type_of_values(plan.labels, plan.response_name, "R")
    lines += [f"LABELS <- {vector(plan.labels)}", "", _SIGMOID if plan.logistic else _CUT, *_classes(plan)]
    return closure(plan, lines, "model", ["predict = predict", "labels = LABELS", "probability = probability"])


def _sums(plan: SumPlan) -> list[str]:
    arithmetic = Arithmetic(
        lambda v: signed(literal(v)), lambda j: f"x[[{literal(plan.schema[j].name)}]]",
        lambda conditions: " || ".join(condition(plan, c) for c in conditions),
        lambda cases, last: " else ".join([f"if ({test}) {value}" for test, value in cases] + [last]),
        lambda a, b: f"h({a} - {b})",
    )  # fmt: skip
    lines = [f"# {ascii_only('; '.join(plan.sum_names))}".replace("\n", " "), "sums <- function(x) {"]
    lines += [f"  c{i} <- {arithmetic.input(plan, i)}" for i in range(len(plan.inputs))]
    for k in range(plan.n_sums):
        terms = arithmetic.sum(plan, k)
        lines.append(f"  s{k} <- {terms[0]}")
        lines += [f"  s{k} <- s{k} {term}" for term in terms[1:]]
    return [*lines, f"  c({', '.join(f's{k}' for k in range(plan.n_sums))})", "}", ""]


def _numbers(plan: SumPlan) -> list[str]:
    if plan.n_sums == 1:
        return ["predict <- function(data) each(data, sums, 0)", ""]
    lines = ["# A row for each row of the data, a column for each response."]
    return [*lines, f"predict <- function(data) {_matrix('sums', plan.n_sums)}", ""]


def _classes(plan: SumPlan) -> list[str]:
    """The functions of classes: the shares, the most probable label."""
    lines = ["shares <- function(x) {", "  p <- link(sums(x))"]
    if len(plan.labels) == 1:
        lines.append("  1")
    elif plan.n_sums == 1:
        lines.append("  c(1 - p, p)")
    else:
        lines.append("  if (sum(p) > 0) p / sum(p) else rep(1 / length(p), length(p))")
    lines += [
        "}",
        "",
        "# The probability of each class: a row for each row, a column for each of the labels.",
    ]
    lines.append(f"probability <- function(data) {_matrix('shares', len(plan.labels))}")
    lines += ["", "# The most probable label; the first of equals."]
    return [*lines, "predict <- function(data) each(data, function(x) LABELS[[which.max(shares(x))]], LABELS[1])", ""]


def _matrix(function: str, width: int) -> str:
    return f"matrix(each(data, {function}, numeric({width})), ncol = {width}, byrow = TRUE)"
