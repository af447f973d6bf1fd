"""Columns of codes, and the level of a feature that each code is: matched once for categories that stay the same."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._messages import short
from .levels import match_levels
from .raw import from_categories
from .schema import MISSING, UNSEEN, Feature


@dataclass(frozen=True, eq=False)
class Codes:
    """A column of codes.

    Attributes
    ----------
    codes : ndarray of shape (n,)
        Positions in the categories; -1, or NaN among floats, is missing.
    source : Index of pandas, Series of polars, or Array of pyarrow
        The categories.
    ordered : bool
    """

    codes: np.ndarray
    source: Any
    ordered: bool


@dataclass(frozen=True, eq=False)
class _Match:
    """The last categories seen for a feature, and their levels."""

    feature: weakref.ref
    source: Any
    levels: np.ndarray

    def serves(self, feature: Feature, source: Any) -> bool:
        """Whether the levels are those of these categories."""
        if self.feature() is not feature:
            return False
        if isinstance(self.source, weakref.ref):
            return self.source() is source
        return type(self.source) is type(source) and self.source.equals(source)


#: Number of a feature in memory -> its match. It goes with the feature, is never pickled, and is replaced as a whole.
_MATCHES: dict[int, _Match] = {}


def levels_of_codes(feature: Feature, column: Codes) -> np.ndarray | None:
    """The level of a feature that each category of a column is, by value; None when there is no category with a value.

    Categories are matched when they are first seen. Later columns with the same ones, as the rows of one frame have
    them, cost no more than a comparison: by identity in pandas, whose indexes cannot change, else by value.

    Returns
    -------
    int32, shape (number of categories + 1,), or None
        Positions in ``feature.levels``, -2 = not one of them; the last entry is that of code -1, missing.
    """
    known = _MATCHES.get(id(feature))
    if known is not None and known.serves(feature, column.source):
        return known.levels
    levels = _matched(feature, column)
    if levels is not None:
        _MATCHES[id(feature)] = _Match(_until_freed(feature), _kept(column.source), levels)
    return levels


def _until_freed(feature: Feature) -> weakref.ref:
    """A reference to a feature whose match goes when the feature does."""
    number = id(feature)
    return weakref.ref(feature, lambda _: _MATCHES.pop(number, None))


def _kept(source: Any) -> Any:
    """An index of pandas as a reference, since frames share it; other libraries make a new object at each access."""
    return weakref.ref(source) if type(source).__module__.startswith("pandas") else source


def _matched(feature: Feature, column: Codes) -> np.ndarray | None:
    """The same, matched now."""
    source = column.source
    categories = source.to_pylist() if hasattr(source, "to_pylist") else source.to_list()
    if not categories:
        return None
    if all(type(v) is str for v in categories):  # strings are matched as they are
        code_of = feature.code_of
        return np.array([*(code_of.get(v, UNSEEN) for v in categories), MISSING], dtype=np.int32)
    each = np.append(np.arange(len(categories)), -1)
    raw = from_categories(f"Column {short(feature.name)}", each, categories, column.ordered)
    return None if raw.levels is None else np.ascontiguousarray(match_levels(raw, feature)[0], dtype=np.int32)
