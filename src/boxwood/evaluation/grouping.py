"""Groups of rows by the values of a column, or by the month, quarter or year of its dates."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace

import numpy as np

from .._messages import Setting, Value, remedy
from ..data.columns.date_forms import column_forms
from ..data.columns.levels import distinct
from ..data.columns.raw import STRINGS, RawColumn
from ..data.columns.schema import Feature
from ..data.columns.temporal import NANOSECONDS, Temporal
from ..data.columns.time_texts import read_texts
from ..errors import DataError, DataTypeError

#: At most so many groups are listed; the rows of all others are one group.
MOST_GROUPS = 20
#: Period -> its text, from that of a date: 2021-03-14.
PERIODS: dict[str, Callable[[str], str]] = {
    "month": lambda date: date[:7],
    "quarter": lambda date: f"{date[:4]} Q{(int(date[5:7]) + 2) // 3}",
    "year": lambda date: date[:4],
}
#: Datetimes are read as dates once for each quarter of an hour, by which all time zones differ.
_STEP = 15 * NANOSECONDS["m"]


@dataclass(frozen=True, eq=False)
class RowGroups:
    """Which group each row is in.

    Attributes
    ----------
    name : str
        Of the column, or "month:opened".
    labels : tuple of G values
        In ascending order; then None if values are missing, and "(n other groups)" if there are more than 20.
    code : int64, shape (n,)
        Position of the group of each row among the labels.
    """

    name: str
    labels: tuple
    code: np.ndarray


def period_of(by: str, names: Collection[str]) -> tuple[str | None, str]:
    """Period and column of what rows are grouped by; no period if there is a column of that name.

    Examples
    --------
    >>> from boxwood.evaluation.grouping import period_of
    >>> period_of("month:opened", ["opened"]), period_of("a:b", ["a:b"])
    (('month', 'opened'), (None, 'a:b'))
    """
    period, mark, name = by.partition(":")
    return (period, name) if mark and period in PERIODS and by not in names else (None, by)


def grouping(by: str, column: RawColumn, names: Collection[str] = (), schema: Iterable[Feature] = ()) -> RowGroups:
    """Groups by the values of a column, or by periods of its dates; missing values are a group.

    Parameters
    ----------
    by : str
        Name of the column, or "month:opened".
    column : RawColumn
    names : collection of str
        Names of all columns.
    schema : Schema, optional
        Of a model, with the forms of the dates of its features.

    Raises
    ------
    DataError, DataTypeError
        A period is of a column that does not hold dates, or dates that can be read in several ways.
    """
    period, name = period_of(by, names)
    form = next((getattr(feature.type, "form", None) for feature in schema if feature.name == name), None)
    labels, code = distinct(column) if period is None else _periods(column, period, form)
    labels, code = (*labels, None), np.where(code < 0, len(labels), code).astype(np.int64)
    rows = np.bincount(code, minlength=len(labels))
    largest = np.argsort(-rows, kind="stable")
    listed = np.sort(largest[:MOST_GROUPS])
    listed = listed[rows[listed] > 0]
    others = int(np.count_nonzero(rows)) - len(listed)
    place = np.full(len(labels), len(listed))
    place[listed] = np.arange(len(listed))
    more = (f"({others} other group{'s' * (others > 1)})",) if others else ()
    return RowGroups(by, (*(labels[k] for k in listed.tolist()), *more), place[code])


def taken_groups(groups: RowGroups, which: np.ndarray) -> RowGroups:
    """The groups of some of the rows."""
    return replace(groups, code=groups.code[which])


def _periods(column: RawColumn, period: str, form: str | None) -> tuple[tuple, np.ndarray]:
    """Labels of periods in order of time and the code of each row, -1 where the date is missing."""
    dates = _dates(column, form)
    time = dates.temporal
    code = np.full(len(dates.values), -1)
    if time is None:  # no values
        return (), code
    known = ~np.isnan(dates.values)
    count = dates.values[known].astype(np.int64)
    if dates.low is not None:
        count += dates.low[known].astype(np.int64)
    step = max(1, _STEP // NANOSECONDS[time.unit])
    begun, position = np.unique(count // step * step, return_inverse=True)
    texts = [PERIODS[period](time.text(at)) for at in begun.tolist()]
    labels = sorted(set(texts))
    code[known] = np.array([labels.index(text) for text in texts], dtype=np.int64)[position] if texts else ()
    return tuple(labels), code


def _dates(column: RawColumn, form: str | None) -> RawColumn:
    """A column as dates."""
    if column.levels is not None and column.why == STRINGS:
        forms = column_forms(column) if form is None else [form]
        if len(forms) > 1:
            raise DataError(
                column.place, f" holds dates that can be read in {len(forms)} ways: {' or '.join(forms)}; ",
                remedy("write them as 2021-03-14."),
            )  # fmt: skip
        column = read_texts(column, forms[0]) if forms else column
    if column.levels is not None or not (isinstance(column.temporal, Temporal) or np.isnan(column.values).all()):
        first = column.levels[0] if column.levels else float(column.values[~np.isnan(column.values)][0])
        raise DataTypeError(
            column.place, " holds ", Value(first), ", which is not a date; ",
            remedy("group by its values, without a period, in ", Setting("by"), "."),
        )  # fmt: skip
    if column.temporal is not None and column.temporal.kind not in ("date", "datetime"):
        raise DataTypeError(column.place, f" holds a {column.temporal.kind}, which has no month or year.")
    return column
