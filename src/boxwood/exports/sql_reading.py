"""How a database reads a column of numbers, levels or texts: codes for missing values, and texts where numbers are."""

from __future__ import annotations

import re

from ..data.columns.schema import Feature
from .codes import spelled
from .column_words import reads_text
from .kinds import has_text_codes
from .sql_text import Sql
from .sql_written_numbers import HOLDS_TEXT, plain_text

_NUMBER = "^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$"


def read_text(sql: Sql, feature: Feature, column: str) -> str:
    """A text; a code counts without blanks around it."""
    text = sql.as_text(column)
    codes = [code for code in spelled(feature).texts if code or sql.dialect != "oracle"]
    return f"CASE WHEN {sql.one_of(sql.trimmed(text), codes, none=True)} THEN {text} END" if codes else text


def read_number(sql: Sql, feature: Feature, column: str, exact: bool) -> str:
    """A number as a double, or with ``exact`` as it is; blank texts are missing, other texts are errors.

    Texts are looked at where training had some, and always in databases that take any text for a number.
    """
    codes = spelled(feature)
    number = column if exact else sql.as_number(column)
    texts = [text for text in dict.fromkeys(("", *codes.texts)) if text or sql.dialect != "oracle"]
    listed = ", ".join(map(sql.text, texts))
    if feature.written is not None:
        number = _written(sql, feature, column)
    elif sql.dialect == "sqlite":
        number = _sqlite(sql, column, "NUMERIC" if exact else "REAL", listed, bool(feature.levels))
    elif sql.dialect == "mysql" and not exact:
        number = _mysql(sql, column, listed)
    elif reads_text(feature) or has_text_codes(feature) or (sql.dialect == "sqlserver" and not exact):
        text = sql.trimmed(sql.as_text(column))
        number = f"CASE WHEN {text} NOT IN ({listed}) THEN {number} END"
    if exact and any(isinstance(level, bool) for level in feature.levels) and "TRUE" in sql.truths:
        return number
    for code in codes.numbers:
        whole = isinstance(code, int) and exact
        number = f"NULLIF({number}, {sql.whole(code) if whole else sql.number(float(code))})"
    return number


def _written(sql: Sql, feature: Feature, column: str) -> str:
    """Texts of numbers by their form, and typed numbers where the database can tell them from texts."""
    text = plain_text(sql, feature, column)
    if sql.dialect == "sqlite":
        name = re.sub(r"^t\.", "", column)
        number = f"(SELECT {_sqlite(sql, column, 'REAL', sql.text(''), False)} FROM (SELECT {text} AS {name}) AS t)"
    else:
        number = _mysql(sql, text, sql.text("")) if sql.dialect == "mysql" else sql.as_number(text)
    if sql.dialect not in HOLDS_TEXT:
        return number
    return f"CASE WHEN {HOLDS_TEXT[sql.dialect].format(column)} THEN {number} ELSE {sql.as_number(column)} END"


def _sqlite(sql: Sql, column: str, kind: str, texts: str, levels: bool) -> str:
    """Any column of SQLite may hold texts, of which CAST makes 0; a comparison with a number reads texts of numbers.

    Among levels a text that is not a number is a level that training did not have.
    """
    text, cast = sql.trimmed(column), f"CAST({column} AS {kind})"
    shown = sql.text(re.sub(r"^t\.", "", column) + " holds ")
    wrong = f"json_extract('{{}}', {shown} || quote({column}) || ', which is not a number')"
    wrong = column if levels else wrong
    return "\n      ".join([
        f"CASE WHEN typeof({column}) IN ('integer', 'real') THEN {cast}",
        f"WHEN {text} IN ({texts}) OR {column} IS NULL THEN NULL",
        f"WHEN {cast} = {column} || '' THEN {cast} ELSE {wrong} END",
    ])  # fmt: skip


def _mysql(sql: Sql, column: str, texts: str) -> str:
    """CAST takes any text for a number; JSON_EXTRACT raises an error for a text that is none."""
    text, kind = sql.trimmed(sql.as_text(column)), sql.number_type
    wrong = f"CAST(JSON_EXTRACT(CONCAT('no number: ', {text}), '$') AS {kind})"
    number = f"CASE WHEN {text} REGEXP '{_NUMBER}' THEN {sql.as_number(column)} ELSE {wrong} END"
    return f"CASE WHEN {text} NOT IN ({texts}) THEN {number} END"


def type_read(sql: Sql, feature: Feature, exact: bool) -> str:
    """The type that a column must have."""
    first = next(iter(feature.levels), None)
    if isinstance(first, str):
        return sql.text_type
    if isinstance(first, bool):
        return "BOOLEAN" if "TRUE" in sql.truths else "0 or 1"
    return "a type of whole numbers" if exact else sql.number_type
