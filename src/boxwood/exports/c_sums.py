"""A sum of terms as C99 source: one file, no dependency but the C library, nothing allocated."""

from __future__ import annotations

from .c import comment, condition, guard, head, number, reading, run
from .sums import Arithmetic, SumPlan, signed

__all__ = ["run", "write"]

_HINGE = """\
/* z where z is above 0, else 0 */
static double h(double z) { return z > 0.0 ? z : 0.0; }
"""
_SIGMOID = """\
/* the probability of log odds */
static double sigmoid(double z) {
  const double small = exp(-fabs(z));
  return (z >= 0.0 ? 1.0 : small) / (1.0 + small);
}
"""


def write(plan: SumPlan, options: dict) -> str:
    """Source of ``predict`` and, for classes, ``predict_proba``; with ``level`` for levels that are texts."""
    prefix = options["prefix"]
    body = "\n".join([*_sums(plan), *(_classes if plan.labels else _numbers)(plan, prefix), ""])
    functions = [_HINGE] * plan.has_hinges + [_SIGMOID] * plan.logistic
    return "\n".join([*head(plan, prefix, body, []), *functions, body])


def _sums(plan: SumPlan) -> list[str]:
    """The function that adds the terms up, and returns whether the row is taken."""
    arithmetic = Arithmetic(
        lambda v: signed(number(v)), lambda j: reading(plan, j)[0],
        lambda conditions: " || ".join(condition(plan, c) for c in conditions),
        lambda cases, last: " : ".join([f"{test} ? {value}" for test, value in cases] + [last]),
        lambda a, b: f"h({a} - {b})",
    )  # fmt: skip
    lines = [comment("; ".join(plan.sum_names) + "; returns 0 when the row is refused")]
    lines.append("static int sums(const double *x, double *out) {")
    inputs = [arithmetic.input(plan, i) for i in range(len(plan.inputs))]
    lines += [f"  const double c{i} = {text};" for i, text in enumerate(inputs)] or ["  (void)x;"]
    refused = guard(plan)
    lines += [f"  if ({refused}) return 0;"] * bool(refused)
    for k in range(plan.n_sums):
        total = "\n      ".join(arithmetic.sum(plan, k))
        lines.append(f"  out[{k}] = {total};")
    return [*lines, "  return 1;", "}", ""]


def _numbers(plan: SumPlan, prefix: str) -> list[str]:
    if plan.n_sums == 1:
        lines = [comment("the prediction; NaN when the row is refused"), f"double {prefix}predict(const double *x) {{"]
        return [*lines, "  double out;", "  return sums(x, &out) ? out : NAN;", "}"]
    lines = [comment("the predictions; NaN when the row is refused")]
    lines += [f"void {prefix}predict(const double *x, double *out) {{", "  int k;", "  if (sums(x, out)) return;"]
    return [*lines, f"  for (k = 0; k < {plan.n_sums}; ++k) out[k] = NAN;", "}"]


def _classes(plan: SumPlan, prefix: str) -> list[str]:
    """The functions of classes: the link, the shares, the most probable class."""
    count, k = len(plan.labels), plan.n_sums
    link = "sigmoid(each[k])" if plan.logistic else "each[k] < 0.0 ? 0.0 : each[k] > 1.0 ? 1.0 : each[k]"
    lines = [comment("the probability of each class; NaN when the row is refused")]
    lines += [f"void {prefix}predict_proba(const double *x, double *out) {{", f"  double each[{k}];", "  int k;"]
    lines += ["  if (!sums(x, each)) {", f"    for (k = 0; k < {count}; ++k) out[k] = NAN;", "    return;", "  }"]
    lines.append(f"  for (k = 0; k < {k}; ++k) each[k] = {link};")
    if count == 1:
        lines.append("  out[0] = 1.0;")
    elif k == 1:
        lines += ["  out[0] = 1.0 - each[0];", "  out[1] = each[0];"]
    else:
        lines += ["  {", "    double total = 0.0;", f"    for (k = 0; k < {k}; ++k) total += each[k];"]
        lines.append(f"    for (k = 0; k < {k}; ++k) out[k] = total > 0.0 ? each[k] / total : {1 / count!r};")
        lines.append("  }")
    lines += ["}", "", comment("the number of the class, the first of equals; -1 when the row is refused")]
    lines += [f"int {prefix}predict(const double *x) {{", f"  double p[{count}];", "  int best = 0, k;"]
    lines.append(f"  {prefix}predict_proba(x, p);")
    lines += [f"  for (k = 1; k < {count}; ++k)", "    if (p[k] > p[best]) best = k;"]
    return [*lines, "  return isnan(p[0]) ? -1 : best;", "}"]
