"""An axis of a picture of regions: where the cuts of a feature lie, and where its values are drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..data.columns.columns import Columns
from ..data.columns.kinds.kind import ByKind
from ..tree.tree import Tree
from ..views.kinds import VALUE_WORDS
from ..views.words import level, plain
from .chart import ticks

#: Free space beyond the smallest and the largest value, as a share of the range.
_SPACE = 0.05
#: How much of a band of a level its points take.
_BAND = 0.7


@dataclass(frozen=True, eq=False)
class RegionAxis:
    """A feature, or the numbers that are predicted, along one side of a picture.

    Attributes
    ----------
    name : str
    low, high : float
        The ends of the axis. Level k of a feature is the band from k to k + 1.
    edges : float64, shape (c - 1,)
        Where the axis may be cut, rising.
    values, lows : float64, shape (c,)
        A value of each of the c cells between the edges: of levels their codes.
    words : tuple of (float, str)
        Places with a word.
    bands : bool
        The cells are levels, or the axis has no numbers at all.
    """

    name: str
    low: float
    high: float
    edges: np.ndarray
    values: np.ndarray
    lows: np.ndarray
    words: tuple[tuple[float, str], ...]
    bands: bool = False

    @property
    def corners(self) -> np.ndarray:
        """Ends of the cells, shape (c + 1,); an edge outside the axis lies at its end."""
        inside = np.clip(self.edges, self.low, self.high)
        return np.concatenate([[self.low], inside, [self.high]])

    def places(self, values: np.ndarray, ratio: float) -> np.ndarray:
        """Where rows are drawn: numbers as they are, levels spread over their band in a fixed pattern."""
        if not self.bands:
            return values
        spread = (np.arange(1, len(values) + 1) * ratio) % 1.0 - 0.5
        return values + 0.5 + _BAND * spread


def axis_of(tree: Tree, j: int, columns: Columns) -> RegionAxis:
    """The axis of feature ``j``: wide enough for the values of some rows and for every cut."""
    return _AXES.of(tree.schema[j])(tree, j, columns)


def _axis_with_cuts(tree: Tree, j: int, columns: Columns) -> RegionAxis:
    feature = tree.schema[j]
    nodes = np.flatnonzero(tree.splits.feature == j)
    start = tree.splits.breaks_start
    at = np.concatenate([np.arange(start[t], start[t + 1]) for t in nodes] or [np.empty(0, np.int64)])
    pairs = np.unique(np.stack([tree.splits.breaks[at], tree.splits.breaks_low[at]], axis=1), axis=0)
    edges, lows = pairs[:, 0], pairs[:, 1]
    # A cut belongs to the cell below it.
    beyond = np.nextafter(edges[-1:], np.inf) if len(edges) else np.zeros(1)
    low, high = _range(np.concatenate([columns.values[j], edges]))
    words = tuple((tick, VALUE_WORDS.of(feature).tick(feature, tick)) for tick in ticks(low, high))
    values, lows = np.concatenate([edges, beyond]), np.concatenate([lows, [0.0]])
    return RegionAxis(plain(feature.name), low, high, edges, values, lows, words)


def number_axis(name: str, values: np.ndarray) -> RegionAxis:
    """An axis for numbers that are predicted."""
    low, high = _range(values)
    words = tuple((tick, f"{tick:g}") for tick in ticks(low, high))
    nothing = np.zeros(0)
    return RegionAxis(name, low, high, nothing, nothing, nothing, words)


def no_axis() -> RegionAxis:
    """One band without a name, for a picture of one feature."""
    return RegionAxis("", 0.0, 1.0, np.zeros(0), np.zeros(1), np.zeros(1), (), bands=True)


def _axis_of_levels(tree: Tree, j: int, columns: Columns) -> RegionAxis:
    feature = tree.schema[j]
    codes = np.arange(len(feature.levels), dtype=np.float64)
    words = tuple((k + 0.5, level(value)) for k, value in enumerate(feature.levels))
    lows = np.zeros(len(codes))
    return RegionAxis(plain(feature.name), 0.0, float(len(codes)), codes[1:], codes, lows, words, bands=True)


_AXES: ByKind[Callable[[Tree, int, Columns], RegionAxis]] = ByKind(
    numeric=_axis_with_cuts, ordinal=_axis_of_levels, nominal=_axis_of_levels, temporal=_axis_with_cuts
)


def _range(values: np.ndarray) -> tuple[float, float]:
    """The smallest and the largest finite value, with free space beyond them."""
    values = values[np.isfinite(values)]
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    space = _SPACE * (high - low) or 0.5 * max(abs(high), 1.0)
    return low - space, high + space
