"""Formats of ``datetime.strptime`` in the words of databases."""

from __future__ import annotations

import re

_DIGITS = {"%d": "{1,2}", "%m": "{1,2}", "%H": "{1,2}", "%I": "{1,2}", "%M": "{1,2}", "%S": "{1,2}", "%Y": "{4}"}
_LETTERS = {"%b": "[A-Za-z]{3}", "%B": "[A-Za-z]+", "%p": "[AaPp][Mm]"}
_WORDS = dict(zip(
    ("%d", "%m", "%Y", "%b", "%B", "%H", "%I", "%M", "%S", "%p"),
    zip(
        ("DD", "MM", "YYYY", "MON", "MONTH", "HH24", "HH12", "MI", "SS", "AM"),  # postgres, oracle, snowflake
        ("%d", "%m", "%Y", "%b", "%M", "%H", "%h", "%i", "%s", "%p"),  # mysql, clickhouse
        ("d", "M", "yyyy", "MMM", "MMMM", "H", "h", "m", "s", "a"),  # databricks
        strict=True,
    ),
    strict=True,
))  # fmt: skip
_COLUMN = {"postgres": 0, "oracle": 0, "snowflake": 0, "mysql": 1, "clickhouse": 1, "databricks": 2}
#: Numbers of formats in CONVERT of SQL Server.
_STYLES = {
    "%m/%d/%Y": "101", "%Y.%m.%d": "102", "%d/%m/%Y": "103", "%d.%m.%Y": "104", "%d-%m-%Y": "105", "%d %b %Y": "106",
    "%b %d, %Y": "107", "%m-%d-%Y": "110", "%Y/%m/%d": "111", "%Y%m%d": "112",
}  # fmt: skip


def parts_of(form: str) -> list[str]:
    """The directives of a format, and the texts between them."""
    return re.findall(r"%.|[^%]+", form)


def pattern_of(parts: list[str]) -> str:
    """A regular expression for the texts of a format."""
    found = []
    for part in parts:
        if part in _DIGITS:
            found.append(f"[0-9]{_DIGITS[part]}")
        else:
            found.append(_LETTERS.get(part) or "".join(f"[{c}]" if c in ".+*?()[]{}|$^" else c for c in part))
    return "".join(found)


def form_in(dialect: str, form: str) -> str | None:
    """A format as a database writes it; None where it has no words for it.

    Examples
    --------
    >>> from boxwood.exports.sql_date_forms import form_in
    >>> form_in("postgres", "%d.%m.%Y %H:%M"), form_in("mysql", "%d.%m.%Y %H:%M"), form_in("sqlserver", "%d.%m.%Y")
    ('DD.MM.YYYY HH24:MI', '%d.%m.%Y %H:%i', '104')
    """
    parts = parts_of(form)
    if any(part.startswith("%") and part not in _WORDS for part in parts):
        return None
    if dialect == "sqlserver":
        return _STYLES.get(form)
    if dialect in ("bigquery", "sqlite"):
        return form
    at, quote = _COLUMN[dialect], {0: '"', 1: "", 2: "'"}[_COLUMN[dialect]]
    if dialect == "snowflake":
        parts = ["%_B" if part == "%B" else part for part in parts]
    words = {part: names[at] for part, names in _WORDS.items()} | {"%_B": "MMMM"}
    plain = [f"{quote}{part}{quote}" if re.search(r"[^\W\d_]", part) else part for part in parts]
    return "".join(words.get(part, text) for part, text in zip(parts, plain, strict=True))
