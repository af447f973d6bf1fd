"""Conditions on one value of a row that every target language can express; all are false if it is missing."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..data.columns.raw import EXACT
from ..data.columns.schema import NOMINAL, NUMERIC, Feature
from ..tree.split import SplitTable


@dataclass(frozen=True)
class Between:
    """A number above one cut and up to another; None means no end, and both None any number.

    A cut is a float, or an int where only a whole number says it exactly (beyond 2**53).
    """

    feature: int
    above: float | int | None
    upto: float | int | None


@dataclass(frozen=True)
class OneOf:
    """A level that is one of some, given by their places in the schema."""

    feature: int
    levels: tuple[int, ...]


@dataclass(frozen=True)
class NoneOf:
    """A level, seen in training or not, that is none of some."""

    feature: int
    levels: tuple[int, ...]


@dataclass(frozen=True)
class IsMissing:
    """No value."""

    feature: int


@dataclass(frozen=True)
class AllOf:
    """Several conditions, all of which must hold; a way of a plan may hold such."""

    parts: tuple[Between | OneOf | NoneOf | IsMissing, ...]


Condition = Between | OneOf | NoneOf | IsMissing | AllOf


def answers(feature: Feature, table: SplitTable, s: int) -> tuple[dict[int, list[Condition]], list[Condition]]:
    """What split ``s`` of a table says of known values: branch -> the conditions that lead there, any of which will do.

    Returns
    -------
    branches : dict of int to list
    unlisted : list
        The conditions under which a known value has no branch here.
    """
    j = int(table.feature[s])
    branch = table.index_of(s)
    if feature.kind != NUMERIC:
        if feature.kind != NOMINAL:
            branch = branch[np.searchsorted(table.breaks_of(s), np.arange(len(feature.levels)))]
        return _of_levels(j, branch.tolist())
    low = table.breaks_low[table.breaks_start[s] : table.breaks_start[s + 1]].tolist()
    cuts = [feature_cut(feature, b, rest) for b, rest in zip(table.breaks_of(s).tolist(), low, strict=True)]
    return _of_intervals(j, [None, *cuts, None], branch.tolist())


def feature_cut(feature: Feature, value: float, low: float) -> float | int:
    """The cut as a number; of dates and times the last one up to it, in units of their resolution.

    A value lies in the unit that it has begun, so what is above the cut begins at the next whole number.
    """
    if feature.temporal is None or not math.isfinite(value):
        return exact_cut(value, low, feature.integer)
    whole = feature.temporal.begun(value, low) // feature.temporal.step
    return whole if abs(whole) >= EXACT else float(whole)


def exact_cut(value: float, low: float, integer: bool) -> float | int:
    """The cut ``value + low`` as a number that compares rightly with every float and every whole number.

    Beyond 2**53 floats are whole numbers, so the largest whole number up to the cut says the same.
    """
    if low == 0.0 and not (integer and math.isfinite(value) and abs(value) >= EXACT):
        return value
    return int(value) + math.floor(low)


def _of_levels(j: int, branch: list[int]) -> tuple[dict[int, list[Condition]], list[Condition]]:
    levels: dict[int, list[int]] = {}
    for code, b in enumerate(branch):
        levels.setdefault(b, []).append(code)
    levels.pop(-1, None)
    listed = tuple(sorted(code for codes in levels.values() for code in codes))
    return {b: [OneOf(j, tuple(codes))] for b, codes in sorted(levels.items())}, [NoneOf(j, listed)]


def _of_intervals(j: int, ends: list, branch: list[int]) -> tuple[dict[int, list[Condition]], list[Condition]]:
    found: dict[int, list[Condition]] = {}
    first = 0
    for at in range(1, len(branch) + 1):
        if at == len(branch) or branch[at] != branch[first]:
            found.setdefault(branch[first], []).append(Between(j, ends[first], ends[at]))
            first = at
    return {b: found[b] for b in sorted(found) if b >= 0}, found.get(-1, [])
