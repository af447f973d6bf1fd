"""Dates, datetimes, times of day and durations as whole numbers of a unit, and these numbers as text.

A datetime counts from 1970-01-01 (UTC where it has a time zone), a time of day from midnight. A value lies in the unit
that it has begun: at a resolution of days, all hours of a day are that day.
"""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from .kinds.numeric import Numeric

DATETIME, DATE, TIME, DURATION = "datetime", "date", "time", "duration"
TEMPORAL_KINDS = (DATETIME, DATE, TIME, DURATION)
#: Units in which values are counted.
UNITS = ("D", "s", "ms", "us", "ns")
#: Resolutions, the coarsest first, in nanoseconds: the units, and minutes.
NANOSECONDS = {"D": 86_400_000_000_000, "m": 60_000_000_000, "s": 1_000_000_000, "ms": 1_000_000, "us": 1_000, "ns": 1}
UTC = datetime.UTC

_DAY, _SECOND = NANOSECONDS["D"], NANOSECONDS["s"]
_EPOCH = datetime.date(1970, 1, 1).toordinal()
_MICROSECOND = datetime.timedelta(microseconds=1)
_DAYS = (1, datetime.date.max.toordinal())


@dataclass(frozen=True)
class Temporal(Numeric):
    """The kind of dates, datetimes, times of day and durations: whole numbers to a tree, and what these count.

    Attributes
    ----------
    kind : {"datetime", "date", "time", "duration"}
    unit : {"D", "s", "ms", "us", "ns"}
        What one is.
    resolution : {"D", "m", "s", "ms", "us", "ns"}
        The coarsest unit of which all values of training are whole numbers; other values count as the last such number
        up to them.
    zone : str or None
        Time zone in which instants are shown; None = the datetimes have none.
    form : str or None
        How texts are read: "iso", or a format of ``datetime.strptime``; None = they came typed, and texts are ISO 8601.
    """

    name = "temporal"
    rounds_cuts = False  # as midpoints of whole numbers, cuts do not depend on the unit

    kind: str
    unit: str
    resolution: str
    zone: str | None = None
    form: str | None = None

    @property
    def kind_name(self) -> str:  # type: ignore[override]
        """What people call it."""
        return self.kind

    @property
    def step(self) -> int:  # type: ignore[override]
        """How many of the unit one of the resolution is."""
        return max(1, NANOSECONDS[self.resolution] // NANOSECONDS[self.unit])

    @property
    def scale(self) -> tuple:
        return "date" if self.kind == DATETIME else self.kind, self.resolution, self.zone

    def begun(self, value: float, low: float = 0.0) -> int:
        """The last number of the resolution, counted in the unit, up to a cut ``value + low``."""
        return self.whole(value, low) // self.step * self.step

    def last(self, value: float, low: float = 0.0) -> int:
        """The last whole number that goes with those up to a cut: the next one begins what is above it."""
        return self.begun(value, low) + self.step - 1

    @staticmethod
    def whole(value: float, low: float = 0.0) -> int:
        """The largest whole number up to ``value + low``."""
        return math.floor(Fraction(value) + Fraction(low))

    def words(self, value: float, low: float = 0.0) -> str:
        """A value, or the last one up to a cut, in the shortest form that is exact.

        Examples
        --------
        >>> from boxwood.data.columns.temporal import Temporal
        >>> Temporal("date", "D", "D").words(18700.5), Temporal("datetime", "s", "s").words(1615680000.0)
        ('2021-03-14', '2021-03-14 00:00')
        >>> Temporal("datetime", "ms", "s", "Asia/Tokyo").words(1615680015500.0)
        '2021-03-14 09:00:15+09:00'
        >>> Temporal("duration", "s", "s").words(-90000.0)
        '-1 day 01:00:00'
        """
        if not math.isfinite(value):
            return repr(float(value))
        return self.text(self.begun(value, low))

    def text(self, count: int) -> str:
        """A whole number of the unit as text."""
        total = count * NANOSECONDS[self.unit]
        if self.kind == DURATION:
            return _duration(total)
        days, rest = divmod(total, _DAY)
        if self.kind == TIME and days == 0:
            return _clock(rest)
        if not _DAYS[0] <= days + _EPOCH <= _DAYS[1]:
            return f"{count} {self.unit} after 1970-01-01"
        if self.zone is not None:
            return self._in_zone(days, rest)
        day = datetime.date.fromordinal(days + _EPOCH).isoformat()
        return day if self.resolution == "D" and rest == 0 else f"{day} {_clock(rest)}"

    def _in_zone(self, days: int, rest: int) -> str:
        seconds, fraction = divmod(rest, _SECOND)
        instant = datetime.datetime.fromordinal(days + _EPOCH).replace(tzinfo=UTC)
        instant += datetime.timedelta(seconds=seconds)
        try:
            there = instant.astimezone(zone_of(self.zone))
        except OverflowError:  # the first and the last day that Python counts
            there = instant
        passed = (there.hour * 3600 + there.minute * 60 + there.second) * _SECOND + fraction
        ahead = there.utcoffset()
        sign, away = ("-", -ahead) if ahead < datetime.timedelta(0) else ("+", ahead)
        return f"{there.date().isoformat()} {_clock(passed)}{sign}{_clock(away // _MICROSECOND * 1000)}"

    def cut_limits(self, count: int) -> tuple[float, float]:
        return -(2.0**63), 2.0**63  # whole numbers of 64 bits

    def original(self, number: Any, levels: tuple) -> Any:
        return self.value(int(number))

    def value(self, count: int):
        """A whole number of the unit as a value of Python, or of numpy where Python has none."""
        import numpy as np

        total = count * NANOSECONDS[self.unit]
        days, rest = divmod(total, _DAY)
        in_range = _DAYS[0] < days + _EPOCH < _DAYS[1] if self.kind != DURATION else abs(days) < 999_999_999
        if total % 1000 or not in_range or (self.kind == TIME and days):
            return (
                np.timedelta64(count, self.unit) if self.kind in (TIME, DURATION) else np.datetime64(count, self.unit)
            )
        passed = datetime.timedelta(days=days, microseconds=rest // 1000)
        if self.kind == DURATION:
            return passed
        start = datetime.datetime(1970, 1, 1, tzinfo=None if self.zone is None else UTC)
        if self.kind == TIME:
            return (start + passed).time()
        found = start + passed
        if self.kind == DATE:
            return found.date()
        return found if self.zone is None else found.astimezone(zone_of(self.zone))

    @property
    def described(self) -> str:
        """What a column holds, for messages."""
        if self.kind == DATE:
            return "dates"
        names = {DATETIME: "datetimes", TIME: "times of day", DURATION: "durations"}
        zone = "" if self.kind != DATETIME else f", {f'time zone {self.zone}' if self.zone else 'no time zone'}"
        return f"{names[self.kind]} ({self.unit}{zone})"


def _clock(nanoseconds: int) -> str:
    """Hours and minutes; seconds and their decimals where there are some."""
    seconds, fraction = divmod(nanoseconds, _SECOND)
    text = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}"
    if seconds % 60 or fraction:
        text += f":{seconds % 60:02d}"
    return text + (f".{fraction:09d}".rstrip("0") if fraction else "")


def _duration(nanoseconds: int) -> str:
    days, rest = divmod(abs(nanoseconds), _DAY)
    text = f"{days} day{'s' * (days != 1)}" if days or not rest else ""
    if rest:
        clock = _clock(rest)
        text = f"{text} {clock if clock.count(':') == 2 else f'{clock}:00'}".strip()
    return f"-{text}" if nanoseconds < 0 else text


@lru_cache(maxsize=64)
def zone_of(name: str) -> datetime.tzinfo:
    """The time zone of a name, or of an offset such as +01:00; UTC where this machine does not know it."""
    if name[:1] in ("+", "-"):
        try:
            hours, minutes = int(name[1:3]), int(name[4:6] or 0)
            passed = datetime.timedelta(hours=hours, minutes=minutes)
            return datetime.timezone(-passed if name[0] == "-" else passed)
        except ValueError:
            return UTC
    try:
        from zoneinfo import ZoneInfo

        return ZoneInfo(name)
    except (ImportError, ValueError, OSError, KeyError):
        return UTC


def joint_temporal(one: Temporal, other: Temporal) -> Temporal:
    """The same kind, unit and zone at the finer resolution of two."""
    finer = min(one.resolution, other.resolution, key=NANOSECONDS.__getitem__)
    return Temporal(one.kind, one.unit, finer, one.zone, one.form)
