"""The split protocol of one level of a CHAID tree: one table of categories per node and feature."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...data.columns.schema import Schema
from .bins import BinEnds
from .engine import Engine
from .level_stats import LevelStats


class CategoryProtocol:
    """The requests by which the driver finds the splits of a level of nodes whose categories are merged.

    Parameters
    ----------
    engine : Engine
    search : _kernel.LevelSearch
        Started with the level's statistics.
    sizes : list of int
        Categories of each feature: levels or bins.
    cuts : (float64, float64)
        Between the bins of numeric features, one feature after the other; values and low parts.
    cases : bool
        Weights are case weights.
    """

    def __init__(self, engine: Engine, search, sizes: list[int], cuts: tuple, cases: bool):
        self._engine, self._search, self._sizes = engine, search, sizes
        flag = np.array([cases], dtype=np.uint8)
        self._bins = {"sizes": np.array(sizes, dtype=np.int64), "cuts": cuts[0], "cuts_low": cuts[1], "cases": flag}

    def find_splits(self, nodes: list[int], first: int, stats: LevelStats) -> None:
        """The best split of each of some nodes, by position in the level; ``first``: number of its first node."""
        for batch in self._batches(nodes, stats):
            at = np.array(batch, dtype=np.int64)
            arguments = {"nodes": at + first, "by_low": stats.by_low[at]} | self._bins
            reply = self._engine.request("categories", arguments)
            width, start = len(reply["words"]) // len(reply["rows"]), 0
            for j, size in enumerate(self._sizes):
                for i in batch:
                    stop = start + size + 1
                    words = reply["words"][start * width : stop * width]
                    self._search.take_table(i, j, reply["rows"][start:stop], words, np.zeros(0), False)
                    start = stop
            self._search.choose(batch, False)

    def _batches(self, nodes: list[int], stats: LevelStats) -> Iterator[list[int]]:
        """Nodes for one request at a time."""
        per_node = (sum(self._sizes) + len(self._sizes)) * 8 * (2 + max(9, 2 * stats.moments.shape[1]))
        size = max(1, min(self._engine.reply_bytes // per_node, 30_000))
        return (nodes[at : at + size] for at in range(0, len(nodes), size))


def bin_cuts(schema: Schema, ends: BinEnds) -> tuple[list[int], tuple[np.ndarray, np.ndarray]]:
    """Categories of each feature, and the cuts between the bins of all numeric features, one after the other."""
    sizes = [len(f.levels) if e is None else len(e[0]) for f, e in zip(schema, ends, strict=True)]
    values, lows = (np.concatenate([np.zeros(0), *(e[i][:-1] for e in ends if e is not None)]) for i in (0, 1))
    return sizes, (values, lows)
