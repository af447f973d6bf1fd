"""A tree as a Python module without dependencies."""

from __future__ import annotations

import sys
from functools import partial

import numpy as np

from .answers import Answers
from .conditions import Between, Condition, IsMissing, OneOf
from .model_plan import ModelPlan, NodePlan
from .nested import Nest, Signs, nest
from .python_kinds import PYTHON_KINDS
from .python_values import columns_read, readers, value_read
from .raw_rows import RawRows, plain_values
from .wording import decision_costs

_SHARED = '''
def ends(row):
    """The nodes in which parts of a row end, each with the share of the row; a missing value is shared out."""
    x = values(row)
    found, waiting = [], [(0, 1.0)]
    while waiting:
        node, share = waiting.pop()
        if node in PARTS:
            node = PARTS[node](x)
        if node >= 0:
            found.append((node, share))
        else:
            waiting += [(child, share * part) for child, part in reversed(SHARES[-node - 1])]
    return found


def node(row):
    """The number of the node in which a row ends; of a row that is shared out, the one with the largest share."""
    best, most = -1, 0.0
    for end, share in ends(row):
        gap = share - most
        if gap > 1e-12 or (gap >= -1e-12 and end < best):
            best, most = end, share
    return best
'''
_MIXTURE = '''
def mixture(row):
    """The predictions of the ends of a row, averaged by shares."""
    total = [0.0] * {width}
    for end, share in ends(row):
        total = [t + share * v for t, v in zip(total, {parts})]
    return total
'''


def write(plan: NodePlan, options: dict) -> str:
    """Source of ``predict(row)``, ``node(row)`` and, for classes, ``predict_proba(row)``; a row is a dictionary."""
    features = [plan.schema[j] for j in plan.features]
    imports, functions = readers(features)
    columns = ["# row[...] must hold:", *columns_read(plan)] if features else []
    lines = [f"# {plan.heading()}", *columns, "", *imports, *_attributes(plan), *functions]
    if plan.features:
        lines += values_function(plan)
    parts = nest(plan, _signs(plan))
    for root in sorted(parts.roots):
        lines += ["", f"def node_{root}(x):", *(f"    {line}" for line in parts.part(root)), ""]
    lines += _entrance(plan, parts)
    lines += _predictions(plan)
    return "\n".join(lines).replace("\n\n\n\n", "\n\n\n")


def _attributes(plan: NodePlan) -> list[str]:
    """Predictions of the nodes, and how rows are shared out."""
    if plan.parts:
        return _of_each(plan)
    if not plan.has_classes:
        prediction = {t: plan.prediction(t) for t in plan.ends}
        lines = ["VALUES = {", *(f"    {t}: {value!r}," for t, value in prediction.items()), "}"]
        if plan.further:
            lines += [f"FURTHER = {list(plan.further)!r}"]
            lines += ["FURTHER_OF = {", *(f"    {t}: {plan.further_of(t)!r}," for t in plan.ends), "}"]
    else:
        lines = [f"LABELS = {list(plan.labels)!r}"]
        lines += ["CLASS_OF = {", *(f"    {t}: {int(plan.value[t])}," for t in plan.ends), "}"]
        lines += ["PROBABILITIES = {", *(f"    {t}: {plan.probability[t].tolist()!r}," for t in plan.ends), "}"]
    if plan.shares:
        lines += ["SHARES = {", *(f"    {t}: {parts!r}," for t, parts in plan.shares.items()), "}"]
    return lines


def values_function(plan: ModelPlan) -> list[str]:
    """The function that reads a row, and refuses what the policies refuse."""
    lines = ["", "def values(row):", '    """The values that are compared."""', "    x = {"]
    lines += [f"        {f.name!r}: {value_read(f)}," for f in (plan.schema[j] for j in plan.features)]
    lines.append("    }")
    if plan.refuse_missing:
        lines += ["    for name, value in x.items():", "        if value is None or value != value:"]
        lines.append('            raise ValueError(f"{name} is missing")')
    for feature in (plan.schema[j] for j in plan.features if plan.refuse_infinite):
        if test := PYTHON_KINDS.of(feature).is_infinite(f"x[{feature.name!r}]"):
            lines += [f"    if {test}:"]
            lines += [f"        raise ValueError({f'{feature.name} is infinite'!r})"]
    for j in filter(plan.refused_levels, plan.features):
        feature = plan.schema[j]
        name = f"x[{feature.name!r}]"
        lines.append(f"    if {name} is not None and {name} not in {_tuple(feature.levels)}:")
        text = f"the {plan.what} was not shown this level of {feature.name}"
        lines.append(f"        raise ValueError({text!r})")
    return [*lines, "    return x", ""]


def condition(plan: ModelPlan, c: Condition) -> str:
    """A condition on the values of a row."""
    feature = plan.schema[c.feature]
    name = f"x[{feature.name!r}]"
    if isinstance(c, IsMissing):
        return PYTHON_KINDS.of(feature).is_missing(name)
    if isinstance(c, Between):
        return PYTHON_KINDS.of(feature).between(name, c, feature)
    levels = _tuple([feature.levels[v] for v in c.levels])
    if isinstance(c, OneOf):
        return f"{name} in {levels}"
    return f"({name} is not None and {name} not in {levels})" if c.levels else f"{name} is not None"


def _signs(plan: NodePlan) -> Signs:
    signs = ("if {}:", "elif {}:", "else:", "", "return {}", "return node_{}(x)")
    return Signs(partial(condition, plan), "or", "and", *signs, _choose)


def _tuple(levels) -> str:
    return f"({', '.join(map(repr, levels))}{',' * (len(levels) == 1)})"


def _choose(cases: list[tuple[str, int]], last: int) -> list[str]:
    lines = [f"    {'else ' * bool(i)}{number} if {test}" for i, (test, number) in enumerate(cases)]
    return ["branch = (", *lines, f"    else {last}", ")"]


def _entrance(plan: NodePlan, parts: Nest) -> list[str]:
    """The functions that send a row down."""
    if plan.shares:
        names = ", ".join(f"{root}: node_{root}" for root in sorted(parts.roots))
        return ["", f"PARTS = {{{names}}}", "", _SHARED.strip("\n"), ""]
    goes = f"node_{plan.root}(values(row))" if plan.steps else str(plan.root)
    return ["", "def node(row):", '    """The number of the node in which a row ends."""', f"    return {goes}", ""]


def _predictions(plan: NodePlan) -> list[str]:
    """The functions that return predictions."""
    if plan.parts:
        return _functions_of_each(plan)
    lines = []
    if plan.shares:
        numbers = "[VALUES[end], *FURTHER_OF[end]]" if plan.further else "[VALUES[end]]"
        one = "PROBABILITIES[end]" if plan.has_classes else numbers
        width = max(len(plan.labels), 1 + len(plan.further))
        lines += [_MIXTURE.strip("\n").format(width=width, parts=one), "", ""]
    else:
        lines.append("")
    if not plan.has_classes:
        prediction = "mixture(row)[0]" if plan.shares else "VALUES[node(row)]"
        lines += ["def predict(row):", f"    return {prediction}", ""]
        return lines + (_further(plan) if plan.further else [])
    each = "mixture(row)" if plan.shares else "PROBABILITIES[node(row)]"
    lines += ["def predict_proba(row):", '    """A dictionary: label -> probability."""']
    lines += [f"    return dict(zip(LABELS, {each}))", "", "", "def predict(row):"]
    if not plan.shares:
        return [*lines, "    return LABELS[CLASS_OF[node(row)]]", ""]
    return [*lines, *_decision(plan), ""]


def _of_each(plan: NodePlan) -> list[str]:
    """Predictions of the nodes, of each of several responses."""
    parts = plan.parts.items()
    values = {t: {name: part.prediction(t) for name, part in parts} for t in plan.ends}
    lines = ["VALUES = {", *(f"    {t}: {each!r}," for t, each in values.items()), "}"]
    if not _with_classes(plan):
        return lines
    lines.append("PROBABILITIES = {")
    for t in plan.ends:
        shares = {name: dict(zip(part.labels, part.probability[t].tolist(), strict=True)) for name, part in parts}
        lines.append(f"    {t}: {shares!r},")
    return [*lines, "}"]


def _functions_of_each(plan: NodePlan) -> list[str]:
    """The functions that return predictions of several responses."""
    lines = ["", "def predict(row):", '    """A dictionary: response -> prediction."""']
    lines += ["    return dict(VALUES[node(row)])", ""]
    if not _with_classes(plan):
        return lines
    lines += ["", "def predict_proba(row):", '    """A dictionary: response -> label -> probability."""']
    return [*lines, "    return {name: dict(p) for name, p in PROBABILITIES[node(row)].items()}", ""]


def _with_classes(plan: NodePlan) -> bool:
    """Whether probabilities are predicted, of one response or of each."""
    return plan.has_classes or any(part.has_classes for part in plan.parts.values())


def _further(plan: NodePlan) -> list[str]:
    """The function that returns what is predicted besides the value."""
    each = "mixture(row)[1:]" if plan.shares else "FURTHER_OF[node(row)]"
    lines = ["", "def predict_further(row):", '    """A dictionary: name -> what is predicted besides the value."""']
    return [*lines, f"    return dict(zip(FURTHER, {each}))", ""]


def _decision(plan: NodePlan) -> list[str]:
    """The label of a mixture: the most probable, or the cheapest; the first of those that are equal within rounding."""
    costs, gap = decision_costs(plan)
    if costs is None:
        lines = ["    p = mixture(row)", "    most = max(p)"]
        return [*lines, f"    return next(label for label, share in zip(LABELS, p) if share >= most - {gap!r})"]
    lines = [f"    costs = {costs!r}", "    p = mixture(row)"]
    lines.append("    expected = [sum(p[i] * costs[i][k] for i in range(len(p))) for k in range(len(p))]")
    lines.append("    least = min(expected)")
    return [*lines, f"    return next(label for label, cost in zip(LABELS, expected) if cost <= least + {gap!r})"]


def run(content: str, plan: ModelPlan, rows: RawRows, options: dict) -> tuple[Answers, str]:
    """The predictions of the module for rows; it is run here."""
    space: dict = {}
    exec(compile(content, "exported tree", "exec"), space)
    node, value, numbers = [], [], []
    of_row = "predict_proba" if _with_classes(plan) else "predict_further" if plan.further else None
    n_fields = sum(len(part.labels) for part in plan.parts.values()) or len([*plan.labels, *plan.further])
    names = [plan.schema[j].name for j in plan.features]
    listed, left_out = plain_values(rows, plan.features)
    for row in zip(*listed, strict=True) if listed else [()] * rows.n:
        row = dict(zip(names, row, strict=True))
        try:
            found = space["predict"](row)
        except (ValueError, TypeError):
            node.append(-1)
            value.append(None)
            numbers.append([float("nan")] * n_fields)
            continue
        if isinstance(found, dict):
            found = [found[name] for name in plan.parts]
        value.append(tuple(found) if isinstance(found, list) else found)
        node.append(space["node"](row) if plan.has_nodes else -1)
        found = space[of_row](row) if of_row else {}
        numbers.append(_numbers(found, plan))
    prediction = np.array([*value, None], dtype=object)[:-1]
    table = np.array(numbers, dtype=float).reshape(rows.n, -1)
    shares, further = table if _with_classes(plan) else None, table if plan.further else None
    engine = f"Python {'.'.join(map(str, sys.version_info[:3]))}"
    nodes = np.array(node, dtype=np.int64) if plan.has_nodes else None
    return Answers(prediction, nodes, shares, left_out, further=further), engine


def _numbers(found: dict, plan: ModelPlan) -> list[float]:
    """Probabilities, response by response, or what is predicted besides the value, in their order."""
    if plan.parts:
        return [found[name][label] for name, part in plan.parts.items() for label in part.labels] if found else []
    return [found[name] for name in [*plan.labels, *plan.further]]
