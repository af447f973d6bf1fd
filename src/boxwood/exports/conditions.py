"""Conditions on one value of a row that every target language can express; all are false if it is missing."""

from __future__ import annotations

from dataclasses import dataclass

from ..data.columns.schema import Feature
from ..tree.split import SplitTable
from .kinds import feature_cut


@dataclass(frozen=True)
class Between:
    """A number above one cut and up to another; None means no end, and both None any number.

    A cut is a float, or an int where only a whole number is exact (beyond 2**53).
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
    """Several conditions, all of which must hold; a route of a plan may contain such."""

    parts: tuple[Between | OneOf | NoneOf | IsMissing, ...]


Condition = Between | OneOf | NoneOf | IsMissing | AllOf


def answers(feature: Feature, table: SplitTable, s: int) -> tuple[dict[int, list[Condition]], list[Condition]]:
    """Where split ``s`` of a table sends known values: branch -> the conditions that lead there, any of which will do.

    Returns
    -------
    branches : dict of int to list
    unlisted : list
        The conditions under which a known value has no branch here.
    """
    j = int(table.feature[s])
    branch = table.index_of(s)
    if feature.levels:
        return _of_levels(j, feature.type.by_level(branch, table.breaks_of(s), len(feature.levels)).tolist())
    low = table.breaks_low[table.breaks_start[s] : table.breaks_start[s + 1]].tolist()
    cuts = [feature_cut(feature, b, rest) for b, rest in zip(table.breaks_of(s).tolist(), low, strict=True)]
    return _of_intervals(j, [None, *cuts, None], branch.tolist())


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
