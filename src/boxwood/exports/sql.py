"""A tree as one query in the SQL of a database."""

from __future__ import annotations

from .plan import ExportPlan
from .raw_rows import RawRows
from .sql_query import Query
from .verify import Answers


def write(plan: ExportPlan, options: dict) -> str:
    """A SELECT that predicts every row of a table."""
    return Query(plan, options).text()


def run(content: str, plan: ExportPlan, rows: RawRows, options: dict) -> tuple[Answers, str]:
    """What a database says of rows."""
    from .sql_engines import run_query

    return run_query(content, Query(plan, options), rows)
