"""A single row as users write it: a dictionary of values, a list, a one-dimensional array."""

from __future__ import annotations

import numpy as np

from ...errors import ColumnError
from ..columns.names import listed


def is_row(x) -> bool:
    """Whether x is a dictionary of single values, one a feature, instead of one of columns."""
    return isinstance(x, dict) and all(isinstance(v, str) or not hasattr(v, "__len__") for v in x.values())


def named_row(x, names: tuple[str, ...]):
    """A dictionary of single values, or a series indexed by the names of the features, as a table of one row.

    Only the features are taken, in any order; None where x is no such row.

    Raises
    ------
    ColumnError
        The row has some of the features and lacks others.

    Examples
    --------
    >>> from boxwood.data.frames.one_row import named_row
    >>> named_row({"name": "Li", "city": "京都", "age": 30}, ("age", "city"))
    {'age': [30], 'city': ['京都']}
    """
    if isinstance(x, dict):
        values = x if is_row(x) else {}
    elif type(x).__name__ == "Series" and hasattr(x, "index") and hasattr(x, "to_dict"):
        values = x.to_dict()
    else:
        return None
    found = [name for name in names if name in values]
    if found and len(found) < len(names):
        raise ColumnError(f"The row lacks {listed([name for name in names if name not in values])}.")
    return {name: [values[name]] for name in names} if found else None


def one_row(x, names: tuple[str, ...]):
    """A row as a table of one row; a table as it is.

    A dictionary's values are put in the order of ``names``, so that they may be in any.

    Examples
    --------
    >>> from boxwood.data.frames.one_row import one_row
    >>> one_row({"city": "京都", "age": 30}, ("age", "city"))
    {'age': [30], 'city': ['京都']}
    """
    if is_row(x):
        ordered = [name for name in names if name in x] + [name for name in x if name not in names]
        return {name: [x[name]] for name in ordered}
    if isinstance(x, np.ndarray) and x.ndim == 1:
        return x[None]
    plain_row = isinstance(x, (list, tuple)) and not any(isinstance(value, (list, tuple, dict)) for value in x)
    return [list(x)] if plain_row else x
