"""Levels and labels converted to one common type, for formats with typed columns."""

from __future__ import annotations

from .._messages import Column, Value, remedy
from ..data.columns.raw import EXACT
from ..data.columns.schema import Feature
from ..errors import ParameterError
from .kinds import EXPORTED

BOOLEAN, STRING, INTEGER, DOUBLE = "boolean", "string", "integer", "double"


def type_of_values(values: tuple, name: str, target: str) -> str:
    """The type of some levels or labels: BOOLEAN, STRING, INTEGER or DOUBLE.

    Parameters
    ----------
    values : tuple
    name : str
        Of their column, for the message.
    target : str
        The format, for the message.

    Raises
    ------
    ParameterError
        Some are text and others not, or a whole number is not exactly a double.
    """
    if all(isinstance(v, bool) for v in values):
        return BOOLEAN
    if all(isinstance(v, str) for v in values):
        return STRING
    if any(isinstance(v, (str, bool)) for v in values):
        raise ParameterError(
            Column(name, "column"), f" has levels of several types, and {target} knows one type per column; ",
            remedy("turn them all into text and fit again"), ".",
        )  # fmt: skip
    if any(isinstance(v, int) and abs(v) > EXACT for v in values):
        raise ParameterError(
            Column(name, "column"), " has the level ", Value(max(values, key=abs)), f", and {target} holds numbers as "
            "doubles, which are exact up to 2**53; ", remedy("turn the levels into text and fit again"), ".",
        )  # fmt: skip
    return INTEGER if all(isinstance(v, int) for v in values) else DOUBLE


def type_of_feature(feature: Feature, target: str) -> str:
    """The type of the values of a feature; numbers, dates and times are DOUBLE."""
    return type_of_values(feature.levels, feature.name, target) if feature.levels else DOUBLE


def refuse_wide_cuts(plan, target: str) -> None:
    """Refuse a tree that separates whole numbers which are one double.

    Raises
    ------
    ParameterError
        Names the column and the threshold.
    """
    for j in plan.features:
        feature = plan.schema[j]
        for cut in (cut for cut in plan.cuts(j) if isinstance(cut, int)):
            raise ParameterError(f"{target} holds ", *EXPORTED.of(feature).wide_cut(cut, feature.name), ".")
