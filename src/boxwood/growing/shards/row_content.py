"""What the rows of a shard hold, as numbers: the hashes that folds are drawn by, and keys that identify rows.

A twin of kernel/encode/row_hash.hpp: with the sums of all shards, every row gets the hash that it has in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ...statistics.places import scattered

#: Code of a missing value.
MISSING = np.uint32(2**32 - 1)
#: Rows whose numbers stay in the cache from one step to the next.
_BLOCK = 1 << 14
GOLDEN = np.uint64(0x9E3779B97F4A7C15)

#: How a column's cells add to their rows: by a number of its own, and codes counted from its first end, its last, both.
CellRule = tuple[np.uint64, bool, bool]


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """A column of a shard by codes that are dense among the rows of all shards.

    Attributes
    ----------
    distinct : int
        Number of codes.
    values : ndarray, shape (n,)
        Ranks as floats, NaN = missing, or the numbers of levels, -1 = missing; empty where no rows are read.
    dense : uint32 or None
        Code of each level; None for ranks.
    """

    distinct: int
    values: np.ndarray = field(default_factory=lambda: np.zeros(0))
    dense: np.ndarray | None = None

    def codes(self, rows: slice | np.ndarray) -> np.ndarray:
        """Codes of some rows, uint32; :data:`MISSING` for missing values."""
        values = self.values[rows]
        if self.dense is not None:
            return np.append(self.dense, MISSING)[values]  # the last one is that of level -1
        missing = np.isnan(values)
        codes = np.where(missing, 0, values).astype(np.uint32)
        codes[missing] = MISSING
        return codes

    def rising(self, codes: np.ndarray) -> np.ndarray:
        """Codes counted from the first value, scattered."""
        return scattered(codes.astype(np.uint64) + np.uint64(1))

    def falling(self, codes: np.ndarray) -> np.ndarray:
        """Codes counted from the last value, scattered."""
        return scattered(np.uint64(self.distinct) - codes.astype(np.uint64))

    def cells(self, rows: slice | np.ndarray, rule: CellRule) -> np.ndarray:
        """What the cells of some rows add by a rule, uint64."""
        (own, up, down), codes = rule, self.codes(rows)
        cell = np.zeros(len(codes), dtype=np.uint64)
        if up:
            cell += self.rising(codes)
        if down:
            cell += self.falling(codes)
        cell[codes == MISSING] = scattered(np.array([GOLDEN]))
        return scattered(cell ^ own)


def place_rules(rules: list[CellRule]) -> list[CellRule]:
    """Rules by the places of columns, from one end."""
    own = scattered(np.arange(len(rules), dtype=np.uint64) + GOLDEN)
    return [(place, up, down and not up) for place, (_, up, down) in zip(own, rules, strict=True)]


def row_sums(columns: list[CodedColumn], rules: list[CellRule], rows: slice | np.ndarray, n: int) -> np.ndarray:
    """Sums over the cells of n rows, scattered, uint64, shape (n,)."""
    out = np.zeros(n, dtype=np.uint64)
    for span in _spans(n):
        part, some = out[slice(*span)], slice(*span) if isinstance(rows, slice) else rows[slice(*span)]
        for column, rule in zip(columns, rules, strict=True):
            part += column.cells(some, rule)
        part[:] = scattered(part)
    return out


def end_sums(column: CodedColumn, hashes: np.ndarray | None, n: int) -> np.ndarray:
    """A column seen from both ends: sums missing, up and down, uint64.

    ``hashes``: of all n rows; None in the first round.
    """
    sums = np.zeros(3, dtype=np.uint64)
    for span in _spans(n):
        codes = column.codes(slice(*span))
        content = np.ones(len(codes), np.uint64) if hashes is None else hashes[slice(*span)]
        missing = codes == MISSING
        known, codes = content[~missing], codes[~missing]
        parts = content[missing], column.rising(codes) * known, column.falling(codes) * known
        sums += [np.sum(part) for part in parts]
    return sums


def _spans(n: int) -> Iterator[tuple[int, int]]:
    return ((start, min(n, start + _BLOCK)) for start in range(0, n, _BLOCK))
