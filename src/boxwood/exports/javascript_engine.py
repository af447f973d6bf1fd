"""Runs exported JavaScript in Node.js."""

from __future__ import annotations

import datetime
import json
import math
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from ..data.columns.temporal import NANOSECONDS, UTC
from ..errors import NotAvailableError, ParameterError
from .answers import Answers
from .javascript_kinds import INSTANTS, javascript_kind
from .javascript_values import literal
from .model_plan import ModelPlan
from .moments import numbers
from .raw_rows import RawRows
from .rows import NO_PLACE, is_formed

_HARNESS = """
const tree = require("./tree.js"), rows = require("./rows.js");
for (const row of rows) {
  try {
    const value = tree.predict(row), p = tree.LABELS ? tree.predictProba(row) : null;
    console.log(JSON.stringify([tree.node ? tree.node(row) : 0, tree.LABELS ? tree.LABELS.indexOf(value) : value, p]));
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    console.log(JSON.stringify([-1, null, null]));
  }
}
"""


def run_in_node(content: str, plan: ModelPlan, rows: RawRows) -> tuple[Answers, str]:
    """The predictions of Node.js for rows, and its version.

    Raises
    ------
    NotAvailableError
        It is not installed.
    ParameterError
        It does not run the source.
    """
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None:
        raise NotAvailableError("to verify JavaScript there must be Node.js: install node.")
    listed = [_values(rows, j) for j in plan.features]
    left_out = np.zeros(rows.n, dtype=bool)
    for values in listed:
        left_out |= np.array([value is NO_PLACE for value in values], dtype=bool)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("tree.js", content), ("rows.js", _rows(plan, rows.n, listed)), ("predict.js", _HARNESS)):
            (Path(folder) / name).write_text(text, encoding="utf-8")
        done = subprocess.run([node, "predict.js"], cwd=folder, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise ParameterError(f"Node.js does not run the source: {done.stderr.strip()[:500]}")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    labels = plan.labels
    value = [None if v is None else labels[v] if labels else _number(v) for _, v, _ in found]
    nothing = [math.nan] * len(labels)
    shares = np.array([p or nothing for _, _, p in found]).reshape(rows.n, -1) if labels else None
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    nodes = np.array([at for at, _, _ in found], dtype=np.int64) if plan.has_nodes else None
    return Answers(np.array([*value, None], dtype=object)[:-1], nodes, shares, left_out), f"Node.js {version}"


def _number(found: float | list) -> float | tuple[float, ...]:
    """A prediction of one response or of several."""
    return tuple(map(float, found)) if isinstance(found, list) else float(found)


def _values(rows: RawRows, j: int) -> list:
    """The values of a column in the language; times of day and durations are whole numbers of their resolution."""
    feature = rows.schema[j]
    if javascript_kind(feature) is INSTANTS:
        return _dates(rows, j)
    return [value if value is NO_PLACE else _written(value) for value in rows.counted(j)]


def _written(value) -> str:
    if isinstance(value, (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)):
        return "new Date(0)"  # a wrong type, whichever it is
    plain = value is None or isinstance(value, (str, bool, int, float))
    return literal(value if plain else float(value))


def _dates(rows: RawRows, j: int) -> list:
    """Dates, those in texts too; a time that needs more than a Date, which counts milliseconds, has no place."""
    temporal, found = rows.schema[j].temporal, []
    size, is_finer = NANOSECONDS[temporal.resolution], temporal.resolution in ("us", "ns")
    counts, refused = numbers(rows.columns, j)[0].tolist(), rows.refused.tolist()
    for value, count, wrong in zip(rows.values[j], counts, refused, strict=True):
        if isinstance(value, (datetime.datetime, datetime.date)):
            passed = _microseconds(value)
            found.append(NO_PLACE if is_finer and passed % 1000 else f"new Date({passed // 1000})")
        elif isinstance(value, np.datetime64) or (is_formed(value) and not wrong):
            lacking = "null" if is_formed(value) else NO_PLACE
            lost = count == count and is_finer and int(count) * size % 1_000_000
            date = lacking if count != count else f"new Date({int(count) * size // 1_000_000})"
            found.append(NO_PLACE if lost else date)
        else:
            found.append(_written(value))
    return found


def _microseconds(value: datetime.date) -> int:
    dated = isinstance(value, datetime.datetime)
    whole = value if dated else datetime.datetime(value.year, value.month, value.day)
    start = datetime.datetime(1970, 1, 1, tzinfo=UTC if whole.tzinfo else None)
    return (whole - start) // datetime.timedelta(microseconds=1)


def _rows(plan: ModelPlan, n: int, listed: list[list]) -> str:
    """The rows as a module; a name such as __proto__ must be computed to be a plain one."""
    names = [literal(plan.schema[j].name) for j in plan.features]
    rows = zip(*listed, strict=True) if listed else [()] * n
    lines = [
        ", ".join(f"[{name}]: {'null' if v is NO_PLACE else v}" for name, v in zip(names, row, strict=True))
        for row in rows
    ]
    return "module.exports = [\n" + "".join(f"{{ {line} }},\n" for line in lines) + "];\n"
