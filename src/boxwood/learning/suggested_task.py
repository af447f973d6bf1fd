"""The task that a response suggests where none is named."""

from __future__ import annotations

import numpy as np

from .._typing import ColumnLike
from ..data.columns.distinct import distinct

#: A response of whole numbers with at most this many different values is taken as classes.
MOST_CLASSES = 10


def suggested_task(y: ColumnLike) -> str:
    """Regression for decimals and for more than :data:`MOST_CLASSES` different whole numbers, else classification.

    Examples
    --------
    >>> from boxwood.learning.suggested_task import suggested_task
    >>> suggested_task([0.5, 1.0]), suggested_task([0, 1]), suggested_task(["yes", "no"])
    ('regression', 'classification', 'classification')
    """
    values = np.asarray(y)
    if values.dtype.kind == "f":
        return "regression"
    if values.dtype.kind in "iu":
        return "classification" if len(distinct(values)) <= MOST_CLASSES else "regression"
    return "classification"
