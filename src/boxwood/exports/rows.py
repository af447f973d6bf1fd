"""Rows as input of a target's engine: plain Python values, by feature."""

from __future__ import annotations

import numpy as np

from ..data.columns.columns import Columns
from ..data.columns.schema import MISSING, NUMERIC, Feature
from .moments import numbers


def plain_column(columns: Columns, j: int) -> list:
    """The values of a feature as plain Python values; None is missing, whole numbers beyond 2**53 stay exact.

    Dates and times are whole numbers of their resolution.

    An unseen level is replaced by another unseen level.
    """
    feature, values = columns.schema[j], columns.values[j]
    if feature.kind == NUMERIC:
        return plain_numbers(*numbers(columns, j))
    known = [*feature.levels, unseen_value(feature), None]
    count = len(feature.levels)
    return [known[code if code >= 0 else count + 1 if code == MISSING else count] for code in values.tolist()]


def unseen_value(feature: Feature):
    """A level that the feature does not have, of the same type where there is one."""
    levels = feature.levels
    if all(isinstance(v, bool) for v in levels):
        return next((v for v in (False, True) if v not in levels), 2)
    if any(isinstance(v, str) for v in levels):
        name = "another"
        while name in levels:
            name += "'"
        return name
    numbers = set(levels)
    return next(v for v in range(len(numbers) + 1) if v not in numbers)


def plain_numbers(values: np.ndarray, low: np.ndarray | None) -> list:
    """Numbers as plain Python values; None is missing, whole numbers beyond 2**53 stay exact."""
    rest = [0.0] * len(values) if low is None else low.tolist()
    pairs = zip(values.tolist(), rest, strict=True)
    return [None if v != v else int(v) + int(r) if r else v for v, r in pairs]
