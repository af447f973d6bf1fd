"""Doubtful columns of levels: strings that look like numbers, or very many levels."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..._messages import Column, Message, Phrase, Setting, Value, remedy, short
from ...errors import DataError, KindWarning, level_outside
from .date_forms import FORMS_IN_NOTES, TIMES_OF_DAY, possible_forms
from .identifiers import are_names, many_levels_note
from .missing_codes import MOST_OTHERS, USUAL, has_leading_zero, is_plain_number
from .number_forms import FormSearch, common_form, searched
from .raw import MISSING_WORDS
from .time_texts import ISO
from .written_numbers import WrittenNumbers

#: Marks that usually mean missing also among words, which none and NA need not.
_MARKS = frozenset(code for code in USUAL if code and not any(map(str.isalpha, code)))

#: Digits of days; texts such as 00.00.0000 are none.
_DIGIT = re.compile("[1-9]")

_IF_CORRECT = ("If that is correct, list it in ", Setting("categorical_features"))


@dataclass(frozen=True)
class LevelSummary:
    """A column of levels, as far as its kind may be wrong.

    Attributes
    ----------
    place : str
        How messages name the column.
    name : str
    levels : tuple
    n : int
        Number of rows.
    is_text : bool
        It came as strings.
    declared : bool
        It is listed in ``categorical_features``.
    counts : callable
        () -> rows of each level.
    first : callable
        Which levels are odd (list of bool) -> the position of the first of them, and which it is.
    """

    place: Phrase
    name: str
    levels: tuple
    n: int
    is_text: bool
    declared: bool
    counts: Callable[[], list[int]]
    first: Callable[[list[bool]], tuple[Message, object]]


def kind_warning(summary: LevelSummary) -> str:
    """The warning when strings look like numbers, or when very many nearly name rows; else "".

    Of columns that name rows a fit reports how they are treated (:func:`.identifiers.with_ignored`).
    """
    levels = summary.levels
    numeric = [summary.is_text and not summary.declared and _looks_numeric(v) for v in levels]
    zeros = next(filter(has_leading_zero, levels), None) if all(numeric) else None
    if zeros is not None:
        return Message(
            summary.place, " contains numbers with leading zeros, for example ", Value(zeros),
            ", and is treated as nominal. ", *_IF_CORRECT, "; if it should be numeric, list it in ",
            Setting("numeric_features"), ".",
        )  # fmt: skip
    if all(numeric):
        return _numeric_warning(summary)
    forms: list[str] = []
    if summary.is_text and not summary.declared:
        written, forms = common_form(levels)
        numeric = written if forms else numeric
    codes = _codes_among(levels, numeric, bool(forms))
    if codes:
        counted = {level: n for level, n in zip(levels, summary.counts(), strict=True) if level in codes}
        note = ", ".join(f"{short(level)} in {n} row{'s' * (n > 1)}" for level, n in counted.items())
        return Message(
            summary.place, f" is treated as nominal because of {note}; all other values are numbers. To read the "
            "column as numeric, with these values as missing, set ",
            Setting("missing_values", sorted({c.strip() for c in codes})), ".",
        )  # fmt: skip
    if summary.is_text and not summary.declared:
        note = _forms_warning(summary, numeric, forms) or _mostly_warning(summary, numeric) or _dates_warning(summary)
        if note := note or _marks_warning(summary):
            return note
    sentence = many_levels_note(summary.place, len(levels), summary.n) if summary.declared or summary.is_text else ""
    return "" if sentence and are_names(summary.counts()) else sentence


def _numeric_warning(summary: LevelSummary) -> Message:
    """The warning when all strings look like numbers, perhaps with marks of thousands."""
    start = (summary.place, " contains strings that all look like numbers, for example ")
    search = searched(summary.levels)
    if search is None or search.both_forms is None:
        return Message(
            *start, Value(summary.levels[0]), ", and is treated as nominal. ", *_IF_CORRECT,
            "; if it should be numeric, list it in ", Setting("numeric_features"), ".",
        )  # fmt: skip
    choices = _choices(summary.name, search.example, search.both_forms)
    return Message(*start, Value(search.example), ", and is treated as nominal. ", *_IF_CORRECT, *choices, ".")


def _choices(name: str, example: str, forms: Sequence[str]) -> list[Phrase]:
    """The settings that read a text by each of some forms."""
    choices: list[Phrase] = []
    for form in forms:
        value = WrittenNumbers(form).read(example)
        choices += ["; ", f"to read it as {value}, set ", Setting("numeric_features", form, key=name)]
    return choices


def _mostly_warning(summary: LevelSummary, numeric: list[bool]) -> str:
    """The warning when most strings look like numbers; else ""."""
    count, total = _rows_of(summary, numeric)
    if 2 * count <= total:
        return ""
    where, level = summary.first([not is_one for is_one in numeric])
    others = sorted({v.strip() for v, is_one in zip(summary.levels, numeric, strict=True) if not is_one})
    listed = " and ".join(filter(None, [", ".join(map(short, others[:-1])), *map(short, others[-1:])]))
    mean = f" mean{'s' * (len(others) == 1)} missing, set "
    codes = Message(" if ", Value(others, listed), mean, Setting("missing_values", others), ", or")
    return Message(
        summary.place, f" contains strings that look like numbers in {count} of {total} rows with a value, but ",
        where, " contains ", Value(level), ", so the column is treated as nominal. ", *_IF_CORRECT, "; otherwise,",
        codes if len(others) <= MOST_OTHERS else "",
        " replace the other strings by numbers or by None and convert the column to numbers.",
    )  # fmt: skip


def _forms_warning(summary: LevelSummary, numeric: list[bool], forms: list[str]) -> str:
    """The warning when all strings are numbers that can be read by several forms, or are seen only once; else ""."""
    others = {v.strip() for v, is_one in zip(summary.levels, numeric, strict=True) if not is_one}
    if not forms or others - set(MISSING_WORDS):
        return ""
    example = summary.levels[numeric.index(True)]
    return Message(
        summary.place, " contains numbers such as ", Value(example), ", and is treated as nominal. ", *_IF_CORRECT,
        *_choices(summary.name, example, forms), ".",
    )  # fmt: skip


def _rows_of(summary: LevelSummary, chosen: list[bool]) -> tuple[int, int]:
    """Rows of some levels, and of all; no rows are counted where no level is chosen."""
    if not any(chosen):
        return 0, 0
    counts = summary.counts()
    return sum(n for n, is_one in zip(counts, chosen, strict=True) if is_one), sum(counts)


def _dates_warning(summary: LevelSummary) -> str:
    """The warning when strings look like dates, perhaps beside codes for missing values; else ""."""
    first = next(filter(_DIGIT.search, summary.levels), None)
    likely = possible_forms([first], FORMS_IN_NOTES) if first is not None else []
    days = list(filter(_DIGIT.search, summary.levels)) if likely else []
    forms = possible_forms(days, likely) if likely else []
    if not forms:
        return ""
    codes = sorted({level.strip() for level in summary.levels} - {day.strip() for day in days} - set(MISSING_WORDS))
    if len(codes) > MOST_OTHERS:
        return ""
    what = "times" if forms[0] in TIMES_OF_DAY else "dates"
    choices = [part for form in forms for part in (" or ", Setting("date_formats", form, key=summary.name))][1:]
    beside = f" and the values {', '.join(map(short, codes))}," if codes else ""
    missing = (Setting("missing_values", codes), " and ") if codes else ()
    return Message(
        summary.place, f" contains strings that look like {what}, for example ", Value(days[0]),
        f",{beside} and is treated as nominal. ", *_IF_CORRECT, f"; to read the strings as {what}, set ", *missing,
        *choices, ".",
    )  # fmt: skip


def _marks_warning(summary: LevelSummary) -> str:
    """The warning when one of the levels is a mark such as ? or -, though not beside +; else ""."""
    found = sorted({level.strip() for level in summary.levels} & _MARKS)
    if not found or len(summary.levels) == len(found) or any(level.strip() == "+" for level in summary.levels):
        return ""
    is_one = len(found) == 1
    return Message(
        summary.place, f" has the level{'' if is_one else 's'} {', '.join(map(short, found))}. If "
        f"{'it means' if is_one else 'they mean'} missing, set ", Setting("missing_values", found),
        "; otherwise, list the column in ", Setting("categorical_features"), ".",
    )  # fmt: skip


def _codes_among(levels: tuple, numeric: list[bool], written: bool) -> list[str]:
    """The levels that usually mean missing, if all others are numbers and there are some of both."""
    others = [level for level, is_one in zip(levels, numeric, strict=True) if not is_one]
    if len(others) == len(levels) or not all(isinstance(v, str) and v.strip() in USUAL for v in others):
        return []
    numbers = (v for v, is_one in zip(levels, numeric, strict=True) if is_one)
    return others if written or all(map(is_plain_number, numbers)) else []


def _looks_numeric(text: str) -> bool:
    if not any(map(str.isdigit, text)):  # "nan" and "inf" are words too; and most words need no second look
        return False
    try:
        float(text)
    except ValueError:
        return False
    return True


def refuse_infinite_level(place: Phrase, level, where: Phrase) -> None:
    """Infinity is a number with a place in the order, but no name: a model file, which is JSON, cannot write it."""
    if level in (float("inf"), float("-inf")):
        raise DataError(
            place, where, " has the level ", Value(level), ", and infinity cannot be the name of a level; ",
            remedy(
                "replace it by None (missing) or by a number or text that stands for it, or let the column be numeric, "
                "where infinity is an ordinary value."
            ),
        )  # fmt: skip


def dates_found(forms: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The form of each column with exactly one possible form, with a warning; among several forms none is chosen.

    ``forms`` gives for each column the forms by which all of its texts are dates.
    """
    found = {name: possible[0] for name, possible in forms.items() if len(possible) == 1}
    for name, form in found.items():
        note = f"contains dates in {'ISO 8601' if form == ISO else f'the format {form}'} and is read as dates."
        _warn_of_form(name, f"{note} To change the format, set ", Setting("date_formats"))
    return found


def numbers_found(searches: Mapping[str, FormSearch]) -> dict[str, str]:
    """The same for the forms by which all texts of a column are numbers; the warning names a second possible form."""
    forms = {name: search.forms() for name, search in searches.items()}
    found = {name: possible[0] for name, possible in forms.items() if len(possible) == 1}
    for name, form in found.items():
        both, note = searches[name].both_forms, f"contains numbers of the form {form} and is read as numeric"
        if both is None:
            _warn_of_form(name, f"{note}. To change the form, set ", Setting("numeric_features"))
        else:
            other = both[1] if form == both[0] else both[0]
            _warn_of_form(name, f"{note}: ", *_readings(name, searches[name].example, form, other))
    return found


def warn_of_decimals(searches: Mapping[str, FormSearch]) -> None:
    """The warning when numbers were read as decimals all of which have three digits, or none."""
    for name, search in searches.items():
        if search.both_forms is None:
            continue
        thousands, decimals = search.both_forms
        confirmed = ("; to confirm the decimals, set ", Setting("numeric_features", decimals, key=name), ".")
        note = " contains numbers with three decimals or none, which may be thousands: "
        parts = _readings(name, search.example, decimals, thousands)
        message = Message(Column(name, "Column"), note, *parts, *confirmed)
        warnings.warn(message, KindWarning, stacklevel=level_outside())


def _readings(name: str, example: str, form: str, other: str) -> tuple[Phrase, ...]:
    """How a text is read by a form, and the setting by which it is read by another one."""
    read, instead = (WrittenNumbers(one).read(example) for one in (form, other))
    setting = Setting("numeric_features", other, key=name)
    return Value(example), f" is read as {read}. To read it as {instead}, set ", setting


def _warn_of_form(name: str, *note: Phrase) -> None:
    keep = ("; to keep the strings as levels, list the column in ", Setting("categorical_features"), ".")
    message = Message(Column(name, "Column"), " ", *note, *keep)
    warnings.warn(message, KindWarning, stacklevel=level_outside())
