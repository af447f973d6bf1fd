"""Sparse columns, coded once: what binary trees are grown from without looking at zeros."""

from __future__ import annotations

import numpy as np

from ... import _kernel
from ..._fast_record import cached
from ...data.columns.schema import NUMERIC
from ...data.columns.sparse import BLOCK, SparseColumns
from ...statistics.exact import Content
from ...statistics.responses.quantiles import Quantiles
from ...tree.descend import used_features
from ...tree.shares import Parts, joined_parts, parts_of
from ...tree.tree import Tree
from ..recipe import Recipe
from .source import EncodedColumns
from .sparse_row_numbers import Ranks, row_numbers


class SparseEncoded(EncodedColumns):
    """Sparse columns, each with its stored values in order; see :class:`EncodedColumns`.

    What needs a code for every cell (``table``: trees of several branches, tests) makes the columns dense.
    """

    _columns: SparseColumns

    @cached
    def codes(self):
        """The stored values of each column that are not zero, in order."""
        stored = self._columns.by_column
        return _kernel.SparseColumns(self.n, stored.starts, stored.at, stored.cells, self._threads)

    def check(self, recipe: Recipe) -> None:
        """Refuse random splits."""
        recipe.draws.check_sparse()

    def grow(self, response: dict, settings, rows: list[np.ndarray] | None, by_rank: bool, threads: int) -> list:
        """What the kernel grows from each choice of rows; ``settings`` state whether cuts are by rank."""
        if response["kind"] == Quantiles.kind:  # which need every row of a node
            ranks = self.rank_table if by_rank else None
            return _kernel.grow_coded(self._dense_codes, response, settings, threads, rows, ranks)
        rows = [np.arange(self.n, dtype=np.uint32)] if rows is None else rows
        return _kernel.grow_sparse(self.codes, response, settings, threads, rows)

    @cached
    def _dense_codes(self):
        return _kernel.Codes(self._columns.for_kernel(), self.n, self._threads, self._max_bins)

    @cached
    def ranks(self) -> Ranks:
        """The ranks of all values, zeros left out."""
        return Ranks.of_features(self.n, *self.codes.ranks())

    def parts(self, tree: Tree, rows: np.ndarray, threads: int) -> Parts:
        """Every end of some rows in a tree grown with ``rank_cuts``: blocks of dense ranks of the features it uses."""
        used, ranks = used_features(tree), self.ranks
        size = max(1, BLOCK // (len(used) + 1))
        found = []
        for start in range(0, max(len(rows), 1), size):
            some = rows[start : start + size]
            zeros = np.zeros(len(some))
            columns = [(NUMERIC, zeros, None)] * len(self.schema)
            for j, column in zip(used.tolist(), ranks.dense(used, some), strict=True):
                columns[j] = (NUMERIC, column, None)
            found.append(parts_of(tree, columns, np.arange(len(some), dtype=np.uint32), threads=threads))
        return joined_parts(found, size)

    def row_numbers(self, content: Content, threads: int) -> tuple[np.ndarray, np.ndarray]:
        """A number for each row, uint64, from its content, the one of dense columns, and the rows by rising number."""
        ranks = self.ranks
        for kind, values in content:
            ranks = ranks.beside(kind, values)
        numbers = row_numbers(ranks)
        return numbers, np.argsort(numbers, kind="stable").astype(np.uint32)
