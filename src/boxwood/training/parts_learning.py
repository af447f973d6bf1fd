"""A learning set that lives in parts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data.schema import Schema
from ..sources.parts.cache import Cache
from ..sources.protocol import Source
from ..sources.recipe import Recipe
from ..sources.sharded.engine import LocalEngine
from ..sources.sharded.shard import Shard
from ..sources.sharded.source import ShardedSource, Whole
from ..statistics.response import CLASSES, Response
from .encoding import Means
from .responses import class_priors_and_costs
from .target import with_factors

#: Bytes of a row and of a cell while a tree is grown from rows in memory, about.
_ROW, _PLAIN_CELL, _CELL = 96, 20, 36


@dataclass(frozen=True, eq=False)
class PartsLearning:
    """What a tree is learned from, when its rows are in a code cache.

    Attributes
    ----------
    cache : Cache
    response : Response
    means : Means
    """

    cache: Cache
    response: Response
    means: Means

    @property
    def n(self) -> int:
        """Number of rows of positive weight."""
        return self.cache.n

    @property
    def schema(self) -> Schema:
        """The features."""
        return self.cache.plan.schema

    @property
    def has_missing(self) -> bool:
        """Whether any value is missing."""
        return self.cache.has_missing

    @property
    def threads(self) -> int:
        """Threads that may be used."""
        return self.means.threads

    @property
    def capacity(self) -> int:
        """Rows that may be brought together: they, and what it takes to learn from them, are half of the memory."""
        cell = _PLAIN_CELL if self.schema.is_numeric and not self.has_missing else _CELL
        return max(1, self.means.memory // (2 * (_ROW + cell * len(self.schema))))

    def source(self, recipe: Recipe, keep: np.ndarray | None = None) -> Source:
        """A source that can grow by a recipe, over all rows."""
        plan = self.cache.plan
        parts = self.cache.opened()
        weighted = parts[0].exact.weight is not None
        whole = Whole(plan.schema, plan.cuts, self.response, self.cache.scaling, weighted, plan.thresholds)
        # several shards work side by side; a single one has all threads to itself
        shards = [Shard(part, self.response, self.threads if len(parts) == 1 else 1) for part in parts]
        engine = LocalEngine(shards, self.response.kind, self.threads)
        return ShardedSource(engine, whole, self.capacity, self.threads)


def parts_learning(cache: Cache, settings: dict, means: Means) -> PartsLearning:
    """A cache with the response that priors and costs ask for."""
    response = cache.response
    if response.kind == CLASSES:
        response, priors = class_priors_and_costs(response, settings)
        response = with_factors(response, priors, lambda: np.array(cache.plan.masses))
    return PartsLearning(cache, response, means)
