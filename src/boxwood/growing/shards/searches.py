"""The split search of a level from sums of shards: one class for each kind of branching."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ... import _kernel
from ...errors import ParameterError
from ...statistics.exact import Exact
from ...tree.tree import Tree
from ..data_cuts import with_data_cuts
from ..memory.kernel_form import kernel_response, kernel_settings, level_splits
from ..memory.multiway import check_multiway, multiway_settings
from ..memory.significance import ChaidAbove, chaid_settings
from ..protocol import LevelSplits
from ..recipe import Recipe
from .bins import BinEnds, whole_bins
from .category_protocol import CategoryProtocol, bin_cuts
from .engine import Engine
from .floors import floors_in_shards
from .level_stats import LevelStats, level_stats
from .siblings import NodeSums, SplitFamily
from .split_protocol import SplitProtocol
from .whole import Whole


@dataclass(frozen=True, eq=False)
class Problem:
    """What is searched.

    Attributes
    ----------
    recipe : Recipe
    whole : Whole
    scaling : Exact
        The fixed point of the response, with raised weights where rows are divided among branches.
    weighted : bool
        Whether some row's weight is not one.
    """

    recipe: Recipe
    whole: Whole
    scaling: Exact
    weighted: bool


@dataclass(frozen=True, eq=False)
class OpenLevel:
    """The nodes of a level, and where they are in the tree.

    Attributes
    ----------
    engine : Engine
    first : int
        Number of the level's first node in the tree.
    stats : LevelStats
    families : list of SplitFamily
        Of the level above: tables that follow from others are not requested.
    """

    engine: Engine
    first: int
    stats: LevelStats
    families: list[SplitFamily]


class BinarySearch:
    """Splits in two by a decrease of impurity (CART).

    Parameters
    ----------
    problem : Problem
    threads : int
    """

    def __init__(self, problem: Problem, threads: int):
        self._problem, self._threads = problem, threads
        self._core = self._made()

    @staticmethod
    def check(recipe: Recipe, whole: Whole) -> None:
        """Refuse recipes and data that this search does not serve."""

    def _made(self):
        whole, scaling = self._problem.whole, self._problem.scaling
        sizes = [len(f.levels) if c is None else len(c) + 1 for f, c in zip(whole.schema, whole.cuts, strict=True)]
        features = [(f.kind, size) for f, size in zip(whole.schema, sizes, strict=True)]
        known = kernel_response(whole.response, scaling)
        return _kernel.LevelSearch(known, self._settings(), features, self._problem.weighted, scaling.n, self._threads)

    def _settings(self) -> dict:
        return kernel_settings(self._problem.recipe)

    def start(self, reply: dict, is_root: bool) -> LevelStats:
        """Begin a level with the added replies to "stats"."""
        return level_stats(self._core, reply, is_root)

    def limit_means(self, limits: np.ndarray) -> None:
        """Limits of the means of the level's nodes, shape (L, 2); they count where features have an order."""
        if self._problem.recipe.constraints.monotonic:
            self._core.limit_means(*map(np.ascontiguousarray, limits.T))

    def prepare(self, level: OpenLevel) -> None:
        """Find out what must be known of the root before it is split."""

    def protocol(self, level: OpenLevel) -> SplitProtocol:
        """The split protocol of a level."""
        return SplitProtocol(
            level.engine, self._core, self._problem.whole.schema, self._problem.whole.cuts, level.first, level.stats
        )

    def find_splits(self, level: OpenLevel, used: dict[int, frozenset[int]]) -> dict[int, NodeSums]:
        """The best splits; see :meth:`.SplitProtocol.find_splits`."""
        return self.protocol(level).find_splits(used, level.families)

    @property
    def finds_surrogates(self) -> bool:
        """Whether splits have surrogates."""
        missing = self._problem.recipe.missing
        return missing.policy == "surrogate" and missing.max_surrogates > 0

    def find_surrogates(self, level: OpenLevel, nodes: list[int], split: Tree) -> None:
        """Surrogates of the splits that were found; see :meth:`.SplitProtocol.find_surrogates`."""
        self.protocol(level).find_surrogates(nodes, split)

    def known_weights(self) -> np.ndarray:
        """Weight of the known values that each branch of the level's splits gets, int64."""
        return self._core.known_weights()

    def found(self) -> LevelSplits:
        """The splits of the level."""
        return level_splits(self._core.level())

    def tests_once(self, j: int) -> bool:
        """Whether a feature that was tested may not be tested again below."""
        return self._problem.recipe.tests_once(self._problem.whole.schema[j])

    def above(self) -> tuple[float, float] | ChaidAbove:
        """What a tree grown from the rows of a node needs of the root; see :class:`.MemorySource`."""
        return self._core.root()

    def recipe_below(self) -> Recipe:
        """The recipe for trees that are grown from the rows of a node."""
        return self._problem.recipe

    def complete(self, tree: Tree, engine: Engine) -> Tree:
        """The whole tree with what only all rows can decide."""
        return tree


class MultiwaySearch(BinarySearch):
    """One branch per level, or cuts, by information gain (CLS, ID3, C4.5)."""

    @staticmethod
    def check(recipe: Recipe, whole: Whole) -> None:
        """Refuse recipes and data that this search does not serve."""
        check_multiway(recipe, whole.response)

    def _settings(self) -> dict:
        return multiway_settings(self.recipe_below())

    def protocol(self, level: OpenLevel) -> SplitProtocol:
        """The split protocol of a level; where values must differ by a tolerance, all of them decide."""
        found = super().protocol(level)
        found.rises = True
        found.forgets = self._problem.recipe.criterion.search_settings()["value_tolerance"] == 0
        return found

    def above(self) -> tuple[float, float]:
        """Weight and number of rows of the root."""
        return self._core.root()[0], self._problem.scaling.n

    @property
    def _moves_cuts(self) -> bool:
        return self._problem.recipe.criterion.data_cuts

    def recipe_below(self) -> Recipe:
        """The same recipe, its cuts not yet moved to values of the data: no part of the rows has all of them."""
        recipe = self._problem.recipe
        return replace(recipe, criterion=replace(recipe.criterion, data_cuts=False)) if self._moves_cuts else recipe

    def complete(self, tree: Tree, engine: Engine) -> Tree:
        """The tree with its cuts at values of the data, where the recipe requires that."""
        return with_data_cuts(tree, partial(floors_in_shards, engine)) if self._moves_cuts else tree


class MergedSearch(BinarySearch):
    """Merged categories by significance (CHAID)."""

    _ends: BinEnds = ()

    def _settings(self) -> dict:
        return chaid_settings(self._problem.recipe, len(self._problem.whole.response.labels))

    def prepare(self, level: OpenLevel) -> None:
        """The bins of numeric features, found once on all rows."""
        problem = self._problem
        self._ends = whole_bins(level.engine, self.protocol(level), problem.whole, problem.recipe)
        for j, ends in enumerate(self._ends):
            if ends is not None:
                self._core.set_bins(j, ends)

    def find_splits(self, level: OpenLevel, used: dict[int, frozenset[int]]) -> dict[int, NodeSums]:
        """The best splits; no table follows from others."""
        sizes, cuts = bin_cuts(self._problem.whole.schema, self._ends)
        cases = self._problem.recipe.criterion.case_weights
        CategoryProtocol(level.engine, self._core, sizes, cuts, cases).find_splits(list(used), level.first, level.stats)
        return {}

    @property
    def finds_surrogates(self) -> bool:
        """A missing value is a category."""
        return False

    def above(self) -> ChaidAbove:
        """Cases of the root and the bins."""
        return ChaidAbove(self._core.root()[0], self._ends)


#: Search of the kernel -> the same over shards.
_SEARCHES = {"binary": BinarySearch, "multiway": MultiwaySearch, "merged": MergedSearch}


def search_of(recipe: Recipe, whole: Whole) -> type[BinarySearch]:
    """The search for a recipe.

    Raises
    ------
    ParameterError
        Tables of shards do not serve the recipe.
    """
    if recipe.search is None or recipe.termination.stop is not None:
        raise ParameterError(
            "data in shards grow CART, CLS, ID3, C4.5 and CHAID trees; read them into memory for a choice of your own."
        )
    found = _SEARCHES[recipe.search]
    found.check(recipe, whole)
    recipe.check(whole.schema, whole.response)
    recipe.constraints.check_parts()
    recipe.draws.check_kernel()
    return found
