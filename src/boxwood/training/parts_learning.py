"""A learning set that lives in parts, and how a tree algorithm learns from a stream of batches."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

import numpy as np

from ..data.columns import Columns
from ..data.schema import Schema
from ..errors import MissingValueError, ParameterError
from ..sources.parts.cache import Cache
from ..sources.parts.layout import Roles
from ..sources.memory import EncodedColumns, MemorySource
from ..sources.protocol import Source
from ..sources.recipe import Recipe
from ..statistics.response import CLASSES, Response
from .encoding import Means, cache_of
from .learning_set import usable_threads
from .memory_size import memory_size
from .model import TreeModel
from .parameters import checked
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


def fit_stream(algorithm, source, roles: Roles, *, task: str, settings: dict | None = None, memory: str | int = "2GB",
               cache: str | os.PathLike | None = None, rows: int | None = None) -> TreeModel:  # fmt: skip
    """Fit a model to data that need not fit into memory; the same model as from the same rows in memory.

    Parameters
    ----------
    algorithm : Algorithm
    source : path, list of paths, frames, callable ... (:class:`boxwood.data.batches.Batches`), or folder of a cache
    roles : Roles
    task : {"classification", "regression"}
    settings : dict
        Parameters that differ from their defaults.
    memory : str or int
        What the fit may use, about: a text such as "2GB", or bytes.
    cache : path, optional
        Folder in which the code cache stays; None = it is temporary.
    rows : int, optional
        Rows of a batch and of a part, instead of as many as the memory allows.

    Raises
    ------
    ParameterError
        Something is asked for that needs the rows themselves, or a parameter is out of range.
    FileError, DataError, DataTypeError
        See :func:`boxwood.training.encoding.cache_of`.
    """
    settings = checked(algorithm.parameters[task], settings or {})
    refuse_what_needs_rows(algorithm, settings)
    means = Means(memory_size(memory), usable_threads(settings.get("n_jobs")), rows)
    target = None if cache is None else os.fspath(cache)
    roles = replace(roles, categorical_features=settings.get("categorical_features", "from_dtype"))
    with cache_of(source, roles, task, settings, means, target) as made:
        refuse_missing(made.facts, settings)
        return algorithm.fit_parts(parts_learning(made, settings, means), task, settings)


def refuse_what_needs_rows(algorithm, settings: dict) -> None:
    """Refuse settings that need rows held out, or the rows themselves.

    Raises
    ------
    ParameterError
    """
    if settings.get("criterion") == "poisson":
        raise ParameterError("criterion='poisson' is not learned from a stream; read the data into memory and use fit.")
    if settings.get("ccp_alpha", 0.0) == 0.0 and algorithm.pruner(settings) is not None:
        raise ParameterError(
            f"pruning={settings['pruning']!r} needs rows set aside, which a stream does not do; choose pruning=None, or a "
            "price of leaves with ccp_alpha, or prune the fitted model with rows of your own."
        )


def refuse_missing(facts: dict, settings: dict) -> None:
    """The policy missing='error': ``facts`` has the names of columns with "missing" and with "infinite" values."""
    if settings.get("missing") != "error":
        return
    for names, what in ((facts["missing"], "a missing value (NaN)"), (facts["infinite"], "an infinite value")):
        for name in names:
            raise MissingValueError(
                f"column {name!r} has {what} and missing='error' refuses it; fill it in, or choose another policy for "
                "missing values."
            )
