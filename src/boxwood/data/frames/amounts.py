"""Targets, weights, exposures and amounts of money in text: numbers of one form, which no setting names."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from ..._messages import FromZero, Message, Phrase, Row, Value, remedy
from ...errors import DataTypeError, KindWarning, level_outside
from ..columns.number_forms import possible_number_forms, read_numbers
from ..columns.raw import STRINGS, RawColumn
from ..columns.written_numbers import WrittenNumbers


def as_amounts(column: RawColumn) -> RawColumn:
    """A column of texts as the numbers of the form that all of them have, with a warning; any other as it is.

    Raises
    ------
    DataTypeError
        There are several such forms.
    """
    if column.why != STRINGS:
        return column
    forms = possible_number_forms(column.levels)
    if len(forms) > 1:
        readings = " or ".join(str(WrittenNumbers(form).read(column.levels[0])) for form in forms)
        raise DataTypeError(
            column.place, ", ", Row(int((column.values == 0).argmax())), FromZero(), " holds the string ",
            Value(column.levels[0]), f", which may be {readings}; ", remedy("write plain numbers."),
        )  # fmt: skip
    tell_of_amounts(column.place, forms)
    return read_numbers(column, forms[0]) if forms else column


def tell_of_amounts(place: Phrase, forms: Sequence[str]) -> None:
    """A warning names the form, if there is one."""
    if len(forms) == 1:
        note = Message(place, f" contains numbers of the form {forms[0]} and is read by this form.")
        warnings.warn(note, KindWarning, stacklevel=level_outside())
