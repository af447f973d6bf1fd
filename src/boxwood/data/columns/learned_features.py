"""What a column is as a feature, by the rule of :mod:`.frame`, and what is doubtful about it."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from ..._messages import Column, FromZero, Message, Row, Setting, remedy
from ...errors import KindWarning, ParameterError, level_outside
from .date_forms import column_forms
from .days_in_numbers import FIRST_DAY, LAST_DAY, note_on_days
from .declared_readings import as_declared
from .instants import with_resolution
from .kind_warnings import (
    LevelSummary,
    dates_found,
    kind_warning,
    numbers_found,
    refuse_infinite_level,
    warn_of_decimals,
)
from .levels import as_numbers, distinct, nominal_feature, without_empty_levels
from .missing_codes import Code, holds_numbers, text_to_numbers, without_codes
from .number_forms import read_numbers, searched
from .raw import CATEGORIES, EMPTY, STRINGS, RawColumn
from .schema import NUMERIC, ORDINAL, Feature
from .time_texts import read_texts
from .written_numbers import marks_of
from .zero_one import is_zero_one

#: Units of parts, and how many of them make one.
_PERCENT = {"%": 100, "\uff05": 100, "‰": 1000}


def refuse_twice(
    names: Sequence[str], numeric: Collection[str], forms: Mapping[str, str], orders: Mapping[str, tuple], declared
) -> None:
    """Refuse columns declared to be read as two kinds; ``declared`` has the positions of those of categories.

    Raises
    ------
    ParameterError
    """
    for j, name in enumerate(names):
        readings = {"numeric_features": name in numeric, "date_formats": name in forms}
        readings["ordinal_features"] = name in orders
        readings["categorical_features"] = j in declared
        found = [reading for reading, is_there in readings.items() if is_there]
        if len(found) > 1:
            raise ParameterError(
                Column(name), " is in ", Setting(found[0]), " and in ", Setting(found[1]), "; ",
                remedy("name it in one of them."),
            )  # fmt: skip


def read_by_form(name: str, column: RawColumn, codes: Collection[Code]) -> RawColumn:
    """A column of texts as dates or numbers if all have one form, with a warning, or as plain numbers beside codes."""
    search = searched(column.levels)
    if codes and holds_numbers(column):
        warn_of_decimals({name: search} if search else {})
        return text_to_numbers(column)
    forms = column_forms(column)
    if form := forms and dates_found({name: forms}).get(name):
        return without_codes(read_texts(column, form), codes)
    form = numbers_found({name: search}).get(name) if search else None
    return column if form is None else without_codes(read_numbers(column, form), codes)


def new_numbers(column: RawColumn, form: str) -> RawColumn:
    """New rows of a column of a form as numbers, with a warning where they lack its percent sign: 0.2 may be 20 %."""
    parts = [unit for unit in marks_of(form)[0] if unit in _PERCENT]
    texts = column.levels if column.why == STRINGS else ()
    has_values = bool(texts) if column.levels is not None else not np.isnan(column.values).all()
    if parts and has_values and not any(unit in text for text in texts for unit in parts):
        note = f" contains numbers without the unit {parts[0]} that they had in training; 20 is read as 20 {parts[0]}. "
        advice = remedy(f"If they are fractions, multiply them by {_PERCENT[parts[0]]}.")
        warnings.warn(Message(column.place, note, advice), KindWarning, stacklevel=level_outside())
    return read_numbers(column, form)


def declared_column(name: str, column: RawColumn, declared: tuple[Mapping, Mapping, Mapping], codes) -> RawColumn:
    """A column as :func:`.declared_readings.as_declared` reads it, with a warning where decimals may be thousands."""
    is_free = column.why == STRINGS and declared[0].get(name, "") is None and holds_numbers(column)
    if is_free and (search := searched(column.levels)):
        warn_of_decimals({name: search})
    return as_declared(name, column, declared, codes)


def learn_feature(name: str, column: RawColumn, declared: bool, by_type: bool, declared_levels: bool = False) -> tuple:
    """The feature a column is, its values and its low parts."""
    if not declared_levels and (column.ordered or column.why == CATEGORIES):
        column = without_empty_levels(column)
    if column.ordered:
        _refuse_infinite(column, column.levels, column.values)
        return Feature(name, ORDINAL, column.levels, column.why), column.values, None
    if not declared and column.levels is None:
        zero_one = False
        if column.temporal is None:
            first = column.values.item(0) if len(column.values) else 0
            zero_one, may_be_days = is_zero_one(column.values), FIRST_DAY <= first <= LAST_DAY or first != first
            if note := may_be_days and note_on_days(name, column.values):
                warnings.warn(note, KindWarning, stacklevel=level_outside())
        else:
            column = with_resolution(column)
        feature = Feature(
            name, NUMERIC, (), column.why, column.integer, (), column.temporal, column.written, zero_one
        )  # fmt: skip
        return feature, column.values, column.low
    if not declared and not by_type and _all_numbers(column.levels):
        values, low = as_numbers(column)
        whole = all(isinstance(v, int) for v in column.levels)
        return Feature(name, NUMERIC, (), "categories of numbers, not listed", whole), values, low
    levels, codes = distinct(column)
    if not levels:
        return Feature(name, NUMERIC, (), EMPTY), column.values, None
    _refuse_infinite(column, levels, codes)
    warning = kind_warning(_level_summary(name, column, levels, codes, declared))
    if warning:
        warnings.warn(warning, KindWarning, stacklevel=level_outside())
    return nominal_feature(name, levels, "declared" if declared else column.why), codes, None


def _refuse_infinite(column: RawColumn, levels: tuple, codes: np.ndarray) -> None:
    if float not in set(map(type, levels)):  # most levels are texts, and there may be many
        return
    for code, level in enumerate(levels):
        if isinstance(level, float) and np.isinf(level):
            rows = np.flatnonzero(codes == code)
            where = Message(", ", Row(int(rows[0])), FromZero(), ",") if len(rows) else ""
            refuse_infinite_level(column.place, level, where)


def _all_numbers(levels: tuple) -> bool:
    return bool(levels) and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in levels)


def _level_summary(name: str, column: RawColumn, levels: tuple, codes: np.ndarray, declared: bool) -> LevelSummary:
    def counts() -> list[int]:
        return np.bincount(codes[codes >= 0], minlength=len(levels)).tolist()

    def first(odd: list[bool]) -> tuple[Message, object]:
        row = int(np.argmax((column.values >= 0) & np.array(odd)[column.values]))
        return Message(Row(row), FromZero()), levels[column.values[row]]

    return LevelSummary(column.place, name, levels, len(column.values), column.why == STRINGS, declared, counts, first)
