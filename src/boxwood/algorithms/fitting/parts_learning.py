"""A learning set stored in parts."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property

from ...data.columns.schema import Schema
from ...growing.parts.cache import Cache
from ...growing.parts.finishing import PartsPlan
from ...growing.protocol import Source
from ...growing.recipe import Recipe
from ...growing.shards.array_store import ArrayStore
from ...growing.shards.engine import LocalEngine
from ...growing.shards.shard import Shard
from ...growing.shards.source import ShardedSource
from ...growing.shards.whole import Whole
from ...pruning.raiser import raiser
from ...pruning.shard_resampling import InShards, Without
from ...statistics.responses.response import Response
from ...tree.tree import Tree
from .encoding import Budget
from .raising_in_shards import raised_in_shards

#: Bytes of a row and of a cell while a tree is grown from rows in memory, about.
_ROW, _PLAIN_CELL, _CELL = 96, 20, 36
#: Share of the memory for each value that is brought together while ranks and folds are made, about.
OF_VALUE = 4 * 64


@dataclass(frozen=True, eq=False)
class PartsLearning:
    """What a tree is learned from, when its rows are in a code cache.

    Attributes
    ----------
    cache : Cache
    response : Response
    means : Budget
    folder : str
        For files of this fit: what folds need to know of every row.
    """

    cache: Cache
    response: Response
    means: Budget
    folder: str

    @property
    def n(self) -> int:
        """Number of rows of positive weight."""
        return self.cache.n

    @property
    def plan(self) -> PartsPlan:
        """How the rows were put into numbers."""
        return self.cache.plan

    @property
    def schema(self) -> Schema:
        """The features."""
        return self.plan.schema

    @property
    def has_missing(self) -> bool:
        """Whether any value is missing."""
        return self.cache.has_missing

    @property
    def gaps(self) -> list[bool]:
        """Whether any value of each feature is missing."""
        return [self.has_missing and self.cache.facts["missing"].get(name, 0) > 0 for name in self.schema.names]

    @property
    def threads(self) -> int:
        """Threads that may be used."""
        return self.means.threads

    @property
    def capacity(self) -> int:
        """Rows that may be brought together: they, and what it takes to learn from them, are half of the memory."""
        cell = _PLAIN_CELL if self.schema.is_numeric and not self.has_missing else _CELL
        return max(1, self.means.planned // (2 * (_ROW + cell * len(self.schema))))

    @cached_property
    def shards(self) -> tuple[LocalEngine, Whole]:
        """The rows as shards, and what is known of all of them."""
        plan, parts = self.cache.plan, self.cache.opened()
        weighted = parts[0].exact.weight is not None
        whole = Whole(plan.schema, plan.cuts, self.response, self.cache.scaling, weighted, plan.thresholds)
        # several shards work side by side; a single one has all threads to itself
        threads = self.threads if len(parts) == 1 else 1
        keepers = [ArrayStore(os.path.join(self.folder, os.path.basename(file.path))) for file in self.cache.parts]
        shards = [Shard(part, self.response, threads, keep) for part, keep in zip(parts, keepers, strict=True)]
        return LocalEngine(shards, self.response.kind, self.threads, self.means.reply_bytes), whole

    @cached_property
    def resampling(self) -> InShards:
        """How rows are held out."""
        return InShards(*self.shards, max(1, self.means.planned // OF_VALUE))

    def with_weight_squares(self, tree: Tree, keep: Without | None = None) -> Tree:
        """A tree grown from these rows or those that stay, with the sums of their squared weights in each node."""
        return self.resampling.with_weight_squares(tree, keep)

    def source(self, recipe: Recipe, keep: Without | None = None) -> Source:
        """A source that can grow by a recipe, over all rows or those that stay."""
        seen = self.shards if keep is None else self.resampling.seen(keep, recipe.rank_cuts)
        return ShardedSource(*seen, self.capacity, self.threads)


raiser.register(PartsLearning, raised_in_shards)
