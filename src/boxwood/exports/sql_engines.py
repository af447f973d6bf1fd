"""Databases that run an exported query on rows: DuckDB and SQLite in this process, PostgreSQL through psql."""

from __future__ import annotations

import math
import os
import shutil
import sqlite3
import subprocess
from contextlib import suppress

import numpy as np

from .._messages import Setting, remedy
from ..errors import NotAvailableError, ParameterError
from .answers import Answers
from .kinds import EXPORTED
from .raw_rows import RawRows
from .sql_query import Query
from .sql_tables import SqlTable, is_number


def run_query(content: str, query: Query, rows: RawRows) -> tuple[Answers, str]:
    """The predictions of a query for rows, and the name of the database.

    Rows go into a table of the types that the query names; those that only columns of texts hold into another one. A
    row that predict refuses must be an error there, too, so it gets a table of its own.

    Raises
    ------
    ParameterError
        There is no engine here for the dialect, nothing identifies the rows of the answer, or the query fails.
    NotAvailableError
        The database is not installed.
    """
    engines = {"duckdb": _DuckDB, "sqlite": _SQLite, "postgres": _Postgres}
    if query.sql.dialect not in engines:
        raise ParameterError(
            f"there is no engine here that runs SQL for {query.sql.dialect}; ",
            remedy("verify ", Setting("dialect", "duckdb"), ", 'sqlite' or 'postgres', which say the same"), ".",
        )  # fmt: skip
    if len(query.table) > 1:
        raise ParameterError("verify makes a table of one name in a fresh database; leave the schema out of table=.")
    if query.row_key is None:
        if not query.has_nodes and query.plan.has_nodes:
            raise ParameterError("verify numbers the rows by the key, so give key= a name that is not a feature.")
        if content == query.text():
            # The same query with a column that numbers the rows: a database need not keep their order.
            query = query.with_row_key()
            content = query.text()
    typed, texts = SqlTable(query, rows), SqlTable(query, rows, typed=False)
    engine, answers = engines[query.sql.dialect](), _Gathered(query, rows.n)
    in_texts = ~typed.fits & texts.fits & ~_read_as_files(query, rows)
    answers.left_out[~typed.fits & ~in_texts] = True
    for table, chosen in ((typed, typed.fits), (texts, in_texts)):
        for whole in _utf8(table, chosen):
            answers.add(engine.select(content, table, whole), whole)
    for i in np.flatnonzero(rows.refused & ~answers.left_out):
        one = np.array([i])
        with suppress(_QueryError):
            answers.add(engine.select(content, typed if typed.fits[i] else texts, one), one)
    return answers.all(), engine.name


def _utf8(table: SqlTable, chosen: np.ndarray) -> list[np.ndarray]:
    """The rows to query at once, if there are some; half of a surrogate pair fails here, the same for every engine."""
    whole = np.flatnonzero(chosen & ~table.rows.refused)
    for text in {value for row in table.stored(whole) for value in row if isinstance(value, str)}:
        text.encode()
    return [whole] if len(whole) else []


def _read_as_files(query: Query, rows: RawRows) -> np.ndarray:
    """Rows with a blank text, or a text of a number, where predict reads such in files only: in a column of numbers."""
    found = np.zeros(rows.n, dtype=bool)
    for j in query.plan.features:
        feature = query.plan.schema[j]
        if not EXPORTED.of(feature).counts(feature) and not (feature.levels and isinstance(feature.levels[0], str)):
            odd = np.array([isinstance(v, str) and (not v.strip() or is_number(v)) for v in rows.values[j]], dtype=bool)
            found |= odd if feature.levels else odd & rows.refused
    return found


class _QueryError(ParameterError):
    """A query ended with an error."""


def _failed(engine: str, why: str) -> str:
    return f"content cannot be run as sql: {engine} ends with an error: {why.splitlines()[0]}"


class _DuckDB:
    """DuckDB in this process."""

    def __init__(self):
        try:
            import duckdb
        except ImportError as error:
            raise NotAvailableError(
                "verifying SQL for duckdb needs the package duckdb; install it with: pip install duckdb."
            ) from error
        self._duckdb, self.name = duckdb, f"DuckDB {duckdb.__version__}"

    def select(self, content: str, table: SqlTable, chosen: np.ndarray) -> list[tuple]:
        """The answers for some rows."""
        with self._duckdb.connect(config={"threads": 1}) as database:
            database.execute(table.create())
            name = table.query.sql.name(table.query.table[-1])
            for start in range(0, len(stored := table.stored(chosen)), 500):
                some = stored[start : start + 500]
                places = ", ".join(f"({table.marks})" for _ in some)
                database.execute(f"INSERT INTO {name} VALUES {places}", [v for row in some for v in row])
            try:
                return database.execute(content).fetchall()
            except self._duckdb.Error as error:
                raise _QueryError(_failed(self.name, str(error))) from error


class _SQLite:
    """SQLite in this process."""

    name = f"SQLite {sqlite3.sqlite_version}"

    def select(self, content: str, table: SqlTable, chosen: np.ndarray) -> list[tuple]:
        """The answers for some rows."""
        database = sqlite3.connect(":memory:")
        try:
            database.execute(table.create())
            name = table.query.sql.name(table.query.table[-1])
            database.executemany(f"INSERT INTO {name} VALUES ({table.marks})", table.stored(chosen))
            return database.execute(content).fetchall()
        except sqlite3.OperationalError as error:
            raise _QueryError(_failed(self.name, str(error))) from error
        finally:
            database.close()


class _Postgres:
    """A temporary table of one session; libpq's variables (PGHOST, PGUSER ...) name the server."""

    name = "PostgreSQL"

    def select(self, content: str, table: SqlTable, chosen: np.ndarray) -> list[tuple]:
        """The answers for some rows."""
        psql = shutil.which("psql")
        if psql is None:
            raise NotAvailableError("to verify SQL for postgres, install its client psql, and set PGHOST and PGUSER.")
        lines = ["\\set ON_ERROR_STOP on", "SET max_parallel_workers_per_gather = 0;", "SHOW server_version;"]
        lines += [f"{table.create('TEMP TABLE')};", f"COPY {table.query.sql.name(table.query.table[-1])} FROM STDIN;"]
        lines += ["\t".join(map(_copied, row)) for row in table.stored(chosen)]
        lines += ["\\.", f"COPY ({content}) TO STDOUT;", ""]
        done = subprocess.run(
            [psql, "-XqAt", "-f", "-"], input="\n".join(lines), capture_output=True, encoding="utf-8", check=False,
            env=os.environ | {"PGCLIENTENCODING": "UTF8"},
        )  # fmt: skip
        version, _, answer = done.stdout.partition("\n")
        if not version:
            raise NotAvailableError(f"psql could not run the query: {done.stderr.strip().splitlines()[0]}")
        self.name = f"PostgreSQL {version}"
        if done.returncode:
            raise _QueryError(_failed(self.name, done.stderr.strip()))
        return [tuple(map(_read, row.split("\t"))) for row in answer.removesuffix("\n").split("\n")]


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


class _Gathered:
    """The answers in the order of the rows."""

    def __init__(self, query: Query, n: int):
        self._query, plan = query, query.plan
        parts = plan.parts.values()
        self._labels = [part.labels for part in parts] or [plan.labels] * plan.width
        n_shares = len(plan.labels) + sum(len(part.labels) for part in parts)
        self._has_shares, self._n_numbers = n_shares > 0, n_shares + len(plan.further)
        self.left_out = np.zeros(n, dtype=bool)
        self._value = np.full(n, None, dtype=object)
        self._node = np.full(n, -1, dtype=np.int64) if query.has_nodes else None
        self._numbers = np.full((n, self._n_numbers), np.nan)

    def add(self, answers: list[tuple], chosen: np.ndarray) -> None:
        """Those for some rows: by the key, or as they came."""
        q, k = len(self._labels), self._n_numbers
        if self._query.row_key is not None:
            at = self._query.keys.index(self._query.row_key)
            answers = sorted(answers, key=lambda row: int(row[at]))
        for i, row in zip(chosen.tolist(), answers, strict=True):
            found = list(map(_label, row[len(row) - q - k : len(row) - k], self._labels))
            self._value[i] = None if None in found else found[0] if q == 1 else tuple(found)
            if self._node is not None and row[-1 - q - k] is not None:
                self._node[i] = int(row[-1 - q - k])
            if k:
                self._numbers[i] = [math.nan if p is None else float(p) for p in row[-k:]]

    def all(self) -> Answers:
        """The results of the engine."""
        plan = self._query.plan
        shares, further = self._numbers if self._has_shares else None, self._numbers if plan.further else None
        return Answers(self._value, self._node, shares, self.left_out, further=further)


def _label(cell, labels: tuple):
    """A value of the answer in the type of the labels; psql gives texts, SQLite whole numbers for truth values."""
    if cell is None or isinstance(cell, float):
        return cell
    kinds = {type(label) for label in labels} or {float}
    if kinds == {bool}:
        return cell in (True, "t")
    if isinstance(cell, str) and str not in kinds:
        return int(cell) if kinds == {int} else float(cell)
    return cell
