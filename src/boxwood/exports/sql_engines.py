"""Databases that run an exported query on rows: DuckDB and SQLite in this process, PostgreSQL through psql."""

from __future__ import annotations

import math
import os
import shutil
import sqlite3
import subprocess
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..data.columns import Columns
from ..data.schema import Feature
from ..data.temporal import DATE, DATETIME, TIME
from ..errors import NotAvailableError, ParameterError
from .moments import moments
from .plan import ExportPlan
from .rows import plain_column
from .sql_query import Query
from .verify import Answers


@dataclass(frozen=True)
class SqlTable:
    """Rows as a table of a database: the features that the tree tests, and keys that number the rows."""

    query: Query
    columns: Columns

    @cached_property
    def names(self) -> list[str]:
        """Names of the columns: features, then keys that are not features."""
        schema = self.query.plan.tree.schema
        features = [schema[j].name for j in self.query.plan.features]
        keys = [key for key in self.query.keys if key not in features]
        return [*features, *keys]

    @cached_property
    def types(self) -> list[str]:
        """Types of the columns, as all three databases know them."""
        found = []
        for j in self.query.plan.features:
            feature = self.query.plan.tree.schema[j]
            if self.query.asking.is_moment(j):
                found.append("TEXT" if self.query.sql.dialect == "sqlite" else _type_of(feature))
            elif feature.levels and isinstance(feature.levels[0], str):
                found.append("TEXT")
            elif feature.levels and isinstance(feature.levels[0], bool):
                found.append("BOOLEAN")
            else:
                exact = self.query.asking.is_exact(j)
                found.append("NUMERIC(20, 0)" if exact else "DOUBLE PRECISION")
        return found + ["BIGINT"] * (len(self.names) - len(found)) or ["BIGINT"]

    @cached_property
    def rows(self) -> list[tuple]:
        """The rows; a table without columns gets one."""
        features = [self._values(j) for j in self.query.plan.features]
        keys = [list(range(self.columns.n))] * (len(self.names) - len(features))
        listed = [*features, *keys] or [list(range(self.columns.n))]
        return list(zip(*listed, strict=True))

    def _values(self, j: int) -> list:
        """A column as the database is given it."""
        if not self.query.asking.is_moment(j):
            return plain_column(self.columns, j)
        values, _ = moments(self.columns, j)
        return [v if v is None else str(v) for v in values] if self.query.sql.dialect == "sqlite" else values

    @cached_property
    def left_out(self) -> np.ndarray:
        """Rows that a typed column cannot hold: a third truth value, a number that is not whole, a far time."""
        wrong = np.zeros(self.columns.n, dtype=bool)
        for j in filter(self.query.asking.is_moment, self.query.plan.features):
            wrong |= moments(self.columns, j)[1]
        for kind, values in zip(self.types, zip(*self.rows, strict=True), strict=True):
            if kind == "BOOLEAN" and self.query.sql.truths == ("FALSE", "TRUE"):
                wrong |= [not (v is None or isinstance(v, bool)) for v in values]
            if kind.startswith("NUMERIC"):
                widest = self.query.sql.most_whole
                wrong |= [isinstance(v, float) and not (v.is_integer() and abs(v) <= widest) for v in values]
        return wrong

    def stored(self) -> list[tuple]:
        """The rows that fit, with whole numbers as such where the column requires it."""
        whole = [kind.startswith("NUMERIC") for kind in self.types]
        return [
            tuple(int(v) if exact and isinstance(v, float) else v for v, exact in zip(row, whole, strict=True))
            for row, lost in zip(self.rows, self.left_out.tolist(), strict=True)
            if not lost
        ]

    def create(self, kind: str = "TABLE") -> str:
        """The statement that makes the table."""
        sql = self.query.sql
        names = self.names or ["nothing"]
        columns = ", ".join(f"{sql.name(name)} {type_}" for name, type_ in zip(names, self.types, strict=True))
        return f"CREATE {kind} {sql.name(self.query.table[-1])} ({columns})"

    @property
    def marks(self) -> str:
        """Places for one row's values."""
        return ", ".join("?" * len(self.types))


def _type_of(feature: Feature) -> str:
    """The type of a column of dates or times."""
    kind = feature.temporal.kind
    names = {DATE: "DATE", TIME: "TIME", DATETIME: "TIMESTAMP"}
    return names[kind] + " WITH TIME ZONE" * (feature.temporal.zone is not None)


def run_query(content: str, query: Query, columns: Columns) -> tuple[Answers, str]:
    """What a query says of rows, and the name of the database.

    Raises
    ------
    ParameterError
        There is no engine here for the dialect, or nothing tells the rows of the answer apart.
    NotAvailableError
        The database is not installed.
    """
    engines = {"duckdb": _duckdb, "sqlite": _sqlite, "postgres": _postgres}
    if query.sql.dialect not in engines:
        raise ParameterError(
            f"there is no engine here that runs SQL for {query.sql.dialect}; verify dialect='duckdb', 'sqlite' or "
            "'postgres', which say the same."
        )
    if len(query.table) > 1:
        raise ParameterError("verify makes a table of one name in a fresh database; leave the schema out of table=.")
    if query.row_key is None:
        if query.plan.shares:
            raise ParameterError("verify numbers the rows by the key, so give key= a name that is not a feature.")
        if content == query.text():
            # The same query with a column that numbers the rows: a database need not keep their order.
            query = query.with_row_key()
            content = query.text()
    table = SqlTable(query, columns)
    for text in {value for row in table.stored() for value in row if isinstance(value, str)}:
        text.encode()  # half of a surrogate pair fails here, the same for every engine
    if not columns.n:
        return _answers([], query, table), query.sql.dialect
    rows, engine = engines[query.sql.dialect](content, table)
    return _answers(rows, query, table), engine


def _duckdb(content: str, table: SqlTable) -> tuple[list[tuple], str]:
    try:
        import duckdb
    except ImportError as error:
        raise NotAvailableError(
            "verifying SQL for duckdb needs the package duckdb; install it with: pip install duckdb."
        ) from error
    with duckdb.connect(config={"threads": 1}) as database:
        database.execute(table.create())
        name = table.query.sql.name(table.query.table[-1])
        for start in range(0, len(stored := table.stored()), 500):
            some = stored[start : start + 500]
            places = ", ".join(f"({table.marks})" for _ in some)
            database.execute(f"INSERT INTO {name} VALUES {places}", [v for row in some for v in row])
        return database.execute(content).fetchall(), f"DuckDB {duckdb.__version__}"


def _sqlite(content: str, table: SqlTable) -> tuple[list[tuple], str]:
    database = sqlite3.connect(":memory:")
    try:
        database.execute(table.create())
        name = table.query.sql.name(table.query.table[-1])
        database.executemany(f"INSERT INTO {name} VALUES ({table.marks})", table.stored())
        return database.execute(content).fetchall(), f"SQLite {sqlite3.sqlite_version}"
    finally:
        database.close()


def _postgres(content: str, table: SqlTable) -> tuple[list[tuple], str]:
    """A temporary table of one session; libpq's variables (PGHOST, PGUSER ...) say where the server is."""
    psql = shutil.which("psql")
    if psql is None:
        raise NotAvailableError("to verify SQL for postgres, install its client psql, and set PGHOST and PGUSER.")
    lines = ["\\set ON_ERROR_STOP on", "SET max_parallel_workers_per_gather = 0;", f"{table.create('TEMP TABLE')};"]
    lines.append(f"COPY {table.query.sql.name(table.query.table[-1])} FROM STDIN;")
    lines += ["\t".join(map(_copied, row)) for row in table.stored()]
    lines += ["\\.", f"COPY ({content}) TO STDOUT;", "SHOW server_version;", ""]
    done = subprocess.run(
        [psql, "-XqAt", "-f", "-"], input="\n".join(lines), capture_output=True, encoding="utf-8", check=False,
        env=os.environ | {"PGCLIENTENCODING": "UTF8"},
    )  # fmt: skip
    if done.returncode:
        raise NotAvailableError(f"psql could not run the query: {done.stderr.strip().splitlines()[0]}")
    *rows, version = done.stdout.removesuffix("\n").split("\n")
    return [tuple(map(_read, row.split("\t"))) for row in rows], f"PostgreSQL {version}"


_ESCAPES = (("\\", "\\\\"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t"))


def _copied(value) -> str:
    """A value in the text form of COPY."""
    if value is None:
        return "\\N"
    if isinstance(value, str):
        for sign, written in _ESCAPES:
            value = value.replace(sign, written)
        return value
    return repr(value) if isinstance(value, float) and math.isfinite(value) else str(value)


def _read(text: str) -> str | None:
    """A value back from the text form of COPY."""
    if text == "\\N":
        return None
    pieces = text.split("\\\\")
    for written, sign in (("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t")):
        pieces = [piece.replace(written, sign) for piece in pieces]
    return "\\".join(pieces)


def _answers(rows: list[tuple], query: Query, table: SqlTable) -> Answers:
    """The answers in the order of the rows: by the key, or as they came."""
    plan, n = query.plan, table.columns.n
    there = np.flatnonzero(~table.left_out).tolist()
    if query.row_key is not None:
        at = query.keys.index(query.row_key)
        rows = sorted(rows, key=lambda row: int(row[at]))
    value = np.full(n, None, dtype=object)
    node = None if plan.shares else np.full(n, -1, dtype=np.int64)
    k = len(plan.tree.response.labels)
    probability = np.full((n, k), np.nan) if k else None
    for i, row in zip(there, rows, strict=True):
        value[i] = _label(row[-1 - k], plan)
        if node is not None and row[-2 - k] is not None:
            node[i] = int(row[-2 - k])
        if k:
            probability[i] = [math.nan if p is None else float(p) for p in row[-k:]]
    return Answers(value, node, probability, table.left_out)


def _label(said, plan: ExportPlan):
    """A value of the answer in the type of the labels; psql gives texts, SQLite whole numbers for truth values."""
    if said is None or isinstance(said, float):
        return said
    kinds = {type(label) for label in plan.tree.response.labels} or {float}
    if kinds == {bool}:
        return said in (True, "t")
    if isinstance(said, str) and str not in kinds:
        return int(said) if kinds == {int} else float(said)
    return said
