"""The split protocol of one level: tables of bins, then exact values of candidate bins, then surrogates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from ...data.columns.distinct import distinct
from ...data.columns.schema import NUMERIC, Schema
from .engine import Engine
from .level_stats import LevelStats
from .siblings import NodeSums, Siblings, SplitFamily

Pair = tuple[int, int]


@dataclass(eq=False)
class Values:
    """The exact values of a feature at a node that are known so far; ``low``: low parts, empty where all are 0."""

    value: np.ndarray = field(default_factory=lambda: np.zeros(0))
    low: np.ndarray = field(default_factory=lambda: np.zeros(0))
    rows: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    words: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    spread: np.ndarray = field(default_factory=lambda: np.zeros(0))

    @property
    def lows(self) -> np.ndarray:
        """The low part of each value."""
        return self.low if len(self.low) else np.zeros(len(self.value))

    def pair(self, place: int) -> tuple[float, float]:
        """A value and its low part."""
        return float(self.value[place]), float(self.low[place]) if len(self.low) else 0.0

    def about(self, ends: list[tuple[float, float]], bins: np.ndarray) -> Values:
        """Those about cuts that may be chosen, and the last one of each bin; rows of the others count with the next."""
        stays = np.append(bins[1:] != bins[:-1], True)
        pairs = self.value + 1j * self.lows  # ordered as pairs
        found = np.array([complex(*end) for end in ends], dtype=np.complex128)
        stays |= np.isin(pairs, found)
        at = np.flatnonzero(stays)
        starts = np.append(0, at[:-1] + 1)
        sums = (np.add.reduceat(each, starts) if len(each) else each for each in (self.rows, self.words, self.spread))
        return Values(self.value[at], self.low[at] if len(self.low) else self.low, *sums)

    def with_more(self, more: Values) -> Values:
        """These and those of other bins, rising."""
        if not len(self.value):
            return more
        value = np.concatenate([self.value, more.value])
        has_low = len(self.low) > 0 or len(more.low) > 0
        low = np.concatenate([self.lows, more.lows]) if has_low else self.low
        order = np.argsort(value, kind="stable")  # equal values are of one bin, and rise already
        joined = (low, *(np.concatenate([getattr(self, n), getattr(more, n)]) for n in ("rows", "words", "spread")))
        return Values(value[order], *(a[order] if len(a) else a for a in joined))


class SplitProtocol:
    """The requests by which the driver finds the splits of a level of nodes.

    Parameters
    ----------
    engine : Engine
    search : _kernel.LevelSearch
        Started with the level's statistics.
    schema : Schema
    cuts : tuple of (float64 array or None)
        Cuts between the bins of each numeric feature.
    first : int
        Number of the level's first node in the tree.
    stats : LevelStats

    Attributes
    ----------
    forgets : bool
        Whether values go beside which no cut can be chosen any more.
    rises : bool
        Whether bins are opened from the lowest on, so that no other one comes between those that are known.
    """

    forgets, rises = True, False

    def __init__(self, engine: Engine, search, schema: Schema, cuts: tuple, first: int, stats: LevelStats):
        self._engine, self._search, self._schema, self._cuts = engine, search, schema, cuts
        self._first, self._stats = first, stats
        self._sizes = [len(f.levels) if c is None else len(c) + 1 for f, c in zip(schema, cuts, strict=True)]
        self._bin_rows: dict[Pair, np.ndarray] = {}
        # of many classes twice: while replies of a size are added up, each entry is copied
        self._entry_bytes = 8 * (2 + max(7, 2 * stats.moments.shape[1]))
        per_node = (sum(self._sizes) + len(self._sizes)) * self._entry_bytes
        self._batch_size = max(1, min(engine.reply_bytes // per_node, 30_000))

    def find_splits(self, used: dict[int, frozenset[int]], families: list[SplitFamily]) -> dict[int, NodeSums]:
        """The best split of some nodes.

        Parameters
        ----------
        used : dict
            Node, by position in the level -> features it may not test; the nodes to split are its keys.
        families : list of SplitFamily
            Of the level above: tables that follow from others are not requested.

        Returns
        -------
        dict
            Node -> its tables, of as many nodes as one request may be about.
        """
        kept: dict[int, NodeSums] = {}
        siblings = Siblings(families, self._stats, list(used))
        for batch in self._batches(siblings.groups):
            known = self._taken(batch, used, siblings)
            if len(kept) + len(batch) <= self._batch_size:
                kept |= known
            del known  # of many classes they are large, and the search has its own
            self._open(batch, {})
            self._search.choose(batch, False)
        self._resolve({})
        return kept

    def _taken(self, nodes: list[int], used: dict[int, frozenset[int]], siblings: Siblings) -> dict[int, NodeSums]:
        """The tables of some nodes, passed to the search."""
        self._bin_rows, known = {}, self._known(nodes, siblings)
        for i, node in known.items():
            for j, table in enumerate(node.features):
                self._bin_rows[i, j] = table[0]
                if j not in used[i]:
                    self._search.take_table(i, j, *table, False)
        return known

    def _known(self, nodes: list[int], siblings: Siblings) -> dict[int, NodeSums]:
        """The tables of some nodes: requested, or derived from their parent's."""
        stats = self._stats
        known = {i: NodeSums(int(stats.rows[i]), bool(stats.by_low[i])) for i in nodes}
        for (i, _), table in self._tables([i for i in nodes if not siblings.is_derived(i)], {}):
            known[i].features.append(table)
        for i in nodes:
            if siblings.is_derived(i):
                known[i].features.extend(siblings.tables(i, known))
        return known

    def find_surrogates(self, nodes: list[int], split) -> None:
        """The surrogates of nodes whose split is known; ``split``: a tree in which each node is split by it alone."""
        extra = {"split": split}
        for batch in self._batches([[i] for i in nodes]):
            self._bin_rows = {}
            for (i, j), table in self._tables(batch, extra):
                self._search.take_table(i, j, *table, True)
                self._bin_rows[i, j] = table[0]
            self._open(batch, extra)
            self._search.choose(batch, True)
        self._resolve(extra)

    def features_with_missing(self) -> list[int]:
        """Features of which some row of the level's first node has no value."""
        return [j for (_, j), (rows, _, _) in self._tables([0], {}) if rows[-1] > 0]

    def _batches(self, groups: list[list[int]]) -> Iterator[list[int]]:
        """Nodes for one request at a time; a group stays together."""
        batch: list[int] = []
        for group in groups:
            if batch and len(batch) + len(group) > self._batch_size:
                yield batch
                batch = []
            batch = batch + group
        if batch:
            yield batch

    def _arguments(self, nodes: Iterable[int], features: Iterable[int], extra: dict) -> dict:
        at = np.array(list(nodes), dtype=np.int64)
        counted = {"features": np.array(list(features), dtype=np.int64), "by_low": self._stats.by_low[at]}
        return {"nodes": at + self._first, **counted, **extra}

    def _tables(self, nodes: list[int], extra: dict) -> Iterator[tuple[Pair, tuple]]:
        """(node, feature) and its table: rows, words, spread of each bin or level, missing last."""
        for features in self._feature_batches(len(nodes)):
            reply = self._engine.request("tables", self._arguments(nodes, features, extra))
            rows, width = reply["rows"], len(reply["words"]) // len(reply["rows"])
            has_spread, at = len(reply["spread"]) > 0, 0
            for j in features:
                for i in nodes:
                    part = slice(at, at + self._sizes[j] + 1)
                    words = reply["words"][part.start * width : part.stop * width]
                    yield (i, j), (rows[part], words, reply["spread"][part] if has_spread else np.zeros(0))
                    at = part.stop

    def _feature_batches(self, nodes: int) -> Iterator[range]:
        """Features for one request at a time about so many nodes."""
        first, cells = 0, 0
        for j, size in enumerate(self._sizes):
            cells += size + 1
            if j > first and cells * nodes * self._entry_bytes > self._engine.reply_bytes:
                yield range(first, j)
                first, cells = j, size + 1
        yield range(first, len(self._sizes))

    def _open(self, nodes: list[int], extra: dict) -> None:
        """Open candidate bins, those beside the best edges first, until none can hold a better cut."""
        known: dict[Pair, Values] = {}
        branches = "split" in extra  # surrogates are sought
        numeric = [j for j, feature in enumerate(self._schema) if feature.kind == NUMERIC]
        opened = {(i, j): np.zeros(self._sizes[j], dtype=bool) for i in nodes for j in numeric}
        while True:
            edges = {at: np.where(opened[at], -1.0, self._search.candidate_bins(*at, branches)) for at in opened}
            chosen = bins_to_open(edges, self._bin_rows, self.entries)
            if not chosen:
                return
            for at, found in self.values(nodes, chosen, extra):
                opened[at] |= chosen[at]
                before = known.get(at, Values())
                now = before.with_more(found)
                self._take(at, now, len(before.value), branches)
                if not self.forgets:
                    known[at] = now
                    continue
                bins = self._bins(at[1], now)
                known[at] = now.about(self._search.ends(*at, branches), 0 * bins if self.rises else bins)
                self._take(at, known[at], len(known[at].value), branches)

    def _bins(self, j: int, found: Values) -> np.ndarray:
        return np.searchsorted(self._cuts[j], found.value).astype(np.uint32)

    def _take(self, at: Pair, known: Values, counted: int, branches: bool) -> None:
        """Pass values of a pair to the search, of which it ``counted`` so many before."""
        words = np.ascontiguousarray(known.words).ravel()
        given = known.value, known.low, self._bins(at[1], known), known.rows, words, known.spread
        self._search.take_values(*at, *given, counted, branches)

    @property
    def entries(self) -> int:
        """Values that a reply may be about."""
        # where all values are requested, portions are as large as they may be: a value, rows, and a word a class
        return self._engine.reply_bytes // (8 * (2 + self._stats.moments.shape[1]) if self.rises else self._entry_bytes)

    def values(self, nodes: list[int], chosen: dict[Pair, np.ndarray], extra: dict) -> Iterator[tuple[Pair, Values]]:
        """(node, feature) and the exact values in its chosen bins, bool by pair; ``extra`` goes with the request."""
        open_nodes = sorted({i for i, _ in chosen}, key=nodes.index)
        features = sorted({j for _, j in chosen})
        closed = {j: np.zeros(self._sizes[j], dtype=bool) for j in features}
        opened = np.concatenate([chosen.get((i, j), closed[j]) for j in features for i in open_nodes])
        arguments = self._arguments(open_nodes, features, extra) | {"opened": opened.astype(np.uint8)}
        reply = self._engine.request("values", arguments)
        stop = np.cumsum(reply["count"])
        n = int(stop[-1])
        words = reply["words"].reshape(n, -1) if n else np.zeros((0, 0), np.int64)
        has_spread, has_low = len(reply["spread"]) > 0, len(reply["low"]) > 0
        for place, (i, j) in enumerate((i, j) for j in features for i in open_nodes):
            part = slice(int(stop[place] - reply["count"][place]), int(stop[place]))
            if (i, j) in chosen:
                low, spread = (
                    reply[name][part] if known else np.zeros(0)
                    for name, known in (("low", has_low), ("spread", has_spread))
                )
                yield (i, j), Values(reply["value"][part], low, reply["rows"][part], words[part], spread)

    def _resolve(self, extra: dict) -> None:
        """The first and last values of closed bins beside a cut that was chosen."""
        beside: dict[Pair, np.ndarray] = {}
        for i, j, bins in self._search.unresolved():
            beside[i, j] = beside.get((i, j), np.zeros(self._sizes[j], dtype=bool)) | bins.astype(bool)
        if not beside:
            return
        for (i, j), found in self.values(sorted({i for i, _ in beside}), beside, extra):
            bins = np.searchsorted(self._cuts[j], found.value)
            for b in distinct(bins).tolist():
                inside = np.flatnonzero(bins == b)
                self._search.resolve(i, j, b, found.pair(inside[0]), found.pair(inside[-1]))


def bins_to_open(edges: dict[Pair, np.ndarray], rows: dict[Pair, np.ndarray], most: int) -> dict[Pair, np.ndarray]:
    """The bins to open now, bool by (node, feature): of so many rows at most, but one bin at least.

    Parameters
    ----------
    edges : dict of (node, feature) to float64
        What a cut beside each bin is worth, as far as it is known; negative = the bin stays closed.
    rows : dict of (node, feature) to int64
        Rows of each bin.
    most : int
    """
    candidates = {at: np.flatnonzero(edge >= 0) for at, edge in edges.items()}
    candidates = {at: bins for at, bins in candidates.items() if len(bins)}
    if not candidates:
        return {}
    pairs = list(candidates)
    of_pair = np.repeat(np.arange(len(pairs)), [len(candidates[at]) for at in pairs])
    bins = np.concatenate([candidates[at] for at in pairs])
    edge = np.concatenate([edges[at][candidates[at]] for at in pairs])
    inside = np.concatenate([rows[at][candidates[at]] for at in pairs])
    order = np.argsort(-edge, kind="stable")
    taken = order[: max(1, int(np.searchsorted(np.cumsum(inside[order]), most, side="right")))]
    out: dict[Pair, np.ndarray] = {}
    for k in taken.tolist():
        at = pairs[of_pair[k]]
        out.setdefault(at, np.zeros(len(edges[at]), dtype=bool))[bins[k]] = True
    return out
