"""Codes for missing values, such as ?, -999 or #N/A: which columns have which, and their removal.

A code matches a text that equals it once spaces at both ends are removed, so that the code " " (or "") is any blank
text. A code that is a number, or that looks like one, also matches that number. A column of text in which only numbers
are left becomes numeric, unless one of them has leading zeros: then they are names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..._messages import FromZero, Row, Setting, Value, must_be, remedy
from ...errors import ColumnError, DataTypeError, ParameterError, ParameterTypeError
from .instants import without_instants
from .names import listed
from .number_forms import as_read, common_form, possible_number_forms, read_numbers
from .raw import STRINGS, RawColumn, no_values
from .written_numbers import PLAIN, check_number_form, fits, plain_number

#: Up to so many values that are not numbers are all named.
MOST_OTHERS = 5
#: What SAS, Excel, SPSS and the files of UCI write for a missing value.
USUAL = frozenset(
    ("", "?", ".", "-", "--", "*", "#N/A", "#N/A N/A", "#NA", "#NULL!", "#DIV/0!", "#VALUE!", "NA", "N/A", "n/a", "na",
     "NaN", "nan", "NULL", "null", "None", "none", "missing", "\u2013", "\u2014", "\uff0d")  # dashes of any width
)  # fmt: skip

Code = str | int | float
_LEADING_ZERO = re.compile(r"\s*0\d+\s*", re.ASCII)


def codes_of_columns(
    missing_values, names: Sequence[str], setting: str = "missing_values"
) -> dict[str, tuple[Code, ...]]:
    """The codes of each column that has some.

    Parameters
    ----------
    missing_values : str, number, list of these, dict of column -> such a list, or None
        A dict gives codes to the columns it names, other values to all columns.
    names : sequence of str
        Of the columns, the response included.
    setting : str
        What messages call the codes.

    Raises
    ------
    ColumnError
        A dict names a column that is not there.
    ParameterError, ParameterTypeError
        A code is neither text nor a finite number.

    Examples
    --------
    >>> from boxwood.data.columns.missing_codes import codes_of_columns
    >>> codes_of_columns({"age": [-1, "?"]}, ["age", "city"])
    {'age': (-1, '?')}
    """
    if missing_values is None:
        return {}
    if not isinstance(missing_values, Mapping):
        codes = _codes(missing_values, setting)
        return dict.fromkeys(names, codes) if codes else {}
    unknown = [name for name in missing_values if name not in names]
    if unknown:
        wrong = Value(unknown, listed(unknown))
        raise ColumnError(Setting(setting), " names ", wrong, f", but the columns are {listed(list(names))}.")
    found = {name: _codes(missing_values[name], setting) for name in names if name in missing_values}
    return {name: codes for name, codes in found.items() if codes}


def _codes(given, setting: str) -> tuple[Code, ...]:
    single = isinstance(given, (str, int, float, np.generic))
    if not single and not isinstance(given, (list, tuple, set, frozenset, np.ndarray)):
        allowed = "a text, a number, a list of these, or a dict by column"
        raise ParameterTypeError(must_be(setting, allowed, Value(given)))
    many = [given] if single else sorted(given, key=repr) if isinstance(given, (set, frozenset)) else list(given)
    return tuple(dict.fromkeys(_code(code, setting) for code in many))


def _code(given, setting: str) -> Code:
    code = given.item() if isinstance(given, np.generic) else given
    if isinstance(code, bool) or not isinstance(code, (str, int, float)):
        raise ParameterTypeError(
            Setting(setting), " holds ", Value(given), "; ", remedy("a code is a text or a number.")
        )
    if isinstance(code, str):
        return code.strip()
    if not np.isfinite(float(code)) or (isinstance(code, int) and not fits(code)):
        raise ParameterError(
            Setting(setting), " holds ", Value(given), "; ", remedy("a code is a text or a finite number.")
        )
    return code


def texts_of(codes: Collection[Code]) -> list[str]:
    """The codes as fields of a text file hold them; a blank also as one space."""
    texts = [str(code) for code in codes]
    return [*texts, " "] if "" in texts else texts


def without_codes(column: RawColumn, codes: Collection[Code]) -> RawColumn:
    """A column whose codes are missing values.

    Examples
    --------
    >>> from boxwood.data.frames.objects import from_objects
    >>> column = without_codes(from_objects("Column 'age'", ["31", "?", " . "]), ("?", "."))
    >>> column.levels, column.values.tolist()
    (('31',), [0, -1, -1])
    """
    if not codes:
        return column
    if column.levels is None:
        return _numbers_without(column, codes)
    is_code = matcher(codes)
    removed = [is_code(level) for level in column.levels]
    return without_levels(column, removed) if any(removed) else column


def matcher(codes: Collection[Code]):
    """A function that tests whether a value is one of the codes."""
    texts, numbers = {code for code in codes if isinstance(code, str)}, set(numbers_of(codes))

    def is_code(value) -> bool:
        if isinstance(value, str):
            text = value.strip()
            return text in texts or (bool(numbers) and bool(PLAIN.fullmatch(text)) and plain_number(text) in numbers)
        return not isinstance(value, (bool, np.bool_)) and value in numbers

    return is_code


def without_levels(column: RawColumn, removed: Sequence[bool]) -> RawColumn:
    """A column of levels some of which are removed: rows that have them are missing."""
    left = [i for i, is_removed in enumerate(removed) if not is_removed]
    if not left:
        return no_values(column.place, len(column.values))
    number = np.full(len(removed) + 1, -1, dtype=np.int32)
    number[left] = np.arange(len(left), dtype=np.int32)
    return replace(column, values=number[column.values], levels=tuple(column.levels[i] for i in left))


def taken_rows(column: RawColumn, keep: np.ndarray) -> RawColumn:
    """Some rows of a column; strings that only other rows have are not levels of it."""
    low = None if column.low is None else column.low[keep]
    column = replace(column, values=column.values[keep], low=low)
    if column.why != STRINGS:
        return column
    removed = np.bincount(column.values[column.values >= 0], minlength=len(column.levels)) == 0
    return without_levels(column, removed.tolist()) if removed.any() else column


def is_missing(column: RawColumn) -> np.ndarray:
    """Which rows of a column have no value, bool, shape (n,)."""
    return np.isnan(column.values) if column.levels is None else column.values < 0


def holds_numbers(column: RawColumn) -> bool:
    """Whether the texts of a column all are numbers without leading zeros."""
    return column.why == STRINGS and all(map(is_plain_number, column.levels))


def is_plain_number(text: str) -> bool:
    """Whether a text is a number without leading zeros."""
    return bool(PLAIN.fullmatch(text)) and not has_leading_zero(text)


def has_leading_zero(text: str) -> bool:
    """Whether a text is a whole number with leading zeros, such as a postal code."""
    return bool(_LEADING_ZERO.fullmatch(text))


def text_to_numbers(column: RawColumn) -> RawColumn:
    """A column of texts that all are numbers, as numbers; any other column as it is."""
    if column.why != STRINGS or not all(map(PLAIN.fullmatch, column.levels)):
        return column
    return as_read(column, [plain_number(level) for level in column.levels], [False] * len(column.levels))


def to_numbers(column: RawColumn, form: str | None = None) -> RawColumn:
    """A column that has been declared numeric, as numbers of a form, by default the one that its texts have.

    Raises
    ------
    DataTypeError
        A text is not a number; the message names its row.
    """
    if column.temporal is not None:
        raise DataTypeError(
            column.place, f" holds {column.temporal.described}, not numbers in text; ",
            remedy("leave it out of ", Setting("numeric_features"), "."),
        )  # fmt: skip
    if form is not None:
        return read_numbers(column, form)
    found = text_to_numbers(column)
    if found.why != STRINGS:
        return found
    forms = possible_number_forms(column.levels)
    if len(forms) != 1:
        raise _not_numbers(column, forms)
    return read_numbers(column, forms[0])


def _not_numbers(column: RawColumn, forms: list[str]) -> DataTypeError:
    """The error for a declared column whose texts are numbers of no form, or of several."""
    levels = column.levels
    wrong = [bool(forms) or not is_one for is_one in common_form(levels)[0]]
    row = int(np.argmax(np.array([*wrong, False])[column.values]))
    text = levels[column.values[row]]
    where = (column.place, ", ", Row(row), FromZero(), " holds the string ", Value(text))
    aside = (", or leave the column out of ", Setting("numeric_features"), ".")
    name = str(getattr(column.place, "name", "the column"))
    if forms:
        choices = [part for form in forms for part in (" or ", Setting("numeric_features", form, key=name))][1:]
        return DataTypeError(*where, ", which can be read in several ways; ", remedy("set ", *choices, *aside))
    others = sorted({level.strip() for level, is_wrong in zip(levels, wrong, strict=True) if is_wrong})
    codes = Setting("missing_values", others) if len(others) <= MOST_OTHERS else Setting("missing_values")
    first = ("set ", codes, " if these mean missing") if len(others) <= MOST_OTHERS else ("name it in ", codes)
    return DataTypeError(*where, ", which is not a number; ", remedy(*first, *aside))


def numeric_columns(numeric_features, names: Sequence[str]) -> dict[str, str | None]:
    """The columns that are declared numeric, with the form of their texts where it is given.

    Raises
    ------
    ColumnError, ParameterError, ParameterTypeError
        ``numeric_features`` is neither a list of names of columns nor a dictionary of columns and forms.
    """
    if numeric_features is None:
        return {}
    given = [numeric_features] if isinstance(numeric_features, str) else numeric_features
    forms = given.values() if isinstance(given, Mapping) else ()
    if (
        not isinstance(given, (list, tuple, set, frozenset, Mapping))
        or not all(isinstance(name, str) for name in given)
        or not all(form is None or isinstance(form, str) for form in forms)
    ):
        allowed = "a list of names of columns, or a dict of column -> the number 1234.5 as it is written there"
        raise ParameterTypeError(must_be("numeric_features", allowed, numeric_features))
    unknown = [name for name in given if name not in names]
    if unknown:
        wrong = Value(unknown, listed(unknown))
        raise ColumnError(
            Setting("numeric_features"), " names ", wrong, f", but the columns are {listed(list(names))}."
        )
    found = dict(given) if isinstance(given, Mapping) else dict.fromkeys(given)
    for name, form in found.items():
        if form is not None:
            check_number_form(form, Setting("numeric_features", key=name))
    return found


def as_number(text: str) -> str | int | float:
    """The number that a text is; another text as it is."""
    return plain_number(text) if is_plain_number(text) else text


def numbers_of(codes: Collection[Code]) -> list[int | float]:
    """The numbers among some codes, texts that look like numbers included."""
    texts = (code for code in codes if isinstance(code, str) and PLAIN.fullmatch(code))
    return [*(code for code in codes if not isinstance(code, str)), *map(plain_number, texts)]


def _numbers_without(column: RawColumn, codes: Collection[Code]) -> RawColumn:
    if column.temporal is not None:  # numbers are not codes of dates, but dates such as 9999-12-31 are
        return without_instants(column, codes)
    removed = np.zeros(len(column.values), dtype=bool)
    for number in numbers_of(codes):
        same = column.values == float(number)
        if column.low is not None:
            same &= column.low == (float(number - int(float(number))) if isinstance(number, int) else 0.0)
        removed |= same
    if not removed.any():
        return column
    low = None if column.low is None else np.where(removed, 0.0, column.low)
    return replace(column, values=np.where(removed, np.nan, column.values), low=low)


def without_code_values(values, codes: tuple[Code, ...]) -> list:
    """Python's objects with None for those that are codes."""
    is_code = matcher(codes)
    return [None if is_code(value) else value for value in values]
