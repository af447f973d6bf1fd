"""The hashes of rows by which folds are drawn, of sparse columns: those of kernel/encode/row_hash.hpp, zeros left out.

A row's hash is a sum over its cells. The sum over a row of zeros is worked out once; each stored cell adds what it
differs by. Which columns count, and how, follows the kernel's method step by step: colour refinement between rows and
columns, a second round where the first leaves different rows alike, constant columns and repeated ones left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..data.distinct import distinct

_MISSING = np.uint32(2**32 - 1)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_ONE = np.uint64(1)


@dataclass(frozen=True, eq=False)
class Ranks:
    """The ranks of the values of n rows and p columns; all cells that are not listed are zero.

    Attributes
    ----------
    n : int
    column, row : uint32, shape (m,)
        Of each listed cell, column by column.
    rank : uint32, shape (m,)
        Among the different values of its column, from 0; 2**32 - 1 where the value is missing.
    distinct : uint32, shape (p,)
        How many different values a column has.
    zero : uint32, shape (p,)
        The rank of zero.
    """

    n: int
    column: np.ndarray
    row: np.ndarray
    rank: np.ndarray
    distinct: np.ndarray
    zero: np.ndarray

    @cached_property
    def missing(self) -> np.ndarray:
        """Which listed cells have no value, bool, shape (m,)."""
        return self.rank == _MISSING

    @cached_property
    def listed(self) -> np.ndarray:
        """Listed cells of each column, int64, shape (p,)."""
        return np.bincount(self.column, minlength=len(self.zero))

    def dense(self, features: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Ranks of some features in some rows (rising) as float64, shape (len(features), len(rows)); NaN = missing."""
        slot, place = np.full(len(self.zero), -1), np.full(self.n, -1)
        slot[features], place[rows] = np.arange(len(features)), np.arange(len(rows))
        out = np.repeat(self.zero[features].astype(np.float64)[:, None], len(rows), axis=1)
        at, to = slot[self.column], place[self.row]
        here = (at >= 0) & (to >= 0)
        out[at[here], to[here]] = np.where(self.missing[here], np.nan, self.rank[here])
        return out


def fingerprints(ranks: Ranks) -> np.ndarray:
    """A hash of each row's content, uint64, shape (n,)."""
    different = _different_rows(ranks)
    rows = _refined(ranks, _ends_by_counts(ranks, different), len(different))
    if len(distinct(rows[different])) < len(different):
        rows = _refined(ranks, _ends_by_rows(ranks, different, rows), len(different))
    return rows


def _mix(x: np.ndarray) -> np.ndarray:
    x = x ^ (x >> np.uint64(30))
    x = x * np.uint64(0xBF58476D1CE4E5B9)
    x = x ^ (x >> np.uint64(27))
    x = x * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _rising(rank: np.ndarray) -> np.ndarray:
    return _mix(rank.astype(np.uint64) + _ONE)


def _falling(rank: np.ndarray, distinct: np.ndarray) -> np.ndarray:
    return _mix(distinct.astype(np.uint64) - rank.astype(np.uint64))


def _sums(at: np.ndarray, values: np.ndarray, size: int) -> np.ndarray:
    """Sums of values by place, modulo 2**64."""
    out = np.zeros(size, dtype=np.uint64)
    np.add.at(out, at, values)
    return out


def _different_rows(ranks: Ranks) -> np.ndarray:
    """One row of each set of equal rows."""
    cell = _mix(_mix(ranks.column.astype(np.uint64) + _GOLDEN) ^ ranks.rank.astype(np.uint64))
    return np.unique(_sums(ranks.row, cell, ranks.n), return_index=True)[1]


@dataclass(frozen=True, eq=False)
class _Ends:
    """Each column seen from both ends, over different rows: see the kernel's struct of this name."""

    missing: np.ndarray
    up: np.ndarray
    down: np.ndarray


def _ends_by_counts(ranks: Ranks, different: np.ndarray) -> _Ends:
    """What is known of the columns while nothing is known of the rows."""
    return _ends(ranks, different, lambda code, rows: _mix(code), lambda code: _mix(code) * np.uint64(len(different)))


def _ends_by_rows(ranks: Ranks, different: np.ndarray, hashes: np.ndarray) -> _Ends:
    """What is known of the columns from what is known of the rows."""

    def of_all(code: np.ndarray) -> np.ndarray:
        some, at = np.unique(code, return_inverse=True)
        return np.array([_mix(one ^ hashes[different]).sum(dtype=np.uint64) for one in some], dtype=np.uint64)[at]

    found = _ends(ranks, different, lambda code, rows: _mix(code ^ hashes[rows]), of_all)
    gone = ranks.missing & np.isin(ranks.row, different)
    missing = _sums(ranks.column[gone], _mix(hashes[ranks.row[gone]] + _ONE), len(ranks.zero))
    return _Ends(missing, found.up, found.down)


def _ends(ranks: Ranks, different: np.ndarray, of_cell, of_all) -> _Ends:
    """Sums over different rows; ``of_all(code)``: of one cell for each column, as if all rows held it."""
    is_different = np.zeros(ranks.n, dtype=bool)
    is_different[different] = True
    here = is_different[ranks.row]
    column, row, gone, p = ranks.column[here], ranks.row[here], ranks.missing[here], len(ranks.zero)
    rank, distinct = np.where(gone, 0, ranks.rank[here]), ranks.distinct

    def total(code: np.ndarray, of_zero: np.ndarray) -> np.ndarray:
        known = np.where(gone, np.uint64(0), of_cell(code, row))
        added = of_all(of_zero) + _sums(column, known - of_cell(of_zero[column], row), p)
        return np.where(ranks.listed < ranks.n, added, _sums(column, known, p))

    missing = np.bincount(column[gone], minlength=p).astype(np.uint64) * _mix(np.ones(1, dtype=np.uint64))
    return _Ends(
        missing,
        total(_rising(rank), _rising(ranks.zero)),
        total(_falling(rank, distinct[column]), _falling(ranks.zero, distinct)),
    )


def _refined(ranks: Ranks, ends: _Ends, n_different: int) -> np.ndarray:
    """What is known of the rows from what is known of the columns: the kernel's CellRule, and the sums over cells."""
    column, p = ranks.column, len(ranks.zero)
    own = _mix(np.minimum(ends.up, ends.down) + _mix(ends.missing))
    alike = (ranks.distinct == n_different) & (ends.up == ends.down)
    up, down = ends.up <= ends.down, ends.down <= ends.up

    def finished(cell: np.ndarray, of: np.ndarray) -> np.ndarray:
        return _mix(np.where(alike[of], cell, _mix(cell ^ own[of])))

    def known(rank: np.ndarray, of: np.ndarray) -> np.ndarray:
        rises, falls = _rising(rank), _falling(rank, ranks.distinct[of])
        return finished(np.where(up[of], rises, np.uint64(0)) + np.where(down[of], falls, np.uint64(0)), of)

    nothing = finished(np.broadcast_to(_mix(np.array([_GOLDEN])), len(column)), column)
    cells = np.where(ranks.missing, nothing, known(np.where(ranks.missing, 0, ranks.rank), column))
    has_zero = ranks.listed < ranks.n
    zero = np.where(has_zero, known(ranks.zero, np.arange(p)), np.uint64(0))
    counts = ~_is_constant(ranks, cells, zero, has_zero)
    counts[np.flatnonzero(counts)[_repeats(ranks, cells, zero, np.flatnonzero(counts))]] = False
    taken = counts[column]
    rows = np.full(ranks.n, zero[counts].sum(dtype=np.uint64))
    np.add.at(rows, ranks.row[taken], cells[taken] - zero[column[taken]])
    return _mix(rows)


def _is_constant(ranks: Ranks, cells: np.ndarray, zero: np.ndarray, has_zero: np.ndarray) -> np.ndarray:
    """Columns whose cells all add the same, bool, shape (p,)."""
    starts = np.concatenate([[0], np.cumsum(ranks.listed)])[:-1]
    first = zero.copy()
    full = ~has_zero & (ranks.listed > 0)
    first[full] = cells[starts[full]]
    other = cells != first[ranks.column]
    return np.bincount(ranks.column[other], minlength=len(zero)) == 0


def _repeats(ranks: Ranks, cells: np.ndarray, zero: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Whether each of some columns has the same cells as an earlier one of them.

    Recognized by the cell of row 0 and a hash of all cells that differ from it: columns that list other cells may be
    equal.
    """
    first = zero.copy()
    top = ranks.row == 0
    first[ranks.column[top]] = cells[top]
    place = _mix(np.arange(1, ranks.n + 1, dtype=np.uint64))
    of_row = place[ranks.row]

    def hashed(cell: np.ndarray, of: np.ndarray, at: np.ndarray) -> np.ndarray:
        return np.where(cell != first[of], _mix(cell ^ at), np.uint64(0))

    found = _sums(ranks.column, hashed(cells, ranks.column, of_row), len(zero))
    for j in np.flatnonzero((zero != first) & (ranks.listed < ranks.n)).tolist():  # rows of zeros differ from row 0
        listed = ranks.row[ranks.column == j]
        of_zeros = _mix(zero[j : j + 1] ^ np.delete(place, listed))
        found[j : j + 1] += of_zeros.sum(dtype=np.uint64)
    keys = np.stack([first[columns], found[columns]], axis=1)
    _, earliest = np.unique(keys, axis=0, return_index=True)
    repeats = np.ones(len(columns), dtype=bool)
    repeats[earliest] = False
    return repeats
