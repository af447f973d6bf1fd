"""The sharded source: large nodes at the top of a tree by sums of shards, what fits into memory below them at once."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from ... import _kernel
from ...data.columns import Columns
from ...errors import ParameterError
from ...growing.branching import Merged, Multiway
from ...growing.gain import Gain
from ...growing.protocol import Level, LevelSplits
from ...growing.recipe import Recipe
from ...statistics.exact import Exact
from ...tree.builder import Builder, branch_counts
from ...tree.graft import graft
from ...tree.split import SplitTable
from ...tree.tree import STAYS, Tree
from ..binned import in_thresholds
from ..kernel_form import kernel_response, kernel_settings, node_splits
from ..memory import EncodedColumns, MemorySource
from ..multiway import check_multiway, multiway_settings
from ..significance import ChaidAbove, chaid_settings
from ..table_allowed import check_kernel, needs_tables
from .bins import whole_bins
from .category_protocol import CategoryProtocol, bin_cuts
from .cuts import with_data_cuts
from .engine import Engine
from .level_stats import level_stats
from .shard import exact_of
from .shares import Shares
from .siblings import SplitFamily
from .split_protocol import SplitProtocol
from .used_features import used_below
from .whole import Whole

log = logging.getLogger("boxwood")


class ShardedSource:
    """Rows that live in shards.

    A level is searched from tables that the shards add up. A node of at most ``capacity`` rows is left alone at first;
    when the top of the tree stands, its rows are brought together and the tree below is grown in memory.

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
        self._check(recipe)
        # shards that look at ranks cut by them as by any numbers
        self._recipe, self._above, self._aside, self._used = replace(recipe, rank_cuts=False), [], {}, {}
        level = self._begun(None, self._whole.scaling)
        if recipe.missing.policy == "fractional" and self._protocol().features_with_gaps():
            shares = Shares.of_root(int(self._stats.words[0].sum()))
            level = self._begun(shares, shares.raised(self._whole.scaling))
        if isinstance(recipe.branching, Merged):
            self._find_bins()
        return level

    def _begun(self, shares: Shares | None, scaling: Exact) -> Level:
        """All rows at the root, which are shared out below or not."""
        self._shares, self._scaling, self._first, self._families = shares, scaling, 0, []
        self._engine.update(None, shares)
        self._search = self._new_search(self._recipe)
        return self._level(0, 1)

    def _new_search(self, recipe: Recipe):
        whole, scaling = self._whole, self._scaling
        known = kernel_response(whole.response, scaling)
        if isinstance(recipe.branching, Merged):
            levels = [(f.kind, len(f.levels)) for f in whole.schema]
            settings = chaid_settings(recipe, len(whole.response.labels))
            return _kernel.CategorySearch(known, settings, levels, self._threads)
        sizes = [len(f.levels) if c is None else len(c) + 1 for f, c in zip(whole.schema, whole.cuts, strict=True)]
        features = [(f.kind, size) for f, size in zip(whole.schema, sizes, strict=True)]
        if isinstance(recipe.branching, Multiway):
            settings = multiway_settings(_with_midpoints(recipe))
        else:
            settings = kernel_settings(recipe)
        weighted = whole.weighted or self._shares is not None
        return _kernel.LevelSearch(known, weighted, settings, features, scaling.n)

    def _find_bins(self) -> None:
        """CHAID's bins of numeric features, found once on all rows."""
        self._ends = whole_bins(self._engine, self._protocol(), self._whole, self._recipe)
        for j, ends in enumerate(self._ends):
            if ends is not None:
                self._search.set_bins(j, ends)

    def best_splits(self, level: Level, is_open: np.ndarray) -> LevelSplits:
        """The best admissible split of every open node of the level that is too large to be brought together."""
        is_open = is_open & ~self._search.closed().astype(bool)
        small = is_open & (level.rows <= self._capacity)
        for i in np.flatnonzero(small).tolist():
            self._aside[self._first + i] = (level.depth, int(level.rows[i]))
        nodes = np.flatnonzero(is_open & ~small).tolist()
        log.info("growing: depth %d, %d nodes from sums, %d put aside", level.depth, len(nodes), len(self._aside))
        if isinstance(self._recipe.branching, Merged):
            self._tables = {}
            self._categories().find_splits(nodes, self._first, self._stats)
            return self._found()
        protocol = self._protocol()
        used = {i: self._used.get(self._first + i, frozenset()) for i in nodes}
        self._tables = protocol.find_splits(used, self._families)
        found = self._found()
        split = np.flatnonzero(found.splits.feature >= 0).tolist()
        missing = self._recipe.missing
        if split and missing.policy == "surrogate" and missing.max_surrogates:
            alone = replace(found, missing=np.full(len(found.missing), STAYS, dtype=np.int32))
            protocol.find_surrogates(split, self._tree_with(level, alone))
            found = self._found()
        return found

    def route(self, level: Level, found: LevelSplits) -> Level:
        """Send the rows of the split nodes down."""
        tree = self._tree_with(level, found)
        self._used |= used_below(self._recipe, self.schema, (tree, self._first, found), self._used)
        self._above.append((level.moments, level.rows, found))
        self._families = self._families_below(tree, len(level.rows))
        self._first += len(level.rows)
        if tree.n_nodes == self._first:
            return Level(np.zeros((0, self.response.width)), np.zeros(0, np.int64), level.depth + 1)
        if self._shares is not None:
            self._shares = self._shares.below(self._search.known_weights())
        self._engine.update(tree, self._shares)
        return self._level(level.depth + 1, tree.n_nodes - self._first)

    def complete(self, top: Tree) -> Tree:
        """The top with the trees of the nodes that were left alone."""
        below: dict[int, Tree] = {}
        for batch in self._batches():
            below |= self._grown(batch)
            log.info("growing: %d of %d nodes from their rows", len(below), len(self._aside))
        missing = self._recipe.missing
        if missing.rpart_quirk and missing.policy == "surrogate" and missing.otherwise == "majority":
            top = _with_most_rows(top)
        tree = graft(top, below)
        criterion, thresholds = self._recipe.criterion, self._whole.thresholds
        if isinstance(criterion, Gain) and criterion.data_cuts:
            tree = with_data_cuts(tree, self._engine)
        return in_thresholds(tree, thresholds) if thresholds else tree

    def _level(self, depth: int, n_nodes: int) -> Level:
        arguments = {"nodes": np.arange(self._first, self._first + n_nodes)}
        stats = self._stats = level_stats(self.response.kind, self._engine.request("stats", arguments), n_nodes)
        moments = self._search.start(
            stats.rows, np.ascontiguousarray(stats.words).ravel(), stats.pure, stats.fine, stats.about, depth == 0
        )
        return Level(moments.reshape(n_nodes, -1), stats.rows, depth)

    def _families_below(self, tree: Tree, n_nodes: int) -> list[SplitFamily]:
        """The nodes of the level that were searched and split, with their children; none if rows go down in shares."""
        if self._shares is not None:
            return []
        below = self._first + n_nodes
        found = [(tables, self._first + i) for i, tables in self._tables.items()]
        starts = [(tables, int(tree.first_child[i]) - below, int(tree.n_children[i])) for tables, i in found]
        return [SplitFamily(tables, range(start, start + n)) for tables, start, n in starts if n]

    def _protocol(self) -> SplitProtocol:
        return SplitProtocol(self._engine, self._search, self.schema, self._whole.cuts, self._first, self._stats)

    def _categories(self) -> CategoryProtocol:
        sizes, cuts = bin_cuts(self.schema, self._ends)
        return CategoryProtocol(self._engine, self._search, sizes, cuts, self._recipe.criterion.case_weights)

    def _found(self) -> LevelSplits:
        return LevelSplits(**node_splits(self._search.level()))

    def _tree_with(self, level: Level, found: LevelSplits) -> Tree:
        """The tree so far with a level's splits, their branches being leaves of which nothing is known."""
        builder = Builder(self.schema, self.response)
        for each in (*self._above, (level.moments, level.rows, found)):
            builder.add(*each)
        return _with_leaves(builder, int(branch_counts(found.splits, found.missing).sum()), found.log_p is not None)

    def _batches(self) -> list[list[int]]:
        """Nodes that were left alone, as many at a time as may be brought together."""
        batches, left = [], 0
        for node, (_, rows) in self._aside.items():
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
        with ThreadPoolExecutor(self._threads) as pool:
            columns = pool.map(lambda name: _one_after_other([piece[name] for piece in pieces]), pieces[0])
            rows = dict(zip(pieces[0], columns, strict=True))
        exact, p = exact_of(rows, len(rows["x0"]), self._scaling), len(self.schema)
        values = [rows[f"x{j}"] for j in range(p)]
        for j in self._used.get(node, ()):  # as if it had no value anywhere: such a feature offers nothing
            values[j] = np.full(exact.n, -1, dtype=np.int32)
        low = tuple(rows.get(f"l{j}") for j in range(p))
        columns = Columns(self.schema, exact.n, tuple(values), low, {})
        termination, depth = self._recipe.termination, self._aside[node][0]
        if termination.max_depth is not None:
            termination = replace(termination, max_depth=termination.max_depth - depth)
        encoded = EncodedColumns(columns, self._threads)
        source = MemorySource(encoded, np.arange(exact.n, dtype=np.uint32), self.response, exact, self._threads)
        source.above = self._of_root
        return source.finish(replace(_with_midpoints(self._recipe), termination=termination))

    @property
    def _of_root(self) -> tuple[float, float] | ChaidAbove:
        """What trees grown apart must know of the whole; see :class:`.MemorySource`."""
        if isinstance(self._recipe.branching, Merged):
            return ChaidAbove(self._search.all_cases(), self._ends)
        weight, risk = self._search.root()
        return (weight, self._scaling.n) if isinstance(self._recipe.branching, Multiway) else (weight, risk)

    def _check(self, recipe: Recipe) -> None:
        """Refuse what tables of shards do not serve."""
        if needs_tables(recipe):
            raise ParameterError(
                "data in shards grow CART, CLS, ID3, C4.5 and CHAID trees; read them into memory for a criterion of "
                "your own."
            )
        if isinstance(recipe.branching, Multiway):
            check_multiway(recipe, self.response)
        check_kernel(recipe, self.schema, self.response)


def _with_midpoints(recipe: Recipe) -> Recipe:
    """The same recipe, its cuts not yet moved to values of the data: no part of the rows knows all of them."""
    if not isinstance(recipe.criterion, Gain):
        return recipe
    return replace(recipe, criterion=replace(recipe.criterion, data_cuts=False))


def _with_most_rows(tree: Tree) -> Tree:
    """As rpart predicts: a row that no surrogate knows goes where most rows went, though growth sent it by weight."""
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
