"""Runs exported C: compiles it with an installed compiler and calls it in this process."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from ..data.columns import Columns
from ..errors import NotAvailableError, ParameterError
from .moments import numbers
from .plan import ExportPlan
from .verify import Answers

#: No contraction of a * b + c, so that sums are those of the tree.
_FLAGS = ("-std=c99", "-O1", "-ffp-contract=off", "-shared", "-fPIC")


def run_compiled(content: str, plan: ExportPlan, columns: Columns, prefix: str) -> tuple[Answers, str]:
    """What the functions say of rows, and the name of the compiler.

    Raises
    ------
    NotAvailableError
        There is no C compiler.
    ParameterError
        The source cannot be compiled.
    """
    compiler = os.environ.get("CC") or next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None:
        raise NotAvailableError("to verify C there must be a compiler: install gcc or clang, or set CC.")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "tree.c").write_text(content, encoding="utf-8")
        command = [compiler, *_FLAGS, "tree.c", "-o", "tree.so", "-lm"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ParameterError(f"{compiler} does not compile the source: {done.stderr.strip()}")
        said = _ask(ctypes.CDLL(str(Path(folder) / "tree.so")), plan, _table(columns), prefix)
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False).stdout.split("\n")[0]
    return said, f"C compiled by {version}"


def _table(columns: Columns) -> np.ndarray:
    """Rows as the functions take them, float64, shape (n, p): numbers, and places of levels."""
    values = [numbers(columns, j)[0] for j in range(len(columns.schema))]
    return np.ascontiguousarray(np.column_stack([np.asarray(v, dtype=np.float64) for v in values]))


def _ask(library: ctypes.CDLL, plan: ExportPlan, x: np.ndarray, prefix: str) -> Answers:
    pointer = ctypes.POINTER(ctypes.c_double)
    node, predict = (getattr(library, prefix + name) for name in ("node", "predict"))
    node.argtypes, predict.argtypes, node.restype = [pointer], [pointer], ctypes.c_int
    predict.restype = ctypes.c_int if plan.has_classes else ctypes.c_double
    rows = [row.ctypes.data_as(pointer) for row in x]
    nodes = np.array([node(row) for row in rows], dtype=np.int64)
    said = [predict(row) for row in rows]
    if not plan.has_classes:
        value = [None if at < 0 else number for at, number in zip(nodes.tolist(), said, strict=True)]
        return Answers(np.array([*value, None], dtype=object)[:-1], nodes)
    labels = plan.tree.response.labels
    value = np.array([None if k < 0 else labels[k] for k in said] + [None], dtype=object)[:-1]
    shares = np.zeros((len(x), len(labels)))
    probability = getattr(library, f"{prefix}predict_proba")
    probability.argtypes, probability.restype = [pointer, pointer], None
    for row, out in zip(rows, shares, strict=True):
        probability(row, out.ctypes.data_as(pointer))
    return Answers(value, nodes, shares)
