"""Cuts of dates and times in languages that have such values: what is above a cut begins at a moment."""

from __future__ import annotations

import datetime

import numpy as np

from .._messages import Column, remedy
from ..data.columns.columns import Columns
from ..data.columns.instants import counts_of
from ..data.columns.raw import split_integers
from ..data.columns.schema import Feature
from ..data.columns.temporal import DATE, DATETIME, DURATION, NANOSECONDS, TIME, UTC, Temporal
from ..errors import ParameterError

Moment = datetime.datetime | datetime.date | datetime.time | datetime.timedelta
_UNITS = {"D": "days", "m": "minutes", "s": "seconds", "ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds"}
_START = {
    DATE: " since 1970-01-01", DATETIME: " since 1970-01-01 00:00", TIME: " since midnight", DURATION: "",
}  # fmt: skip


def counted(temporal: Temporal) -> str:
    """What the numbers of an export count, for its reader."""
    zone = " UTC" if temporal.zone else ""
    return f"whole {_UNITS[temporal.resolution]}{_START[temporal.kind]}{zone}"


def next_moment(feature: Feature, cut: float | int, micro: int = 1) -> Moment:
    """The first value above a cut, in whole steps of ``micro`` microseconds.

    Parameters
    ----------
    feature : Feature
        A temporal one.
    cut : float or int
        In units of its resolution, as :func:`.kinds.feature_cut` gives it.
    micro : int
        The resolution of the language.

    Raises
    ------
    ParameterError
        It lies beyond the years that the languages know.
    """
    temporal = feature.temporal
    begins = (int(cut) + 1) * NANOSECONDS[temporal.resolution]
    passed = -(-begins // (micro * 1000)) * micro
    try:
        if temporal.kind == TIME and not 0 <= passed < 86_400_000_000:
            raise OverflowError
        span = datetime.timedelta(microseconds=passed)
        start = datetime.datetime(1970, 1, 1, tzinfo=UTC if temporal.zone else None)
        if temporal.kind == DURATION:
            return span
        return (start + span).date() if temporal.kind == DATE else as_time(start + span, temporal)
    except OverflowError:
        words = temporal.text(int(cut) * temporal.step)
        raise ParameterError(
            "the tree cuts ", Column(feature.name, "column"), f" at {words}, which this language has no value for; ",
            remedy("export to c or json instead"), ".",
        ) from None  # fmt: skip


def moment_at(temporal: Temporal, count: int) -> Moment | np.datetime64 | np.timedelta64:
    """A whole number of the unit in Python's types, instants in UTC; of numpy where Python has no such value."""
    micro, rest = divmod(count * NANOSECONDS[temporal.unit], 1000)
    try:
        span = datetime.timedelta(microseconds=micro)
        if rest or (temporal.kind == TIME and not datetime.timedelta(0) <= span < datetime.timedelta(1)):
            raise OverflowError
        if temporal.kind == DURATION:
            return span
        found = datetime.datetime(1970, 1, 1, tzinfo=UTC if temporal.zone else None) + span
    except OverflowError:
        return temporal.value(count)
    return found.date() if temporal.kind == DATE else as_time(found, temporal)


def as_time(value: datetime.datetime, temporal: Temporal) -> datetime.datetime | datetime.time:
    """A datetime, or its clock for a feature of times of day."""
    return value.time() if temporal.kind == TIME else value


def numbers(columns: Columns, j: int) -> tuple[np.ndarray, np.ndarray | None]:
    """Values and low parts of a numeric feature; of dates and times in units of their resolution."""
    values, low, step = columns.values[j], columns.low[j], columns.schema[j].type.step
    if step == 1:
        return values, low
    counts, missing = counts_of(values, low)
    near, low = split_integers(counts // step)
    return np.where(missing, np.nan, near), None if low is None else np.where(missing, 0.0, low)
