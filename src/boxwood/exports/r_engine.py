"""R, which runs an exported source on rows."""

from __future__ import annotations

import math
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from ..data.columns import Columns
from ..data.schema import NUMERIC
from ..errors import NotAvailableError, ParameterError
from .plan import ExportPlan
from .r_text import literal
from .rows import plain_column
from .verify import Answers

_HARNESS = """
source("tree.R")
source("rows.R")
hex <- function(v) ifelse(is.na(v), "nan", sprintf("%a", v))
for (i in seq_len(n)) {
  row <- rows[i, , drop = FALSE]
  line <- tryCatch({
    said <- tree$predict(row)
    p <- if (is.null(tree$labels)) NULL else tree$probability(row)[1, ]
    c(tree$node(row), if (is.null(tree$labels)) hex(said) else match(said, tree$labels) - 1, hex(p))
  }, error = function(problem) {
    if (grepl(" is missing$| has a level that", conditionMessage(problem))) -1 else stop(problem)
  })
  cat(line, "\\n")
}
cat(as.character(getRversion()), "\\n")
"""


def ask(content: str, plan: ExportPlan, columns: Columns) -> tuple[Answers, str]:
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
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("tree.R", content), ("rows.R", _rows(plan, columns)), ("ask.R", _HARNESS)):
            (Path(folder) / name).write_text(text, encoding="utf-8")
        done = subprocess.run(
            [program, "--vanilla", "ask.R"], cwd=folder, capture_output=True, encoding="utf-8", check=False
        )
    if done.returncode:
        raise ParameterError(f"R does not run the source: {done.stderr.strip()[:500]}")
    *lines, version = done.stdout.splitlines()
    labels = plan.tree.response.labels
    node, value, shares = np.full(len(lines), -1, dtype=np.int64), np.full(len(lines), None, dtype=object), []
    for i, line in enumerate(lines):
        at, *said = line.split()
        node[i] = int(at)
        if said:
            value[i] = labels[int(said[0])] if labels else float.fromhex(said[0])
        shares.append([float.fromhex(p) for p in said[1:]] or [math.nan] * len(labels))
    probability = np.array(shares).reshape(columns.n, -1) if labels else None
    return Answers(value, node, probability), f"R {version.strip()}"


def _rows(plan: ExportPlan, columns: Columns) -> str:
    """The rows as a data frame whose columns have the names of the features."""
    lines = [f"n <- {columns.n}", "rows <- data.frame(row.names = seq_len(n))"]
    for j in plan.features:
        feature = plan.tree.schema[j]
        missing = "NA_real_" if feature.kind == NUMERIC else "NA"
        listed = ", ".join(missing if v is None else literal(v) for v in plain_column(columns, j))
        lines.append(f"rows[[{literal(feature.name)}]] <- c({listed})")
    return "\n".join([*lines, ""])
