"""A split in Python values: its cuts and the branch of each value, and how a list of them becomes a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..data.columns.schema import NUMERIC
from ..tree.split import SplitTable

#: What a value is compared by: (value, low part) if numeric, (code, 0.0) if ordinal, (code,) if nominal.
Key = tuple


@dataclass(frozen=True)
class Draft:
    """A split of one feature; ``breaks`` holds (value, low part), ``index`` as in SplitTable.

    ``decrease`` is in the units of Tally, ``compared`` is what features are ranked by, ``missing`` the branch of a
    missing value where the search itself decides it, ``heuristic`` whether some partitions were left out.
    """

    feature: int
    breaks: tuple[Key, ...]
    index: tuple[int, ...]
    decrease: float = math.nan
    compared: float = math.nan
    missing: int | None = None
    heuristic: bool = False

    def branch(self, key: Key | None) -> int | None:
        """Branch of a value; None when it is missing or its level was not seen here."""
        if key is None:
            return None
        position = sum(b < key for b in self.breaks) if self.breaks else key[0]
        return None if self.index[position] == -1 else self.index[position]


def cut_between(a: Key, b: Key, kind: str, is_short: bool = False) -> Key:
    """The cut between neighbours a < b: the midpoint, short: rounded; or a where that would part them wrongly."""
    if kind != NUMERIC:  # a level right in the middle goes down, as "x <= cut" does
        return ((a[0] + b[0]) // 2 + 0.5, 0.0)
    if a[1] != 0.0 or b[1] != 0.0:
        middle = (int(a[0]) + int(a[1]) + int(b[0]) + int(b[1])) // 2
        return (float(middle), float(middle - int(float(middle))))
    middle = a[0] / 2 + b[0] / 2  # rounded as (a + b) / 2, without its overflow
    if not middle < b[0]:
        return (a[0], 0.0)
    return (rounded_between(middle, a[0], b[0]) if is_short else middle, 0.0)


def rounded_between(middle: float, below: float, above: float) -> float:
    """A number between two others, rounded to the fewest decimals that keep it strictly between them.

    At least three digits stay, and the whole part. Twin of kernel/encode/columns.hpp.

    Examples
    --------
    >>> rounded_between(50.456, 40.123, 60.789), rounded_between(2.6100000000000003, 2.6, 2.62)
    (50.5, 2.61)
    >>> rounded_between(1234.5, 1234.0, 1235.0), rounded_between(1994.5, 1990.0, 1999.0)
    (1234.5, 1994.0)
    """
    scale = 1.0
    while middle != 0.0 and abs(middle) * scale < 100.0 and scale < 1e22:
        scale *= 10.0
    while scale <= 1e22 and abs(middle) * scale < 2.0**53:
        near = round(middle * scale) / scale
        if below < near < above:
            return near
        scale *= 10.0
    return middle


def table_of(drafts: Sequence[Draft | None]) -> SplitTable:
    """Drafts as a SplitTable, row by row; None is an empty split."""
    return SplitTable.of(
        [d.feature if d else -1 for d in drafts],
        [d.breaks if d else () for d in drafts],
        [d.index if d else () for d in drafts],
    )
