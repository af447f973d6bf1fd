"""A sum of terms as a Python module without dependencies."""

from __future__ import annotations

from .python import condition, run, values_function
from .python_kinds import PYTHON_KINDS
from .python_values import columns_read, readers
from .sums import Arithmetic, SumPlan, signed

__all__ = ["run", "write"]

_HINGE = '''
def h(z):
    """z where z is above 0, else 0."""
    return z if z > 0.0 else 0.0
'''
_SIGMOID = '''
def sigmoid(z):
    """The probability of log odds."""
    small = exp(-abs(z))
    return (1.0 if z >= 0.0 else small) / (1.0 + small)
'''


def write(plan: SumPlan, options: dict) -> str:
    """Source of ``predict(row)`` and, for classes, ``predict_proba(row)``; a row is a dictionary."""
    features = [plan.schema[j] for j in plan.features]
    imports, functions = readers(features)
    columns = ["# row[...] must hold:", *columns_read(plan)] if features else []
    lines = [f"# {plan.heading()}", *columns, "", *["from math import exp"] * plan.logistic, *imports, *functions]
    lines += values_function(plan) if features else []
    lines += [_HINGE] * plan.has_hinges + [_SIGMOID] * plan.logistic
    return "\n".join([*lines, *_sums(plan), *_predictions(plan)]).replace("\n\n\n\n", "\n\n\n")


def _sums(plan: SumPlan) -> list[str]:
    def value(j: int) -> str:
        feature = plan.schema[j]
        return PYTHON_KINDS.of(feature).number(feature, f"x[{feature.name!r}]")

    arithmetic = Arithmetic(
        lambda v: signed(repr(v)), value,
        lambda conditions: " or ".join(condition(plan, c) for c in conditions),
        lambda cases, last: " else ".join([f"{value} if {test}" for test, value in cases] + [last]),
        lambda a, b: f"h({a} - {b})",
    )  # fmt: skip
    lines = ["", "def sums(row):", f"    {'; '.join(plan.sum_names)!r}"]
    lines += ["    x = values(row)"] * bool(plan.features)
    lines += [f"    c{i} = {arithmetic.input(plan, i)}" for i in range(len(plan.inputs))]
    lines.append("    return [")
    for k in range(plan.n_sums):
        lines += [f"        {term}" for term in arithmetic.sum(plan, k)]
        lines[-1] += ","
    return [*lines, "    ]", "", ""]


def _predictions(plan: SumPlan) -> list[str]:
    """The functions that predict: of classes the link, the shares, the most probable label."""
    if not plan.labels:
        result = "sums(row)[0]" if plan.n_sums == 1 else "sums(row)"
        return ["def predict(row):", f"    return {result}", ""]
    each = "sigmoid(z)" if plan.logistic else "min(max(z, 0.0), 1.0)"
    lines = [f"LABELS = {list(plan.labels)!r}", "", "", "def predict_proba(row):"]
    lines += ['    """A dictionary: label -> probability."""', f"    each = [{each} for z in sums(row)]"]
    if len(plan.labels) == 1:
        lines.append("    each = [1.0]")
    elif plan.n_sums == 1:
        lines.append("    each = [1.0 - each[0], each[0]]")
    else:
        lines.append("    total = sum(each)")
        lines.append("    each = [p / total if total > 0.0 else 1.0 / len(LABELS) for p in each]")
    lines += ["    return dict(zip(LABELS, each))", "", "", "def predict(row):"]
    lines += ['    """The most probable label; the first of equals."""', "    shares = predict_proba(row)"]
    return [*lines, "    return max(LABELS, key=shares.get)", ""]
