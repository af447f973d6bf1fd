"""A tree as a workbook that predicts typed rows."""

from __future__ import annotations

from ..errors import ParameterError
from .answers import Answers
from .plan import ExportPlan
from .raw_rows import RawRows
from .xlsx_book import Book


def write(plan: ExportPlan, options: dict) -> bytes:
    """The workbook with empty rows to type in."""
    return Book(plan, options["cases"]).content([])


def run(content: bytes, plan: ExportPlan, rows: RawRows, options: dict) -> tuple[Answers, str]:
    """The predictions of LibreOffice for rows that are typed into the workbook."""
    from .xlsx_engine import run_workbook

    if content != write(plan, options):
        raise ParameterError("the workbook was changed after its export, so rows cannot be filled in; export it again.")
    return run_workbook(plan, rows)
