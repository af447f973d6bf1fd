"""How a database reads a column of dates or times: typed, or as texts in the format that training had."""

from __future__ import annotations

import re

from ..data.columns.raw import MISSING_WORDS
from ..data.columns.schema import Feature
from ..data.columns.temporal import DATE, TIME, Temporal
from ..data.columns.time_texts import CLOCK, ISO, SPAN
from .codes import spelled
from .column_words import described
from .moments import moment_at
from .sql_date_forms import form_in, parts_of, pattern_of
from .sql_sqlite_dates import sqlite_parsed
from .sql_text import Sql

#: Databases that read typed columns as well as texts; in others a column with a format must hold texts.
_ALL_FORMS = ("duckdb", "sqlite", "postgres")
_ISO_START = "^[0-9]{4}-[0-9]{2}-[0-9]{2}"
_CLOCK = "^[0-9]{2}:[0-9]{2}:[0-9]{2}"


def parses(sql: Sql, temporal: Temporal) -> bool:
    """Whether the export reads texts of a feature in its format; else the column must be typed."""
    if temporal.form is None:
        return False
    if sql.dialect in _ALL_FORMS and temporal.form in (ISO, CLOCK):
        return True
    if temporal.kind == TIME and sql.dialect not in _ALL_FORMS:
        return False
    return temporal.form not in (ISO, CLOCK, SPAN) and _form(sql, temporal.form) is not None


def moment_words(sql: Sql, feature: Feature) -> str:
    """What a column of dates or times must hold, for the head of a query."""
    reads = parses(sql, feature.temporal)
    words = described(feature, sql.moment_type(feature.temporal), reads)
    if reads and sql.dialect not in _ALL_FORMS:
        return "texts " + words.partition(", or texts ")[2]
    return words


def read_moment(sql: Sql, feature: Feature, column: str) -> str:
    """The date or time in a column; what is none of the forms that it may have is an error, not a missing value."""
    temporal = feature.temporal
    if sql.dialect == "sqlite":
        value = _sqlite(sql, feature, column)
    elif not parses(sql, temporal):
        value = column
    else:
        text = sql.trimmed(sql.as_text(column))
        words = ", ".join(map(sql.text, _words(sql, feature)))
        reading = _READERS.get(sql.dialect, _plain)(sql, temporal, text)
        value = f"CASE WHEN {text} NOT IN ({words}) THEN {reading} END"
    for count in spelled(feature).instants:
        literal = sql.moment(moment_at(temporal, count), temporal.zone is not None)
        value = f"NULLIF({value}, {literal if sql.dialect != 'sqlite' else _like(literal, temporal)})"
    return value


def _words(sql: Sql, feature: Feature) -> list[str]:
    """Texts that mean a missing value in a column of texts."""
    words = dict.fromkeys([*spelled(feature).texts, *MISSING_WORDS])
    return [word for word in words if word or sql.dialect != "oracle"]  # there an empty text is NULL


def _form(sql: Sql, form: str) -> str | None:
    return form if sql.dialect == "duckdb" else form_in(sql.dialect, form)


def _duckdb(sql: Sql, temporal: Temporal, text: str) -> str:
    """Texts of the format, and what the database writes of a typed column; strptime raises an error for others."""
    zoned = "TIMESTAMP WITH TIME ZONE" if temporal.zone else "TIMESTAMP"
    if temporal.form == CLOCK:
        return f"CAST({text} AS TIME)"
    if temporal.form == ISO:
        return f"CAST({text} AS {zoned})"
    by_form = f"strptime({text}, {sql.text(temporal.form)})"
    if temporal.kind == TIME:
        typed = f"regexp_matches({text}, '{_CLOCK}')"
        return f"CASE WHEN {typed} THEN CAST({text} AS TIME) ELSE CAST({by_form} AS TIME) END"
    if temporal.form.startswith("%Y-%m-%d"):
        return by_form
    return f"CASE WHEN regexp_matches({text}, '{_ISO_START}') THEN CAST({text} AS {zoned}) ELSE {by_form} END"


def _postgres(sql: Sql, temporal: Temporal, text: str) -> str:
    """The same; to_date takes nearly any text, so a pattern tests first whether it is of the format."""
    zoned = "TIMESTAMP WITH TIME ZONE" if temporal.zone else "TIMESTAMP"
    if temporal.form == CLOCK:
        return f"CAST({text} AS TIME)"
    iso = f"CAST({text} AS {zoned})"
    if temporal.form == ISO:
        return iso
    parts = parts_of(temporal.form)
    if temporal.kind == TIME:
        by_form = f"CAST(to_timestamp({text}, {sql.text(form_in('postgres', temporal.form))}) AS TIME)"
        return f"CASE WHEN {text} ~ {sql.text(f'^{pattern_of(parts)}$')} THEN {by_form} ELSE CAST({text} AS TIME) END"
    first = next((i for i, part in enumerate(parts) if part in ("%H", "%I")), len(parts))
    day = f"to_date({text}, {sql.text(form_in('postgres', ''.join(parts[:first])))})"
    day = f"CAST({day} AS TIMESTAMP)"
    if first < len(parts):
        day += f" + CAST(substring({text} FROM {sql.text(pattern_of(parts[first:]) + '$')}) AS TIME)"
    pattern = sql.text(f"^{pattern_of(parts)}$")
    wrong = f"CAST('no date: ' || {text} AS {zoned})"
    return f"CASE WHEN {text} ~ {pattern} THEN {day} WHEN {text} ~ '{_ISO_START}' THEN {iso} ELSE {wrong} END"


def _plain(sql: Sql, temporal: Temporal, text: str) -> str:
    """A function of the database that raises an error for other texts."""
    form, day = sql.text(_form(sql, temporal.form)), temporal.kind == DATE
    names = {
        "bigquery": "PARSE_DATE({1}, {0})" if day else "PARSE_DATETIME({1}, {0})",
        "snowflake": "TO_DATE({0}, {1})" if day else "TO_TIMESTAMP_NTZ({0}, {1})",
        "oracle": "TO_DATE({0}, {1})",
        "databricks": "TO_DATE({0}, {1})" if day else "TO_TIMESTAMP({0}, {1})",
        "clickhouse": "toDate32(parseDateTime({0}, {1}))" if day else "parseDateTime({0}, {1})",
        "sqlserver": f"CONVERT({'DATE' if day else 'DATETIME2'}, {{0}}, {_form(sql, temporal.form)})",
    }
    return names[sql.dialect].format(text, form)


def _mysql(sql: Sql, temporal: Temporal, text: str) -> str:
    """STR_TO_DATE gives NULL for other texts, and JSON_EXTRACT an error."""
    read = f"STR_TO_DATE({text}, {sql.text(_form(sql, temporal.form))})"
    wrong = f"CAST(JSON_EXTRACT(CONCAT('no date: ', {text}), '$') AS {'DATE' if temporal.kind == DATE else 'DATETIME'})"
    return f"COALESCE({read}, {wrong})"


_READERS = {"duckdb": _duckdb, "postgres": _postgres, "mysql": _mysql}


def _sqlite(sql: Sql, feature: Feature, column: str) -> str:
    """Text of one form, which compares like the time; SQLite has no type for times."""
    temporal, text = feature.temporal, sql.trimmed(column)
    as_text = _sqlite_form(temporal)
    known = [f"CASE WHEN {_is_iso(temporal, text)} THEN {as_text.format(_cut(temporal, text))} END"]
    if parses(sql, temporal) and temporal.form not in (ISO, CLOCK):
        known.append(as_text.format(sqlite_parsed(text, temporal.form)))
    shown = re.sub(r"^t\.", "", column)
    known.append(
        f"json_extract('{{}}', {sql.text(f'{shown} holds ')} || quote({column}) || ', which is not a {temporal.kind}')"
    )
    words = ", ".join(map(sql.text, _words(sql, feature)))
    value = f"COALESCE({', '.join(known)})"
    return f"CASE WHEN {text} NOT IN ({words}) THEN {value} END"


def _cut(temporal: Temporal, text: str) -> str:
    """A text without the decimals of seconds that the resolution does not count, which SQLite would round."""
    if temporal.zone is None and temporal.resolution != "ms":
        return text
    start = 24 if temporal.resolution == "ms" else 20
    zone = f"ltrim(substr({text}, {start}), '.,0123456789')"
    return (
        f"CASE WHEN substr({text}, 20, 1) IN ('.', ',') THEN substr({text}, 1, {start - 1}) || {zone} ELSE {text} END"
    )


def _is_iso(temporal: Temporal, text: str) -> str:
    if temporal.kind == TIME:
        return f"{text} GLOB '[0-9][0-9]:[0-9][0-9]*'"
    digits = "-".join("[0-9]" * count for count in (4, 2, 2))
    return f"{text} GLOB '{digits}*' AND date(substr({text}, 1, 10), '+0 days') = substr({text}, 1, 10)"


def _sqlite_form(temporal: Temporal) -> str:
    """What SQLite makes of a time, at the resolution of the feature."""
    if temporal.resolution == "ms":
        return f"strftime('{'%H:%M:%f' if temporal.kind == TIME else '%Y-%m-%d %H:%M:%f'}', {{0}})"
    return f"{temporal.kind}({{0}})"


def _like(literal: str, temporal: Temporal) -> str:
    """A written time as :func:`_sqlite_form` gives it."""
    return _sqlite_form(temporal).format(literal)
