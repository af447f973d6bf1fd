"""Numbers of rows by which folds are drawn, of sparse columns: those of kernel/encode/row_hash.hpp, zeros left out.

A row's hash is a sum over its cells. The sum over a row of zeros is worked out once; each stored cell adds what it
differs by. Which columns count, and how, follows the kernel's method step by step.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...data.columns.schema import NUMERIC
from ...statistics.places import scattered

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
    named : bool, shape (p,)
        Whether a column holds names, which have no first and last.
    """

    n: int
    column: np.ndarray
    row: np.ndarray
    rank: np.ndarray
    distinct: np.ndarray
    zero: np.ndarray
    named: np.ndarray

    @staticmethod
    def of_features(n: int, column, row, rank, distinct, zero) -> Ranks:
        """The ranks of the features, all numbers."""
        return Ranks(n, column, row, rank, distinct, zero, np.zeros(len(zero), dtype=bool))

    def beside(self, kind: str, values: np.ndarray) -> Ranks:
        """The same with one more column, none of whose values is missing."""
        found, rank = np.unique(values, return_inverse=True)
        p = len(self.zero)
        more = (np.full(self.n, p), np.arange(self.n), rank, [len(found)], [0])
        parts = (self.column, self.row, self.rank, self.distinct, self.zero)
        joined = (np.concatenate([a, np.asarray(b, dtype=np.uint32)]) for a, b in zip(parts, more, strict=True))
        return Ranks(self.n, *joined, np.append(self.named, kind != NUMERIC))

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


@dataclass(frozen=True, eq=False)
class _Rules:
    """How the cells of each column add to their rows: the kernel's CellRule."""

    own: np.ndarray
    up: np.ndarray
    down: np.ndarray

    @staticmethod
    def by_ends(ranks: Ranks, missing: np.ndarray, up: np.ndarray, down: np.ndarray) -> _Rules:
        """From columns seen from both ends."""
        down = np.where(ranks.named, up, down)
        own = scattered(np.minimum(up, down) + scattered(missing))
        return _Rules(own, up <= down, (down <= up) & ~ranks.named)

    def at_places(self, taken: np.ndarray) -> _Rules:
        """From one end, by the place of a column among those that are taken (bool)."""
        own = scattered(np.cumsum(taken).astype(np.uint64) - _ONE + _GOLDEN)
        return _Rules(own, self.up, self.down & ~self.up)


def row_numbers(ranks: Ranks) -> np.ndarray:
    """A number for each row, uint64, shape (n,), from its content."""
    taken, content = _taken(ranks), np.ones(ranks.n, dtype=np.uint64)
    for _ in range(2):
        rules = _Rules.by_ends(ranks, *_ends(ranks, content))
        content = _row_sums(ranks, taken, rules)
        key = _row_sums(ranks, taken, rules.at_places(taken))
        order = np.lexsort((key, content))
        tied = content[order[1:]] == content[order[:-1]]
        if not np.any(tied & (key[order[1:]] != key[order[:-1]])):
            break
    starts = np.flatnonzero(np.concatenate(([True], ~tied)))
    before = np.empty(ranks.n, dtype=np.uint64)
    before[order] = np.arange(ranks.n) - np.repeat(starts, np.diff(np.append(starts, ranks.n)))
    return np.where(before, scattered(content + before * _GOLDEN), content)


def _rising(rank: np.ndarray) -> np.ndarray:
    return scattered(rank.astype(np.uint64) + _ONE)


def _falling(rank: np.ndarray, distinct: np.ndarray) -> np.ndarray:
    return scattered(distinct.astype(np.uint64) - rank.astype(np.uint64))


def _sums(at: np.ndarray, values: np.ndarray, size: int) -> np.ndarray:
    """Sums of values by place, modulo 2**64."""
    out = np.zeros(size, dtype=np.uint64)
    np.add.at(out, at, values)
    return out


def _from_both_ends(ranks: Ranks, at: np.ndarray, rank: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Codes of ranks of some columns, counted from the first value and from the last."""
    return _rising(rank), _falling(rank, ranks.distinct[at])


def _ends(ranks: Ranks, content: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each column seen from both ends, as in the kernel: missing, up, down; ``content``: what is known of each row."""
    column, p = ranks.column, len(ranks.zero)
    listed = content[ranks.row]
    known = np.where(ranks.missing, np.uint64(0), listed)
    zeros = np.where(ranks.listed < ranks.n, content.sum(dtype=np.uint64) - _sums(column, listed, p), np.uint64(0))
    codes = _from_both_ends(ranks, column, ranks.rank)
    of_zero = _from_both_ends(ranks, np.arange(p), ranks.zero)
    up, down = (_sums(column, code * known, p) + zero * zeros for code, zero in zip(codes, of_zero, strict=True))
    return _sums(column, listed - known, p), up, down


def _cells(ranks: Ranks, rules: _Rules) -> tuple[np.ndarray, np.ndarray]:
    """What each listed cell adds to its row, and what zero does, 0 in columns without any."""

    def known(rank: np.ndarray, at: np.ndarray) -> np.ndarray:
        rises, falls = _from_both_ends(ranks, at, rank)
        cell = np.where(rules.up[at], rises, np.uint64(0)) + np.where(rules.down[at], falls, np.uint64(0))
        return np.where(rank == _MISSING, scattered(np.array([_GOLDEN])), cell)

    cells, zero = known(ranks.rank, ranks.column), known(ranks.zero, np.arange(len(ranks.zero)))
    has_zero = ranks.listed < ranks.n
    return scattered(cells ^ rules.own[ranks.column]), np.where(has_zero, scattered(zero ^ rules.own), np.uint64(0))


def _row_sums(ranks: Ranks, taken: np.ndarray, rules: _Rules) -> np.ndarray:
    """Sums over the cells of each row in the columns that are taken, scattered."""
    cells, zero = _cells(ranks, rules)
    here = taken[ranks.column]
    rows = np.full(ranks.n, zero[taken].sum(dtype=np.uint64))
    np.add.at(rows, ranks.row[here], cells[here] - zero[ranks.column[here]])
    return scattered(rows)


def _taken(ranks: Ranks) -> np.ndarray:
    """Which columns count, bool, shape (p,): not constants, and of copies the first."""
    p, nothing = len(ranks.zero), np.zeros(len(ranks.zero), dtype=np.uint64)
    place = scattered(np.arange(1, ranks.n + 1, dtype=np.uint64))
    digests = []
    for up in (True, False):
        cells, zero = _cells(ranks, _Rules(nothing, np.full(p, up), np.full(p, not up)))
        differs = (cells - zero[ranks.column]) * place[ranks.row]
        digests.append(zero * place.sum(dtype=np.uint64) + _sums(ranks.column, differs, p))
    up, down = digests
    down = np.where(ranks.named, np.uint64(0), down)
    signatures = np.stack([ranks.named, np.where(ranks.named, up, np.minimum(up, down)), np.maximum(up, down)], axis=1)
    _, first = np.unique(signatures, axis=0, return_index=True)
    has_missing = np.bincount(ranks.column[ranks.missing], minlength=p) > 0
    taken = np.zeros(p, dtype=bool)
    taken[first] = True
    return taken & (ranks.distinct + has_missing > 1)
