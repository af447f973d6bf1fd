"""Levels matched by value: the distinct values of a column, and which levels of a feature they are."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..._messages import FromZero, Row, Value, remedy
from ...errors import DataTypeError
from .columns import Columns
from .instants import as_level_texts
from .number_forms import possible_number_forms
from .raw import BOOLEANS, CATEGORIES, EMPTY, STRINGS, RawColumn, no_values, refuse_times
from .schema import MISSING, NOMINAL, NUMERIC, UNSEEN, Feature


@dataclass(frozen=True, eq=False)
class LevelCodes:
    """A column of levels in the form that pandas gives its categories; readers keep the order of its levels.

    Attributes
    ----------
    codes : int32, shape (n,)
        Positions in ``categories``.
    categories : tuple
        The levels in order.
    ordered : bool
    """

    codes: np.ndarray
    categories: tuple
    ordered: bool = True

    def __len__(self) -> int:
        return len(self.codes)


def distinct(column: RawColumn) -> tuple[tuple, np.ndarray]:
    """Levels of a column and the position of every row among them.

    Returns
    -------
    levels : tuple
        The levels of a column of levels as they are, the sorted distinct values of a column of numbers: int when all of
        them came as integers, else float; text when they are dates or times.
    codes : int32, shape (n,)
        Positions in ``levels``; -1 = missing.
    """
    if column.levels is not None:
        return column.levels, column.values
    if column.temporal is not None:
        return as_level_texts(column)
    if column.integer and column.low is None:
        found = _few_whole(column.values)
        if found is not None:
            return found
    codes = np.full(len(column.values), MISSING, dtype=np.int32)
    known = ~np.isnan(column.values)
    if column.low is not None:
        levels, codes[known] = _distinct_exact(column.values[known].tolist(), column.low[known].tolist())
        return levels, codes
    found, codes[known] = np.unique(column.values[known] + 0.0, return_inverse=True)  # + 0.0 turns -0.0 into 0.0
    return tuple(int(v) for v in found) if column.integer else tuple(found.tolist()), codes


def _few_whole(values: np.ndarray) -> tuple[tuple, np.ndarray] | None:
    """Levels and codes of whole numbers that lie close together, counted instead of sorted; None for others."""
    least, most = (float(values.min()), float(values.max())) if len(values) else (0.0, np.inf)
    if not most - least < min(2**16, 4 * len(values)):
        return None
    place = (values - least).astype(np.int32)
    occurs = np.bincount(place)
    levels = np.flatnonzero(occurs)
    number = np.cumsum(occurs > 0, dtype=np.int32) - 1
    return tuple((levels + int(least)).tolist()), number[place].astype(np.int32, copy=False)


def without_empty_levels(column: RawColumn) -> RawColumn:
    """A column of levels without those that no row has: they are declared, but did not occur."""
    occurs = np.bincount(column.values + 1, minlength=len(column.levels) + 1)[1:] > 0  # code -1 is missing
    if occurs.all():
        return column
    if not occurs.any():
        return no_values(column.place, len(column.values))
    levels, codes = _renumbered(column.levels, column.values, occurs)
    return replace(column, levels=levels, values=codes)


def _renumbered(levels: tuple, codes: np.ndarray, occurs: np.ndarray) -> tuple[tuple, np.ndarray]:
    """Some levels, and codes by them; rows of others are unseen."""
    table = np.full(len(levels) + 2, UNSEEN, dtype=np.int32)  # codes -2 and -1 look up the last two entries
    table[-1] = MISSING
    table[:-2][occurs] = np.arange(np.count_nonzero(occurs))
    return tuple(level for level, there in zip(levels, occurs, strict=True) if there), table[codes]


def with_levels_of(columns: Columns, rows: np.ndarray) -> Columns:
    """The columns of training, those of levels with the levels of some rows only: those of positive weight.

    Parameters
    ----------
    columns : Columns
    rows : bool, shape (n,)
    """
    if columns.schema.is_numeric:
        return columns
    features, values = list(columns.schema), list(columns.values)
    for j, feature in enumerate(features):
        if feature.kind == NUMERIC or feature.why == BOOLEANS:
            continue
        occurs = np.bincount(values[j][rows] + 1, minlength=len(feature.levels) + 1)[1:] > 0
        if not occurs.any():
            features[j], values[j] = Feature(feature.name, NUMERIC, (), EMPTY), np.full(columns.n, np.nan)
        elif not occurs.all():
            levels, values[j] = _renumbered(feature.levels, values[j], occurs)
            features[j] = replace(feature, levels=levels)
    schema = replace(columns.schema, features=tuple(features))
    return Columns(schema, columns.n, tuple(values), columns.low, columns.unseen)


def nominal_feature(name: str, levels: tuple, why: str) -> Feature:
    """A feature of levels; text and booleans are what they are whether a dictionary encodes them or not."""
    kinds = set(map(type, levels))
    plain = {str: STRINGS, bool: BOOLEANS}.get(kinds.pop()) if len(kinds) == 1 and why == CATEGORIES else None
    return Feature(name, NOMINAL, levels, plain or why, all(isinstance(v, int) for v in levels))


def match_levels(column: RawColumn, feature: Feature) -> tuple[np.ndarray, dict]:
    """Codes of a column by the levels of a feature, compared by value: 1 is 1.0, and it is True only among booleans.

    Returns
    -------
    codes : int32, shape (n,)
        Positions in ``feature.levels``; -1 = missing, -2 = not a level of the feature.
    unseen : dict
        Level -> number of rows, for levels the feature does not have.
    """
    levels, codes = distinct(column)
    if levels == feature.levels and list(map(type, levels)) == list(map(type, feature.levels)):
        return codes, {}
    code_of = feature.code_of
    # True equals 1, but is no level of a feature without booleans.
    refused = any(isinstance(v, bool) for v in levels) and not any(isinstance(v, bool) for v in feature.levels)
    table = np.array(
        [UNSEEN if refused and isinstance(v, bool) else code_of.get(v, UNSEEN) for v in levels] + [MISSING],
        dtype=np.int32,
    )
    unseen = {}
    if (table == UNSEEN).any():
        counts = np.bincount(codes[codes >= 0], minlength=len(levels))
        unseen = {v: int(counts[i]) for i, v in enumerate(levels) if table[i] == UNSEEN and counts[i]}
    return table[codes], unseen  # code -1 looks up the last entry, MISSING


def as_numbers(column: RawColumn) -> tuple[np.ndarray, np.ndarray | None]:
    """A column as numbers: values and low parts as in ``Columns``; levels that are numbers or booleans count as such.

    Raises
    ------
    DataTypeError
        A row holds a string, a date or a time.
    """
    if column.temporal is not None:
        raise refuse_times(column)
    if column.levels is None:
        return column.values, column.low
    text = np.array([isinstance(v, str) for v in column.levels] + [False])
    codes = column.values
    if text[codes].any():
        row = int(np.argmax(text[codes]))
        level = column.levels[codes[row]]
        raise DataTypeError(
            column.place, ", ", Row(row), FromZero(), " holds the string ", Value(level),
            " where numbers are expected; ",
            remedy(f"convert the column to numbers, with missing values as None or NaN{_advice(level)}."),
        )  # fmt: skip
    near = np.array([np.nan if isinstance(v, str) else float(v) for v in column.levels] + [np.nan])
    low = np.array([float(v - int(float(v))) if isinstance(v, int) else 0.0 for v in column.levels] + [0.0])
    return near[column.values], low[column.values] if low.any() else None


def _advice(text: str) -> str:
    """What to add to a complaint about a text where a number is expected; nothing for other texts."""
    return "; remove thousands marks and units first" if possible_number_forms([text]) else ""


def _distinct_exact(values: list[float], low: list[float]) -> tuple[tuple, np.ndarray]:
    """Sorted distinct exact numbers of a column with low parts, and the position of every row."""
    exact = [
        int(v) + int(rest) if np.isfinite(v) and v.is_integer() else v for v, rest in zip(values, low, strict=True)
    ]
    levels = tuple(sorted(set(exact)))
    position = {v: i for i, v in enumerate(levels)}
    return levels, np.array([position[v] for v in exact], dtype=np.int32)
