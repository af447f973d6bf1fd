"""Differences between databases: types, quotation marks, NaN, texts that compare equal but differ."""

from __future__ import annotations

import datetime

from .._messages import Column, remedy
from ..data.columns.schema import Feature
from ..data.columns.temporal import TIME
from ..errors import ParameterError
from .moments import Moment
from .sql_text import Sql, binary_number

_SERVER_TYPES = {datetime.date: "DATE", datetime.datetime: "DATETIME2", datetime.time: "TIME"}
#: Signs that names of BigQuery cannot hold.
_NOT_IN_BIGQUERY = "!\"$()*,./;?@[\\]^`{}~'\n\r\t"


class DuckDB(Sql):
    """DuckDB: NaN is a value that equals itself."""

    dialect = "duckdb"
    trims = "TRIM({}, E' \\t\\n\\r')"
    materialized = " MATERIALIZED"
    number_type = "DOUBLE"
    infinities = ("CAST('-Infinity' AS DOUBLE)", "CAST('Infinity' AS DOUBLE)")

    def as_number(self, column: str) -> str:
        """NaN becomes NULL."""
        return f"NULLIF({super().as_number(column)}, CAST('NaN' AS {self.number_type}))"


class Postgres(DuckDB):
    """PostgreSQL: names are cut after 63 bytes, and upper and lower case differ."""

    dialect = "postgres"
    trims = "BTRIM({}, E' \\t\\n\\r')"
    number_type = "DOUBLE PRECISION"
    text_type = "TEXT"
    same_case = False
    longest_name = 63
    infinities = ("CAST('-Infinity' AS DOUBLE PRECISION)", "CAST('Infinity' AS DOUBLE PRECISION)")

    def _apostrophed(self, text: str) -> str:
        plain = super()._apostrophed(text)
        doubled = plain.replace("\\", "\\\\")
        return f"E{doubled}" if "\\" in text else plain


class SQLite(Sql):
    """SQLite: no truth values, no NaN, and decimals are not always read as the nearest double."""

    dialect = "sqlite"
    trims = "TRIM({}, char(32, 9, 10, 13))"
    materialized = " MATERIALIZED"
    truths = ("0", "1")
    number_type = "REAL"
    empty_names = True
    infinities = ("-9e999", "9e999")
    most_whole = 2**63 - 1

    def _double(self, value: float) -> str:
        return binary_number(value)

    def check_moments(self, feature: Feature) -> None:
        """Its functions of dates count milliseconds at best."""
        if feature.temporal.resolution in ("us", "ns"):
            raise ParameterError(
                "SQLite counts time in milliseconds, and ", Column(feature.name), " is finer; ",
                remedy("round it and fit again, or choose another dialect"), ".",
            )  # fmt: skip

    def moment(self, value: Moment, zoned: bool) -> str:
        """Text, of which a beginning comes before the whole."""
        if isinstance(value, datetime.datetime):
            return f"'{value.replace(tzinfo=None).isoformat(' ')[:23]}'"
        return f"'{value.isoformat()[:12]}'"

    def _more_rows(self, rows: list[tuple[str, ...]]) -> list[str]:
        # A UNION has at most 500 parts; VALUES any number.
        values = [f"  ({', '.join(row)})" for row in rows]
        return ["UNION ALL VALUES", *(f"{value}," for value in values[:-1]), *values[-1:]] if rows else []

    def as_text(self, column: str) -> str:
        """Joined with nothing, so that the column's own collation is not used."""
        return f"{column} || ''"


class MySQL(Sql):
    """MySQL 8: backslashes escape, and texts are compared without case by default."""

    dialect = "mysql"
    zoned_type = "TIMESTAMP"
    number_type = "DOUBLE"
    longest_name = 64

    def _quoted(self, text: str) -> str:
        self._refuse_name(text, text != text.rstrip(" "), "a name cannot end with a blank")
        doubled = text.replace("`", "``")
        return f"`{doubled}`"

    def _apostrophed(self, text: str) -> str:
        # Whether a backslash escapes depends on a setting of the server; its code does not.
        return f"_utf8mb4 X'{text.encode().hex()}'" if "\\" in text else super()._apostrophed(text)

    def as_text(self, column: str) -> str:
        """Compared by code, blanks at the end included."""
        return f"CONVERT({column} USING utf8mb4) COLLATE utf8mb4_0900_bin"


class SQLServer(Sql):
    """SQL Server: brackets, bits for truth values, and comparisons that ignore blanks at the end."""

    def moment(self, value: Moment, zoned: bool) -> str:
        """A text that is cast: there are no literals of dates."""
        kind = "DATETIMEOFFSET" if zoned else _SERVER_TYPES[type(value)]
        return f"CAST('{value.isoformat()}' AS {kind})"

    dialect = "sqlserver"
    trims = "LTRIM(RTRIM({}))"
    truths = ("0", "1")
    number_type = "FLOAT(53)"
    longest_name = 128

    def _quoted(self, text: str) -> str:
        doubled = text.replace("]", "]]")
        return f"[{doubled}]"

    def _apostrophed(self, text: str) -> str:
        # A backslash before a line end continues the line: the two are put into texts of their own.
        parts = text.replace("\\\n", "\\\0\n").replace("\\\r", "\\\0\r").split("\0")
        quoted = " + ".join("N" + super(SQLServer, self)._apostrophed(part) for part in parts)
        return f"({quoted})" if len(parts) > 1 else quoted

    def as_text(self, column: str) -> str:
        """Compared by code."""
        return f"CAST({column} AS NVARCHAR(MAX)) COLLATE Latin1_General_100_BIN2"

    def _sides(self, column: str, levels: list) -> tuple[str, list[str]]:
        if not isinstance(levels[0], str):
            return super()._sides(column, levels)
        # A sign behind every text, so that blanks at the end count.
        return f"{column} + N'.'", [self.text(f"{level}.") for level in levels]


class BigQuery(Sql):
    """BigQuery: backslashes escape, texts are on one line, and NaN equals nothing."""

    def moment(self, value: Moment, zoned: bool) -> str:
        """A TIMESTAMP is an instant; without a time zone it is a DATETIME."""
        return super().moment(value, zoned).replace("TIMESTAMP '", "TIMESTAMP '" if zoned else "DATETIME '")

    dialect = "bigquery"
    zoned_type = "TIMESTAMP"
    number_type = "FLOAT64"
    text_type = "STRING"
    longest_name = 300
    infinities = ("CAST('-inf' AS FLOAT64)", "CAST('inf' AS FLOAT64)")
    most_whole = 2**63 - 1

    def _quoted(self, text: str) -> str:
        wrong = [sign for sign in text if sign in _NOT_IN_BIGQUERY]
        self._refuse_name(text, bool(wrong), f"a name cannot hold {''.join(wrong[:1])!r}")
        return f"`{text}`"

    def _apostrophed(self, text: str) -> str:
        for sign, written in (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\r", "\\r")):
            text = text.replace(sign, written)
        return f"'{text}'"

    def as_number(self, column: str) -> str:
        """NaN becomes NULL."""
        number = super().as_number(column)
        return f"CASE WHEN IS_NAN({number}) THEN NULL ELSE {number} END"


class Snowflake(DuckDB):
    """Snowflake: backslashes escape, and a decimal is an exact number unless it is cast."""

    def moment(self, value: Moment, zoned: bool) -> str:
        """What TIMESTAMP means is a setting there, so the type is named."""
        kind = "_TZ" if zoned else "_NTZ"
        plain = super().moment(value, zoned)
        return f"CAST({plain.removeprefix('TIMESTAMP ')} AS TIMESTAMP{kind})" if "TIMESTAMP" in plain else plain

    dialect = "snowflake"
    trims = Sql.trims
    zoned_type = "TIMESTAMP"
    materialized = ""
    same_case = False
    longest_name = 255
    infinities = ("CAST('-inf' AS DOUBLE)", "CAST('inf' AS DOUBLE)")

    def _apostrophed(self, text: str) -> str:
        return super()._apostrophed(text).replace("\\", "\\\\")

    def _double(self, value: float) -> str:
        return f"CAST('{value!r}' AS DOUBLE)"


class Oracle(Sql):
    """Oracle: an empty text is NULL, and names hold no quotation marks."""

    def check_moments(self, feature: Feature) -> None:
        """It has no type for times of day."""
        if feature.temporal.kind == TIME:
            rest = remedy("turn it into seconds and fit again")
            raise ParameterError("Oracle has no type for times of day such as ", Column(feature.name), "; ", rest, ".")

    dialect = "oracle"
    zoned_type = "TIMESTAMP"
    hint = " /*+ MATERIALIZE */"
    same_case = False
    truths = ("0", "1")
    number_type = "BINARY_DOUBLE"
    text_type = "NVARCHAR2(2000)"
    longest_name = 128
    from_nothing = " FROM DUAL"
    infinities = ("-BINARY_DOUBLE_INFINITY", "BINARY_DOUBLE_INFINITY")

    def _quoted(self, text: str) -> str:
        self._refuse_name(text, '"' in text, "a name cannot hold a quotation mark")
        return super()._quoted(text)

    def _apostrophed(self, text: str) -> str:
        if not text:
            raise ParameterError("SQL for oracle cannot tell the level '' from a missing value; give it a name.")
        return "N" + super()._apostrophed(text)

    def _double(self, value: float) -> str:
        return f"{value!r}d"

    def as_number(self, column: str) -> str:
        """NaN becomes NULL."""
        return f"NULLIF({super().as_number(column)}, BINARY_DOUBLE_NAN)"


class Databricks(DuckDB):
    """Databricks and Spark: backslashes escape, names are between backticks, and ${name} is replaced everywhere."""

    dialect = "databricks"
    trims = Sql.trims
    zoned_type = "TIMESTAMP"
    materialized = ""
    text_type = "STRING"
    longest_name = 255

    def _quoted(self, text: str) -> str:
        self._refuse_name(text, "${" in text, "a name cannot hold '${'")
        doubled = text.replace("`", "``")
        return f"`{doubled}`"

    def _apostrophed(self, text: str) -> str:
        return _backslashed(text, "'").replace("${", "\\u0024{")


class ClickHouse(Sql):
    """ClickHouse: backslashes escape, types hold NULL only where declared, and names of results hide columns."""

    def moment(self, value: Moment, zoned: bool) -> str:
        """Of the types that reach before 1970."""
        if isinstance(value, datetime.datetime):
            text = value.replace(tzinfo=None).isoformat(" ")
            return f"toDateTime64('{text}', 6, 'UTC')" if zoned else f"toDateTime64('{text}', 6)"
        plain = super().moment(value, zoned)
        return plain if isinstance(value, datetime.time) else f"toDate32({plain.removeprefix('DATE ')})"

    dialect = "clickhouse"
    same_case = False
    number_type = "Nullable(Float64)"
    text_type = "Nullable(String)"
    infinities = ("CAST('-inf' AS Float64)", "CAST('inf' AS Float64)")
    most_whole = 2**63 - 1
    settings = "prefer_column_name_to_alias = 1"
    of_joins = "join_use_nulls = 1"

    def _quoted(self, text: str) -> str:
        return _backslashed(text, "`")

    def _apostrophed(self, text: str) -> str:
        return _backslashed(text, "'")

    def as_number(self, column: str) -> str:
        """NaN becomes NULL."""
        number = super().as_number(column)
        return f"CASE WHEN isNaN({number}) THEN NULL ELSE {number} END"


def _backslashed(text: str, mark: str) -> str:
    """A text or name between marks, the marks and backslashes in it behind a backslash."""
    inside = text.replace("\\", "\\\\").replace(mark, f"\\{mark}")
    return f"{mark}{inside}{mark}"


DIALECTS = {
    sql.dialect: sql
    for sql in (
        DuckDB, SQLite, Postgres, MySQL, SQLServer, BigQuery, Snowflake, Oracle, Databricks, ClickHouse,
    )
}  # fmt: skip
