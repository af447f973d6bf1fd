"""Numeric columns whose known values are 0 and 1, such as items of a questionnaire: conditions read "= 0" and "= 1"."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .columns import Columns, Matrix
from .schema import NUMERIC
from .sparse import SparseColumns

#: So many values exclude most other columns.
_HEAD = 64


def with_zero_one(columns: Columns) -> Columns:
    """The columns with a schema that marks those of 0 and 1; sparse ones, which are not looked at, stay as they are."""
    if isinstance(columns, SparseColumns) or columns.n == 0:
        return columns
    is_matrix = isinstance(columns, Matrix)
    all_values = columns.matrix.T if is_matrix else columns.values
    given = zip(columns.schema, all_values, strict=True)
    found = [feature.kind_name == NUMERIC and _is_zero_one(values) for feature, values in given]
    if not any(found):
        return columns
    marked = zip(columns.schema, found, strict=True)
    features = tuple(replace(feature, zero_one=True) if is_one else feature for feature, is_one in marked)
    schema = replace(columns.schema, features=features)
    return Matrix(schema, columns.matrix) if is_matrix else replace(columns, schema=schema)


def _is_zero_one(values: np.ndarray) -> bool:
    """Whether the known values are 0 and 1, both of them; the first values exclude most columns."""
    first = values[0]
    if not (first in (0, 1) or first != first):
        return False
    for some in (values[:_HEAD], values):
        ones, zeros = np.count_nonzero(some == 1), np.count_nonzero(some == 0)
        if ones + zeros + np.count_nonzero(np.isnan(some)) < len(some):
            return False
    return ones > 0 and zeros > 0
