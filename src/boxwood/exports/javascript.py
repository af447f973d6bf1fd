"""A tree as JavaScript without dependencies, for browsers and Node.js."""

from __future__ import annotations

import json

from ..data.columns.raw import EXACT
from .answers import Answers
from .column_words import codes_words
from .conditions import Between, Condition, IsMissing, OneOf
from .javascript_kinds import javascript_kind
from .javascript_values import literal
from .model_plan import ModelPlan, NodePlan
from .nested import Nest, braces, nest
from .raw_rows import RawRows
from .wording import decision_costs

_NUMBER = """\
// A number as it is compared; null, undefined and NaN are missing, truth values count as 0 and 1.
function number(value) {
  if (value === null || value === undefined) return NaN;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "number" && typeof value !== "bigint") throw new TypeError(`a number is expected, not ${value}`);
  return value;
}
"""
_INSTANT = """\
// A Date as it is compared, in milliseconds; null, undefined, NaN, an invalid Date and codes are missing.
function instant(value, ...codes) {
  if (value === null || value === undefined || Number.isNaN(value)) return NaN;
  if (!(value instanceof Date)) throw new TypeError(`a Date is expected, not ${value}`);
  return codes.includes(value.getTime()) ? NaN : value.getTime();
}
"""
_TEXT_NUMBER = """\
// The number that a text holds; other values, and other texts, as they are.
function textNumber(value) {
  if (typeof value !== "string" || !/^\\s*[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?\\s*$/.test(value)) return value;
  const whole = /^\\s*[-+]?\\d+\\s*$/.test(value), near = Number(value);
  return whole && !Number.isSafeInteger(near) ? BigInt(value.trim().replace("+", "")) : near;
}
"""
_WRITTEN_NUMBER = """\
// The text of a plain number that a text of a form holds; null where it is missing; other values as they are.
function writtenNumber(value, pattern, units, decimal) {
  if (typeof value !== "string") return value;
  const usual = value.replace(/[\\u00a0\\u202f\\u2009]/g, " ").replace(/[\\u2212\\u25b3]/g, "-");
  const text = usual.replace(/\\u2019/g, "'").trim();
  if (["", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None"].includes(text)) return null;
  if (!new RegExp(`^${pattern}$`).test(text)) return text;
  const bare = units.reduce((rest, unit) => rest.split(unit).join(""), text);
  const digits = [...bare].filter((sign) => (sign >= "0" && sign <= "9") || sign === decimal).join("");
  return (/[-(]/.test(bare) ? "-" : "") + digits.replace(decimal, ".");
}
"""
_KNOWN = """\
// A value, or null if it is one of the codes for a missing value; blanks at the ends of a text do not count.
function known(value, ...codes) {
  if (typeof value === "string" && codes.includes(value.trim())) return null;
  const number = textNumber(value);
  if (typeof number !== "number" && typeof number !== "bigint") return value;
  return codes.some((code) => typeof code !== "string" && code == number) ? null : value;
}
"""
_LEVEL = """\
// A level as it is compared; null is missing. Whole numbers are numbers up to 2**53, beyond that BigInt.
function level(value, booleans) {
  if (value === null || value === undefined || Number.isNaN(value)) return null;
  if (typeof value === "bigint" && Number.isSafeInteger(Number(value))) value = Number(value);
  if (typeof value === "boolean") return booleans ? value : NOT_SEEN;
  if (typeof value !== "number") return value;
  if (booleans && (value === 0 || value === 1)) return value === 1;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value;
}
const NOT_SEEN = Symbol("not seen");
"""
_ENDS = """\
// The nodes in which parts of a row end, each with the share of the row.
function ends(row) {
  const x = values(row), found = [], waiting = [[0, 1]];
  while (waiting.length) {
    const [at, share] = waiting.pop();
    const node = PARTS.has(at) ? PARTS.get(at)(x) : at;
    if (node >= 0) found.push([node, share]);
    else for (const [child, part] of SHARES.get(-node - 1).slice().reverse()) waiting.push([child, share * part]);
  }
  return found;
}

// The number of the node in which a row ends; of a row that is shared out, the one with the largest share.
function node(row) {
  let best = -1, most = 0;
  for (const [end, share] of ends(row)) {
    const gap = share - most;
    if (gap > 1e-12 || (gap >= -1e-12 && end < best)) {
      best = end;
      most = share;
    }
  }
  return best;
}

// The predictions of the ends of a row, averaged by shares.
function mixture(row) {
  const total = VALUES.get(0).map(() => 0);
  for (const [end, share] of ends(row)) VALUES.get(end).forEach((value, k) => { total[k] += share * value; });
  return total;
}
"""


def write(plan: NodePlan, options: dict) -> str:
    """Source of an object with ``node(row)``, ``predict(row)`` and, for classes, ``predictProba(row)`` and LABELS."""
    parts = nest(plan, braces(lambda c: condition(plan, c), "const"))
    lines = [*comments(plan), *_attributes(plan), "", *values_function(plan)]
    for root in sorted(parts.roots):
        lines += [f"function node_{root}(x) {{", *(f"  {line}" for line in parts.part(root)), "}", ""]
    lines += [*_entrance(plan, parts), *_predictions(plan)]
    names = ["LABELS", "node", "predict", "predictProba"] if plan.has_classes else ["node", "predict"]
    return module(plan, lines, "tree", names)


def module(plan: ModelPlan, lines: list[str], name: str, members: list[str]) -> str:
    """The whole source: an object with some members that is exported where there are modules."""
    body = "\n".join(lines).replace("\n", "\n  ").replace("\n  \n", "\n\n")
    head = f'// {plan.heading()}\n"use strict";\n\nconst {name} = (() => {{\n  {body}\n'
    tail = f'if (typeof module !== "undefined") module.exports = {name};\n'
    return f"{head}  return {{ {', '.join(members)} }};\n}})();\n\n{tail}"


def _level(value) -> str:
    """A level: a float that is a whole number beyond 2**53 is a BigInt as well."""
    whole = isinstance(value, float) and value.is_integer() and abs(value) >= EXACT
    return literal(int(value) if whole else value)


def _attributes(plan: NodePlan) -> list[str]:
    """Predictions of the nodes, and how rows are shared out."""
    lines = []
    if plan.has_classes:
        lines.append(f"const LABELS = [{', '.join(map(literal, plan.labels))}];")
        lines += _map("CLASS_OF", {t: str(int(plan.value[t])) for t in plan.ends})
        prediction = {t: f"[{', '.join(map(literal, plan.probability[t].tolist()))}]" for t in plan.ends}
    else:
        prediction = {t: f"[{literal(plan.prediction(t))}]" for t in plan.ends}
    if plan.shares:
        none = plan.probability[0].tolist() if plan.has_classes else [0.0]
        prediction = {0: f"[{', '.join(map(literal, none))}]"} | prediction
    lines += _map("VALUES", prediction)
    if plan.shares:
        each = {t: ", ".join(f"[{c}, {part!r}]" for c, part in parts) for t, parts in plan.shares.items()}
        lines += _map("SHARES", {t: f"[{parts}]" for t, parts in each.items()})
    return lines


def _map(name: str, items: dict[int, str]) -> list[str]:
    return [f"const {name} = new Map([", *(f"  [{key}, {value}]," for key, value in items.items()), "]);"]


def values_function(plan: ModelPlan) -> list[str]:
    """The function that reads a row, and refuses what the policies refuse; before it those that it calls."""
    if not plan.features:
        return []
    calls = " ".join(javascript_kind(plan.schema[j]).read(plan.schema[j], "") for j in plan.features)
    calls += "textNumber(" * ("known(" in calls)
    lines = [text for name, text in _READERS.items() if f"{name}(" in calls]
    lines += ["// The values that are compared.", "function values(row) {", "  const x = Object.create(null);"]
    for j in plan.features:
        feature = plan.schema[j]
        name = literal(feature.name)
        kind = javascript_kind(feature)
        lines.append(f"  x[{name}] = {kind.read(feature, f'row[{name}]')};")
        is_missing = condition(plan, IsMissing(j))
        if plan.refuse_missing:
            lines.append(f"  if ({is_missing}) throw new RangeError({literal(f'{feature.name} is missing')});")
        if plan.refused_levels(j):
            known = condition(plan, OneOf(j, tuple(range(len(feature.levels)))))
            text = literal(f"the {plan.what} was not shown this level of {feature.name}")
            lines.append(f"  if (!({is_missing} || {known})) throw new RangeError({text});")
        if plan.refuse_infinite and (test := kind.is_infinite(f"x[{name}]")):
            text = literal(f"{feature.name} is infinite")
            lines.append(f"  if ({test}) throw new RangeError({text});")
    return [*lines, "  return x;", "}", ""]


_READERS = {
    "number": _NUMBER, "instant": _INSTANT, "level": _LEVEL, "textNumber": _TEXT_NUMBER,
    "writtenNumber": _WRITTEN_NUMBER, "known": _KNOWN,
}  # fmt: skip


def comments(plan: ModelPlan) -> list[str]:
    """What each value of a row must be."""
    lines = ["// row[...] must hold:"] * bool(plan.features)
    for feature in (plan.schema[j] for j in plan.features):
        held = javascript_kind(feature).held(feature)
        lines.append(f"//   {literal(feature.name)}: {held}{codes_words(feature)}")
    return lines


def condition(plan: ModelPlan, c: Condition) -> str:
    """A condition on the values of a row."""
    feature = plan.schema[c.feature]
    x = f"x[{literal(feature.name)}]"
    if isinstance(c, IsMissing):
        return javascript_kind(feature).is_missing(x)
    if isinstance(c, Between):
        tests = javascript_kind(feature).between(x, c, feature)
        return (f"({' && '.join(tests)})" if len(tests) > 1 else tests[0]) if tests else f"!Number.isNaN({x})"
    levels = [_level(feature.levels[v]) for v in c.levels]
    test = f"{x} === {levels[0]}" if len(levels) == 1 else f"[{', '.join(levels)}].includes({x})"
    if isinstance(c, OneOf):
        return test
    return f"({x} !== null && !({test}))" if c.levels else f"{x} !== null"


def _entrance(plan: NodePlan, parts: Nest) -> list[str]:
    """The functions that send a row down."""
    if plan.shares:
        return [*_map("PARTS", {root: f"node_{root}" for root in sorted(parts.roots)}), "", _ENDS]
    goes = f"node_{plan.root}(values(row))" if plan.steps else str(plan.root)
    return ["// The number of the node in which a row ends.", f"function node(row) {{\n  return {goes};\n}}", ""]


def _predictions(plan: NodePlan) -> list[str]:
    """The functions that return predictions."""
    parts = "mixture(row)" if plan.shares else "VALUES.get(node(row))"
    if not plan.has_classes:
        return [f"function predict(row) {{\n  return {parts}[0];\n}}", ""]
    copy = parts if plan.shares else f"{parts}.slice()"
    lines = ["// The probability of each class, in the order of LABELS."]
    lines += [f"function predictProba(row) {{\n  return {copy};\n}}", ""]
    if not plan.shares:
        return [*lines, "function predict(row) {\n  return LABELS[CLASS_OF.get(node(row))];\n}", ""]
    costs, gap = decision_costs(plan)
    lines.append("function predict(row) {")
    if costs is None:
        lines += ["  const p = mixture(row), most = Math.max(...p);"]
        return [*lines, f"  return LABELS[p.findIndex((share) => share >= most - {gap!r})];", "}", ""]
    lines.append(f"  const p = mixture(row), costs = {json.dumps(costs)};")
    lines.append("  const expected = p.map((_, k) => p.reduce((sum, share, i) => sum + share * costs[i][k], 0));")
    lines.append("  const least = Math.min(...expected);")
    return [*lines, f"  return LABELS[expected.findIndex((cost) => cost <= least + {gap!r})];", "}", ""]


def run(content: str, plan: ModelPlan, rows: RawRows, options: dict) -> tuple[Answers, str]:
    """The predictions of Node.js for rows."""
    from .javascript_engine import run_in_node

    return run_in_node(content, plan, rows)
