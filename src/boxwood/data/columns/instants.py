"""Columns of dates, times and durations, as whole numbers of their unit and by the unit of a feature."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from ..._messages import FromZero, Message, Row, Value, remedy, short
from ...errors import DataTypeError
from .raw import MISSING_TYPES, RawColumn, as_strings, no_values, split_integers
from .schema import Feature
from .temporal import DATE, DATETIME, DURATION, NANOSECONDS, TIME, UNITS, UTC, Temporal
from .time_texts import ISO, form_of_texts, instants_in, read_texts

#: Units of numpy that are not units of ours: the unit instead of them.
_COARSE = {"Y": "D", "M": "D", "W": "D", "h": "s", "m": "s"}
#: Doubles hold all whole numbers of 64 bits up to here as a sum of two.
_LIMIT = 2**63 - 1024
_EPOCH = datetime.datetime(1970, 1, 1)
_ZONED_EPOCH = _EPOCH.replace(tzinfo=UTC)


def from_counts(place: str, counts: np.ndarray, missing: np.ndarray | None, temporal: Temporal) -> RawColumn:
    """Whole numbers of a unit, int64, shape (n,), as a column of what they count."""
    if missing is not None and missing.all():
        return no_values(place, len(counts))
    near, low = split_integers(np.clip(counts, -_LIMIT, _LIMIT))
    if missing is not None and missing.any():
        near = np.where(missing, np.nan, near)
        low = None if low is None else np.where(missing, 0.0, low)
    return RawColumn(place, near, temporal.described, low, integer=True, temporal=temporal)


def from_numpy_times(
    place: str, array: np.ndarray, zone: str | None = None, mask: np.ndarray | None = None
) -> RawColumn:
    """A numpy array of datetime64 or timedelta64, shape (n,); ``zone``: its instants are UTC, shown in this zone.

    Raises
    ------
    DataTypeError
        A unit below nanoseconds.
    """
    unit, _ = np.datetime_data(array.dtype)
    missing = np.isnat(array) if mask is None else np.isnat(array) | mask
    if unit == "generic" or missing.all():
        return no_values(place, len(array))
    if unit not in UNITS:
        if unit not in _COARSE:
            to_nanoseconds = remedy("convert it to nanoseconds, astype('M8[ns]').")
            raise DataTypeError(place, f" is of type {array.dtype}; ", to_nanoseconds)
        unit = _COARSE[unit]
    letter = array.dtype.kind
    counts = array.astype(f"{letter}8[{unit}]").astype(np.int64)
    kind = DURATION if letter == "m" else DATE if unit == "D" and zone is None else DATETIME
    return from_counts(place, np.where(missing, 0, counts), missing, Temporal(kind, unit, unit, zone))


def from_time_objects(place: str, values: list) -> RawColumn:
    """Dates, datetimes, times of day or durations of Python, numpy or pandas, among missing values.

    Raises
    ------
    DataTypeError
        They are of several kinds, or datetimes with and without a time zone.
    """
    is_missing = [type(v).__name__ in MISSING_TYPES or v != v for v in values]
    kinds = [None if skip else _kind_of(v) for v, skip in zip(values, is_missing, strict=True)]
    first = next((kind for kind in kinds if kind is not None), None)
    if first is None:
        return no_values(place, len(values))
    found = set(kinds) - {None}
    if found == {DATE, DATETIME}:  # a date among datetimes is its midnight
        first, kinds = DATETIME, [kind and DATETIME for kind in kinds]
    odd = next((row for row, kind in enumerate(kinds) if kind not in (first, None)), None)
    if odd is not None:
        start = kinds.index(first)
        raise DataTypeError(
            place, f" mixes {_NAMES[first]} ({short(values[start])} in ", Row(start), f") with {_NAMES[kinds[odd]]} (",
            Value(values[odd]), " in ", Row(odd), FromZero(", counted from 0"), "); convert the column to one kind"
            f"{', all with a time zone or all without' if {first, kinds[odd]} & {_ZONED} else ''}.",
        )  # fmt: skip
    exact = [0 if skip else _nanoseconds(v) for v, skip in zip(values, is_missing, strict=True)]
    unit = "D" if first == DATE else "us" if all(ns % 1000 == 0 for ns in exact) else "ns"
    zone = _zone_of([v for v, skip in zip(values, is_missing, strict=True) if not skip]) if first == _ZONED else None
    counts = np.array([max(-_LIMIT, min(ns // NANOSECONDS[unit], _LIMIT)) for ns in exact], dtype=np.int64)
    kind = DATETIME if first == _ZONED else first
    return from_counts(place, counts, np.array(is_missing), Temporal(kind, unit, unit, zone))


_ZONED = "zoned"
_NAMES = {DATE: "dates", DATETIME: "datetimes without a time zone", _ZONED: "datetimes with a time zone",
          TIME: "times of day", DURATION: "durations"}  # fmt: skip


def _kind_of(value) -> str:
    """What a value is; a datetime with a time zone is something else than one without."""
    if isinstance(value, datetime.datetime):
        return DATETIME if value.tzinfo is None else _ZONED
    if isinstance(value, np.datetime64):
        return DATE if np.datetime_data(value.dtype)[0] in ("Y", "M", "W", "D") else DATETIME
    if isinstance(value, (datetime.timedelta, np.timedelta64)):
        return DURATION
    return TIME if isinstance(value, datetime.time) else DATE


def _nanoseconds(value) -> int:
    """A value in nanoseconds, from 1970-01-01 or from midnight."""
    if hasattr(value, "to_numpy"):  # of pandas, which may count nanoseconds
        value = value.to_numpy()
    if isinstance(value, (np.datetime64, np.timedelta64)):
        unit, _ = np.datetime_data(value.dtype)
        unit = _COARSE.get(unit, unit)
        return int(value.astype(f"{value.dtype.kind}8[{unit}]").astype(np.int64)) * NANOSECONDS[unit]
    if isinstance(value, datetime.datetime):
        passed = value - (_EPOCH if value.tzinfo is None else _ZONED_EPOCH)
    elif isinstance(value, datetime.time):
        passed = datetime.datetime.combine(_EPOCH.date(), value.replace(tzinfo=None)) - _EPOCH
    elif isinstance(value, datetime.date):
        passed = datetime.timedelta(days=value.toordinal() - _EPOCH.toordinal())
    else:
        passed = value
    return ((passed.days * 86400 + passed.seconds) * 1_000_000 + passed.microseconds) * 1000


def _zone_of(values: list) -> str:
    """The one time zone of some datetimes; UTC where there are several, since their instants are what counts."""
    names = {_zone_name(value) for value in values}
    return names.pop() if len(names) == 1 else "UTC"


def _zone_name(value: datetime.datetime) -> str:
    zone = value.tzinfo
    for name in ("key", "zone"):  # zoneinfo, pytz
        if isinstance(getattr(zone, name, None), str):
            return getattr(zone, name)
    passed = value.utcoffset()
    if not isinstance(zone, datetime.timezone) or not passed or passed.total_seconds() % 60:
        return "UTC"
    minutes = int(abs(passed.total_seconds())) // 60
    return f"{'-' if passed < datetime.timedelta(0) else '+'}{minutes // 60:02d}:{minutes % 60:02d}"


def counts_of(values: np.ndarray, low: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers, int64, shape (n,), from their two parts, 0 where they are missing; and which are."""
    missing = np.isnan(values)
    counts = np.where(missing, 0.0, values).astype(np.int64)
    return (counts if low is None else counts + low.astype(np.int64)), missing


def without_instants(column: RawColumn, codes: Collection, form: str | None = None) -> RawColumn:
    """A column of times without the instants that codes write in ISO 8601, such as 9999-12-31, or in another form."""
    found = instants_in(replace(column.temporal, form=form), codes)
    counts, missing = counts_of(column.values, column.low)
    removed = np.isin(counts, list(found)) & ~missing
    if not removed.any():
        return column
    low = None if column.low is None else np.where(removed, 0.0, column.low)
    return replace(column, values=np.where(removed, np.nan, column.values), low=low)


def with_resolution(column: RawColumn) -> RawColumn:
    """The same column of times with the coarsest unit of which all its values are whole numbers."""
    temporal = column.temporal
    counts, missing = counts_of(column.values, column.low)
    counts = counts[~missing]
    for unit, size in NANOSECONDS.items():
        step = size // NANOSECONDS[temporal.unit]
        if step <= 1:
            break
        # A day begins at another instant in every zone.
        if (unit != "D" or temporal.zone is None) and not (counts % step).any():
            return replace(column, temporal=replace(temporal, resolution=unit))
    return replace(column, temporal=replace(temporal, resolution=temporal.unit))


def as_instants(column: RawColumn, feature: Feature) -> tuple[np.ndarray, np.ndarray | None]:
    """A column as the numbers of a temporal feature: values and low parts as in ``Columns``.

    Raises
    ------
    DataTypeError
        It holds something else, or datetimes with a time zone where training had none, or the reverse.
    """
    wanted = feature.temporal
    if column.levels is not None or (wanted.form not in (None, ISO) and column.temporal is None):
        column = as_strings(column)
        column = read_texts(column, form_of_texts(column, wanted), wanted.unit)
    if feature.missing_values and column.temporal is not None:
        column = without_instants(column, feature.missing_values, wanted.form)
    found = column.temporal
    if found is None:
        known = ~np.isnan(column.values)
        if known.any():
            row = int(np.argmax(known))
            number = float(column.values[row])
            found = Message("the number ", Value(number), " in ", Row(row), FromZero(", counted from 0"))
            raise _other(column, wanted, found)
        return column.values, None
    if found.kind != wanted.kind and {found.kind, wanted.kind} != {DATE, DATETIME}:
        raise _other(column, wanted, found.described)
    if (found.zone is None) != (wanted.zone is None):
        raise _other(column, wanted, found.described, " A time zone is never guessed.")
    counts, missing = counts_of(column.values, column.low)
    counts = _in_unit(counts, NANOSECONDS[found.unit], NANOSECONDS[wanted.unit])
    counts = np.maximum(counts, wanted.step - _LIMIT)  # so that what they have begun fits 64 bits, too
    column = from_counts(column.place, counts // wanted.step * wanted.step, missing, wanted)
    return column.values, column.low


def _other(column: RawColumn, wanted: Temporal, found: str, more: str = "") -> DataTypeError:
    return DataTypeError(
        column.place, " holds ", found, f", but training had {wanted.described}; ",
        remedy("convert the column to those."), more,
    )  # fmt: skip


def _in_unit(counts: np.ndarray, given: int, wanted: int) -> np.ndarray:
    """Whole numbers of one unit, begun or complete, in another; what does not fit 64 bits is the last that does."""
    if given <= wanted:
        return counts // (wanted // given)
    times = given // wanted
    return np.clip(counts, -(_LIMIT // times), _LIMIT // times) * times


def as_level_texts(column: RawColumn) -> tuple[tuple, np.ndarray]:
    """The different values of a column of times as sorted texts, and the position of every row; -1 = missing.

    The texts do not depend on the unit in which the column came.
    """
    counts, missing = counts_of(column.values, column.low)
    different, inverse = np.unique(counts[~missing], return_inverse=True)
    day, unit = (replace(column.temporal, resolution=r) for r in ("D", column.temporal.unit))
    texts = [(day if count % day.step == 0 else unit).text(count) for count in different.tolist()]
    order = sorted(range(len(texts)), key=texts.__getitem__)
    place = np.empty(len(texts), dtype=np.int32)
    place[order] = np.arange(len(texts))
    codes = np.full(len(counts), -1, dtype=np.int32)
    codes[~missing] = place[inverse]
    return tuple(texts[i] for i in order), codes
