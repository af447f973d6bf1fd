"""A tree as one query in the SQL of a database."""

from __future__ import annotations

from .answers import Answers
from .model_plan import NodePlan
from .raw_rows import RawRows
from .sql_nodes import NodeQuery


def write(plan: NodePlan, options: dict) -> str:
    """A SELECT that predicts every row of a table."""
    return NodeQuery(plan, options).text()


def run(content: str, plan: NodePlan, rows: RawRows, options: dict) -> tuple[Answers, str]:
    """The predictions of a database for rows."""
    from .sql_engines import run_query

    return run_query(content, NodeQuery(plan, options), rows)
