"""The functions of exported C that return predictions: the number, or the class and the probabilities."""

from __future__ import annotations

from .model_plan import NodePlan
from .wording import decision_costs


def sizes(plan: NodePlan) -> tuple[int, int]:
    """How many parts a row can end in, and how many can wait at a time."""
    each = max(len(parts) for parts in plan.shares.values())
    return len(plan.ends), int(plan.tree.max_depth) * (each - 1) + each + 1


def answers(plan: NodePlan, prefix: str) -> list[str]:
    """The functions that return predictions."""
    if not plan.has_classes:
        return ["/* the prediction; NaN when the row is refused */", *_value(plan, prefix)]
    k = len(plan.labels)
    lines = ["/* the probability of each class; NaN when the row is refused */"]
    lines += [f"void {prefix}predict_proba(const double *x, double *out) {{", "  int k;"]
    if plan.shares:
        lines += _sums(plan, [f"  for (k = 0; k < {k}; ++k) out[k] = at < 0 ? NAN : 0.0;"], prefix)
        lines += [f"    for (k = 0; k < {k}; ++k) out[k] += share[i] * PROBABILITIES[end[i]][k];", "}", ""]
    else:
        lines += [f"  const int at = {prefix}node(x);"]
        lines += [f"  for (k = 0; k < {k}; ++k) out[k] = at < 0 ? NAN : PROBABILITIES[at][k];", "}", ""]
    lines += ["/* the number of the class; -1 when the row is refused */", f"int {prefix}predict(const double *x) {{"]
    return [*lines, *(_decision(plan, prefix) if plan.shares else _class(prefix)), "}", ""]


def _class(prefix: str) -> list[str]:
    return [f"  const int at = {prefix}node(x);", "  return at < 0 ? -1 : CLASS_OF[at];"]


def _value(plan: NodePlan, prefix: str) -> list[str]:
    lines = [f"double {prefix}predict(const double *x) {{"]
    if not plan.shares:
        return [*lines, f"  const int at = {prefix}node(x);", "  return at < 0 ? NAN : VALUES[at];", "}", ""]
    lines += ["  double out = 0.0;", *_sums(plan, ["  if (at < 0) return NAN;"], prefix)]
    return [*lines, "    out += share[i] * VALUES[end[i]];", "  return out;", "}", ""]


def _sums(plan: NodePlan, start: list[str], prefix: str) -> list[str]:
    """The head of a loop over the ends of a row."""
    most, _ = sizes(plan)
    lines = [f"  int end[{most}], i, found;", f"  double share[{most}];", f"  const int at = {prefix}node(x);", *start]
    return [*lines, "  found = at < 0 ? 0 : ends(x, end, share);", "  for (i = 0; i < found; ++i)"]


def _decision(plan: NodePlan, prefix: str) -> list[str]:
    """The class of a mixture: the most probable, or the cheapest; the first of those that are equal within rounding."""
    costs, gap = decision_costs(plan)
    k = len(plan.labels)
    lines = [f"  double p[{k}], best;", "  int k;", f"  {prefix}predict_proba(x, p);", "  if (isnan(p[0])) return -1;"]
    worth = "p"
    if costs is not None:
        worth = "cost"
        rows = ", ".join(f"{{{', '.join(map(repr, row))}}}" for row in costs)
        lines[0] = f"  static const double COSTS[{k}][{k}] = {{{rows}}};\n  double p[{k}], cost[{k}], best;\n  int i;"
        lines += [f"  for (k = 0; k < {k}; ++k)", f"    for (cost[k] = 0.0, i = 0; i < {k}; ++i)"]
        lines.append("      cost[k] += p[i] * COSTS[i][k];")
    better, sign, keeps = (">", "-", ">=") if costs is None else ("<", "+", "<=")
    lines += [f"  best = {worth}[0];", f"  for (k = 1; k < {k}; ++k) if ({worth}[k] {better} best) best = {worth}[k];"]
    lines.append(f"  for (k = 0; k < {k}; ++k) if ({worth}[k] {keeps} best {sign} {gap!r}) return k;")
    return [*lines, "  return 0;"]
