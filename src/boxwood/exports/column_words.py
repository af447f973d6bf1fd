"""What each column that a tree tests must hold, in words for the head of an export."""

from __future__ import annotations

from ..data.columns.schema import NUMBERS_IN_TEXT, NUMERIC, Feature
from ..data.columns.temporal import Temporal
from ..data.columns.time_texts import CLOCK, ISO, SPAN
from ..views.words import plain
from .codes import codes_of

_KINDS = {"date": "dates", "datetime": "datetimes", "time": "times of day", "duration": "durations"}
_FORMS = {ISO: "ISO 8601", CLOCK: "hours:minutes:seconds", SPAN: "days hours:minutes:seconds"}


def described(feature: Feature, type_: str = "", text: bool = True) -> str:
    """The values of a feature: what they are, the type of the language, the format of texts, codes for missing values.

    Parameters
    ----------
    feature : Feature
    type_ : str
        The type in the language, if it has some.
    text : bool
        Whether the export reads texts of numbers and dates, where ``predict`` does.

    Examples
    --------
    >>> from boxwood.data.columns.schema import Feature
    >>> from boxwood.exports.column_words import described
    >>> described(Feature("age", "numeric", missing_values=(-999, "?")), "DOUBLE")
    'numbers (DOUBLE), or texts of numbers; -999 and ? are missing'
    """
    return types_read(feature, type_, text) + codes_words(feature)


def types_read(feature: Feature, type_: str = "", text: bool = True) -> str:
    """The values of a feature without its codes."""
    said = f"{_what(feature)} ({type_})" if type_ else _what(feature)
    if text and reads_text(feature):
        said += ", or texts " + ("of numbers" if feature.temporal is None else f"in {form_words(feature.temporal)}")
    return said


def codes_words(feature: Feature) -> str:
    """The codes for missing values, as an end of a sentence; empty without any."""
    codes = list(dict.fromkeys(plain(str(code)) for code in feature.missing_values))
    if not codes:
        return ""
    listed = " and ".join(filter(None, (", ".join(codes[:-1]), codes[-1])))
    return f"; {listed} {'are' if len(codes) > 1 else 'is'} missing"


def form_words(temporal: Temporal) -> str:
    """The format of texts of dates."""
    return _FORMS.get(temporal.form, f"the format {temporal.form}")


def reads_text(feature: Feature) -> bool:
    """Whether ``predict`` was shown texts of the numbers or dates of a feature, or texts among them."""
    if feature.temporal is not None:
        return feature.temporal.form is not None
    return feature.kind == NUMERIC and (feature.why == NUMBERS_IN_TEXT or has_text_codes(feature))


def has_text_codes(feature: Feature) -> bool:
    """Whether a code is a text that is not a number, so that the column that holds it is one of texts."""
    codes = codes_of(feature)
    return len(codes.numbers) < len(feature.missing_values)


def _what(feature: Feature) -> str:
    if feature.temporal is not None:
        zone = " with a time zone" if feature.temporal.zone else ""
        return _KINDS[feature.temporal.kind] + zone
    if feature.kind == NUMERIC:
        return "numbers"
    if all(isinstance(level, bool) for level in feature.levels):
        return "true or false"
    return "texts" if any(isinstance(level, str) for level in feature.levels) else "numbers"
