"""Numeric columns whose known values are 0 and 1, such as items of a questionnaire: conditions read "= 0" and "= 1"."""

from __future__ import annotations

import numpy as np

from .columns import Columns, Matrix

#: So many values exclude most other columns.
_HEAD = 4096


def is_zero_one(values: np.ndarray) -> bool:
    """Whether the known values are 0 and 1, both of them; the first values exclude most columns.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.data.columns.zero_one import is_zero_one
    >>> is_zero_one(np.array([0.0, 1.0, np.nan])), is_zero_one(np.array([0.0, 0.5])), is_zero_one(np.zeros(3))
    (True, False, False)
    """
    first = values.item(0) if len(values) else -1
    if first not in (0, 1) and first == first:
        return False
    if len(values) > _HEAD and not _are_zero_or_one(values[:_HEAD]):
        return False
    return _are_zero_or_one(values) and bool((values == 1).any() and (values == 0).any())


def _are_zero_or_one(values: np.ndarray) -> bool:
    """Whether all known values are 0 or 1."""
    fits = (values == 0) | (values == 1)
    return bool(fits.all() or (fits | (values != values)).all())


def with_zero_one(columns: Columns) -> Columns:
    """A table of numbers whose schema marks the columns of 0 and 1; an array has no names to read conditions by."""
    if not isinstance(columns, Matrix) or not columns.schema.named or columns.n == 0:
        return columns
    first = columns.matrix[0].tolist()
    likely = [j for j, value in enumerate(first) if value in (0, 1) or value != value]
    found = tuple(j for j in likely if is_zero_one(columns.matrix[:, j]))
    return Matrix(columns.schema.with_zero_one(found), columns.matrix) if found else columns
