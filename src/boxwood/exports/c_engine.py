"""Runs exported C: compiles it with an installed compiler and calls it in this process."""

from __future__ import annotations

import ctypes
import math
import os
import shutil
import subprocess
import tempfile
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np

from ..errors import NotAvailableError, ParameterError
from .answers import Answers
from .model_plan import ModelPlan
from .raw_rows import RawRows
from .rows import NO_PLACE, is_missing_value

#: No contraction of a * b + c, so that sums are those of the tree.
_FLAGS = ("-std=c99", "-O1", "-ffp-contract=off", "-shared", "-fPIC")


def run_compiled(content: str, plan: ModelPlan, rows: RawRows, prefix: str) -> tuple[Answers, str]:
    """The predictions of the functions for rows, and the name of the compiler.

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
        library = ctypes.CDLL(str(Path(folder) / "tree.so"))
        table, left_out = _table(library, plan, rows, prefix)
        predicted = replace(_predicted(library, plan, table, prefix), left_out=left_out)
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False).stdout.split("\n")[0]
    return predicted, f"C compiled by {version}"


def _table(library: ctypes.CDLL, plan: ModelPlan, rows: RawRows, prefix: str) -> tuple[np.ndarray, np.ndarray]:
    """Rows as the functions take them, float64, shape (n, p): numbers, and places of levels; and rows without a place.

    The source itself finds the places of texts.
    """
    table, left_out = np.full((rows.n, len(rows.schema)), np.nan), rows.refused.copy()
    for j in plan.features:
        feature = rows.schema[j]
        if feature.levels and all(isinstance(level, str) for level in feature.levels):
            values = [_place(getattr(library, f"{prefix}level"), j, value) for value in rows.values[j]]
        elif feature.levels:
            values = rows.columns.values[j].tolist()
        else:
            pairs = zip(rows.counted(j), rows.columns.values[j], strict=True)
            values = [_double(value, near) for value, near in pairs]
        left_out |= np.array([value is NO_PLACE for value in values], dtype=bool)
        table[:, j] = [np.nan if value is None or value is NO_PLACE else value for value in values]
    return np.ascontiguousarray(table), left_out


def _place(level, j: int, value):
    """The place of a text; values of other types are levels that training did not have."""
    if isinstance(value, str):
        level.argtypes, level.restype = [ctypes.c_int, ctypes.c_char_p], ctypes.c_double
        return NO_PLACE if "\0" in value else level(j, value.encode("utf-8", "surrogatepass"))
    return -1.0 if is_missing_value(value) else NO_PLACE


def _double(value, near: float):
    """A number; a text is given as the number that it holds, or as NaN where it is a code."""
    if isinstance(value, str) or value is None:
        return float(near)
    return float(value) if isinstance(value, (int, float, Decimal, Fraction)) else NO_PLACE


def _predicted(library: ctypes.CDLL, plan: ModelPlan, x: np.ndarray, prefix: str) -> Answers:
    pointer = ctypes.POINTER(ctypes.c_double)
    nodes, predict = None, getattr(library, f"{prefix}predict")
    predict.argtypes, predict.restype = [pointer], ctypes.c_int if plan.has_classes else ctypes.c_double
    rows = [row.ctypes.data_as(pointer) for row in x]
    if plan.has_nodes:
        node = getattr(library, f"{prefix}node")
        node.argtypes, node.restype = [pointer], ctypes.c_int
        nodes = np.array([node(row) for row in rows], dtype=np.int64)
    if plan.width > 1:
        return Answers(_several(predict, pointer, rows, plan.width))
    predicted = [predict(row) for row in rows]
    if not plan.has_classes:
        value = [None if math.isnan(number) else number for number in predicted]
        return Answers(np.array([*value, None], dtype=object)[:-1], nodes)
    labels = plan.labels
    value = np.array([None if k < 0 else labels[k] for k in predicted] + [None], dtype=object)[:-1]
    shares = np.zeros((len(x), len(labels)))
    probability = getattr(library, f"{prefix}predict_proba")
    probability.argtypes, probability.restype = [pointer, pointer], None
    for row, out in zip(rows, shares, strict=True):
        probability(row, out.ctypes.data_as(pointer))
    return Answers(value, nodes, shares)


def _several(predict, pointer, rows: list, width: int) -> np.ndarray:
    """The numbers of each row, as a tuple; None for a row that was refused."""
    predict.argtypes, predict.restype = [pointer, pointer], None
    out, found = np.zeros(width), np.empty(len(rows), dtype=object)
    for i, row in enumerate(rows):
        predict(row, out.ctypes.data_as(pointer))
        found[i] = None if np.isnan(out).any() else tuple(out.tolist())
    return found
