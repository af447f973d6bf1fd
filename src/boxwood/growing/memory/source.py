"""The in-memory source: all rows at hand, every search done by the kernel."""

from __future__ import annotations

import numpy as np

from ... import _kernel
from ..._fast_record import cached
from ...data.columns.columns import Columns
from ...data.columns.schema import NUMERIC, Schema
from ...statistics.exact import Content, Exact
from ...statistics.responses.response import Response
from ...tree.lazy_arrays import LazyArrays, lazy_record
from ...tree.shares import Parts, parts_of
from ...tree.tree import Tree
from ..protocol import Level, LevelSplits
from ..recipe import Recipe
from .coded import BinaryGrower
from .kernel_form import kernel_response, level_splits
from .multiway import check_multiway, multiway_settings
from .significance import ChaidAbove, FeatureTest, chaid_settings, feature_tests


class EncodedColumns:
    """Columns coded once for any number of fits: order-preserving codes and sorted rows, shared by all folds.

    Parameters
    ----------
    columns : Columns
    threads : int
        At most this many threads are used; the result does not depend on it.
    """

    _max_bins = 0  # as many as values

    def __init__(self, columns: Columns, threads: int):
        self.schema = columns.schema
        self.n = columns.n
        self._columns, self._threads = columns, threads
        self._grown_before = False  # a multiway tree

    @cached
    def table(self):
        """Every column as dense codes with the values behind them: what CHAID reads."""
        return self._coded(ranks_only=False)

    def sorted_table(self):
        """Every column as a list of its rows by rising value, which multiway growers read, and whether it is kept.

        The first table is not: its lists become those of the first tree, and most fits grow one tree. Whoever requests
        afterwards, such as the trees of folds, shares the second.
        """
        if self._grown_before:
            return self._kept_sorted, True
        self._grown_before = True
        return self._sorted(), False

    @cached
    def _kept_sorted(self):
        return self._sorted()

    def _sorted(self):
        table = _kernel.Table(self.n)
        table.sort(self.ranked.for_kernel(in_place=True), self._threads)
        return table

    @cached
    def rank_table(self):
        """Every column as dense codes: what all folds can read."""
        return vars(self).get("table") or self._coded(ranks_only=True)

    def _coded(self, ranks_only: bool):
        table = _kernel.Table(self.n)
        table.encode(self.ranked.for_kernel(in_place=True), self._threads, ranks_only)
        return table

    @cached
    def has_missing(self) -> bool:
        """Whether any value is missing; read off the codes where there are some."""
        return self.codes.has_missing

    @cached
    def codes(self):
        """Coarse codes without a sort."""
        return _kernel.Codes(self._columns.in_place(), self.n, self._threads, self._max_bins)

    def check(self, recipe: Recipe) -> None:
        """Refuse a recipe by which trees cannot be grown from these columns."""

    @property
    def grown_from(self) -> Columns:
        """The columns in terms of which trees are cut, unless by rank."""
        return self._columns

    @property
    def ranked(self) -> Columns:
        """The columns of which cuts by rank are."""
        return self._columns

    def grow(self, response: dict, settings, rows: list[np.ndarray] | None, by_rank: bool, threads: int) -> list:
        """What the kernel grows from each choice of rows, None = from all; ``by_rank``: cuts are midpoints of ranks."""
        return _kernel.grow_coded(self.codes, response, settings, threads, rows, self.rank_table if by_rank else None)

    def parts(self, tree: Tree, rows: np.ndarray, threads: int) -> Parts:
        """Every end of some rows in a tree grown with ``rank_cuts``, with the share of the row that ends there."""
        return parts_of(tree, self.rank_table, rows, threads=threads)

    def row_numbers(self, content: Content, threads: int) -> tuple[np.ndarray, np.ndarray]:
        """A number for each row, uint64, from its features and its ``content``, and the rows by rising number, uint32.

        See kernel/encode/row_hash.hpp.
        """
        table = _kernel.Table(self.n)
        table.encode([(k, v, None if k == NUMERIC else int(v.max()) + 1) for k, v in content], threads, True)
        return self.rank_table.row_numbers(table, threads)


class MemorySource:
    """Rows in memory, behind the kernel.

    Parameters
    ----------
    encoded : EncodedColumns
    rows : uint32 array
        The rows to learn from, ascending, all of positive weight.
    response : Response
    exact : Exact
        The response of those rows.
    threads : int

    Attributes
    ----------
    above : (float, float), ChaidAbove or None
        Weight and risk of the root of the tree that this one will be part of, if it is not a root itself; weight and
        rows where branches are many; cases and bins under CHAID.
    """

    above: tuple[float, float] | ChaidAbove | None = None

    def __init__(self, encoded: EncodedColumns, rows: np.ndarray, response: Response, exact: Exact, threads: int = 1):
        self.schema: Schema = encoded.schema
        self.response = response
        self._encoded, self._rows, self._exact, self._threads = encoded, rows, exact, threads
        self._binary = self._level_grower = None

    def root(self, recipe: Recipe) -> Level:
        """One node with all rows; starts the growth of a tree by this recipe."""
        self._binary = self._binary_grower(recipe)
        if self._binary is not None:
            return self._binary.root()
        self._level_grower = self._new_grower(recipe)
        self._level_grower.root()
        return self._level(0)

    def of_root(self, recipe: Recipe) -> tuple[float, float] | ChaidAbove:
        """What a tree that is grown from some of these rows needs of all of them: its ``above``."""
        level = self.root(recipe)
        if self._binary is not None:
            return self._binary.root_sums
        weight = float(self.response.weight(level.moments)[0])
        if recipe.branching.search == "multiway":
            return weight, len(self._rows)
        bins = [self._level_grower.bin_ends(j) if f.kind == NUMERIC else None for j, f in enumerate(self.schema)]
        return ChaidAbove(float(len(self._rows)) if recipe.criterion.case_weights else weight, tuple(bins))

    def best_splits(self, level: Level, is_open: np.ndarray) -> LevelSplits:
        """The best admissible split of every open node of the current level."""
        if self._binary is not None:
            return self._binary.best_splits(level, is_open)
        self._level_grower.best_splits(np.ascontiguousarray(is_open, dtype=np.uint8))
        return level_splits(self._level_grower.level())

    def route(self, level: Level, found: LevelSplits) -> Level:
        """Send the rows of the split nodes down."""
        if self._binary is not None:
            return self._binary.route(level)
        self._level_grower.route()
        return self._level(level.depth + 1)

    def finish(self, recipe: Recipe) -> Tree:
        """The whole tree at once: the one the loop would grow, without coming back to Python for each level."""
        grower = self._binary_grower(recipe)
        return self._tree(self._new_grower(recipe).finish()) if grower is None else grower.finish()[0]

    def finish_each(self, recipe: Recipe, keeps: list[np.ndarray]) -> list[Tree] | None:
        """A whole tree from each choice of this source's rows (bool, shape (n,)), side by side.

        None where only one at a time can be grown. This source must hold all rows.
        """
        grower = self._binary_grower(recipe)
        return None if grower is None else grower.finish(keeps)

    def complete(self, top: Tree) -> Tree:
        """Nothing was put aside."""
        return top

    def _binary_grower(self, recipe: Recipe) -> BinaryGrower | None:
        """The grower of binary splits, None where branches are many or chosen by tests."""
        if recipe.branching.search != "binary":
            return None
        return BinaryGrower(self._encoded, self._rows, self.response, self._exact, recipe, self.above, self._threads)

    def _tree(self, nodes) -> Tree:
        arrays = LazyArrays(nodes, self.response.width)
        known = {"schema": self.schema, "response": self.response, "made_by": {}, "log_p": arrays.get("log_p")}
        return lazy_record(Tree, arrays, **known)

    def tests(self, recipe: Recipe, samples: np.ndarray) -> tuple[FeatureTest, ...]:
        """What CHAID finds about every feature among some samples (positions in this source's rows), in column order.

        Numeric features are binned on all rows of the source, as in growth, so the tests of a node's samples are those
        by which its split was chosen.
        """
        grower = self._new_grower(recipe)
        grower.root()
        return feature_tests(grower, tuple(f.kind for f in self.schema), samples)

    def bins(self, recipe: Recipe, feature: int) -> tuple[np.ndarray, np.ndarray]:
        """Greatest value in each bin of a numeric feature under CHAID, as (values, low parts); empty for others."""
        grower = self._new_grower(recipe)
        grower.root()
        return grower.bin_ends(feature)

    def _new_grower(self, recipe: Recipe):
        if recipe.branching.search == "multiway":
            check_multiway(recipe, self.response)
            kind, (table, is_kept) = _kernel.MultiwayGrower, self._encoded.sorted_table()
            settings = multiway_settings(recipe, self.above) | {"uses_up": not is_kept}
        else:
            kind, table = _kernel.ChaidGrower, self._encoded.table
            settings = chaid_settings(recipe, len(self.response.labels), self.above)
        response = kernel_response(self.response, self._exact)
        return kind(table, self._rows, response, settings, self._threads)

    def _level(self, depth: int) -> Level:
        nodes = self._level_grower.level()
        return Level(nodes.moments.reshape(-1, self.response.width), nodes.rows, depth)
