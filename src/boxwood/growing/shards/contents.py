"""The content of a shard's rows: ranks of their values, the hashes for folds, and the folds drawn."""

from __future__ import annotations

import secrets
from dataclasses import replace

import numpy as np

from ... import _kernel
from ..._messages import remedy
from ...errors import DataError, RowsLostError
from ...statistics.places import drawn_by, scattered
from ...statistics.responses.response import Response
from .array_store import ArrayStore
from .part import Part, as_pairs
from .row_content import GOLDEN, MISSING, CellRule, CodedColumn, end_sums, place_rules, row_sums

#: Ranks below this many are whole in float32.
_SHORT = 1 << 24
#: Files that ranks of many columns are kept in, about: a process may not map one for each of 100,000 columns.
_RANK_FILES = 64


class RowContents:
    """What is known of the content of a part's rows, after requests to the shards of all parts.

    Requests come in the order of the methods, from :class:`boxwood.growing.shards.row_hashes.RowHashes`. Replies add
    up over shards (:mod:`boxwood.growing.shards.content_sums`).

    Parameters
    ----------
    part : Part
    response : Response
    threads : int
    keeper : ArrayStore
        Where arrays of one value per row are kept.
    """

    def __init__(self, part: Part, response: Response, threads: int, keeper: ArrayStore):
        self._part, self._response, self._threads, self._keeper = part, response, threads, keeper
        self._filling: np.ndarray | None = None
        self._ranks: dict[int, np.ndarray] = {}
        self._unkept: dict[int, np.ndarray] = {}
        self._columns: list[CodedColumn] | None = None
        self._hash: np.ndarray | None = None
        self._number: np.ndarray | None = None
        self._hashed: tuple[list[CodedColumn], list[CellRule]] | None = None
        self._tied: tuple[np.ndarray, np.ndarray] | None = None
        self._kinds = [f.kind for f in part.schema] + response.content_kinds(part.exact.weight is not None)
        self._name = secrets.randbits(63)  # of no other shard
        self._label: np.ndarray | None = None

    # Ranks.

    def bins(self, arguments: dict) -> dict:
        """Rows by coarse bin of a feature; of other content, in 2**16 bins of ``2**shift`` places, from ``low`` on."""
        j = int(arguments["feature"])
        places = self._places(j)
        if j < len(self._part.schema):
            known = places[places != self._part.missing_code]
            return {"rows": np.bincount(known, minlength=len(self._part.cuts[j]) + 1)}
        places = (places - arguments["low"]) >> arguments["shift"]
        return {"rows": np.bincount(places[places < 1 << 16].astype(np.int64), minlength=1 << 16)}

    def distinct(self, arguments: dict) -> dict:
        """Different values of ``feature`` in the bins from ``low`` to ``high``, rising.

        ``tail``: their low parts, where the feature has whole numbers beyond 2**53; else empty.
        """
        _, value, tail = self._coded(arguments)
        return {"value": value, "tail": tail}

    def rank(self, arguments: dict) -> dict:
        """Take the ranks of these values: ``known`` are those of all shards, the least has rank ``first``.

        ``last``: there are no higher bins.
        """
        j, first = int(arguments["feature"]), int(arguments["first"])
        codes, *values = self._coded(arguments)
        known, own = as_pairs(arguments["known"], arguments["tail"]), as_pairs(*values)
        place = np.searchsorted(known, own)
        if not np.array_equal(known.take(place, mode="clip"), own):
            name = repr(self._part.schema[j].name) if j < len(self._part.schema) else "of the response or weight"
            raise DataError(f"column {name} changed during the fit; ", remedy("fit again."))
        inside = codes != MISSING
        if first == 0:  # what was begun before another worker was lost is forgotten
            self._filling = np.full(self._part.n, MISSING)
        self._needed(self._filling)[inside] = first + place.astype(np.uint32)[codes[inside]]
        if arguments["last"]:
            self._unkept[j], self._filling = self._as_floats(first + len(known)), None
            if len(self._unkept) * _RANK_FILES >= len(self._kinds):
                self._keep_ranks()
        return {"rows": np.array([self._part.n])}

    def _coded(self, arguments: dict) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Codes of ``feature``, MISSING outside the range of bins that is requested, and its values and low parts."""
        j, places = int(arguments["feature"]), self._places(int(arguments["feature"]))
        inside = (places >= arguments["low"]) & (places <= arguments["high"])
        values = np.where(inside, self._values(j), np.nan)
        low = self._part.low_of(j) if j < len(self._part.schema) else None
        return _kernel.value_codes(values.astype(np.float64, copy=False), low)

    def _places(self, j: int) -> np.ndarray:
        """Whole numbers that rise with the values of a column: the coarse bins of a feature; else of 64 bits."""
        return self._part.codes[j] if j < len(self._part.schema) else ordered_bits(self._values(j))

    def _values(self, j: int) -> np.ndarray:
        """A feature, or other content."""
        p = len(self._part.schema)
        return self._part.values[j] if j < p else self._response.content(self._part.exact)[j - p][1]

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
        """Rows by level, of one column with levels after the other; they have ``sizes`` levels, numbers 0."""
        listed = ((self._values(j), size) for j, size in enumerate(arguments["sizes"].tolist()) if size)
        counts = [np.bincount(values[values >= 0], minlength=size) for values, size in listed]
        return {"rows": np.concatenate([np.zeros(0, np.int64), *counts])}

    def columns(self, arguments: dict) -> dict:
        """Take the number of codes of each column (``distinct``) and the codes of its ``sizes`` levels (``dense``)."""
        self._keep_ranks()
        at, self._columns = 0, []
        for j, (distinct, size) in enumerate(
            zip(arguments["distinct"].tolist(), arguments["sizes"].tolist(), strict=True)
        ):
            if size == 0:
                self._columns.append(CodedColumn(distinct, self._needed(self._ranks.get(j))))
            else:
                dense = arguments["dense"][at : at + size].astype(np.uint32)
                self._columns.append(CodedColumn(distinct, self._values(j), dense))
            at += size
        return {"rows": np.array([self._part.n])}

    # Hashes.

    def ends(self, arguments: dict) -> dict:
        """The columns ``of`` from both ends: sums over rows, with their hashes if ``hashed``; missing, up and down."""
        hashes = self._needed(self._hash) if arguments["hashed"] else None
        columns = [self._needed(self._columns)[j] for j in arguments["of"].tolist()]
        return {"sums": np.concatenate([end_sums(column, hashes, self._part.n) for column in columns])}

    def digest(self, arguments: dict) -> dict:
        """Sums of the columns ``of``, with codes from either end; copies of a column have the same ones."""
        columns, zero = self._needed(self._columns), np.uint64(0)
        key = row_sums(columns, place_rules([(zero, True, False)] * len(columns)), slice(None), self._part.n)
        out = np.zeros((len(arguments["of"]), 2), dtype=np.uint64)
        for at, j in enumerate(arguments["of"].tolist()):
            for end in range(2):
                cells = columns[j].cells(slice(None), (zero, end == 0, end == 1))
                out[at, end] = np.sum(scattered(cells ^ key), dtype=np.uint64)
        return {"digest": out.ravel()}

    def hash(self, arguments: dict) -> dict:
        """Take the hash of every row, from the columns ``taken``, by their rules: ``own``, ``up``, ``down``."""
        columns = [self._needed(self._columns)[j] for j in arguments["taken"].tolist()]
        flags = (arguments[name].astype(bool).tolist() for name in ("up", "down"))
        rules: list[CellRule] = list(zip(arguments["own"], *flags, strict=True))
        self._hash = self._keeper.kept("hash", row_sums(columns, rules, slice(None), self._part.n))
        self._hashed, self._number = (columns, place_rules(rules)), self._hash
        return {"rows": np.array([self._part.n])}

    def hashes(self, arguments: dict) -> dict:
        """Hashes from ``low`` to ``high``, rising, and their rows."""
        found = self._needed(self._hash)
        found = np.sort(found[(found >= arguments["low"]) & (found <= arguments["high"])])
        starts = _starts(found)
        return {"hash": found[starts], "rows": np.diff(np.append(starts, len(found)))}

    def ties(self, arguments: dict) -> dict:
        """Rows of each ``hash`` by their key, which differs for different rows; ``shard``: a number of this one."""
        known, content = arguments["hash"], self._needed(self._hash)
        rows = np.flatnonzero(known.take(np.searchsorted(known, content), mode="clip") == content)
        key = row_sums(*self._needed(self._hashed), rows, len(rows))
        order = np.lexsort((key, content[rows]))
        rows, key = rows[order], key[order]
        starts = _starts(content[rows], key)
        self._tied = rows, np.diff(np.append(starts, len(rows)))
        shard = np.full(len(starts), self._name, dtype=np.uint64)
        return {"hash": content[rows][starts], "key": key[starts], "rows": self._tied[1], "shard": shard}

    def number(self, arguments: dict) -> dict:
        """Take the numbers of these rows: ``before`` rows of their hash come the ones of a key in a ``shard``."""
        rows, sizes = self._needed(self._tied)
        first = arguments["before"][arguments["shard"] == self._name] - (np.cumsum(sizes) - sizes)
        before = (np.repeat(first, sizes) + np.arange(len(rows))).astype(np.uint64)
        number, content = np.array(self._number), self._needed(self._hash)[rows]
        number[rows] = np.where(before, scattered(content + before * GOLDEN), content)  # the same if requested again
        self._number = self._keeper.kept("number", number)
        return {"rows": np.array([self._part.n])}

    # What is drawn.

    def strata(self, arguments: dict) -> dict:
        """Rows by class and upper bits of the hash, and the least hash of each class."""
        content, stratum = self._drawn(arguments)
        bits, classes = int(arguments["bits"]), int(arguments["classes"])
        place = (stratum.astype(np.int64) << bits) + (content >> np.uint64(64 - bits)).astype(np.int64)
        least = np.full(classes, 2**64 - 1, dtype=np.uint64)
        np.minimum.at(least, stratum, content)
        return {"rows": np.bincount(place, minlength=classes << bits), "least": least}

    def inside(self, arguments: dict) -> dict:
        """Hashes, by class, in some of these bins: ``opened`` is bool by class and bin."""
        content, stratum = self._drawn(arguments)
        bits = int(arguments["bits"])
        place = (stratum.astype(np.int64) << bits) + (content >> np.uint64(64 - bits)).astype(np.int64)
        rows = np.flatnonzero(arguments["opened"].astype(bool)[place])
        return {"stratum": stratum[rows].astype(np.int64), "hash": content[rows]}

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
        np.add.at(weight, out, 1 if self._part.exact.weight is None else self._part.exact.weight)
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
        return drawn_by(self._needed(self._number), salt), stratum

    def release(self) -> None:
        """Let the system drop the pages of what is kept in files."""
        self._keeper.release()

    @staticmethod
    def _needed(known):
        """A result of an earlier request; a shard that was made again lacks it."""
        if known is None:
            raise RowsLostError("rows came to another worker, which does not know yet how folds are drawn.")
        return known


def ordered_bits(values: np.ndarray) -> np.ndarray:
    """Whole numbers of 64 bits that rise with float64 values."""
    bits = np.ascontiguousarray(values + 0.0).view(np.uint64)  # + 0.0 turns -0.0 into 0.0
    sign = np.uint64(1 << 63)
    return np.where(bits & sign, ~bits, bits | sign)


def _starts(*rising: np.ndarray) -> np.ndarray:
    """Where a new entry of sorted lists begins."""
    fresh = np.ones(len(rising[0]), dtype=bool)
    fresh[1:] = np.any([each[1:] != each[:-1] for each in rising], axis=0)
    return np.flatnonzero(fresh)
