"""A learning set that lives in parts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..data.columns import Columns
from ..data.schema import Schema
from ..sources.memory import EncodedColumns, MemorySource
from ..sources.parts.cache import Cache
from ..sources.protocol import Source
from ..sources.recipe import Recipe
from ..statistics.response import CLASSES, Response
from .encoding import Means
from .responses import class_priors_and_costs
from .target import with_factors


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

    def source(self, recipe: Recipe, keep: np.ndarray | None = None) -> Source:
        """A source that can grow by a recipe, over all rows."""
        parts = self.cache.opened()
        exacts = [part.exact for part in parts]

        def joined(name):
            arrays = [getattr(e, name) for e in exacts]
            return None if arrays[0] is None else np.concatenate(arrays)

        exact = replace(exacts[0], n=self.n, **{k: joined(k) for k in ("weight", "codes", "high", "low")})
        p = len(self.schema)
        values = tuple(np.concatenate([part.values[j] for part in parts]) for j in range(p))
        values = tuple(v.astype(np.float64) if v.dtype.kind == "f" else v for v in values)
        columns = Columns(self.schema, self.n, values, (None,) * p, {})
        return MemorySource(
            EncodedColumns(columns, self.threads),
            np.arange(self.n, dtype=np.uint32),
            self.response,
            exact,
            self.threads,
        )


def parts_learning(cache: Cache, settings: dict, means: Means) -> PartsLearning:
    """A cache with the response that priors and costs ask for."""
    response = cache.response
    if response.kind == CLASSES:
        response, priors = class_priors_and_costs(response, settings)
        response = with_factors(response, priors, lambda: np.array(cache.plan.masses))
    return PartsLearning(cache, response, means)
