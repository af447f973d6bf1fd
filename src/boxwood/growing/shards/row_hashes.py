"""Ranks and hashes for the rows of all shards, equal to those in memory: one pass per column, and sums.

The method is that of kernel/encode/row_hash.hpp. What it must know of all rows are sums. Of rows that hash alike,
shards report how many they have; they are numbered shard after shard.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from ..._messages import Setting, remedy
from ...data.columns.schema import NOMINAL
from ...errors import ParameterError
from ...statistics.places import scattered
from .engine import Engine
from .whole import Whole

_WORD = 2**64


class RowHashes:
    """Requests from shards what makes the hash of every row, and has them keep it.

    Parameters
    ----------
    engine : Engine
    whole : Whole
    at_once : int
        Values and hashes that may be brought together at a time.
    """

    def __init__(self, engine: Engine, whole: Whole, at_once: int):
        self._engine, self._whole, self._at_once, self._n = engine, whole, at_once, whole.scaling.n
        self._kinds = [f.kind for f in whole.schema] + whole.response.content_kinds(whole.weighted)

    def make(self) -> tuple[np.ndarray | None, ...]:
        """Have every shard keep ranks of its values and numbers of its rows; the cuts between bins by rank."""
        cuts: list[np.ndarray | None] = []
        sizes, distinct = self._sizes(), np.zeros(len(self._kinds), dtype=np.int64)
        for j, size in enumerate(sizes.tolist()):
            found, distinct[j] = (None, 0) if size else self._ranked(j)
            cuts.append(found)
        columns = {"sizes": sizes, "distinct": distinct}
        columns["dense"] = self._dense(columns["sizes"], distinct)
        self._engine.request("columns", columns)
        taken = self._first_round(distinct)
        if not self._numbered(may_refine=True):
            self._hash(taken, self._ends(taken, hashed=True))
            self._numbered(may_refine=False)
        return tuple(cuts[: len(self._whole.schema)])

    # Ranks.

    def _ranked(self, j: int) -> tuple[np.ndarray | None, int]:
        """Have a column ranked; its cuts by rank, if it has any, and how many values it has."""
        cuts, first = (*self._whole.cuts, *[None] * len(self._kinds))[j], 0
        in_bin = np.zeros(1 if cuts is None else len(cuts) + 1, dtype=np.int64)
        ranges = list(self._ranges(j))
        for low, high in ranges:
            ends = {"low": np.array(low, dtype=np.uint64), "high": np.array(high, dtype=np.uint64)}
            arguments = {"feature": np.array(j), **ends}
            found = self._engine.request("distinct", arguments)
            extra = {"known": found["value"], "tail": found["tail"], "first": np.array(first)}
            self._engine.request("rank", arguments | extra | {"last": np.array((low, high) == ranges[-1])})
            if cuts is not None:
                in_bin += np.bincount(np.searchsorted(cuts, found["value"]), minlength=len(in_bin))
            first += len(found["value"])
            if first >= 2**32 - 2:
                raise ParameterError(
                    f"{self._name(j)} has more than 2**32 - 2 different values, too many to draw folds by; ",
                    remedy("choose ", Setting("pruning", None), ", or a price of leaves with ",
                    Setting("ccp_alpha"), "."),
                )  # fmt: skip
        return None if cuts is None else np.cumsum(in_bin)[:-1] - 0.5, first

    def _name(self, j: int) -> str:
        schema = self._whole.schema
        return f"column {schema[j].name!r}" if j < len(schema) else "the response or weight"

    def _ranges(self, j: int) -> Iterator[tuple[int, int]]:
        """Ranges of places, from the lowest, as many values at a time as may be brought together."""
        if self._n <= self._at_once:
            return iter([(0, _WORD - 1)])
        return self._packed(j, 0, 0 if j < len(self._whole.schema) else 48)

    def _packed(self, j: int, first: int, shift: int) -> Iterator[tuple[int, int]]:
        """The same from a place on, by bins of ``2**shift`` places; a bin of too many values is divided."""
        place = {"low": np.array(first, dtype=np.uint64), "shift": np.array(shift, dtype=np.uint64)}
        rows = self._engine.request("bins", {"feature": np.array(j), **place})["rows"]
        low, taken = 0, 0
        for b in np.flatnonzero(rows).tolist():
            if taken and taken + int(rows[b]) > self._at_once:
                yield first + (low << shift), first + (b << shift) - 1
                low, taken = b, 0
            if rows[b] > self._at_once and shift:
                yield from self._packed(j, first + (b << shift), shift - 16)
                low = b + 1
            else:
                taken += int(rows[b])
        if taken or not rows.any():
            yield first + (low << shift), first + (len(rows) << shift) - 1

    def _sizes(self) -> np.ndarray:
        """Levels of each column, 0 of numbers."""
        levels = [len(f.levels) for f in self._whole.schema] + [len(self._whole.response.labels)]
        return np.array(levels + [0] * (len(self._kinds) - len(levels)), dtype=np.int64)

    def _dense(self, sizes: np.ndarray, distinct: np.ndarray) -> np.ndarray:
        """Codes of levels that occur, one column after the other; their number is put into ``distinct``."""
        rows = self._engine.request("levels", {"sizes": sizes})["rows"]
        dense, named = [np.zeros(0, np.int64)], np.flatnonzero(sizes)
        for j, of_level in zip(named, np.split(rows, np.cumsum(sizes[named])), strict=False):
            distinct[j] = np.count_nonzero(of_level)
            dense.append(np.where(of_level > 0, np.cumsum(of_level > 0) - 1, 0))
        return np.concatenate(dense)

    # Hashes.

    def _first_round(self, distinct: np.ndarray) -> list[int]:
        """A round by counts; the columns that count: not constants, and of copies the first."""
        columns = list(range(len(self._kinds)))
        ends = self._ends(columns, hashed=False)
        varied = [j for j in columns if distinct[j] + bool(ends[j][0]) > 1]
        signatures = {j: (self._kinds[j], int(distinct[j]), ends[j][0], min(ends[j][1:])) for j in varied}
        times = Counter(signatures.values())
        doubtful = [j for j in varied if times[signatures[j]] > 1]
        if doubtful:
            digests = self._engine.request("digest", {"of": np.array(doubtful)})["digest"].reshape(-1, 2).tolist()
            for j, (up, down) in zip(doubtful, digests, strict=True):
                either = (up, 0) if self._kinds[j] == NOMINAL else (min(up, down), max(up, down))
                signatures[j] = (*signatures[j], *either)
        taken = sorted({signature: j for j, signature in reversed(signatures.items())}.values())
        self._hash(taken, [ends[j] for j in taken])
        return taken

    def _ends(self, columns: list[int], hashed: bool) -> list[tuple[int, int, int]]:
        """Missing, up and down of columns, as sums over rows."""
        arguments = {"of": np.array(columns, dtype=np.int64), "hashed": np.array(hashed)}
        found = self._engine.request("ends", arguments)["sums"].reshape(-1, 3).tolist()
        return [
            (missing, up, up if self._kinds[j] == NOMINAL else down)
            for j, (missing, up, down) in zip(columns, found, strict=True)
        ]

    def _hash(self, taken: list[int], ends: list[tuple[int, int, int]]) -> None:
        """Have every row hashed, from what is known of the columns taken."""
        missing, up, down = np.array(ends, dtype=np.uint64).reshape(-1, 3).T
        named = np.array([self._kinds[j] == NOMINAL for j in taken], dtype=bool)
        rules = {"own": scattered(np.minimum(up, down) + scattered(missing)), "up": (up <= down).astype(np.uint8)}
        rules["down"] = ((down <= up) & ~named).astype(np.uint8)
        self._engine.request("hash", {"taken": np.array(taken, dtype=np.int64), **rules})

    # Numbers.

    def _numbered(self, may_refine: bool) -> bool:
        """Number the rows that hash alike; False where different ones do, and another round may separate them."""
        count = -(-2 * self._n // self._at_once)
        for i in range(count):  # ranges of hashes, of which each holds half of what may be: rows are counted besides
            low, high = _WORD * i // count, _WORD * (i + 1) // count - 1
            ends = {"low": np.array(low, dtype=np.uint64), "high": np.array(high, dtype=np.uint64)}
            found = self._engine.request("hashes", ends)
            tied = found["hash"][found["rows"] > 1]
            if not len(tied):
                continue
            ties = self._engine.request("ties", {"hash": tied})
            order = np.lexsort((ties["shard"], ties["key"], ties["hash"]))
            content, key, rows, shard = (ties[name][order] for name in ("hash", "key", "rows", "shard"))
            is_same = content[1:] == content[:-1]
            if may_refine and np.any(is_same & (key[1:] != key[:-1])):
                return False
            before = np.cumsum(rows) - rows
            starts = np.flatnonzero(np.concatenate([[True], ~is_same]))
            before -= np.repeat(before[starts], np.diff(np.append(starts, len(before))))
            self._engine.request("number", {"before": before, "shard": shard})
        return True
