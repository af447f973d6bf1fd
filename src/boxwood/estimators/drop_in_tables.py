"""Tables that scikit-learn's decision trees cannot read, but CART can: those with text, dates or times."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..data.columns.schema import Feature, Schema
from ..data.frames.frame import learn_columns
from ..errors import BoxwoodWarning, DataError, DataTypeError


def schema_beyond(X: Any) -> Schema | None:
    """The features of a table that scikit-learn could not turn into numbers; None of any other."""
    dtype = getattr(X, "dtype", None)
    if hasattr(X, "tocsc") or (isinstance(dtype, np.dtype) and dtype.kind in "biufc"):
        return None
    try:
        with warnings.catch_warnings():  # CART issues them when it reads the table
            warnings.simplefilter("ignore", BoxwoodWarning)
            schema = learn_columns(X).schema
    except (DataError, DataTypeError):  # scikit-learn's checks say what is wrong with it
        return None
    return schema if any(map(_is_beyond, schema)) else None


def _is_beyond(feature: Feature) -> bool:
    """Whether the values are dates, times, or texts other than numbers."""
    return feature.temporal is not None or any(
        isinstance(level, str) and not _is_number(level) for level in feature.levels
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
