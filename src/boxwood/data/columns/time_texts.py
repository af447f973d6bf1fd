"""Dates and times written as text: read by a form, and the forms by which a column of texts can be read.

A form is "iso" (ISO 8601: 2021-03-14, 2021-03-14 10:30:15, 2021-03-14T10:30:15+01:00) or a format of
``datetime.strptime`` such as ``%d.%m.%Y``.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from ..._messages import FromZero, Phrase, Row, Setting, Value, must_be, remedy, short
from ...errors import ColumnError, DataTypeError, ParameterError, ParameterTypeError
from .names import listed
from .raw import EMPTY, MISSING_WORDS, STRINGS, RawColumn, no_values, split_integers
from .temporal import DATE, DATETIME, DURATION, NANOSECONDS, TIME, UTC, Temporal

ISO, CLOCK, SPAN = "iso", "clock", "span"
#: Forms of texts where typed values are expected.
TYPED_FORMS = {DATE: ISO, DATETIME: ISO, TIME: CLOCK, DURATION: SPAN}
_PLAIN_CLOCK = r"([0-9]{1,9}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?"
_CLOCK = re.compile(_PLAIN_CLOCK)
_SPAN = re.compile(rf"(-)?(?:([0-9]{{1,9}}) days?,? ?)?(?:{_PLAIN_CLOCK})?")
_ISO = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,6}))?)?\s?(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_CLOCK_SIGNS, _DAY_SIGNS = re.compile("%[HIMSfpTXcz]"), re.compile("%[dmjUWVuwaAbBxcDyYG]")


def read_texts(column: RawColumn, form: str, unit: str | None = None) -> RawColumn:
    """A column of texts as dates or times; ``unit`` in which they are counted, found from the form if None.

    Raises
    ------
    DataTypeError
        A value is not a text of this form; the message names its row.
    """
    if column.levels is None:
        if column.temporal is not None or column.why == EMPTY:
            return column
        column = _whole_as_texts(column, form)
    if column.why != STRINGS:
        raise _unread(column, form, list(range(len(column.levels))), unit is not None)
    is_missing = [level.strip() in MISSING_WORDS for level in column.levels]
    found = [
        (0, None) if lost else reader_of(form)(level) for level, lost in zip(column.levels, is_missing, strict=True)
    ]
    if None in found:
        wrong = [code for code, pair in enumerate(found) if pair is None]
        raise _unread(column, form, wrong, unit is not None)
    aware = {zone for _, zone in found} - {None}
    if len(aware) > 1:
        raise DataTypeError(
            column.place,
            f" holds datetimes with and without a time zone, for example {short(column.levels[0])}; a "
            "time zone is never guessed: give all of them one, or none.",
        )
    kind = _kind(form)
    unit = unit or ("D" if kind == DATE else "us" if form in _KINDS or "%f" in form else "s")
    if not aware:
        return no_values(column.place, len(column.values))
    counts = np.array([ns // NANOSECONDS[unit] for ns, _ in found], dtype=np.int64)
    near, low = split_integers(counts)
    near[is_missing] = np.nan
    near, low = np.append(near, np.nan), None if low is None else np.append(low, 0.0)
    temporal = Temporal(kind, unit, unit, "UTC" if True in aware else None, form)
    dates = replace(column, values=near[column.values], low=None if low is None else low[column.values], levels=None)
    return replace(dates, why=f"{temporal.described} in text, {form}", integer=True, temporal=temporal)


def form_of_texts(column: RawColumn, temporal: Temporal) -> str:
    """How texts are read for a temporal feature: by its form, or as typed values are written if they are none of it."""
    usual = TYPED_FORMS[temporal.kind]
    form = temporal.form or usual
    if form in _KINDS or column.why != STRINGS or all(map(reader_of(form), column.levels)):
        return form
    known = [level for level in column.levels if level.strip() not in MISSING_WORDS]
    return usual if known and all(map(reader_of(usual), known)) else form


def _whole_as_texts(column: RawColumn, form: str) -> RawColumn:
    """Whole numbers, such as 20210314, as text."""
    known = ~np.isnan(column.values)
    broken = known & ~(np.isfinite(column.values) & (column.values == np.floor(column.values)))
    if broken.any():
        row = int(np.argmax(broken))
        raise DataTypeError(
            column.place, ", ", Row(row), FromZero(), " holds the number ", Value(float(column.values[row])),
            f", which is not a date of the form {_SHOWN.get(form, repr(form))}; ",
            remedy("leave the column out of ", Setting("date_formats"), "."),
        )  # fmt: skip
    different, codes = np.unique(column.values[known], return_inverse=True)
    values = np.full(len(column.values), -1, dtype=np.int32)
    values[known] = codes
    levels = tuple(str(int(value)) for value in different.tolist())
    return replace(column, values=values, low=None, integer=False, levels=levels, why=STRINGS)


def _unread(column: RawColumn, form: str, wrong: list[int], is_new: bool) -> DataTypeError:
    """The error for levels that are not of the form; settings of the fit no longer help where the data are new."""
    row = int(np.argmax(np.isin(column.values, wrong)))
    wanted = _SHOWN.get(form, repr(form))
    settings = ("name the form in ", Setting("date_formats"), ", or the value in ", Setting("missing_values"))
    other = "" if form in _KINDS else f", or as {_EXAMPLES[_kind(form)]}"
    advice = (f"write it in this form{other}.",) if is_new else (*settings, ", or leave the column out.")
    return DataTypeError(
        column.place, ", ", Row(row), FromZero(), " holds ", Value(column.levels[column.values[row]]),
        f", which is not a date of the form {wanted}; ", remedy(*advice),
    )  # fmt: skip


_EXAMPLES = dict.fromkeys((DATE, DATETIME), "2021-03-14 (ISO 8601)") | {TIME: "10:30:15"}
_SHOWN = {ISO: "ISO 8601 (2021-03-14 or 2021-03-14 10:30:15)", CLOCK: "10:30:15", SPAN: "3 days 04:30:00"}


def _kind(form: str) -> str:
    if form in _KINDS:
        return _KINDS[form]
    return (DATETIME if _CLOCK_SIGNS.search(form) else DATE) if _DAY_SIGNS.search(form) else TIME


_KINDS = {ISO: DATETIME, CLOCK: TIME, SPAN: DURATION}


@lru_cache(maxsize=256)
def reader_of(form: str) -> Callable[[str], tuple[int, bool] | None]:
    """What reads a text: nanoseconds, and whether it has a time zone; None for a text of another form."""
    if form in _KINDS:
        return {ISO: _read_iso, CLOCK: _read_clock, SPAN: _read_span}[form]

    def read(text: str) -> tuple[int, bool] | None:
        try:
            found = datetime.datetime.strptime(text.strip(), form)
        except (ValueError, OverflowError, re.error):
            return None
        return _since(found, only_time=kind == TIME), found.tzinfo is not None

    kind = _kind(form)
    return read


def _read_iso(text: str) -> tuple[int, bool] | None:
    found = _ISO.fullmatch(text.strip())
    if found is None:
        return None
    year, month, day, hour, minute, second, fraction, zone = found.groups()
    clock = (int(hour or 0), int(minute or 0), int(second or 0), int((fraction or "").ljust(6, "0") or 0))
    try:
        return _since(datetime.datetime(int(year), int(month), int(day), *clock, _offset(zone))), zone is not None
    except (ValueError, OverflowError):
        return None


def _read_clock(text: str) -> tuple[int, bool] | None:
    """A time of day."""
    found = _CLOCK.fullmatch(text.strip())
    passed = None if found is None else _passed(*found.groups())
    return None if passed is None or passed >= NANOSECONDS["D"] else (passed, False)


def _read_span(text: str) -> tuple[int, bool] | None:
    """A length of time: 3 days 04:00:00."""
    found = _SPAN.fullmatch(text.strip())
    if found is None or not any(found.groups()[1:3]):
        return None
    sign, days, *clock = found.groups()
    passed = int(days or 0) * NANOSECONDS["D"] + (_passed(*clock) if clock[0] else 0)
    return (-passed if sign else passed), False


def _passed(hours: str, minutes: str, seconds: str | None, fraction: str | None) -> int:
    whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds or 0)
    return whole * NANOSECONDS["s"] + int((fraction or "").ljust(9, "0"))


def _offset(zone: str | None) -> datetime.timezone | None:
    if zone is None or zone == "Z":
        return None if zone is None else UTC
    passed = datetime.timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
    return datetime.timezone(-passed if zone[0] == "-" else passed)


def _since(value: datetime.datetime, only_time: bool = False) -> int:
    start = value.replace(hour=0, minute=0, second=0, microsecond=0) if only_time else datetime.datetime(1970, 1, 1)
    passed = value - (start if only_time else start.replace(tzinfo=value.tzinfo and UTC))
    return ((passed.days * 86400 + passed.seconds) * 1_000_000 + passed.microseconds) * 1000


def instants_in(temporal: Temporal, texts: Iterable) -> set[int]:
    """Some texts, as far as they can be read, as whole numbers of the unit."""
    usual = reader_of(TYPED_FORMS[temporal.kind])
    read = reader_of(temporal.form) if temporal.form else usual
    found = (read(text) or usual(text) for text in texts if isinstance(text, str))
    return {pair[0] // NANOSECONDS[temporal.unit] for pair in found if pair is not None}


def forms_of_columns(date_formats, names: Sequence[str]) -> dict[str, str]:
    """The form of each column that ``date_formats`` names.

    Raises
    ------
    ColumnError, ParameterError, ParameterTypeError
        It is not a dictionary of columns and formats.
    """
    if date_formats is None:
        return {}
    if not isinstance(date_formats, Mapping) or not all(
        isinstance(v, str) for pair in date_formats.items() for v in pair
    ):
        allowed = "a dict of column -> format such as '%d/%m/%Y', or 'iso'"
        raise ParameterTypeError(must_be("date_formats", allowed, Value(date_formats)))
    unknown = [name for name in date_formats if name not in names]
    if unknown:
        wrong = Value(unknown, listed(unknown))
        raise ColumnError(Setting("date_formats"), " names ", wrong, f", but the columns are {listed(list(names))}.")
    for name, form in date_formats.items():
        check_form(form, Setting("date_formats", key=name))
    return dict(date_formats)


def check_form(form: str, what: Phrase) -> None:
    """Refuse what is not a format, or one without a year or a clock.

    Raises
    ------
    ParameterError
    """
    has_year = re.search("%[YyGcxD]", form) is not None
    try:
        sound = form == ISO or ((has_year or _kind(form) == TIME) and _is_format(form))
    except (ValueError, re.error):
        sound = False
    if not sound:
        raise ParameterError(
            what, " is ", Value(form), "; ", remedy("give 'iso', or a format such as '%d/%m/%Y' or '%d.%m.%Y %H:%M'.")
        )


def _is_format(form: str) -> bool:
    written = datetime.datetime(2003, 12, 25, 13, 14, 15, tzinfo=UTC).strftime(form)
    datetime.datetime.strptime(written, form)
    return "%" in form
