"""What the rows of a shard hold, as numbers: keys that tell rows apart, and the hashes that folds are drawn by.

A twin of kernel/encode/row_hash.hpp: with the sums of all shards, every row gets the hash that it has in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ...data.schema import NOMINAL
from ...statistics.places import scattered

#: Code of a missing value.
MISSING = np.uint32(2**32 - 1)
#: Rows whose numbers stay in the cache from one step to the next.
_BLOCK = 1 << 14

#: Sums of a column over different rows, as row_hash.hpp defines them: missing, up, down; and whether any is missing.
ColumnSums = tuple[int, int, int, bool]


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """A column of a shard by codes that are dense among the rows of all shards.

    Attributes
    ----------
    kind : str
    distinct : int
        Number of codes.
    values : ndarray, shape (n,)
        Ranks as floats, NaN = missing, or the numbers of levels, -1 = missing; empty where no rows are read.
    dense : uint32 or None
        Code of each level; None for ranks.
    """

    kind: str
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


class CellRule:
    """What a cell of a column adds to its row: the code from the column's first end, and what identifies the column.

    Parameters
    ----------
    column : CodedColumn
    ends : ColumnSums
        Of all shards.
    different : int
        Number of different rows of all shards.
    """

    def __init__(self, column: CodedColumn, ends: ColumnSums, different: int):
        missing, up, down, _ = ends
        if column.kind == NOMINAL:
            down = up
        self._column, self._ends = column, ends
        self._own = scattered(np.array([min(up, down)], np.uint64) + scattered(np.array([missing], np.uint64)))
        # columns in which all rows differ are alike so far: the codes alone tell their rows apart
        self._alike = column.distinct == different and up == down
        self._up, self._down = up <= down, down <= up and column.kind != NOMINAL

    def cells(self, codes: np.ndarray) -> np.ndarray:
        """What cells of these codes add, uint64."""
        cell = np.zeros(len(codes), dtype=np.uint64)
        if self._up:
            cell += self._column.rising(codes)
        if self._down:
            cell += self._column.falling(codes)
        cell[codes == MISSING] = scattered(np.array([0x9E3779B97F4A7C15], np.uint64))
        return scattered(cell if self._alike else scattered(cell ^ self._own))

    def is_constant(self) -> bool:
        """Whether all cells add the same, so that the column distinguishes no rows."""
        known = (self.cells(np.arange(*span, dtype=np.uint32)) for span in _spans(self._column.distinct))
        first = self.cells(np.array([0 if self._column.distinct else MISSING], dtype=np.uint32))
        if self._ends[3] and self.cells(np.array([MISSING])) != first:
            return False
        return all((cells == first).all() for cells in known)


def row_keys(columns: list[CodedColumn], n: int) -> np.ndarray:
    """A key of each of n rows, uint64: equal rows have equal ones, and others other ones."""
    key = np.zeros(n, dtype=np.uint64)
    for span in _spans(n):
        part = key[slice(*span)]
        for column in columns:
            part[:] = scattered(part ^ column.codes(slice(*span))) + np.uint64(1)
    return key


def row_hashes(columns: list[CodedColumn], rules: list[CellRule], n: int) -> np.ndarray:
    """A hash of each of n rows, uint64."""
    out = np.zeros(n, dtype=np.uint64)
    for span in _spans(n):
        part = out[slice(*span)]
        for column, rule in zip(columns, rules, strict=True):
            part += rule.cells(column.codes(slice(*span)))
        part[:] = scattered(part)
    return out


def end_sums(column: CodedColumn, rows: np.ndarray, hashes: np.ndarray | None) -> tuple[np.ndarray, int]:
    """What some rows add to a column's ends: missing, up and down, and how many values are missing.

    Parameters
    ----------
    column : CodedColumn
    rows : uint32
    hashes : uint64 or None
        Of all rows of the shard; None in the first round.

    Returns
    -------
    uint64, shape (3, 2)
        Sums of the lower and of the upper halves of 64-bit numbers.
    int
    """
    sums, n_missing = np.zeros((3, 2), dtype=np.uint64), 0
    for span in _spans(len(rows)):
        some = rows[slice(*span)]
        codes, content = column.codes(some), np.zeros(len(some), np.uint64) if hashes is None else hashes[some]
        missing = codes == MISSING
        known, content_known = codes[~missing], content[~missing]
        parts = (
            scattered(content[missing] + np.uint64(1)),
            scattered(column.rising(known) ^ content_known),
            scattered(column.falling(known) ^ content_known),
        )
        sums += [[np.sum(part & MISSING), np.sum(part >> np.uint64(32))] for part in parts]
        n_missing += int(np.count_nonzero(missing))
    return sums, n_missing


def _spans(n: int) -> Iterator[tuple[int, int]]:
    return ((start, min(n, start + _BLOCK)) for start in range(0, n, _BLOCK))
