"""R, which runs an exported source on rows."""

from __future__ import annotations

import datetime
import math
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from ..errors import NotAvailableError, ParameterError
from .answers import Answers
from .model_plan import ModelPlan
from .r_kinds import R_KINDS
from .r_text import literal
from .raw_rows import RawRows
from .rows import NO_PLACE, is_missing_value

_HARNESS = """
tree <- source("tree.R")$value
source("rows.R")
hex <- function(v) ifelse(is.na(v), "nan", sprintf("%a", v))
for (i in seq_len(n)) {
  row <- structure(rows[[i]], class = "data.frame", row.names = 1L)
  line <- tryCatch({
    value <- tree$predict(row)
    p <- if (is.null(tree$labels)) NULL else tree$probability(row)[1, ]
    node <- if (is.null(tree$node)) 0 else tree$node(row)
    c(node, if (is.null(tree$labels)) hex(value) else match(value, tree$labels) - 1, hex(p))
  }, error = function(problem) {
    known <- " is missing$| is infinite$| has a level that| must be a column "
    if (grepl(known, conditionMessage(problem))) -1 else stop(problem)
  })
  cat(line, "\\n")
}
cat(as.character(getRversion()), "\\n")
"""


def predict_in_r(content: str, plan: ModelPlan, rows: RawRows) -> tuple[Answers, str]:
    """The answers of a source, and the name of the engine.

    Raises
    ------
    NotAvailableError
        R is not installed.
    ParameterError
        R does not run the source.
    """
    program = shutil.which("Rscript")
    if program is None:
        raise NotAvailableError(
            "to verify R source there must be R: install r-base-core, or R from cran.r-project.org."
        )
    listed = [_values(rows, j) for j in plan.features]
    left_out = np.zeros(rows.n, dtype=bool)
    for values in listed:
        left_out |= np.array([value is NO_PLACE for value in values], dtype=bool)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("tree.R", content), ("rows.R", _rows(plan, rows.n, listed)), ("predict.R", _HARNESS)):
            (Path(folder) / name).write_text(text, encoding="utf-8")
        done = subprocess.run(
            [program, "--vanilla", "predict.R"], cwd=folder, capture_output=True, encoding="utf-8", check=False
        )
    if done.returncode:
        raise ParameterError(f"R does not run the source: {done.stderr.strip()[:500]}")
    *lines, version = done.stdout.splitlines()
    labels = plan.labels
    node, value, shares = np.full(len(lines), -1, dtype=np.int64), np.full(len(lines), None, dtype=object), []
    for i, line in enumerate(lines):
        at, *predicted = line.split()
        node[i] = int(at)
        if predicted:
            value[i] = labels[int(predicted[0])] if labels else _number(predicted)
        shares.append([float.fromhex(p) for p in predicted[1:]] or [math.nan] * len(labels))
    probability = np.array(shares).reshape(rows.n, -1) if labels else None
    return Answers(value, node if plan.has_nodes else None, probability, left_out), f"R {version.strip()}"


def _number(found: list[str]) -> float | tuple[float, ...]:
    """A prediction of one response or of several."""
    numbers = tuple(map(float.fromhex, found))
    return numbers if len(numbers) > 1 else numbers[0]


def _values(rows: RawRows, j: int) -> list:
    """The values of a column in the language; dates and times are whole numbers of their resolution."""
    nothing = R_KINDS.of(rows.schema[j]).nothing
    values = rows.counted(j)
    return [value if value is NO_PLACE else nothing if is_missing_value(value) else _written(value) for value in values]


def _written(value) -> str:
    if isinstance(value, (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)):
        return 'as.Date("1970-01-01")'  # a wrong type, whichever it is
    return literal(value if isinstance(value, (str, bool)) else float(value))


def _rows(plan: ModelPlan, n: int, listed: list[list]) -> str:
    """The rows as lists that become data frames; their columns have the names of the features."""
    names = [literal(plan.schema[j].name) for j in plan.features]
    lines = [f"n <- {n}", 'rows <- vector("list", n)']
    for i, row in enumerate(zip(*listed, strict=True) if listed else [()] * n, 1):
        cells = (f"{name} = {'NA' if v is NO_PLACE else v}" for name, v in zip(names, row, strict=True))
        lines.append(f"rows[[{i}]] <- list({', '.join(cells)})")
    return "\n".join([*lines, ""])
