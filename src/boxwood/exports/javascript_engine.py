"""Runs exported JavaScript in Node.js."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from ..data.columns import Columns
from ..data.temporal import NANOSECONDS
from ..errors import NotAvailableError, ParameterError
from .javascript_values import literal, reader_of
from .plan import ExportPlan
from .rows import plain_column
from .verify import Answers

_HARNESS = """
const tree = require("./tree.js"), rows = require("./rows.js");
for (const row of rows) {
  try {
    const said = tree.predict(row), p = tree.LABELS ? tree.predictProba(row) : null;
    console.log(JSON.stringify([tree.node(row), tree.LABELS ? tree.LABELS.indexOf(said) : said, p]));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.log(JSON.stringify([-1, null, null]));
  }
}
"""


def run_in_node(content: str, plan: ExportPlan, columns: Columns) -> tuple[Answers, str]:
    """What Node.js says of rows, and its version.

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
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("tree.js", content), ("rows.js", _rows(plan, columns)), ("ask.js", _HARNESS)):
            (Path(folder) / name).write_text(text, encoding="utf-8")
        done = subprocess.run([node, "ask.js"], cwd=folder, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise ParameterError(f"Node.js does not run the source: {done.stderr.strip()[:500]}")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    labels = plan.tree.response.labels
    value = [labels[v] if labels and v is not None else v if v is None else float(v) for _, v, _ in found]
    nothing = [math.nan] * len(labels)
    shares = np.array([p or nothing for _, _, p in found]).reshape(columns.n, -1) if labels else None
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    nodes = np.array([at for at, _, _ in found], dtype=np.int64)
    left_out = _finer_than_dates(plan, columns)
    return Answers(np.array([*value, None], dtype=object)[:-1], nodes, shares, left_out), f"Node.js {version}"


def _written(columns: Columns, j: int) -> list[str]:
    """The values of a column in the language."""
    values, feature = plain_column(columns, j), columns.schema[j]
    if reader_of(feature) != "instant":
        return list(map(literal, values))
    size = NANOSECONDS[feature.temporal.resolution]
    return ["null" if v is None else f"new Date({int(v) * size // 1_000_000})" for v in values]


def _finer_than_dates(plan: ExportPlan, columns: Columns) -> np.ndarray:
    """Rows with a time that a Date, which counts milliseconds, does not hold."""
    lost = np.zeros(columns.n, dtype=bool)
    for j in plan.features:
        feature = columns.schema[j]
        if reader_of(feature) == "instant" and feature.temporal.resolution in ("us", "ns"):
            most = 1_000_000 // NANOSECONDS[feature.temporal.resolution]
            lost |= [v is not None and int(v) % most != 0 for v in plain_column(columns, j)]
    return lost


def _rows(plan: ExportPlan, columns: Columns) -> str:
    """The rows as a module; a name such as __proto__ must be computed to be a plain one."""
    names = [literal(plan.tree.schema[j].name) for j in plan.features]
    listed = [_written(columns, j) for j in plan.features]
    rows = zip(*listed, strict=True) if listed else [()] * columns.n
    lines = [", ".join(f"[{name}]: {v}" for name, v in zip(names, row, strict=True)) for row in rows]
    return "module.exports = [\n" + "".join(f"{{ {line} }},\n" for line in lines) + "];\n"
