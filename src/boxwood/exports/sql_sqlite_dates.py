"""Texts of dates in SQLite, which reads ISO 8601 only: taken apart sign by sign, and put together anew."""

from __future__ import annotations

from .sql_date_forms import parts_of
from .sql_text import apostrophed

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
           "november", "december")  # fmt: skip
_NAMES = {"%d": "d", "%m": "m", "%b": "m", "%B": "m", "%Y": "y", "%H": "h", "%I": "h", "%M": "mi", "%S": "s", "%p": "p"}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def sqlite_parsed(text: str, form: str) -> str:
    """The date or time of a text in a format, in ISO 8601; NULL for other texts.

    Examples
    --------
    >>> import sqlite3
    >>> from boxwood.exports.sql_sqlite_dates import sqlite_parsed
    >>> query = f"SELECT {sqlite_parsed('x', '%d.%m.%Y')} FROM (SELECT '1.12.2020' AS x UNION ALL SELECT '31.02.2020')"
    >>> sqlite3.connect(":memory:").execute(query).fetchall()
    [('2020-12-01',), (None,)]
    """
    stages, names = [f"s0 AS (SELECT {text} AS rest)"], []
    for i, part in enumerate(parts_of(form)):
        name = _NAMES.get(part)
        value, length = _piece(part)
        columns = [*names, f"{value} AS {name}"] if name else [*names, f"{value} AS fits"]
        names = list(dict.fromkeys([*names, name or "fits"]))
        if not name and "fits" in columns:
            columns = [column for column in columns if column != "fits"]
            columns[-1] = f"fits AND {value} AS fits"
        columns.append(f"substr(rest, {length} + 1) AS rest")
        stages.append(f"s{i + 1} AS (SELECT {', '.join(columns)} FROM s{i})")
    has_day, day = "y" in names, "printf('%04d-%02d-%02d', y, m, d)"
    hour = "h % 12 + CASE p WHEN 'pm' THEN 12 ELSE 0 END" if "p" in names else "h"
    clock = [f"printf('%02d', {part})" for name, part in (("h", hour), ("mi", "mi"), ("s", "s")) if name in names]
    tests = ["rest = ''", *["fits"] * ("fits" in names)]
    tests += ["y > 0", "m > 0", "d > 0", f"date({day}, '+0 days') = {day}"] * has_day
    limits = {"h": "h BETWEEN 1 AND 12" if "p" in names else "h < 24", "mi": "mi < 60", "s": "s < 60"}
    tests += [limits[name] for name in limits if name in names]
    tests += ["p IN ('am', 'pm')"] * ("p" in names)
    joined = " || ':' || ".join(clock)
    whole = " || ' ' || ".join([*[day] * has_day, *[joined] * bool(clock)])
    last = f"SELECT CASE WHEN {' AND '.join(tests)} THEN {whole} END FROM s{len(stages) - 1}"
    return f"(WITH {', '.join(stages)} {last})"


def _piece(part: str) -> tuple[str, str]:
    """The value of the next piece of a text, and how many signs it takes."""
    if part == "%Y":
        return "CASE WHEN rest GLOB '[0-9][0-9][0-9][0-9]*' THEN CAST(substr(rest, 1, 4) AS INTEGER) END", "4"
    if part in ("%d", "%m", "%H", "%I", "%M", "%S"):
        return "CASE WHEN rest GLOB '[0-9]*' THEN CAST(substr(rest, 1, 2) AS INTEGER) END", _TWO
    if part == "%p":
        return "lower(substr(rest, 1, 2))", "2"
    if part == "%b":
        cases = " ".join(f"WHEN '{month[:3]}' THEN {i}" for i, month in enumerate(_MONTHS, 1))
        return f"CASE lower(substr(rest, 1, 3)) {cases} END", "3"
    if part == "%B":
        word = f"length(rest) - length(ltrim(lower(rest), '{_LETTERS}'))"
        cases = " ".join(f"WHEN '{month}' THEN {i}" for i, month in enumerate(_MONTHS, 1))
        return f"CASE lower(substr(rest, 1, {word})) {cases} END", word
    return f"substr(rest, 1, {len(part)}) = {apostrophed(part)}", str(len(part))


_TWO = "CASE WHEN rest GLOB '[0-9][0-9]*' THEN 2 ELSE 1 END"
