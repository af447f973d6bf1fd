"""The content of a shard's rows: ranks of their values, the hashes for folds, and the folds drawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ... import _kernel
from ...data.distinct import distinct
from ...data.schema import NUMERIC
from ...errors import DataError, RowsLostError
from ...statistics.places import drawn_by
from .array_store import ArrayStore
from .part import Part, as_pairs
from .row_content import MISSING, CellRule, CodedColumn, end_sums, row_hashes, row_keys

#: Ranks below this many are whole in float32.
_SHORT = 1 << 24
#: Files that ranks of many columns are kept in, about: a process may not map one for each of 100,000 columns.
_RANK_FILES = 64


class RowContents:
    """What is known of the content of a part's rows, after requests to the shards of all parts.

    Requests come in the order of the methods, from :class:`boxwood.sources.sharded.row_hashes.RowHashes`. Replies add
    up over shards (:mod:`boxwood.sources.sharded.content_sums`).

    Parameters
    ----------
    part : Part
    threads : int
    keeper : ArrayStore
        Where arrays of one value per row are kept.
    """

    def __init__(self, part: Part, threads: int, keeper: ArrayStore):
        self._part, self._threads, self._keeper = part, threads, keeper
        self._filling: np.ndarray | None = None
        self._alone = np.zeros(part.n, dtype=bool)
        self._ranks: dict[int, np.ndarray] = {}
        self._unkept: dict[int, np.ndarray] = {}
        self._columns: list[CodedColumn] | None = None
        self._first: dict[str, np.ndarray] | None = None
        self._hash: np.ndarray | None = None
        self._label: np.ndarray | None = None

    # Ranks.

    def bins(self, arguments: dict) -> dict:
        """Rows by coarse bin of ``feature``."""
        j = int(arguments["feature"])
        codes = self._part.codes[j]
        size = len(self._part.cuts[j]) + 1
        return {"rows": np.bincount(codes[codes != self._part.missing_code], minlength=size)}

    def distinct(self, arguments: dict) -> dict:
        """Different values of ``feature`` in the bins from ``low`` to before ``high``, rising, and rows of each.

        ``tail``: their low parts, where the feature has whole numbers beyond 2**53; else empty.
        """
        codes, value, tail = self._coded(arguments)
        return {"value": value, "tail": tail, "rows": np.bincount(codes[codes != MISSING], minlength=len(value))}

    def rank(self, arguments: dict) -> dict:
        """Take the ranks of these values: ``known`` are those of all shards, the least has rank ``first``.

        ``single``: which of them only one row has. ``last``: there are no higher bins.
        """
        j, first = int(arguments["feature"]), int(arguments["first"])
        codes, *values = self._coded(arguments)
        known, own = as_pairs(arguments["known"], arguments["tail"]), as_pairs(*values)
        place = np.searchsorted(known, own)
        if not np.array_equal(known.take(place, mode="clip"), own):
            raise DataError(f"column {self._part.schema[j].name!r} changed during the fit; fit again.")
        inside = codes != MISSING
        rank = place.astype(np.uint32)[codes[inside]]
        if self._filling is None:
            self._filling = np.full(self._part.n, MISSING)
        self._filling[inside] = first + rank
        self._alone[inside] |= arguments["single"].astype(bool)[rank]
        if arguments["last"]:
            self._unkept[j], self._filling = self._as_floats(first + len(known)), None
            if len(self._unkept) * _RANK_FILES >= len(self._part.schema):
                self._keep_ranks()
        return {"rows": np.array([self._part.n])}

    def _coded(self, arguments: dict) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Codes of ``feature``, MISSING outside the range of bins that is asked for, and its values and low parts."""
        j, low, high = (int(arguments[name]) for name in ("feature", "low", "high"))
        inside = (self._part.codes[j] >= low) & (self._part.codes[j] < high)
        values = np.where(inside, self._part.values[j], np.nan)
        return _kernel.value_codes(values.astype(np.float64, copy=False), self._part.low_of(j))

    def _as_floats(self, distinct: int) -> np.ndarray:
        """The ranks that were taken; NaN = missing."""
        ranks = self._filling.astype(np.float32 if distinct <= _SHORT else np.float64)
        ranks[self._filling == MISSING] = np.nan
        return ranks

    def _keep_ranks(self) -> None:
        """Put the ranks that are still in memory where they are kept."""
        if self._unkept:
            kept = self._keeper.kept_together(f"r{min(self._unkept)}", {f"r{j}": r for j, r in self._unkept.items()})
            self._ranks |= dict(zip(self._unkept, kept.values(), strict=True))
            self._unkept = {}

    def levels(self, arguments: dict) -> dict:
        """Rows by level, of one feature with levels after the other."""
        counts = [
            np.bincount(values[values >= 0], minlength=len(feature.levels))
            for feature, values in zip(self._part.schema, self._part.values, strict=True)
            if feature.kind != NUMERIC
        ]
        return {"rows": np.concatenate(counts) if counts else np.zeros(0, np.int64)}

    # Which rows are equal.

    def columns(self, arguments: dict) -> dict:
        """Take the number of codes of each column (``distinct``) and the code of each level (``dense``), and begin."""
        self._keep_ranks()
        at, columns = 0, []
        for j, feature in enumerate(self._part.schema):
            size = int(arguments["distinct"][j])
            if feature.kind == NUMERIC:
                columns.append(CodedColumn(feature.kind, size, self._needed(self._ranks.get(j))))
                continue
            stop = at + len(feature.levels)
            dense = arguments["dense"][at:stop].astype(np.uint32)
            columns.append(CodedColumn(feature.kind, size, self._part.values[j], dense))
            at = stop
        self._columns = columns
        suspect = np.flatnonzero(~self._alone).astype(np.uint32)
        key, first = np.unique(self._keys()[suspect], return_index=True)
        kept = {"key": key, "row": suspect[first], "alone": np.flatnonzero(self._alone).astype(np.uint32)}
        self._first = {name: self._keeper.kept(name, array) for name, array in kept.items()}
        return {"alone": np.array([len(kept["alone"])]), "rows": np.array([self._part.n])}

    def keys(self, arguments: dict) -> dict:
        """Keys from ``low`` to ``high`` of different rows, rising; those of rows with a value of their own are left."""
        key = _between(self._needed(self._first)["key"], arguments)
        return {"key": key, "copies": np.ones(len(key), dtype=np.int64)}

    # Hashes.

    def ends(self, arguments: dict) -> dict:
        """Sums over different rows that tell columns apart, by group: rows of each ``key`` are in its ``group``."""
        first = self._needed(self._first)
        at = np.searchsorted(arguments["key"], first["key"])
        at[at == len(arguments["key"])] = 0
        known = arguments["key"][at] == first["key"] if len(arguments["key"]) else np.zeros(len(at), dtype=bool)
        group = np.zeros(len(at), dtype=np.uint16)
        group[known] = arguments["group"][at[known]]
        rows = np.concatenate([first["alone"], first["row"]])
        group = np.concatenate([np.zeros(len(first["alone"]), np.uint16), group])
        hashes = self._needed(self._hash) if arguments["hashed"] else None
        groups = [rows[group == g] for g in range(int(arguments["groups"]))]
        found = [[end_sums(column, some, hashes) for some in groups] for column in self._needed(self._columns)]
        sums = np.array([[sums for sums, _ in each] for each in found], dtype=np.uint64)
        missing = np.array([sum(count for _, count in each) for each in found], dtype=np.int64)
        return {"sums": sums.ravel(), "missing": missing}

    def digest(self, arguments: dict) -> dict:
        """A sum over some rows for each of the columns ``of``; equal columns have equal ones."""
        key = self._keys()
        some = np.flatnonzero(key >> np.uint64(58) == 0)
        out = np.zeros(len(arguments["of"]), dtype=np.uint64)
        for at, j in enumerate(arguments["of"].tolist()):
            cells = self._cells(j, arguments, some)
            out[at] = np.sum(drawn_by(cells ^ key[some], 0), dtype=np.uint64)
        return {"digest": out}

    def same(self, arguments: dict) -> dict:
        """Whether the columns ``one`` and ``other`` add the same to every row."""
        one, other = (self._cells(int(arguments[name]), arguments, slice(None)) for name in ("one", "other"))
        return {"unlike": np.array([np.count_nonzero(one != other)])}

    def hash(self, arguments: dict) -> dict:
        """Take the hash of every row, from the columns ``taken``."""
        taken = arguments["taken"].tolist()
        rules = [self._rule(j, arguments) for j in taken]
        self._hash = self._keeper.kept("hash", row_hashes([self._columns[j] for j in taken], rules, self._part.n))
        return {"rows": np.array([self._part.n])}

    def distinct_hashes(self, arguments: dict) -> dict:
        """Hashes from ``low`` to ``high`` of different rows, rising."""
        found, first = self._needed(self._hash), self._needed(self._first)
        rows = np.concatenate([first["alone"], first["row"]])
        found = found[rows]
        rising = np.sort(found[(found >= arguments["low"]) & (found <= arguments["high"])])
        return {"hash": rising[np.concatenate([[True], rising[1:] != rising[:-1]])[: len(rising)]]}

    def _keys(self) -> np.ndarray:
        return row_keys(self._needed(self._columns), self._part.n)

    def _rule(self, j: int, arguments: dict) -> CellRule:
        """How the cells of a column add to their rows; ``ends``: missing, up, down, any missing of each column."""
        ends = arguments["ends"].reshape(-1, 4)[j].tolist()
        return CellRule(self._needed(self._columns)[j], ends, int(arguments["different"]))

    def _cells(self, j: int, arguments: dict, rows: slice | np.ndarray) -> np.ndarray:
        return self._rule(j, arguments).cells(self._columns[j].codes(rows))

    # What is drawn.

    def strata(self, arguments: dict) -> dict:
        """Weight by class and upper bits of the hash, and the least hash of each class."""
        content, stratum = self._drawn(arguments)
        bits, classes = int(arguments["bits"]), int(arguments["classes"])
        weight = np.zeros(classes << bits, dtype=np.int64)
        place = (stratum.astype(np.int64) << bits) + (content >> np.uint64(64 - bits)).astype(np.int64)
        np.add.at(weight, place, self._weight)
        least = np.full(classes, 2**64 - 1, dtype=np.uint64)
        np.minimum.at(least, stratum, content)
        return {"weight": weight, "least": least}

    def smallest(self, arguments: dict) -> dict:
        """The smallest different hashes, at most ``most`` of them."""
        most = arguments["most"]
        return {"smallest": distinct(self._needed(self._hash))[: int(most)], "most": most}

    def inside(self, arguments: dict) -> dict:
        """Hashes, by class, in some of these bins, with their weight: ``opened`` is bool by class and bin."""
        content, stratum = self._drawn(arguments)
        bits = int(arguments["bits"])
        place = (stratum.astype(np.int64) << bits) + (content >> np.uint64(64 - bits)).astype(np.int64)
        rows = np.flatnonzero(arguments["opened"].astype(bool)[place])
        weight = np.broadcast_to(self._weight, content.shape)[rows]
        return {"stratum": stratum[rows].astype(np.int64), "hash": content[rows], "weight": weight.astype(np.int64)}

    def assign(self, arguments: dict) -> dict:
        """Take labels: class k has ``label[i]`` from hash ``since[i]`` on, ``start[k] <= i < start[k + 1]``.

        Rows and weight of each label are the reply.
        """
        content, stratum = self._drawn(arguments)
        labels, start = int(arguments["labels"]), arguments["start"]
        out = np.zeros(self._part.n, dtype=np.int16)
        order = np.argsort(stratum, kind="stable")
        edges = np.searchsorted(stratum[order], np.arange(len(start)))
        for k in range(len(start) - 1):
            rows, runs = order[edges[k] : edges[k + 1]], slice(int(start[k]), int(start[k + 1]))
            if len(rows):
                at = np.searchsorted(arguments["since"][runs], content[rows], side="right") - 1
                out[rows] = arguments["label"][runs][at]
        self._label = self._keeper.kept("label", out)
        weight = np.zeros(labels, dtype=np.int64)
        np.add.at(weight, out, self._weight)
        return {"rows": np.bincount(out, minlength=labels).astype(np.int64), "weight": weight}

    @property
    def label(self) -> np.ndarray:
        """The label of each row, int16, shape (n,)."""
        return self._needed(self._label)

    def by_rank(self) -> Part:
        """The part with ranks in the place of numbers; its cuts stay, because only their number is needed."""
        self._needed(self._columns)
        values = tuple(self._ranks.get(j, values) for j, values in enumerate(self._part.values))
        return replace(self._part, values=values, low=())

    def _drawn(self, arguments: dict) -> tuple[np.ndarray, np.ndarray]:
        """The hash that decides and the stratum of each row."""
        salt = int(arguments["salt"][0]) if len(arguments["salt"]) else None
        codes = self._part.exact.codes
        stratum = np.zeros(self._part.n, dtype=np.int32) if codes is None else codes
        return drawn_by(self._needed(self._hash), salt), stratum

    def release(self) -> None:
        """Let the system drop the pages of what is kept in files."""
        self._keeper.release()

    @property
    def _weight(self) -> np.ndarray | int:
        weight = self._part.exact.weight
        return 1 if weight is None else weight

    @staticmethod
    def _needed(known):
        """A result of an earlier request; a shard that was made again lacks it."""
        if known is None:
            raise RowsLostError("rows came to another worker, which does not know yet how folds are drawn.")
        return known


def _between(rising: np.ndarray, arguments: dict) -> np.ndarray:
    low, high = np.searchsorted(rising, arguments["low"], "left"), np.searchsorted(rising, arguments["high"], "right")
    return np.array(rising[int(low) : int(high)])
