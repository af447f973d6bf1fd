"""Columns as they are declared: ordinal with levels in their order, numeric, or dates and times in text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..._messages import FromZero, Row, Setting, Value, must_be, remedy
from ...errors import ColumnError, DataError, DataTypeError, ParameterError, ParameterTypeError
from .levels import distinct
from .missing_codes import as_number, to_numbers, without_codes
from .names import listed
from .raw import EMPTY, RawColumn
from .time_texts import read_texts


def orders_of_columns(ordinal_features, names: Sequence[str]) -> dict[str, tuple]:
    """The levels of each column that ``ordinal_features`` names.

    Raises
    ------
    ColumnError, ParameterError, ParameterTypeError
        It is not a dictionary of columns and lists of different levels.
    """
    if ordinal_features is None:
        return {}
    lists = isinstance(ordinal_features, Mapping) and all(
        isinstance(name, str)
        and isinstance(levels, (list, tuple))
        and all(isinstance(level, (str, bool, int, float)) for level in levels)
        for name, levels in ordinal_features.items()
    )
    if not lists:
        allowed = "a dict of column -> list of levels in order"
        raise ParameterTypeError(must_be("ordinal_features", allowed, Value(ordinal_features)))
    unknown = [name for name in ordinal_features if name not in names]
    if unknown:
        wrong = Value(unknown, listed(unknown))
        raise ColumnError(
            Setting("ordinal_features"), " names ", wrong, f", but the columns are {listed(list(names))}."
        )
    for name, levels in ordinal_features.items():
        if len(levels) < 2 or len(set(map(str, levels))) < len(levels):
            raise ParameterError(
                Setting("ordinal_features", key=name), " is ", Value(list(levels)), "; ",
                remedy("give at least two levels, each of them once."),
            )  # fmt: skip
    return {name: tuple(levels) for name, levels in ordinal_features.items()}


def as_declared(name: str, column: RawColumn, declared: tuple[Mapping, Mapping, Mapping], codes) -> RawColumn | None:
    """A column as it is declared to be read; None if it is not declared.

    Parameters
    ----------
    name : str
    column : RawColumn
        Without its codes for missing values.
    declared : tuple of dict
        Column -> form of numbers, form of dates, levels in order.
    codes : collection
        For missing values, which may be written as numbers of a form.
    """
    numeric, forms, orders = declared
    if name in numeric:
        return without_codes(to_numbers(column, numeric[name]), codes)
    if name in forms:
        return without_codes(read_texts(column, forms[name]), codes)
    return ordered(column, orders[name]) if name in orders else None


def ordered(column: RawColumn, declared: tuple) -> RawColumn:
    """A column as ordered categories with the declared levels; written numbers are levels of a column of numbers.

    Raises
    ------
    DataError
        A row has a level that is not declared.
    DataTypeError
        The column holds dates or times.
    """
    if column.temporal is not None:
        raise DataTypeError(
            column.place, f" holds {column.temporal.described}, which are ordered already; ",
            remedy("leave it out of ", Setting("ordinal_features"), "."),
        )  # fmt: skip
    if column.why == EMPTY:
        return column
    levels, codes = distinct(column)
    if levels and not any(isinstance(level, str) for level in levels):
        declared = tuple(as_number(v) if isinstance(v, str) else v for v in declared)
    position = {level: i for i, level in enumerate(declared)}
    table = np.array([position.get(level, -2) for level in levels] + [-1], dtype=np.int32)
    found = table[codes]
    if (found == -2).any():
        row = int(np.argmax(found == -2))
        raise DataError(
            column.place, ", ", Row(row), FromZero(), " holds the level ", Value(levels[codes[row]]), ", which is not "
            "among its ordered levels; ",
            remedy("add it in ", Setting("ordinal_features"), ", or name it in ", Setting("missing_values"), "."),
        )  # fmt: skip
    return RawColumn(column.place, found, "declared", levels=declared, ordered=True)
