"""A split in Python values: its cuts and the branch of each value, and how a list of them becomes a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

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


def table_of(drafts: Sequence[Draft | None]) -> SplitTable:
    """Drafts as a SplitTable, row by row; None is an empty split."""
    return SplitTable.of(
        [d.feature if d else -1 for d in drafts],
        [d.breaks if d else () for d in drafts],
        [d.index if d else () for d in drafts],
    )
