"""The sharded source: large nodes at the top of a tree by sums of shards, what fits into memory below them at once."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ... import _kernel
from ...data.columns import Columns
from ...data.schema import Schema
from ...errors import ParameterError
from ...statistics.exact import Exact
from ...statistics.response import Response
from ...tree.builder import Builder, branch_counts
from ...tree.graft import graft
from ...tree.split import SplitTable
from ...tree.tree import STAYS, Tree
from ..branching import Branching
from ..criterion import Criterion
from ..kernel_form import kernel_response, kernel_settings, node_splits
from ..memory import EncodedColumns, MemorySource
from ..protocol import Level, LevelSplits
from ..recipe import Recipe
from .dialogue import Dialogue
from .engine import Engine
from .facts import level_facts
from .shard import exact_of


@dataclass(frozen=True, eq=False)
class Whole:
    """What is known of all rows of all shards.

    Attributes
    ----------
    schema : Schema
    cuts : tuple of (float64 array or None)
        Cuts between the bins of each numeric feature, as in every part.
    response : Response
    scaling : Exact
        The fixed point of the response, without arrays; ``n`` is the number of rows.
    weighted : bool
        Whether some row's weight is not one.
    """

    schema: Schema
    cuts: tuple[np.ndarray | None, ...]
    response: Response
    scaling: Exact
    weighted: bool


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
        _check(recipe)
        whole = self._whole
        sizes = [len(f.levels) if c is None else len(c) + 1 for f, c in zip(whole.schema, whole.cuts, strict=True)]
        features = [(f.kind, size) for f, size in zip(whole.schema, sizes, strict=True)]
        known = kernel_response(whole.response, whole.scaling)
        self._search = _kernel.LevelSearch(known, whole.weighted, kernel_settings(recipe), features)
        self._recipe, self._above, self._aside = recipe, [], {}
        self._first = 0
        return self._level(0, 1)

    def best_splits(self, level: Level, is_open: np.ndarray) -> LevelSplits:
        """The best admissible split of every open node of the level that is too large to be brought together."""
        is_open = is_open & ~self._search.pure().astype(bool)
        small = is_open & (level.rows <= self._capacity)
        for i in np.flatnonzero(small).tolist():
            self._aside[self._first + i] = (level.depth, int(level.rows[i]))
        nodes = np.flatnonzero(is_open & ~small).tolist()
        dialogue = Dialogue(self._engine, self._search, self.schema, self._whole.cuts, self._first, self._facts)
        if nodes:
            dialogue.find_splits(nodes)
        found = self._found()
        split = np.flatnonzero(found.splits.feature >= 0).tolist()
        missing = self._recipe.missing
        if split and missing.policy == "surrogate" and missing.max_surrogates:
            alone = replace(found, missing=np.full(len(found.missing), STAYS, dtype=np.int32))
            dialogue.find_surrogates(split, self._tree_with(level, alone))
            found = self._found()
        return found

    def route(self, level: Level, found: LevelSplits) -> Level:
        """Send the rows of the split nodes down."""
        tree = self._tree_with(level, found)
        self._above.append((level.moments, level.rows, found))
        self._first += len(level.rows)
        if tree.n_nodes == self._first:
            return Level(np.zeros((0, self.response.width)), np.zeros(0, np.int64), level.depth + 1)
        self._engine.send(tree)
        return self._level(level.depth + 1, tree.n_nodes - self._first)

    def complete(self, top: Tree) -> Tree:
        """The top with the trees of the nodes that were left alone."""
        below: dict[int, Tree] = {}
        for batch in self._batches():
            below |= self._grown(batch)
        return graft(top, below)

    def _level(self, depth: int, n_nodes: int) -> Level:
        asked = {"nodes": np.arange(self._first, self._first + n_nodes)}
        facts = self._facts = level_facts(self.response.kind, self._engine.ask("facts", asked), n_nodes)
        moments = self._search.start(
            facts.rows, np.ascontiguousarray(facts.words).ravel(), facts.pure, facts.fine, facts.about, depth == 0
        )
        return Level(moments.reshape(n_nodes, -1), facts.rows, depth)

    def _found(self) -> LevelSplits:
        return LevelSplits(**node_splits(self._search.level()))

    def _tree_with(self, level: Level, found: LevelSplits) -> Tree:
        """The tree so far with a level's splits, their branches being leaves of which nothing is known."""
        builder = Builder(self.schema, self.response)
        for each in (*self._above, (level.moments, level.rows, found)):
            builder.add(*each)
        n = int(branch_counts(found.splits, found.missing).sum())
        none = np.zeros(0)
        starts, missing = np.zeros(n + 1, dtype=np.int32), np.full(n, STAYS, dtype=np.int32)
        leaves = LevelSplits(
            SplitTable.empty(n), missing, np.zeros(n, dtype=bool), np.full(n, np.nan), starts, SplitTable.empty(0),
            none, none, starts, SplitTable.empty(0), none,
        )  # fmt: skip
        builder.add(np.zeros((n, self.response.width)), np.zeros(n, dtype=np.int64), leaves)
        return builder.freeze({})

    def _batches(self) -> list[list[int]]:
        """Nodes that were left alone, as many at a time as may be brought together."""
        batches, room = [], 0
        for node, (_, rows) in self._aside.items():
            if rows > room or not batches:
                batches.append([])
                room = self._capacity
            batches[-1].append(node)
            room -= rows
        return batches

    def _grown(self, nodes: list[int]) -> dict[int, Tree]:
        """The trees of some nodes, each from its rows."""
        asked = {"nodes": np.array(nodes, dtype=np.int64)}
        pieces: list[list[dict]] = [[] for _ in nodes]
        for rows in self._engine.rows(asked):
            order = np.argsort(rows["place"], kind="stable")
            stop = np.searchsorted(rows["place"][order], np.arange(len(nodes)), side="right")
            for place, (start, end) in enumerate(zip([0, *stop[:-1].tolist()], stop.tolist(), strict=True)):
                if end > start:
                    pieces[place].append({name: a[order[start:end]] for name, a in rows.items()})
        return {node: self._grown_from(node, pieces.pop(0)) for node in nodes}

    def _grown_from(self, node: int, pieces: list[dict]) -> Tree:
        rows = {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
        exact, p = exact_of(rows, self._whole.scaling), len(self.schema)
        columns = Columns(self.schema, exact.n, tuple(rows[f"x{j}"] for j in range(p)), (None,) * p, {})
        termination, depth = self._recipe.termination, self._aside[node][0]
        if termination.max_depth is not None:
            termination = replace(termination, max_depth=termination.max_depth - depth)
        encoded = EncodedColumns(columns, self._threads)
        source = MemorySource(encoded, np.arange(exact.n, dtype=np.uint32), self.response, exact, self._threads)
        source.above = self._search.root()
        return source.finish(replace(self._recipe, termination=termination))


def _check(recipe: Recipe) -> None:
    """Refuse what tables of shards do not serve."""
    if not isinstance(recipe.branching, Branching) or not isinstance(recipe.criterion, Criterion):
        raise ParameterError(
            "data in shards grow binary trees (CART) only; read the data into memory for this algorithm."
        )
    if recipe.rank_cuts:
        raise ParameterError("folds are not grown from shards; choose a pruning without folds.")
    if recipe.missing.rpart_quirk:
        raise ParameterError("compat='rpart' does not go with data in shards; read the data into memory.")
