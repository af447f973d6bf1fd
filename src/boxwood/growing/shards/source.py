"""The sharded source: large nodes from sums of shards; nodes that fit into memory are finished there."""

from __future__ import annotations

import logging
from dataclasses import replace

import numpy as np

from ..._free_memory import trim_heap
from ..._threads import Threads
from ...data.columns.columns import Columns
from ...statistics.exact import Exact
from ...tree.builder import Builder, branch_counts
from ...tree.graft import graft
from ...tree.split import SplitTable
from ...tree.tree import STAYS, Tree
from ..below import Place, grow_at
from ..memory.binned import in_thresholds
from ..memory.source import EncodedColumns, MemorySource
from ..progress import ended
from ..protocol import Level, LevelSplits
from ..recipe import Recipe
from ..value_limits import NO_LIMITS, limits_below
from .engine import Engine
from .searches import OpenLevel, Problem, search_of
from .shard import exact_of
from .shares import Shares
from .siblings import SplitFamily
from .used_features import used_below
from .whole import Whole

log = logging.getLogger("boxwood")


class ShardedSource:
    """Rows that live in shards.

    A level is searched from tables that the shards add up. A node of at most ``capacity`` rows is left alone at first;
    when the top of the tree is grown, its rows are brought together and the tree below is grown in memory.

    Parameters
    ----------
    engine : Engine
    whole : Whole
    capacity : int
        Rows that may be brought together at a time.
    threads : int
        For growth in memory.
    """

    def __init__(self, engine: Engine, whole: Whole, capacity: int, threads: int = 1):
        self.schema, self.response = whole.schema, whole.response
        self._engine, self._whole, self._capacity, self._threads = engine, whole, capacity, threads

    def finish(self, recipe: Recipe) -> None:
        """The loop grows the top of the tree; see :meth:`complete`."""

    def finish_each(self, recipe: Recipe, keeps: list) -> None:
        """This source grows one tree at a time."""

    def root(self, recipe: Recipe) -> Level:
        """One node with all rows; starts the growth of a tree by this recipe."""
        # in a view by rank, ranks are numbers like any others
        self._recipe, self._above, self._aside, self._used = replace(recipe, rank_cuts=False), [], {}, {}
        self._kind_of_search = search_of(self._recipe, self._whole)
        level = self._begun(None, self._whole.scaling)
        if recipe.missing.policy == "fractional" and self._search.protocol(self._open_level).features_with_missing():
            shares = Shares.of_root(int(self._stats.class_weights[0].sum()))
            level = self._begun(shares, shares.raised(self._whole.scaling))
        self._search.prepare(self._open_level)
        return level

    def _begun(self, shares: Shares | None, scaling: Exact) -> Level:
        """All rows at the root, which are divided among branches below or not."""
        self._shares, self._scaling, self._first, self._families = shares, scaling, 0, []
        self._engine.update(None, shares)
        self._limits = np.array([NO_LIMITS])
        weighted = self._whole.weighted or shares is not None
        self._search = self._kind_of_search(Problem(self._recipe, self._whole, scaling, weighted), self._threads)
        return self._level(0, 1)

    @property
    def _open_level(self) -> OpenLevel:
        return OpenLevel(self._engine, self._first, self._stats, self._families)

    def best_splits(self, level: Level, is_open: np.ndarray) -> LevelSplits:
        """The best admissible split of every open node of the level that is too large to be brought together."""
        is_open = is_open & ~self._stats.closed.astype(bool)
        small = is_open & (level.rows <= self._capacity)
        for i in np.flatnonzero(small).tolist():
            self._aside[self._first + i] = (level.depth, int(level.rows[i]), tuple(self._limits[i].tolist()))
        nodes = np.flatnonzero(is_open & ~small).tolist()
        aside = len(self._aside)
        ended("level", None, "growing: depth %d, %d nodes from sums, %d put aside", level.depth, len(nodes), aside)
        used = {i: self._used.get(self._first + i, frozenset()) for i in nodes}
        self._tables = self._search.find_splits(self._open_level, used)
        found = self._search.found()
        split = np.flatnonzero(found.splits.feature >= 0).tolist()
        if split and self._search.finds_surrogates:
            alone = replace(found, missing=np.full(len(found.missing), STAYS, dtype=np.int32))
            self._search.find_surrogates(self._open_level, split, self._tree_with(level, alone))
            found = self._search.found()
        return found

    def route(self, level: Level, found: LevelSplits) -> Level:
        """Route the rows of the split nodes to their children."""
        tree = self._tree_with(level, found)
        self._used |= used_below(self._search.tests_once, (tree, self._first, found), self._used)
        self._above.append((level.moments, level.rows, found))
        self._families = self._families_below(tree, len(level.rows))
        self._first += len(level.rows)
        if tree.n_nodes == self._first:
            return Level(np.zeros((0, self.response.width)), np.zeros(0, np.int64), level.depth + 1)
        if self._shares is not None:
            self._shares = self._shares.below(self._search.known_weights())
        self._engine.update(tree, self._shares)
        below = self._level(level.depth + 1, tree.n_nodes - self._first)
        signs, n_children = self._recipe.constraints.monotonic, branch_counts(found.splits, found.missing)
        self._limits = limits_below(self._limits, signs, found.splits, n_children, self.response, below.moments)
        self._search.limit_means(self._limits)
        return below

    def complete(self, top: Tree) -> Tree:
        """The top with the trees of the nodes that were left alone."""
        below: dict[int, Tree] = {}
        for batch in self._batches():
            below |= self._grown(batch)
            trim_heap()
            log.info("growing: %d of %d nodes from their rows", len(below), len(self._aside))
        if self._recipe.missing.predicts_by_rows:
            top = _with_most_rows(top)
        tree, thresholds = self._search.complete(graft(top, below), self._engine), self._whole.thresholds
        return in_thresholds(tree, thresholds) if thresholds else tree

    def _level(self, depth: int, n_nodes: int) -> Level:
        nodes = np.arange(self._first, self._first + n_nodes)
        trim_heap()
        self._stats = self._search.start(self._engine.request("stats", {"nodes": nodes}), depth == 0)
        return Level(self._stats.moments, self._stats.rows, depth)

    def _families_below(self, tree: Tree, n_nodes: int) -> list[SplitFamily]:
        """The nodes of the level that were searched and split, with their children; none if rows go down in shares."""
        if self._shares is not None:
            return []
        below = self._first + n_nodes
        found = [(tables, self._first + i) for i, tables in self._tables.items()]
        starts = [(tables, int(tree.first_child[i]) - below, int(tree.n_children[i])) for tables, i in found]
        return [SplitFamily(tables, range(start, start + n)) for tables, start, n in starts if n]

    def _tree_with(self, level: Level, found: LevelSplits) -> Tree:
        """The tree so far with a level's splits, their branches being leaves of which nothing is known."""
        builder = Builder(self.schema, self.response)
        for each in (*self._above, (level.moments, level.rows, found)):
            builder.add(*each)
        return _with_leaves(builder, int(branch_counts(found.splits, found.missing).sum()), found.log_p is not None)

    def _batches(self) -> list[list[int]]:
        """Nodes that were left alone, as many at a time as may be brought together."""
        batches, left = [], 0
        for node, (_, rows, _) in self._aside.items():
            if rows > left or not batches:
                batches.append([])
                left = self._capacity
            batches[-1].append(node)
            left -= rows
        return batches

    def _grown(self, nodes: list[int]) -> dict[int, Tree]:
        """The trees of some nodes, each from its rows."""
        arguments = {"nodes": np.array(nodes, dtype=np.int64)}
        pieces: list[list[dict]] = [[] for _ in nodes]
        for rows in self._engine.rows(arguments):
            count = rows.pop("count")  # of each node, shard after shard
            for at, (end, length) in enumerate(zip(np.cumsum(count).tolist(), count.tolist(), strict=True)):
                if length:
                    pieces[at % len(nodes)].append({name: a[end - length : end] for name, a in rows.items()})
        return {node: self._grown_from(node, pieces.pop(0)) for node in nodes}

    def _grown_from(self, node: int, pieces: list[dict]) -> Tree:
        with Threads(self._threads) as pool:
            columns = pool.map(lambda name: _one_after_other([piece[name] for piece in pieces]), pieces[0])
            rows = dict(zip(pieces[0], columns, strict=True))
        exact, p = exact_of(rows, len(rows["x0"]), self._scaling), len(self.schema)
        depth, _, limits = self._aside[node]
        place = Place(depth, self._used.get(node, frozenset()), self._search.above(), limits=limits)
        values = place.without_used(rows[f"x{j}"] for j in range(p))
        columns = Columns(self.schema, exact.n, values, tuple(rows.get(f"l{j}") for j in range(p)), {})
        encoded = EncodedColumns(columns, self._threads)
        source = MemorySource(encoded, np.arange(exact.n, dtype=np.uint32), self.response, exact, self._threads)
        return grow_at(place, source, self._search.recipe_below())


def _with_most_rows(tree: Tree) -> Tree:
    """As rpart predicts: a row that no surrogate routes goes where most rows went, though growth sent it by weight."""
    split = np.flatnonzero(tree.splits.feature >= 0)
    rows = tree.rows[tree.first_child[split]], tree.rows[tree.first_child[split] + 1]
    missing = tree.missing.copy()
    missing[split] = np.select([rows[0] == rows[1], rows[1] > rows[0]], [STAYS, 1], 0)
    return replace(tree, missing=missing)


def _one_after_other(arrays: list[np.ndarray]) -> np.ndarray:
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def _with_leaves(builder: Builder, n: int, by_tests: bool) -> Tree:
    """The tree of a builder with n more leaves, its next level, of which nothing is known; ``by_tests``: it has p's."""
    response, none = builder.response, np.zeros(0)
    starts, missing = np.zeros(n + 1, dtype=np.int32), np.full(n, STAYS, dtype=np.int32)
    leaves = LevelSplits(
        SplitTable.empty(n), missing, np.zeros(n, dtype=bool), np.full(n, np.nan), starts, SplitTable.empty(0),
        none, none, starts, SplitTable.empty(0), none, np.full(n, np.nan) if by_tests else None,
    )  # fmt: skip
    builder.add(np.zeros((n, response.width)), np.zeros(n, dtype=np.int64), leaves)
    return builder.freeze({})
