"""Whole numbers such as 20210314, which may be dates: they are read as numbers, with a note."""

from __future__ import annotations

import warnings

import numpy as np

from ..._messages import Column, Message, Phrase, Setting, Value
from ...errors import KindWarning, level_outside
from .columns import Columns, Matrix

#: Days that are looked for; a first value outside excludes most columns.
FIRST_DAY, LAST_DAY = 19_000_101, 21_001_231


def note_on_days(name: str, values: np.ndarray) -> Phrase:
    """The note on a column whose known values all are days; "" for others.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.data.columns.days_in_numbers import note_on_days
    >>> print(note_on_days("at", np.array([20210314.0, np.nan, 19991231.0])).partition(".")[0])
    Column 'at' contains whole numbers that look like dates, such as 20210314
    >>> note_on_days("income", np.array([20210314.0, 20219914.0]))
    ''
    """
    known = values[values == values]
    if not len(known) or known.min() < FIRST_DAY or known.max() > LAST_DAY:
        return ""
    day, month = known % 100, known // 100 % 100
    if not ((known == np.floor(known)) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)).all():
        return ""
    return Message(
        Column(name, "Column"), " contains whole numbers that look like dates, such as ", Value(int(known[0])),
        ". To read them as dates, set ", Setting("date_formats", "%Y%m%d", key=name), ".",
    )  # fmt: skip


def noted(columns: Columns) -> Columns:
    """The same table of numbers, with warnings of columns that may be dates; an array has no names to call them by."""
    if not isinstance(columns, Matrix) or not columns.schema.named or columns.n == 0:
        return columns
    for j, first in enumerate(columns.matrix[0].tolist()):
        if (FIRST_DAY <= first <= LAST_DAY or first != first) and (
            note := note_on_days(columns.schema.names[j], columns.matrix[:, j])
        ):
            warnings.warn(note, KindWarning, stacklevel=level_outside())
    return columns
