"""A tree as a query: what databases predict for every row, and what is refused."""

from __future__ import annotations

import re

import pytest

from boxwood.exports.registry import DIALECTS
from exports.problems import NAMES, case, plain_case


@pytest.mark.sample(9)
@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize("kind", NAMES)
def test_databases_predict_what_the_tree_predicts(kind, dialect):
    if dialect == "duckdb":
        pytest.importorskip("duckdb")
    problem = case(kind)
    verdict = problem.model.verify_export("sql", problem.columns, dialect=dialect, key="no")
    assert verdict, str(verdict)
    assert verdict.rows + verdict.left_out == problem.columns.n
    assert verdict.rows > 800


@pytest.mark.sample(5)
@pytest.mark.parametrize("kind", NAMES)
def test_postgres_predicts_what_the_tree_predicts(kind, database, monkeypatch):
    for name, value in database.items():
        monkeypatch.setenv(name, value)
    problem = case(kind)
    verdict = problem.model.verify_export("sql", problem.columns, dialect="postgres", key="no")
    assert verdict, str(verdict)
    assert verdict.rows + verdict.left_out == problem.columns.n


@pytest.mark.sample(15)
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", ["surrogates", "branch", "means", "c45", "refuses gaps"])
def test_every_dialect_is_read_by_a_parser(kind, dialect):
    sqlglot = pytest.importorskip("sqlglot")
    problem = plain_case(kind)
    text = problem.model.export("sql", dialect=dialect, key="id", table=("sales", "2024"))
    if dialect == "oracle":
        text = re.sub(r"(\d)d\b", r"\1", text)  # the parser does not know Oracle's sign of a double
    found = sqlglot.parse(text, read={"sqlserver": "tsql"}.get(dialect, dialect))
    assert len(found) == 1
    texts = {node.this for node in found[0].find_all(sqlglot.exp.Literal, sqlglot.exp.National)}
    assert set(problem.model.labels) <= texts
