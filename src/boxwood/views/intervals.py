"""The values that a split sends down a branch: intervals of numbers, or codes of levels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..data.columns.schema import Feature
from ..tree.split import SplitTable

#: The end of an interval: value and low part, as in SplitTable.
End = tuple[float, float]


class Interval(NamedTuple):
    """Numbers above one end, which is left out, and up to another, which belongs to it; None means no end."""

    above: End | None = None
    upto: End | None = None

    def cut_with(self, other: Interval) -> Interval | None:
        """What both hold; None if that is nothing."""
        above = _inner(self.above, other.above, max)
        upto = _inner(self.upto, other.upto, min)
        return None if above is not None and upto is not None and above >= upto else Interval(above, upto)


def _inner(a: End | None, b: End | None, nearer) -> End | None:
    """The end that leaves less; no end leaves all."""
    if a is None or b is None:
        return a if b is None else b
    return nearer(a, b)


def values_of_branch(
    feature: Feature, table: SplitTable, s: int, branch: int
) -> tuple[tuple[Interval, ...], tuple[int, ...]]:
    """The intervals, or the codes of the levels, that split ``s`` sends down a branch; the other is empty."""
    inside, breaks = table.index_of(s) == branch, table.breaks_of(s)
    if feature.levels:
        # Level by level, so that an interval between two breaks that holds no level does not show.
        levels = feature.type.by_level(inside, breaks, len(feature.levels))
        return (), tuple(np.flatnonzero(levels).tolist())
    low = table.breaks_low[table.breaks_start[s] : table.breaks_start[s + 1]]
    ends = list(zip(breaks.tolist(), low.tolist(), strict=True))
    return tuple(Interval(*run) for run in joined_intervals(ends, inside)), ()


def joined_intervals(ends: list, inside: np.ndarray) -> list[tuple]:
    """Runs of neighbouring intervals as (above, up to) pairs; None means no end.

    Parameters
    ----------
    ends : list, length m
        ``ends[i]`` closes interval i and opens interval i + 1.
    inside : bool, shape (m + 1,)
        Which intervals belong here.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.views.intervals import joined_intervals
    >>> joined_intervals([1.5, 2.5, 7.0], np.array([True, True, False, True]))
    [(None, 2.5), (7.0, None)]
    """
    borders, runs, first = [None, *ends, None], [], None
    for at, belongs in enumerate([*inside.tolist(), False]):
        if belongs and first is None:
            first = at
        elif not belongs and first is not None:
            runs.append((borders[first], borders[at]))
            first = None
    return runs
