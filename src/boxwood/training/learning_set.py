"""A learning set: encoded columns, the rows of positive weight, and their response in exact numbers."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from ..data.columns import Columns
from ..data.schema import Schema
from ..errors import ParameterError, WeightError
from ..sources.memory import EncodedColumns, MemorySource
from ..sources.protocol import Source
from ..sources.recipe import Recipe
from ..sources.table_allowed import check_kernel, needs_tables
from ..sources.tables import TableSource
from ..statistics.exact import Exact
from ..statistics.response import Response
from .target import Target


@dataclass(frozen=True, eq=False)
class LearningSet:
    """What a tree is learned from.

    Attributes
    ----------
    columns : Columns
        Of the rows of positive weight alone.
    encoded : EncodedColumns
        The same, coded.
    rows : int64, shape (n,)
        Where these rows stood in the data given, ascending.
    n_given : int
        Number of rows given.
    response : Response
    exact : Exact
        Of those rows.
    threads : int
    """

    columns: Columns
    encoded: EncodedColumns
    rows: np.ndarray
    n_given: int
    response: Response
    exact: Exact
    threads: int

    @property
    def n(self) -> int:
        """Number of rows of positive weight."""
        return len(self.rows)

    @property
    def schema(self) -> Schema:
        """The features."""
        return self.columns.schema

    @property
    def has_missing(self) -> bool:
        """Whether any value is missing."""
        return self.encoded.has_missing

    @property
    def weight(self) -> np.ndarray:
        """True weight of each row, shape (n,)."""
        if self.exact.weight is None:
            return np.ones(self.n)
        return self.exact.weight * self.exact.unit

    def source(self, recipe: Recipe, keep: np.ndarray | None = None) -> Source:
        """A source that can grow by a recipe, over all rows or those where ``keep`` (bool, shape (n,)) is true."""
        rows = np.arange(self.n, dtype=np.uint32) if keep is None else np.flatnonzero(keep).astype(np.uint32)
        exact = self.exact if keep is None else self.exact.take(keep)
        if needs_tables(recipe):
            return TableSource(self.columns, rows, self.response, exact)
        check_kernel(recipe, self.columns.schema, self.response)
        return MemorySource(self.encoded, rows, self.response, exact, self.threads)


def usable_threads(n_jobs: int | None) -> int:
    """Number of threads for ``n_jobs``: None and -1 are all cores this process may use, more than those are not taken.

    Raises
    ------
    ParameterError
        0 or below -1.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if n_jobs is None or n_jobs == -1:
        return cores
    if n_jobs < 1:
        raise ParameterError(f"n_jobs must be None, -1 (all cores) or at least 1; got {n_jobs!r}.")
    return min(n_jobs, cores)


def learning_set(columns: Columns, target: Target, threads: int) -> LearningSet:
    """Encode columns and response; rows of weight 0 are left out as if they had not been given.

    Raises
    ------
    WeightError
        No row has a positive weight.
    """
    weight = target.weight
    rows = np.arange(columns.n) if weight is None else np.flatnonzero(weight > 0)
    if len(rows) == 0:
        raise WeightError("sample_weight is zero for every row; give at least one row a positive weight.")
    response, exact = target.in_exact_numbers(rows)
    taken = columns if len(rows) == columns.n else columns.take(rows)
    return LearningSet(taken, EncodedColumns(taken, threads), rows, columns.n, response, exact, threads)
