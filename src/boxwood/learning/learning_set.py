"""A learning set: encoded columns, the rows of positive weight, and their response in exact numbers."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from .._fast_record import record
from .._messages import Message, Setting, must_be, remedy
from ..data.columns.columns import Columns
from ..data.columns.schema import Schema
from ..data.columns.sparse import SparseColumns
from ..data.frames.repeated import derived_from
from ..errors import ParameterError, WeightError
from ..growing.memory.binned import BinnedColumns, BinnedSource
from ..growing.memory.some_rows import SomeRows
from ..growing.memory.source import EncodedColumns, MemorySource
from ..growing.memory.sparse import SparseEncoded
from ..growing.memory.tables import TableSource
from ..growing.protocol import Source
from ..growing.recipe import Recipe
from ..statistics.exact import Exact
from ..statistics.responses.response import Response
from ..tree.descend import route_shares
from ..tree.tree import Tree
from ..tree.weight_squares import square_sums, with_weight_squares
from .target import Target

#: Why rows without any weight teach nothing.
NO_WEIGHT = Message(
    Setting("sample_weight"), " is zero for every row; ", remedy("give at least one row a positive weight."),
)  # fmt: skip
NO_PRODUCT = Message(
    Setting("class_weight"), " times ", Setting("sample_weight"), " is zero for every row; ",
    remedy("give some row a weight."),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class LearningSet:
    """What a tree is learned from.

    Attributes
    ----------
    columns : Columns
        Only of the rows of positive weight.
    encoded : EncodedColumns
        The same, coded; by bins with ``max_bins``.
    rows : int64, shape (n,)
        The positions of these rows in the data given, ascending.
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
    def gaps(self) -> list[bool]:
        """Whether any value of each feature is missing."""
        return [self.has_missing and bool(self.columns.missing(j).any()) for j in range(len(self.schema))]

    def truth(self, rows: np.ndarray) -> np.ndarray:
        """y of some rows back from exact numbers: class codes, numbers, or (exposure, events)."""
        return self.response.truth(self.exact.take(rows))

    @property
    def weight(self) -> np.ndarray:
        """True weight of each row, shape (n,)."""
        if self.exact.weight is None:
            return np.ones(self.n)
        return self.exact.weight * self.exact.unit

    def with_weight_squares(self, tree: Tree, keep: np.ndarray | None = None) -> Tree:
        """A tree grown from these rows or those that stay, with the sums of their squared weights in each node."""
        if self.exact.weight is None:
            return tree if tree.weight_squares is None else replace(tree, weight_squares=None)
        exact = self.exact if keep is None else self.exact.take(keep)
        columns = self.columns if keep is None else self.columns.take(np.flatnonzero(keep))
        sums = square_sums(tree, route_shares(tree, columns, threads=self.threads), exact.weight, exact.codes)
        return with_weight_squares(tree, sums, exact.unit)

    @cached_property
    def as_given(self) -> EncodedColumns:
        """The columns coded by their values, whether trees are grown from bins or not."""
        return EncodedColumns(self.columns, self.threads) if isinstance(self.encoded, BinnedColumns) else self.encoded

    @cached_property
    def row_numbers(self) -> tuple[np.ndarray, np.ndarray]:
        """A number for each row, uint64, from its content, and the rows by rising number, uint32."""
        return self.encoded.row_numbers(self.response.content(self.exact), self.threads)

    def source(self, recipe: Recipe, keep: np.ndarray | None = None) -> Source:
        """A source that can grow by a recipe, over all rows or those where ``keep`` (bool, shape (n,)) is true."""
        rows = _all_rows(self.n, np.uint32) if keep is None else np.flatnonzero(keep).astype(np.uint32)
        exact = self.exact if keep is None else self.exact.take(keep)
        encoded = self.encoded
        if recipe.search is not None:
            recipe.check(self.columns.schema, self.response)
            return MemorySource(encoded, rows, self.response, exact, self.threads)
        if isinstance(encoded, BinnedColumns):
            return BinnedSource(TableSource(encoded.binned, rows, self.response, exact), encoded)
        return TableSource(self.columns, rows, self.response, exact)


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
        raise ParameterError(must_be("n_jobs", "None, -1 (all cores) or at least 1", n_jobs))
    return min(n_jobs, cores)


def learning_set(columns: Columns, target: Target, threads: int, max_bins: int | None = None) -> LearningSet:
    """Encode columns and response; rows of weight 0 are left out as if they had not been given.

    With ``max_bins``, numeric columns of more values are cut into at most so many bins.

    Raises
    ------
    WeightError
        No row has a positive weight.
    """
    weight = target.weight
    rows = _all_rows(columns.n, np.int64) if weight is None else np.flatnonzero(weight > 0)
    if len(rows) == 0:
        raise WeightError(NO_WEIGHT)
    response, exact = target.in_exact_numbers(rows)
    taken = columns if len(rows) == columns.n else columns.take(rows)
    encoded = _encoded(columns, taken, rows, threads, max_bins)
    return record(
        LearningSet, columns=taken, encoded=encoded, rows=rows, n_given=columns.n, response=response, exact=exact,
        threads=threads,
    )  # fmt: skip


def _encoded(columns: Columns, taken: Columns, rows: np.ndarray, threads: int, max_bins: int | None) -> EncodedColumns:
    """The columns of the rows taken, coded; by the codes of all rows where these are kept for further fits."""
    if max_bins is not None:
        return BinnedColumns(taken, threads, max_bins)
    if isinstance(taken, SparseColumns):
        return SparseEncoded(taken, threads)
    derived = derived_from(columns)
    if derived is None:
        return EncodedColumns(taken, threads)
    whole = derived.setdefault("encoded", EncodedColumns(columns, threads))
    return whole if taken is columns else SomeRows(taken, whole, rows, threads)


def _all_rows(n: int, kind: type) -> np.ndarray:
    """The numbers of n rows, not to be changed: those of up to a million rows are shared by many fits."""
    if n <= 1024:
        return _few_rows(n, kind)
    return np.arange(n, dtype=kind) if n > 2**20 else _many_rows((n - 1).bit_length(), kind)[:n]


@lru_cache(16)
def _few_rows(n: int, kind: type) -> np.ndarray:
    return _counted(n, kind)


@lru_cache(4)
def _many_rows(power: int, kind: type) -> np.ndarray:
    """The numbers below 2**power; those used last are kept, 18 MB at most."""
    return _counted(2**power, kind)


def _counted(n: int, kind: type) -> np.ndarray:
    rows = np.arange(n, dtype=kind)
    rows.flags.writeable = False
    return rows
