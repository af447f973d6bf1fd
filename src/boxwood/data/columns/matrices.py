"""Tables that are a matrix of numbers already: arrays, data frames of numbers, lists of rows of numbers.

They need no look at single columns. Whatever is not surely one of these is left to the general reader (containers.py).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from .columns import Columns
from .names import made_up
from .raw import EXACT
from .schema import NOMINAL, NUMERIC, Feature, Schema

_PLAIN, _NARROW = np.dtype(np.float64), np.dtype(np.float32)


def is_floats(X) -> bool:
    """A numpy array of float64 or float32 in this machine's byte order: what can be learned from where it lies."""
    return type(X) is np.ndarray and X.dtype in (_PLAIN, _NARROW)


def can_be_sent(kind: np.dtype) -> bool:
    """Whether the kernel reads numbers of this type in place."""
    return kind == _PLAIN or (kind.isnative and (kind == np.float32 or kind.kind in "iu"))


def from_rows(X) -> np.ndarray | None:
    """A list of equally long rows of floats, or integers that floats hold, as float64; None for anything else."""
    width = len(X[0])
    for row in X:
        if type(row) not in (list, tuple) or len(row) != width:
            return None
        for value in row:
            if type(value) is not float and not (type(value) is int and -EXACT < value < EXACT):
                return None
    return np.array(X, dtype=np.float64) if width else None


def one_matrix(X, types: list) -> np.ndarray | None:
    """A pandas frame with rows whose columns are all numpy's numbers, as one matrix; None for anything else.

    The matrix is of float64, or of float32 when all columns are.
    """
    if not all(isinstance(kind, np.dtype) for kind in types):
        return None
    kinds = set(types)
    if not all(map(can_be_sent, kinds)):
        return None
    matrix = X.to_numpy(dtype=_NARROW if kinds == {_NARROW} else _PLAIN)
    wide = any(kind.kind in "iu" and kind.itemsize == 8 for kind in kinds)
    if wide and np.abs(matrix).max(where=np.isfinite(matrix), initial=0.0) >= EXACT:
        return None
    return matrix


@lru_cache(maxsize=64)
def made_up_schema(width: int, kind: np.dtype = _PLAIN) -> Schema:
    """The schema of an array of floats."""
    return Schema(tuple(Feature(name, NUMERIC, why=f"{kind.name} column") for name in made_up(width)))


@lru_cache(maxsize=64)
def schema_of_types(names: tuple[str, ...], named: bool, kinds: tuple[np.dtype, ...]) -> Schema:
    """The schema of a frame of numpy's numbers."""
    features = (
        Feature(name, NUMERIC, why=f"{kind.name} column", integer=kind.kind != "f")
        for name, kind in zip(names, kinds, strict=True)
    )
    return Schema(tuple(features), named)


def coded_columns(X: np.ndarray, schema: Schema) -> Columns | None:
    """An array of numbers of which some are levels of nominal features, looked up without a sort.

    None if a value is not a level, if a feature holds dates, or if X is not such a table.
    """
    if X.ndim != 2 or X.shape[1] != len(schema) or len(X) == 0 or X.dtype != _PLAIN:
        return None
    values = list(X.T)
    for j, feature in enumerate(schema):
        if feature.kind_name == NUMERIC:
            continue
        if feature.kind != NOMINAL or not feature.levels or not all(map(is_double, feature.levels)):
            return None
        levels, order = np.array(feature.levels, dtype=np.float64), np.argsort(feature.levels).astype(np.int32)
        at = np.minimum(np.searchsorted(levels, values[j], sorter=order), len(order) - 1)
        codes = order[at]
        is_level = levels[codes] == values[j]
        if not (is_level | np.isnan(values[j])).all():
            return None
        values[j] = np.where(is_level, codes, np.int32(-1))
    return Columns(schema, len(X), tuple(values), (None,) * len(schema), {})


def is_double(level) -> bool:
    """Whether a level is a number that a double holds."""
    return type(level) is float or (type(level) is int and -EXACT < level < EXACT)
