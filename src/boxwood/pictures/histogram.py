"""The values of the split feature in the rows of a node, with the cut marked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..data.columns.kinds.kind import ByKind
from ..tree.tree import Tree
from ..views.figures import few
from ..views.kinds import VALUE_WORDS
from ..views.words import level
from .blocks import ASCENT, SMALL, Block
from .colours import ClassInk
from .measure import fitted, text_width
from .rows import Rows
from .scene import Label, Path, Rect, polyline

#: Bars of a numeric feature, and the most of one with levels; of more levels the rarest share one.
_BINS, _MOST_LEVELS = 20, 10
_WIDTH, _HEIGHT, _AXIS = 168.0, 46.0, 21.0


@dataclass(frozen=True, eq=False)
class Bins:
    """A histogram.

    Attributes
    ----------
    counts : int64, shape (B, K)
        Rows in each bar, by class; K = 1 where y is a number.
    means : float64, shape (B,), or None
        Mean of y in each bar, NaN in an empty one.
    cuts : list of float
        Where the cuts are along the bars, 0 = left end, 1 = right end.
    names : tuple of str
        The labels below: the least and the largest value, or the name of each bar.
    """

    counts: np.ndarray
    means: np.ndarray | None
    cuts: list[float]
    names: tuple[str, ...]


def bins(rows: Rows, tree: Tree, node: int) -> Bins:
    """The histogram of a node's feature over the rows that pass it; missing and unseen values are left out."""
    j = int(tree.splits.feature[node])
    feature, at = tree.schema[j], rows.at(node)
    at = at[feature.type.known(rows.columns.values[j][at])]
    place, count, cuts, names = _BARS.of(feature)(rows.columns.values[j][at], tree, node)
    classes = len(tree.response.labels)
    if classes:
        table = np.bincount(place * classes + rows.y[at], minlength=count * classes).reshape(count, classes)
        return Bins(table, None, cuts, names)
    table = np.bincount(place, minlength=count)
    means = None
    if rows.y is not None:
        total = np.bincount(place, rows.y[at], count)
        means = np.divide(total, table, out=np.full(count, np.nan), where=table > 0)
    return Bins(table[:, None], means, cuts, names)


def _of_numbers(values: np.ndarray, tree: Tree, node: int) -> tuple:
    place, count, cuts, ends = _of_equal_width(values, tree, node)
    return place, count, cuts, tuple(map(few, ends))


def _of_times(values: np.ndarray, tree: Tree, node: int) -> tuple:
    place, count, cuts, ends = _of_equal_width(values, tree, node)
    feature = tree.schema[int(tree.splits.feature[node])]
    return place, count, cuts, tuple(VALUE_WORDS.of(feature).value(feature, end) for end in ends)


def _of_equal_width(values: np.ndarray, tree: Tree, node: int) -> tuple:
    """Bars of equal width between the least and the largest finite value; infinite ones are in the outer bars."""
    breaks = tree.splits.breaks_of(node)
    finite = np.concatenate([values[np.isfinite(values)], breaks])
    low, high = float(finite.min()), float(finite.max())
    width = high / 2 - low / 2
    if not width > 0:
        return np.zeros(len(values), dtype=np.int64), 1, [0.5] * len(breaks), (low, high)
    part = (np.clip(values, low, high) / 2 - low / 2) / width
    place = np.minimum((part * _BINS).astype(np.int64), _BINS - 1)
    cuts = ((breaks / 2 - low / 2) / width).tolist()
    return place, _BINS, cuts, (low, high)


def _of_levels(codes: np.ndarray, tree: Tree, node: int) -> tuple:
    """One bar per level, those of a branch side by side, in the order of branches; rare ones of a branch together."""
    feature = tree.schema[int(tree.splits.feature[node])]
    levels = len(feature.levels)
    index = feature.type.by_level(tree.splits.index_of(node), tree.splits.breaks_of(node), levels)
    number = np.bincount(codes, minlength=levels)
    here = np.flatnonzero((index >= 0) | (number > 0))
    rank = np.array(feature.natural_rank or range(levels))
    order = here[np.lexsort((rank[here], np.where(index[here] < 0, np.iinfo(np.int32).max, index[here])))]
    kept = set(order[np.argsort(-number[order], kind="stable")][:_MOST_LEVELS].tolist())
    bar, names, branches, last = np.zeros(levels, dtype=np.int64), [], [], None
    for code in order.tolist():
        branch = int(index[code])
        pooled = code not in kept
        if not (pooled and last == (branch, True)):
            names.append("others" if pooled else level(feature.levels[code]))
            branches.append(branch)
        last = (branch, pooled)
        bar[code] = len(names) - 1
    count = len(names)
    cuts = [i / count for i in range(1, count) if branches[i] != branches[i - 1]]
    return bar[codes], count, cuts, tuple(names)


_BARS: ByKind[Callable[[np.ndarray, Tree, int], tuple]] = ByKind(
    numeric=_of_numbers, ordinal=_of_levels, nominal=_of_levels, temporal=_of_times
)


def histogram(rows: Rows, tree: Tree, node: int, inks: list[ClassInk] | None) -> Block:
    """The block of a histogram; ``inks`` of the classes, None where y is a number."""
    found = bins(rows, tree, node)

    def paint(width: float) -> list:
        items = [Path(polyline((0.0, _HEIGHT), (width, _HEIGHT)), "line")]
        items += _bars(found, width, inks)
        if found.means is not None:
            items += _dots(found.means, width)
        for cut in found.cuts:
            x, foot = cut * width, _HEIGHT + 5.0
            items.append(Path(polyline((x, 0.0), (x, _HEIGHT)), "mark", None, 1.0, True))
            items.append(Path((("M", x, _HEIGHT), ("L", x - 3.0, foot), ("L", x + 3.0, foot), ("Z",)), None, "mark"))
        return items + _names(found, width)

    return Block(_WIDTH, _HEIGHT + _AXIS, paint)


def _names(found: Bins, width: float) -> list:
    """The names of all bars under them where they fit, else those of the first and the last."""
    base, names = _HEIGHT + 6.0 + SMALL * ASCENT, found.names
    each = width / len(found.counts)
    if len(names) == len(found.counts) and all(text_width(name, SMALL) <= each - 4.0 for name in names):
        middle = [(at + 0.5) * each for at in range(len(names))]
        return [Label(x, base, name, SMALL, "middle", "faint") for x, name in zip(middle, names, strict=True)]
    ends = [fitted(names[at], SMALL, width / 2 - 6.0) for at in (0, -1)]
    return [Label(0.0, base, ends[0], SMALL, "start", "faint"), Label(width, base, ends[1], SMALL, "end", "faint")]


def _bars(found: Bins, width: float, inks: list[ClassInk] | None) -> list:
    """Stacked bars; the highest reaches the top."""
    total = found.counts.sum(axis=1)
    if total.max(initial=0) == 0:
        return []
    width, unit = width / len(total), _HEIGHT / float(total.max())
    fills = inks or [ClassInk("others")]
    gap = min(1.0, width / 8)
    items = []
    for b, row in enumerate(found.counts.tolist()):
        top = _HEIGHT
        for count, fill in zip(row, fills, strict=True):
            if count:
                top -= count * unit
                items.append(Rect(b * width + gap / 2, top, width - gap, count * unit, fill.ink, None, 0.0, fill.hatch))
    return items


def _dots(means: np.ndarray, width: float) -> list:
    """The mean of y in each bar, between the least and the largest of them."""
    known = means[np.isfinite(means)]
    if len(known) == 0:
        return []
    low, high = float(known.min()), float(known.max())
    width = width / len(means)
    items = []
    for b, mean in enumerate(means.tolist()):
        if np.isfinite(mean):
            part = (mean - low) / (high - low) if high > low else 0.5
            items.append(Rect((b + 0.5) * width - 2.5, 3.0 + (_HEIGHT - 10.0) * (1 - part), 5.0, 5.0, "dot", None, 2.5))
    return items
