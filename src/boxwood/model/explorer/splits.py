"""Splits as short lists for the page; their shape identifies their kind."""

from __future__ import annotations

import math

import numpy as np

from ...data.columns.schema import NOMINAL, Schema
from ...exports.kinds import feature_cut
from ...tree.split import SplitTable

#: The largest whole number up to which a script's numbers hold all of them.
_EXACT = 2**53


def packed_split(table: SplitTable, s: int, schema: Schema) -> list:
    """Split ``s`` of a table as a list.

    Parameters
    ----------
    table : SplitTable
    s : int
    schema : Schema

    Returns
    -------
    list
        Nominal: ``[feature, 0, positions, branches]``. Else ``[feature, breaks]`` when interval i goes down branch i,
        else ``[feature, breaks, branches]``; a break is a number, or ``[number, rest]`` where one does not hold it.
    """
    j = int(table.feature[s])
    at = slice(table.index_start[s], table.index_start[s + 1])
    if schema[j].kind == NOMINAL:
        return [j, 0, table.position[at].tolist(), table.index[at].tolist()]
    cuts = slice(table.breaks_start[s], table.breaks_start[s + 1])
    pairs = zip(table.breaks[cuts].tolist(), table.breaks_low[cuts].tolist(), strict=True)
    if schema[j].temporal is not None:  # the page counts in units of the resolution
        pairs = (_pair(feature_cut(schema[j], *pair)) for pair in pairs)
    breaks = [number(cut) if low == 0.0 else [number(cut), number(low)] for cut, low in pairs]
    branches = table.index_of(s).tolist()
    return [j, breaks] if branches == list(range(len(breaks) + 1)) else [j, breaks, branches]


def _pair(cut: float | int) -> tuple[float, float]:
    """A cut as a number and its rest."""
    return float(cut), float(cut - int(float(cut))) if isinstance(cut, int) else 0.0


def number(value: float, digits: int | None = None) -> float | int | str | None:
    """A number as JSON can hold it: whole ones without a point, infinities as words, NaN as null.

    Examples
    --------
    >>> from boxwood.model.explorer.splits import number
    >>> number(4.0), number(2.5), number(1 / 3, 3), number(float("-inf")), number(float("nan"))
    (4, 2.5, 0.333, '-Infinity', None)
    """
    if math.isnan(value):
        return None
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    shown = float(value) if digits is None else float(f"{value:.{digits}g}")
    value = shown if math.isfinite(shown) else float(value)  # the largest numbers are not rounded up to infinity
    return int(value) if value.is_integer() and abs(value) < _EXACT else value


def numbers(values: np.ndarray, digits: int | None = None) -> list:
    """An array of any shape as one list of such numbers."""
    return [number(value, digits) for value in np.asarray(values, dtype=np.float64).ravel().tolist()]


def level(value: str | bool | int | float) -> str | bool | int | float | list:
    """A level or label as JSON can hold it; a number that a script would round is in a list, by its digits.

    Examples
    --------
    >>> from boxwood.model.explorer.splits import level
    >>> level("red"), level(True), level(17), level(2**70), level(float("inf"))
    ('red', True, 17, ['1180591620717411303424'], ['inf'])
    """
    if isinstance(value, (str, bool)):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _EXACT else [str(value)]
    return value if math.isfinite(value) else [str(value)]
