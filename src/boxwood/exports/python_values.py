"""How an exported Python module reads the values of a row: codes for missing values, texts of numbers and dates."""

from __future__ import annotations

from ..data.columns.schema import Feature
from .codes import codes_of
from .column_words import described
from .model_plan import ModelPlan
from .python_kinds import PYTHON_KINDS, code_moments

_NUMBER = '''
def number(value):
    """A number as it is compared: whole numbers exactly, others as floats; NaN is missing."""
    if value is None:
        return nan
    if isinstance(value, str):
        raise TypeError(f"a number is expected, not the text {value!r}")
    try:
        return index(value)
    except TypeError:
        return float(value)
'''
_TEXT_NUMBER = '''
def text_number(value):
    """The number that a text holds; other values, and other texts, as they are."""
    number = r"\\s*[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?\\s*"
    if not isinstance(value, str) or not fullmatch(number, value):
        return value
    whole = int(value) if fullmatch(r"\\s*[-+]?[0-9]+\\s*", value) else 2**64
    return whole if -(2**63) <= whole < 2**64 else float(value)
'''
_WRITTEN_NUMBER = '''
def written_number(value, pattern, units, decimal):
    """The text of a plain number that a text of a form holds; None where it is missing; other values as they are."""
    if not isinstance(value, str):
        return value
    text = value.translate({0xA0: " ", 0x202F: " ", 0x2009: " ", 0x2019: "'", 0x2212: "-", 0x25B3: "-"}).strip()
    if text in ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None"):
        return None
    if not fullmatch(pattern, text):
        return text
    for unit in units:
        text = text.replace(unit, "")
    digits = "".join(sign for sign in text if sign.isdigit() or sign == decimal)
    return ("-" if "-" in text or "(" in text else "") + digits.replace(decimal, ".")
'''
_KNOWN = '''
def known(value, *codes):
    """A value, or None if it is one of the codes for a missing value; blanks at the ends of a text do not count."""
    truth = type(value).__name__ in ("bool", "bool_")
    if isinstance(value, str):
        value_or_number = (value.strip(), text_number(value))
        return None if any(one in codes for one in value_or_number) else value
    return None if not truth and value in codes else value
'''
_MOMENT = '''
def moment(value, kind):
    """A date or time as it is compared: a date among datetimes is its midnight; None and NaT are missing."""
    if value is None or value != value:
        return None
    if kind is datetime and isinstance(value, date) and not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day)
    if kind is date and isinstance(value, datetime) and value.tzinfo is None:
        return value.date()
    if not isinstance(value, kind) or (kind is date and isinstance(value, datetime)):
        raise TypeError(f"a {kind.__name__} is expected, not {value!r}")
    return value
'''
_TEXT_DATE = '''
def text_date(value, form=None):
    """The date and time that a text holds, by a format, else by ISO 8601; other values as they are."""
    if form and isinstance(value, (int, float)) and type(value) is not bool and value == value:
        value = str(int(value)) if value == int(value) else value  # 20210314
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text in WORDS:
        return None
    try:
        return datetime.strptime(text, form or "")
    except ValueError:
        parts = fullmatch(ISO, text)
    if not parts:
        raise TypeError(f"{value!r} is not a text of a date in {form or 'ISO 8601'}")
    year, month, day, hour, minute, second, fraction, zone = parts.groups()
    clock = int(hour or 0), int(minute or 0), int(second or 0), int((fraction or "").ljust(6, "0"))
    sign = -1 if zone and zone[0] == "-" else 1
    ahead = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:])) if zone and zone != "Z" else timedelta(0)
    return datetime(int(year), int(month), int(day), *clock, timezone(sign * ahead) if zone else None)


WORDS = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None")
ISO = (
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,6}))?)?\\s?(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
'''
_TEXT_SPAN = '''
def text_span(value, form=None):
    """The time of day or the duration that a text holds; other values as they are."""
    if not isinstance(value, str) or value.strip() in ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None"):
        return None if isinstance(value, str) else value
    try:
        return datetime.strptime(value.strip(), form or "").time()
    except ValueError:
        pass
    clock = "([0-9]{1,9}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?"
    parts = fullmatch(f"(-)?(?:([0-9]{{1,9}}) days?,? ?)?(?:{clock})?", value.strip())
    if not parts or not any(parts.groups()[1:3]):
        raise TypeError(f"{value!r} is not a text of a time")
    sign, days, hours, minutes, seconds, fraction = parts.groups()
    micro = int((fraction or "").ljust(9, "0")) // 1000
    span = timedelta(int(days or 0), int(seconds or 0), micro, 0, int(minutes or 0), int(hours or 0))
    return -span if sign else span
'''
_CLOCK = '''
def clock(value):
    """A span since midnight as the time of day; other values as they are."""
    if not isinstance(value, timedelta):
        return value
    if not timedelta(0) <= value < timedelta(1):
        raise TypeError(f"{value!r} is not a time of day")
    return (datetime(1970, 1, 1) + value).time()
'''
_LEVEL = '''
def level(value, booleans):
    """A level as it is compared; None is missing. True is not 1, but where levels are true and false 1 is True."""
    if value is None or value != value:
        return None
    truth = type(value).__name__ in ("bool", "bool_")
    return object() if truth and not booleans else value
'''
_READERS = {
    "level": _LEVEL, "number": _NUMBER, "text_number": _TEXT_NUMBER, "written_number": _WRITTEN_NUMBER,
    "known": _KNOWN, "moment": _MOMENT,
    "text_date": _TEXT_DATE, "text_span": _TEXT_SPAN, "clock": _CLOCK,
}  # fmt: skip


def columns_read(plan: ModelPlan) -> list[str]:
    """The features that are read, as comments."""
    listed = [plan.schema[j] for j in plan.features]
    return [f"#   {f.name!a}: {described(f)}" for f in listed]


def readers(features: list[Feature]) -> tuple[list[str], list[str]]:
    """The imports and the functions that read the values of some features."""
    calls = " ".join(map(value_read, features))
    needed = [name for name in _READERS if f"{name}(" in calls or (name == "text_number" and "known(" in calls)]
    body = [_READERS[name] for name in needed]
    lines = ["from datetime import date, datetime, time, timedelta, timezone"] * ("moment" in needed)
    lines += ["from math import nan", "from operator import index"] * ("number" in needed)
    lines += ["from re import fullmatch"] * any("fullmatch(" in text for text in body)
    return [*lines, *[""] * bool(lines)], body


def value_read(feature: Feature) -> str:
    """The value of a feature in a row, as it is compared."""
    given = f"row[{feature.name!r}]"
    codes = _codes(feature)
    if codes:
        given = f"known({given}, {', '.join(codes)})"
    return PYTHON_KINDS.of(feature).read(feature, given)


def _codes(feature: Feature) -> list[str]:
    """The codes of a feature as Python writes them; dates are compared again when texts of them are read."""
    codes = codes_of(feature)
    listed = [repr(code) for code in (*codes.texts, *codes.numbers)]
    return list(dict.fromkeys([*listed, *code_moments(feature)]))
