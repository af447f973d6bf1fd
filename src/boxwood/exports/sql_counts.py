"""Dates and times as whole numbers in each database: days or microseconds since 1970, or since midnight."""

from __future__ import annotations

from dataclasses import dataclass

from ..data.columns.schema import Feature
from ..data.columns.temporal import DATE, NANOSECONDS, TIME
from .sql_text import Sql

_CLOCK = "EXTRACT(HOUR FROM {0}) * 3600000000 + EXTRACT(MINUTE FROM {0}) * 60000000"
_CLOCK += " + EXTRACT(SECOND FROM {0}) * 1000000"
_ORACLE = "(TRUNC(CAST({0} AS DATE)) - DATE '1970-01-01') * 86400000000 + " + _CLOCK
_LITE = "(CAST(strftime('%s', {0}) AS INTEGER) * 1000 + CAST(substr(strftime('%f', {0}), 4) AS INTEGER)) * 1000"
_DAYS = "CAST({} AS DATE) - DATE '1970-01-01'"
_HOUSE = "toHour({0}) * 3600000000 + toMinute({0}) * 60000000 + toSecond({0}) * 1000000"


@dataclass(frozen=True)
class MomentCounts:
    """How a database counts.

    Attributes
    ----------
    days : str
        Days from 1970-01-01 to a date, with a place for it.
    micros, zoned : str
        Microseconds from 1970-01-01 00:00 to a datetime, and to an instant.
    clock : str
        Microseconds from midnight to a time of day.
    """

    days: str
    micros: str
    zoned: str
    clock: str = _CLOCK


_COUNTS = {
    "duckdb": MomentCounts(_DAYS, "epoch_us({})", "epoch_us({})", "epoch_us({})"),
    "sqlite": MomentCounts("julianday({}) - 2440587.5", _LITE, _LITE, _LITE.replace("{0}", "'1970-01-01 ' || {0}")),
    "postgres": MomentCounts(
        _DAYS, "EXTRACT(EPOCH FROM {}) * 1000000", "EXTRACT(EPOCH FROM {}) * 1000000",
        "EXTRACT(EPOCH FROM {}) * 1000000",
    ),
    "mysql": MomentCounts(
        "DATEDIFF({}, DATE '1970-01-01')", "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', {})",
        "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00+00:00', {})",
        "TIME_TO_SEC({0}) * 1000000 + MICROSECOND({0})",
    ),
    "sqlserver": MomentCounts(
        "DATEDIFF(day, '1970-01-01', {})", "DATEDIFF_BIG(microsecond, '1970-01-01', {})",
        "DATEDIFF_BIG(microsecond, '1970-01-01T00:00:00+00:00', {})", "DATEDIFF_BIG(microsecond, '00:00', {})",
    ),
    "bigquery": MomentCounts(
        "DATE_DIFF(CAST({} AS DATE), DATE '1970-01-01', DAY)",
        "DATETIME_DIFF({}, DATETIME '1970-01-01 00:00:00', MICROSECOND)",
        "UNIX_MICROS({})", "TIME_DIFF({}, TIME '00:00:00', MICROSECOND)",
    ),
    "snowflake": MomentCounts(
        "DATEDIFF(day, DATE '1970-01-01', {})", "EXTRACT(EPOCH_MICROSECOND FROM {})",
        "EXTRACT(EPOCH_MICROSECOND FROM {})", "DATEDIFF(microsecond, TIME '00:00:00', {})",
    ),
    "oracle": MomentCounts(_DAYS, _ORACLE, _ORACLE.replace("{0}", "SYS_EXTRACT_UTC({0})")),
    "databricks": MomentCounts(
        "DATEDIFF({}, DATE '1970-01-01')", f"DATEDIFF({{0}}, DATE '1970-01-01') * 86400000000 + {_CLOCK}",
        "UNIX_MICROS({})",
    ),
    "clickhouse": MomentCounts(
        "dateDiff('day', toDate32('1970-01-01'), toDate32({}))",
        f"dateDiff('day', toDate32('1970-01-01'), toDate32({{0}})) * 86400000000 + {_HOUSE}"
        " + positiveModulo(toUnixTimestamp64Micro(toDateTime64({0}, 6)), 1000000)",
        "toUnixTimestamp64Micro(toDateTime64({0}, 6, 'UTC'))", _HOUSE,
    ),
}  # fmt: skip


def counted(sql: Sql, feature: Feature, moment: str) -> str:
    """A date or time as a double that is the whole number of its resolution which has begun."""
    temporal, counts = feature.temporal, _COUNTS[sql.dialect]
    if temporal.kind == DATE:
        return f"CAST({counts.days.format(moment)} AS {sql.number_type})"
    micros = counts.clock if temporal.kind == TIME else counts.zoned if temporal.zone else counts.micros
    number, unit = f"CAST({micros.format(moment)} AS {sql.number_type})", NANOSECONDS[temporal.resolution] / 1000
    return f"FLOOR({number} / {sql.number(unit)})" if unit >= 1.0 else f"{number} * {sql.number(1 / unit)}"
