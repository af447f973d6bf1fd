"""Runs exported workbooks: fills in rows, lets LibreOffice compute the formulas, and reads the results."""

from __future__ import annotations

import math
import shutil
import subprocess
import tempfile
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from ..errors import NotAvailableError, ParameterError
from .answers import Answers
from .plan import ExportPlan
from .raw_rows import RawRows
from .typed_rows import typed_column
from .xlsx_book import Book
from .xlsx_cells import CELLS

_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
#: Cases of one workbook.
_AT_ONCE = 500


def run_workbook(plan: ExportPlan, given: RawRows) -> tuple[Answers, str]:
    """The predictions of the workbook for rows, and the name of the program.

    Raises
    ------
    NotAvailableError
        LibreOffice is not installed.
    ParameterError
        LibreOffice does not read the workbook.
    """
    program = shutil.which("soffice") or shutil.which("libreoffice")
    if program is None:
        raise NotAvailableError("to verify a workbook there must be LibreOffice: install libreoffice-calc.")
    listed = [_typed(given, j) for j in plan.features]
    rows = [list(row) for row in zip(*listed, strict=True)] if listed else [[] for _ in range(given.n)]
    left_out = np.array([any(map(_untypeable, row)) for row in rows], dtype=bool)
    rows = [[None] * len(row) if lost else row for row, lost in zip(rows, left_out.tolist(), strict=True)]
    found: list[list] = []
    for start in range(0, len(rows), _AT_ONCE):
        some = rows[start : start + _AT_ONCE]
        book = Book(plan, len(some))
        found += _opened(program, book.content(some), len(plan.features) + len(book.results), len(some))
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    return _answers(plan, [row[len(plan.features) :] for row in found], left_out), " ".join(version.split()[:2])


def _typed(rows: RawRows, j: int) -> list:
    """The values of a feature as they are typed into cells: dates and times in days."""
    return CELLS.of(rows.schema[j]).typed(rows.schema[j], typed_column(rows, j, texts_too=True))


def _untypeable(value) -> bool:
    """Whether a cell cannot hold a value: infinities, numbers too large or too small, the empty text."""
    if isinstance(value, float) and value:
        return not 2.3e-308 < abs(value) < 9.9e307
    return value == ""


def _opened(program: str, content: bytes, width: int, cases: int) -> list[list]:
    """The cells of the first sheet below its header, computed."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "tree.xlsx").write_bytes(content)
        profile = f"-env:UserInstallation=file://{folder}/profile"
        command = [program, profile, "--headless", "--convert-to", "fods", "--outdir", folder, f"{folder}/tree.xlsx"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        result = Path(folder) / "tree.fods"
        if not result.exists():
            raise ParameterError(f"LibreOffice does not read the workbook: {done.stderr.strip()[:300]}")
        sheet = next(ElementTree.parse(result).getroot().iter(f"{_TABLE}table"))
    lines = (line for line in sheet.iter(f"{_TABLE}table-row"))
    return [_cells(line, width) for line in islice(_repeated(lines, "rows"), 1, cases + 1)]


def _repeated(elements, what: str):
    """Elements, repeated as often as they state."""
    for element in elements:
        for _ in range(int(element.get(f"{_TABLE}number-{what}-repeated", "1"))):
            yield element


def _cells(line: ElementTree.Element, width: int) -> list:
    cells = [cell for cell in line if cell.tag in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")]
    return [_value(cell) for cell in islice(_repeated(cells, "columns"), width)]


def _value(cell: ElementTree.Element):
    kind = cell.get(f"{_OFFICE}value-type")
    if kind == "float":
        return float(cell.get(f"{_OFFICE}value"))
    if kind == "boolean":
        return cell.get(f"{_OFFICE}boolean-value") == "true"
    if kind == "string":
        return "\n".join(_plain(p) for p in cell.iter(f"{_TEXT}p"))
    return None


def _plain(paragraph: ElementTree.Element) -> str:
    """The text of a paragraph; several blanks are written as an element."""
    text = paragraph.text or ""
    for element in paragraph:
        text += " " * int(element.get(f"{_TEXT}c", "1")) if element.tag == f"{_TEXT}s" else _plain(element)
        text += element.tail or ""
    return text


def _answers(plan: ExportPlan, found: list[list], left_out: np.ndarray) -> Answers:
    refused = [row[-1] == "refused" for row in found]
    k, labels = len(plan.tree.response.labels), plan.tree.response.labels
    predicted = [row[-1 - k] for row in found]
    value = [None if lost else _label(each, labels) for each, lost in zip(predicted, refused, strict=True)]
    node = None
    if not plan.shares:
        node = np.array([-1 if lost else int(row[0]) for row, lost in zip(found, refused, strict=True)], dtype=np.int64)
    probability = None
    if k:
        nothing = [math.nan] * k
        rows = [nothing if lost else row[-k:] for row, lost in zip(found, refused, strict=True)]
        probability = np.array(rows, dtype=float).reshape(-1, k)
    return Answers(np.array([*value, None], dtype=object)[:-1], node, probability, left_out)


def _label(cell, labels: tuple):
    """The label that a cell holds: texts by their letters, others by value."""
    if any(isinstance(label, str) for label in labels):
        return next((label for label in labels if str(label) == str(cell)), cell)
    return next((label for label in labels if label == cell), cell)
