"""Numeric columns whose known values are 0 and 1, such as items of a questionnaire: conditions read "= 0" and "= 1"."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .columns import Columns, Matrix

#: So many values exclude most other columns.
_HEAD = 64


def is_zero_one(values: np.ndarray) -> bool:
    """Whether the known values are 0 and 1, both of them; the first values exclude most columns.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.data.columns.zero_one import is_zero_one
    >>> is_zero_one(np.array([0.0, 1.0, np.nan])), is_zero_one(np.array([0.0, 0.5])), is_zero_one(np.zeros(3))
    (True, False, False)
    """
    if len(values) == 0 or not (values[0] in (0, 1) or values[0] != values[0]):
        return False
    for some in (values[:_HEAD], values):
        ones, zeros = np.count_nonzero(some == 1), np.count_nonzero(some == 0)
        if ones + zeros + np.count_nonzero(np.isnan(some)) < len(some):
            return False
    return bool(ones and zeros)


def with_zero_one(columns: Columns) -> Columns:
    """A table of numbers whose schema marks the columns of 0 and 1; an array has no names to read conditions by."""
    if not isinstance(columns, Matrix) or not columns.schema.named:
        return columns
    found = list(map(is_zero_one, columns.matrix.T))
    if not any(found):
        return columns
    marked = zip(columns.schema, found, strict=True)
    features = tuple(replace(feature, zero_one=True) if is_one else feature for feature, is_one in marked)
    return Matrix(replace(columns.schema, features=features), columns.matrix)
