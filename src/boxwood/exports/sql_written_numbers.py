"""How a database reads formatted numbers in text, such as 1.234,50 €: by the form that training had."""

from __future__ import annotations

from ..data.columns.raw import MISSING_WORDS
from ..data.columns.schema import Feature
from ..data.columns.written_numbers import ALIKE, marks_of, pattern_of
from .codes import spelled
from .sql_text import Sql

#: Whether a column holds texts, in databases that also read typed columns; in others it must hold texts.
HOLDS_TEXT = {
    "duckdb": "typeof({}) = 'VARCHAR'", "sqlite": "typeof({}) = 'text'",
    "postgres": "pg_typeof({})::text IN ('text', 'character varying', 'character')",
}  # fmt: skip
#: Whether a text is of a regular expression, in databases that have some.
_MATCHES = {
    "duckdb": "regexp_full_match({0}, {1})", "snowflake": "REGEXP_LIKE({0}, {1})", "postgres": "{0} ~ {2}",
    "mysql": "{0} REGEXP {2}", "bigquery": "REGEXP_CONTAINS({0}, {2})", "oracle": "REGEXP_LIKE({0}, {2})",
    "databricks": "{0} RLIKE {2}", "clickhouse": "match({0}, {2})",
}  # fmt: skip
#: Patterns of the others: their operator, and what matches any text.
_LIKE = {"sqlite": ("GLOB", "*"), "sqlserver": ("LIKE", "%")}


def plain_text(sql: Sql, feature: Feature, column: str) -> str:
    """The text in a column as the text of a plain number; other texts, plain numbers or wrong ones, as they are."""
    text = sql.as_text(column)
    for sign, usual in ALIKE.items():
        text = f"REPLACE({text}, {sql.text(sign)}, {sql.text(usual)})"
    text = sql.trimmed(text)
    missing = dict.fromkeys([*spelled(feature).texts, *MISSING_WORDS])
    words = [word for word in missing if word or sql.dialect != "oracle"]  # there an empty text is NULL
    named = sql.dialect in _LIKE  # the pattern takes many tests
    read = _read(sql, feature.written.form, "w.held" if named else text, ", ".join(map(sql.text, words)))
    return f"(SELECT {read} FROM (SELECT {text} AS held) AS w)" if named else read


def _read(sql: Sql, form: str, text: str, words: str) -> str:
    units, thousands, decimal = marks_of(form)
    rest = _without(sql, text, units)
    digits = _without(sql, rest, ("(", ")", "+", "-", " ", thousands))
    digits = digits if decimal == "." else f"REPLACE({digits}, {sql.text(decimal)}, '.')"
    minus = " OR ".join(f"{rest} LIKE {sql.text(f'%{mark}%')}" for mark in "-(")
    number = f"CASE WHEN {minus} THEN {_joined(sql, sql.text('-'), digits)} ELSE {digits} END"
    is_formed = _is_formed(sql, form, text, rest)
    return f"CASE WHEN {text} IN ({words}) THEN NULL WHEN {is_formed} THEN {number} ELSE {text} END"


def _without(sql: Sql, text: str, marks: tuple[str, ...]) -> str:
    for mark in filter(None, marks):
        text = f"REPLACE({text}, {sql.text(mark)}, '')"
    return text


def _joined(sql: Sql, one: str, other: str) -> str:
    return f"{one} || {other}" if sql.dialect in ("duckdb", "sqlite", "postgres") else f"CONCAT({one}, {other})"


def _is_formed(sql: Sql, form: str, text: str, rest: str) -> str:
    """Whether a text is of a form; ``rest`` is the text without units."""
    if sql.dialect in _MATCHES:
        pattern = pattern_of(form)
        return _MATCHES[sql.dialect].format(text, sql.text(pattern), sql.text(f"^{pattern}$"))
    _, thousands, decimal = marks_of(form)
    like, some = _LIKE[sql.dialect]
    bare = sql.trimmed(_without(sql, rest, ("(", ")", "+", "-")))
    ended = _joined(sql, bare, sql.text(decimal))  # the mark ends the last group, too
    digit = "[0-9]"
    wrong = [f"{some}[^0-9{thousands}{decimal}]{some}", f"{some}[{decimal}]{some}[{decimal}]{some}[{decimal}]{some}"]
    if thousands:
        mark = f"[{thousands}]"
        wrong += [f"{mark}{some}", f"{some}[{decimal}]{some}{mark}{some}", f"{some}{digit * 4}{some}{mark}{some}"]
        wrong += [f"{some}{mark}{digit * count}[^0-9]{some}" for count in range(2)]
        wrong += [f"{some}{mark}{digit * 2}[^0-9{thousands}]{some}", f"{some}{mark}{digit * 4}{some}"]
    tests = [f"{bare} {like} {sql.text(f'{some}{digit}{some}')}"]
    inside = (f"{some}{digit}{some}[-+][^-]{some}", f"{some}--{some}", f"{some}{digit}{some}+", f"{some} -")
    tests += [f"{sql.trimmed(rest)} NOT {like} {sql.text(pattern)}" for pattern in inside]
    closed = f"{rest} {like} {sql.text(f'[(]{some}[)]')} OR {rest} NOT {like} {sql.text(f'{some}[()]{some}')}"
    tests.append(f"({closed})")
    return " AND ".join([*tests, *(f"{ended} NOT {like} {sql.text(pattern)}" for pattern in wrong)])
