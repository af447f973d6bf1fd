"""Arrays that are given again and again, as ensembles do with one array for all their trees: read only once.

The second time that an array is given, it is copied, and what is read is read from the copy. From then on, the array
is compared with the copy, value by value, so a change in place is always found. Arrays given once cost nothing.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..columns.columns import Columns
from ..columns.schema import Schema
from .config import keeps_repeated
from .frame import learn_columns, read_columns

#: Smaller arrays are read as fast as they are compared; the copy of a larger one would take too much memory.
_LEAST_VALUES, _MOST_BYTES = 2**16, 2**27
_MOST_ARRAYS = _MOST_READINGS = 2


@dataclass(eq=False)
class ReadArray:
    """Columns read from an array by some settings or by a schema, and what is derived from them, such as codes."""

    settings: object
    columns: Columns
    derived: dict = field(default_factory=dict)

    def serves(self, settings: object) -> bool:
        """Whether some settings or a schema would give the same columns."""
        return self.settings == settings or (isinstance(settings, Schema) and self.columns.schema == settings)


@dataclass(eq=False)
class _Copy:
    """What an array held, and what was read from that."""

    values: np.ndarray
    readings: tuple[ReadArray, ...] = ()

    def read(self, settings: object, read: Callable[[np.ndarray], Columns]) -> Columns:
        """The columns by some settings; what was used last stays longest."""
        found = next((one for one in self.readings if one.serves(settings)), None)
        if found is None:
            found = ReadArray(settings, read(self.values))
        self.readings = (found, *(one for one in self.readings if one is not found))[:_MOST_READINGS]
        return found.columns


@dataclass(eq=False)
class _Given:
    """An array that has been given, and its copy once it has been given twice."""

    array: weakref.ref
    copy: _Copy | None = None


#: Newest first. It is replaced whole: threads may do work twice but never see half of it.
_given: tuple[_Given, ...] = ()


def learn_repeated(X, categorical_features: str | None, declared_levels: bool) -> Columns:
    """As :func:`.frame.learn_columns`, for settings by which other columns depend on X alone."""

    def learn(array) -> Columns:
        return learn_columns(array, categorical_features, declared_levels=declared_levels)

    return _read(X, (categorical_features, declared_levels), learn) if _may_be_kept(X) else learn(X)


def read_repeated(X, schema: Schema, estimator: str, match: str | None = None) -> Columns:
    """As :func:`.frame.read_columns`; only arrays of objects take longer to read than to compare."""

    def read(array) -> Columns:
        return read_columns(array, schema, estimator, match)

    is_slow = _may_be_kept(X) and X.dtype == object and not schema.named
    return _read(X, schema, read) if is_slow else read(X)


def derived_from(columns: Columns) -> dict | None:
    """Where to keep what is derived from columns that may come again; None if they will not."""
    for given in _given:
        for reading in given.copy.readings if given.copy else ():
            if reading.columns is columns:
                return reading.derived
    return None


def _may_be_kept(X) -> bool:
    """Whether to look for the copy of an array; its objects are of types that do not change."""
    is_array = type(X) in (np.ndarray, np.memmap) and X.size >= _LEAST_VALUES and X.nbytes <= _MOST_BYTES
    return is_array and X.dtype.kind in "fiubO" and X.itemsize <= 8 and keeps_repeated()


def _read(X: np.ndarray, settings: object, read: Callable[[np.ndarray], Columns]) -> Columns:
    global _given
    given = next((one for one in _given if one.array() is X), None)
    copy = None if given is None else given.copy
    if given is None or (copy is not None and not _is_same(copy.values, X)):
        first = _Given(weakref.ref(X, _forget))
        others = (one for one in _given if one is not given and one.array() is not None)
        _given = (first, *others)[:_MOST_ARRAYS]
        return read(X)
    if copy is None:
        values = np.array(X, order="K")
        values.flags.writeable = False
        copy = given.copy = _Copy(values)
    return copy.read(settings, read)


def _forget(array: weakref.ref) -> None:
    """Release the copy of an array that has been deleted."""
    global _given
    _given = tuple(one for one in _given if one.array is not array)


def _is_same(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two arrays hold the same bits, or the same objects."""
    return one.shape == other.shape and one.dtype == other.dtype and np.array_equal(_bits(one), _bits(other))


class _Addresses:
    """An array of objects as one of their addresses, for numpy to look at in place."""

    def __init__(self, array: np.ndarray):
        self._array = array
        words = np.dtype(np.uintp).str
        self.__array_interface__ = array.__array_interface__ | {"typestr": words, "descr": [("", words)]}


def _bits(array: np.ndarray) -> np.ndarray:
    """The memory of an array as whole numbers. The copy keeps its objects alive, so no other has their addresses."""
    return np.asarray(_Addresses(array)) if array.dtype == object else array.view(f"u{array.itemsize}")
