"""Ranks and hashes for the rows of all shards, equal to those in memory: one pass per column, and sums.

The method is that of kernel/encode/row_hash.hpp. What it must know of all rows are sums over different rows. Which rows
are equal in several shards is found by their keys; a sum over those that m shards have is m times too large.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...data.schema import NOMINAL, NUMERIC, Schema
from ...errors import ParameterError
from .engine import Engine
from .row_content import CellRule, CodedColumn

_WORD = 2**64


@dataclass(frozen=True, eq=False)
class _Copies:
    """Rows that several shards have: their keys, the group of each, and in how many shards the rows of a group are."""

    key: np.ndarray
    group: np.ndarray
    shards: np.ndarray
    different: int


class RowHashes:
    """Asks shards for what makes the hash of every row, and has them keep it.

    Parameters
    ----------
    engine : Engine
    schema : Schema
    cuts : tuple of (float64 array or None)
        Cuts between the bins of each numeric feature.
    n : int
        Rows of all shards.
    at_once : int
        Values, keys and hashes that may be brought together at a time.
    """

    def __init__(self, engine: Engine, schema: Schema, cuts: tuple, n: int, at_once: int):
        self._engine, self._schema, self._cuts, self._n, self._at_once = engine, schema, cuts, n, at_once

    def make(self) -> tuple[np.ndarray | None, ...]:
        """Have every shard keep ranks and hashes of its rows; the cuts between bins by rank."""
        cuts, distinct = [], []
        for j, feature in enumerate(self._schema):
            found, size = self._ranked(j) if feature.kind == NUMERIC else (None, 0)
            cuts.append(found)
            distinct.append(size)
        dense = self._dense(distinct)
        extra = {"distinct": np.array(distinct), "dense": dense.astype(np.int64)}
        alone = int(self._engine.request("columns", extra)["alone"][0])
        copies = self._copies(alone)
        self._round(copies, distinct, hashed=False)
        if not self._all_distinct(copies.different):
            self._round(copies, distinct, hashed=True)
        return tuple(cuts)

    def _ranked(self, j: int) -> tuple[np.ndarray, int]:
        """Have a column ranked; its cuts by rank, and how many values it has."""
        cuts, first = self._cuts[j], 0
        in_bin = np.zeros(len(cuts) + 1, dtype=np.int64)
        ranges = list(self._ranges(j))
        for low, high in ranges:
            arguments = {"feature": np.array(j), "low": np.array(low), "high": np.array(high)}
            found = self._engine.request("distinct", arguments)
            extra = {"known": found["value"], "tail": found["tail"]}
            extra |= {"single": (found["rows"] == 1).astype(np.uint8), "first": np.array(first)}
            self._engine.request("rank", arguments | extra | {"last": np.array((low, high) == ranges[-1])})
            in_bin += np.bincount(np.searchsorted(cuts, found["value"]), minlength=len(in_bin))
            first += len(found["value"])
            if first >= 2**32 - 2:
                raise ParameterError(
                    f"column {self._schema[j].name!r} has more than 2**32 - 2 different values, too many to draw folds "
                    "by; choose pruning=None, or a price of leaves with ccp_alpha."
                )
        return np.cumsum(in_bin)[:-1] - 0.5, first

    def _ranges(self, j: int) -> Iterator[tuple[int, int]]:
        """Bins, from the lowest, as many at a time as may be brought together."""
        size = len(self._cuts[j]) + 1
        if self._n <= self._at_once:
            yield 0, size
            return
        rows = self._engine.request("bins", {"feature": np.array(j)})["rows"].tolist()
        low, taken = 0, 0
        for b, count in enumerate(rows):
            if taken + count > self._at_once and b > low:
                yield low, b
                low, taken = b, 0
            taken += count
        yield low, size

    def _dense(self, distinct: list[int]) -> np.ndarray:
        """Codes of levels that occur, one feature after the other; their number is put into ``distinct``."""
        rows, dense, at = self._engine.request("levels", {})["rows"], [np.zeros(0, np.int64)], 0
        for j, feature in enumerate(self._schema):
            if feature.kind != NUMERIC:
                occurs = rows[at : at + len(feature.levels)] > 0
                dense.append(np.where(occurs, np.cumsum(occurs) - 1, 0))
                distinct[j], at = int(np.count_nonzero(occurs)), at + len(feature.levels)
        return np.concatenate(dense)

    def _copies(self, alone: int) -> _Copies:
        """Keys that several shards have, and the number of different rows."""
        different, keys, copies = alone, [], []
        for arguments in self._spans():
            found = self._engine.request("keys", arguments)
            different += len(found["key"])
            several = found["copies"] > 1
            keys.append(found["key"][several])
            copies.append(found["copies"][several])
        shards, group = np.unique(np.concatenate(copies), return_inverse=True)
        return _Copies(np.concatenate(keys), group + 1, np.concatenate([[1], shards]), different)

    def _spans(self) -> Iterator[dict]:
        """Ranges of 64-bit numbers, of which each holds about as many of n as may be brought together."""
        count = -(-self._n // self._at_once)
        for i in range(count):
            low, high = _WORD * i // count, _WORD * (i + 1) // count - 1
            yield {"low": np.array(low, dtype=np.uint64), "high": np.array(high, dtype=np.uint64)}

    def _round(self, copies: _Copies, distinct: list[int], hashed: bool) -> None:
        """A round of the refinement: what is known of the columns, and from that the hash of every row."""
        arguments = {"key": copies.key, "group": copies.group.astype(np.uint16), "groups": np.array(len(copies.shards))}
        found = self._engine.request("ends", arguments | {"hashed": np.array(hashed)})
        ends = _ends(found, copies.shards, len(self._schema))
        extra = {"ends": np.array(ends, dtype=np.uint64).ravel(), "different": np.array(copies.different)}
        kinds = [feature.kind for feature in self._schema]
        varied = [
            j for j, (kind, size) in enumerate(zip(kinds, distinct, strict=True))
            if not CellRule(CodedColumn(kind, size), ends[j], copies.different).is_constant()
        ]  # fmt: skip
        taken = self._without_copies(varied, {j: _signature(kinds[j], distinct[j], ends[j]) for j in varied}, extra)
        self._engine.request("hash", extra | {"taken": np.array(taken, dtype=np.int64)})

    def _without_copies(self, columns: list[int], signatures: dict[int, tuple], extra: dict) -> list[int]:
        """The first of each set of columns that add the same to every row."""
        times = Counter(signatures.values())
        doubtful = [j for j in columns if times[signatures[j]] > 1]
        if doubtful:
            digests = self._engine.request("digest", extra | {"of": np.array(doubtful)})["digest"].tolist()
            for j, digest in zip(doubtful, digests, strict=True):
                signatures[j] = (*signatures[j], digest)
        taken: dict[tuple, list[int]] = defaultdict(list)
        for j in columns:
            others = taken[signatures[j]]
            if not any(self._are_same(k, j, extra) for k in others):
                others.append(j)
        return sorted(j for others in taken.values() for j in others)

    def _are_same(self, one: int, other: int, extra: dict) -> bool:
        arguments = extra | {"one": np.array(one), "other": np.array(other)}
        return not self._engine.request("same", arguments)["unlike"][0]

    def _all_distinct(self, different: int) -> bool:
        """Whether different rows have different hashes."""
        return (
            sum(len(self._engine.request("distinct_hashes", arguments)["hash"]) for arguments in self._spans())
            == different
        )


def _ends(found: dict, shards: np.ndarray, p: int) -> list[tuple[int, int, int, int]]:
    """Missing, up, down and any missing of each column; what several shards have counts once."""
    sums, out = found["sums"].reshape(p, len(shards), 3, 2).tolist(), []
    for of_column, missing in zip(sums, found["missing"].tolist(), strict=True):
        total = [0, 0, 0]
        for of_group, times in zip(of_column, shards.tolist(), strict=True):
            for i, (low, high) in enumerate(of_group):
                total[i] += (low + (high << 32)) // times
        out.append((*(t % _WORD for t in total), int(missing > 0)))
    return out


def _signature(kind: str, distinct: int, ends: tuple[int, int, int, int]) -> tuple:
    """What copies of a column have in common."""
    missing, up, down, _ = ends
    return distinct, missing, up if kind == NOMINAL else min(up, down)
