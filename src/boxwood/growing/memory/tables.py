"""The table source: finds splits and routes rows from tables of values and moments, for any criterion."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...data.columns.columns import Columns
from ...data.columns.distinct import distinct
from ...data.columns.schema import Schema
from ...statistics.exact import Exact
from ...statistics.responses.addends import Addends
from ...statistics.responses.response import Response
from ...tree.split import offsets
from ...tree.tree import SHARED, STAYS, Tree
from ..draft import Draft, Key, table_of
from ..partitions import FeatureSplit, LearningStats, Partitions
from ..protocol import Level, LevelSplits
from ..recipe import Recipe
from ..tables import UNKNOWN, FeatureTable, coded, tabulate
from ..termination import below_root
from ..trials import NodeTable
from .table_samples import Samples, divide, share_shift
from .table_surrogates import SplitTaken, Surrogate, find_surrogates


@dataclass(frozen=True, eq=False)
class TableSplit:
    """What was found for one node."""

    best: FeatureSplit
    others: list[FeatureSplit]
    draft: Draft
    missing: int
    weights: list[int]
    surrogates: list[Surrogate]


class TableSource:
    """A learning set in memory, every question answered in numpy by looking at tables.

    It serves every mixture of choices that needs no code of its own in the kernel: criteria written in Python, and any
    branching with any criterion. It is also the oracle of the kernel's multiway grower.

    Parameters
    ----------
    columns : Columns
        All rows; ranks of values are taken over them.
    rows : uint32 or int64 array, shape (n,)
        The rows to learn from, ascending.
    response : Response
    exact : Exact
        y and weights of those n rows, all of positive weight.

    Attributes
    ----------
    above : (float, int) or None
        Weight and number of rows of the root of the tree that this one will be in, if it is not a root itself.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.data.columns.columns import Columns
    >>> from boxwood.data.columns.schema import Feature, Schema
    >>> from boxwood.growing.branching import Multiway
    >>> from boxwood.growing.gain import Gain
    >>> from boxwood.growing.missing import Missing
    >>> from boxwood.growing.recipe import Recipe
    >>> from boxwood.statistics.exact import exact_classes
    >>> from boxwood.statistics.responses.classes import Classes
    >>> schema = Schema((Feature("wind", "nominal", ("strong", "weak")),))
    >>> columns = Columns(schema, 4, (np.array([0, 0, 1, 1], dtype=np.int32),), (None,), {})
    >>> response = Classes(labels=("no", "yes"), factors=(1.0, 1.0))
    >>> exact = exact_classes(np.array([0, 0, 1, 1]), None)
    >>> source = TableSource(columns, np.arange(4), response, exact)
    >>> root = source.root(Recipe(Gain(), Multiway(), missing=Missing("error")))
    >>> source.best_splits(root, np.array([True])).score
    array([1.])
    """

    above: tuple[float, int] | None = None

    def __init__(self, columns: Columns, rows: np.ndarray, response: Response, exact: Exact):
        self.schema: Schema = columns.schema
        self.response = response
        self._exact = exact
        rows = np.asarray(rows, dtype=np.int64)
        whole = [coded(columns, j) for j in range(len(columns.schema))]
        self._features = [replace(f, codes=f.codes[rows]) for f in whole]
        self._held = [distinct(f.codes[f.codes >= 0]).tolist() for f in self._features]
        self._nodes: list[Samples] = []
        self._found: list[TableSplit | None] = []

    def root(self, recipe: Recipe) -> Level:
        """One node with all rows; starts the growth of a tree by this recipe."""
        recipe.check_tables(self.schema, self.response)
        n, given = self._exact.n, self._exact.weight
        weight = np.ones(n, dtype=np.int64) if given is None else given.astype(np.int64)
        total = int(weight.sum())
        shift = share_shift(total) if recipe.missing.policy == "fractional" else 0
        self._unit = self._exact.unit * 2.0**-shift
        self._recipe = recipe
        least = recipe.termination.min_impurity_decrease
        whole, n_whole = (total * self._exact.unit, n) if self.above is None else self.above
        self._termination = below_root(recipe.termination, whole)
        self._stats = LearningStats(self.schema, n_whole, whole, recipe.branching.grouping, least)
        self._nodes = [Samples(np.arange(n), weight << shift)]
        return self._level(0)

    def of_root(self, recipe: Recipe) -> tuple[float, int]:
        """What a tree that is grown from some of these rows needs of all of them: their weight and number."""
        self.root(recipe)
        return self._stats.whole, self._stats.n

    def best_splits(self, level: Level, is_open: np.ndarray) -> LevelSplits:
        """The best admissible split of every open node (bool, shape (L,)) of the current level."""
        self._found = [
            self._split(node) if opened else None for node, opened in zip(self._nodes, is_open.tolist(), strict=True)
        ]
        return self._answer()

    def route(self, level: Level, found: LevelSplits) -> Level:
        """Send the samples of the nodes that ``found`` splits down, as the last ``best_splits`` decided."""
        children: list[Samples] = []
        for node, split, feature in zip(self._nodes, self._found, found.splits.feature.tolist(), strict=True):
            if split is not None and feature >= 0:
                children += divide(node, self._branches(node, split), split.weights, self._used(node, split.best))
        self._nodes, self._found = children, []
        return self._level(level.depth + 1)

    def finish_each(self, recipe: Recipe, keeps: list[np.ndarray]) -> None:
        """This source grows one tree at a time."""

    def complete(self, top: Tree) -> Tree:
        """Nothing was put aside."""
        return top

    def finish(self, recipe: Recipe) -> None:
        """This source has no short cut: the loop grows the tree."""

    def _level(self, depth: int) -> Level:
        moments = [self._moments(node) for node in self._nodes]
        rows = np.array([len(node.rows) for node in self._nodes], dtype=np.int64)
        return Level(np.array(moments, dtype=np.float64).reshape(-1, self.response.width), rows, depth)

    def _addends(self, node: Samples) -> Addends:
        """What the samples of a node add to tables."""
        return self.response.addends(self._exact, self._unit, node.rows, node.weight)

    def _moments(self, node: Samples) -> np.ndarray:
        """Moments of a node, shape (M,)."""
        return self.response.node_moments(self._exact, self._unit, node.rows, node.weight)

    def _split(self, node: Samples) -> TableSplit | None:
        """The best split of one node and its runners-up."""
        if self.response.all_equal(self._exact, node.rows):
            return None
        sums = self._addends(node)
        criterion = self._recipe.criterion
        features = [j for j in criterion.columns(len(self.schema)) if j not in node.used]
        found = [self._candidate(j, node, sums) for j in features]
        weight = float(self.response.weight(sums.moments(sums.parts.sum(axis=0))))
        ranked = criterion.ranked([c for c in found if c is not None], self._stats, weight)
        if not ranked:
            return None
        best, others = ranked[0], ranked[1 : 1 + self._recipe.max_competitors]
        weights = self._branch_weights(node, best)
        surrogates = self._surrogates(node, best)
        return TableSplit(best, others, self._draft(best), self._missing(best, weights), weights, surrogates)

    def _candidate(self, j: int, node: Samples, sums: Addends) -> FeatureSplit | None:
        """What feature ``j`` offers."""
        table = tabulate(self._features[j].codes[node.rows], sums.parts)
        if not len(table.codes):
            return None
        whole = sums.moments(table.known + table.unknown)
        total = float(self.response.weight(whole))
        at = NodeTable(self._features[j], table, sums.moments, total, self.response)
        trials = self._recipe.branching.trials(at, self._recipe.criterion, self._termination)
        if not len(trials.rows):
            return None
        branches = trials.sums
        if self._has_own_branch(table):
            unknown = np.broadcast_to(table.unknown, (len(branches), 1, branches.shape[2]))
            branches = np.concatenate((branches, unknown), axis=1)
        parent = branches[0].sum(axis=0)
        moments = sums.moments(branches)
        partitions = Partitions(at, trials, moments, sums.moments(parent), self.response.weight(moments), whole, total)
        best = self._recipe.criterion.best(partitions, self._termination)
        return None if best is None else FeatureSplit(j, table, trials, best, best.compared, best.value)

    def _has_own_branch(self, table: FeatureTable) -> bool:
        return self._recipe.missing.policy == "own_branch" and table.n_unknown > 0

    def _branch_of_known(self, node: Samples, best: FeatureSplit) -> np.ndarray:
        """Branch of each sample, UNKNOWN where its value is missing."""
        codes = self._features[best.feature].codes[node.rows]
        branch = best.branch[np.minimum(np.searchsorted(best.table.codes, codes), len(best.table.codes) - 1)]
        return np.where(codes == UNKNOWN, UNKNOWN, branch)

    def _branch_weights(self, node: Samples, best: FeatureSplit) -> list[int]:
        """Weight of the known samples of each branch; one more branch, of the unknown ones, where they have it."""
        branch = self._branch_of_known(node, best)
        own = self._has_own_branch(best.table)
        if own:
            branch = np.where(branch == UNKNOWN, best.n_branches, branch)
        size = best.n_branches + own
        return [int(node.weight[branch == c].sum()) for c in range(size)]

    def _missing(self, best: FeatureSplit, weights: list[int]) -> int:
        """Tree.missing: the branch of unknown values, or SHARED."""
        missing = self._recipe.missing
        if missing.policy == "fractional":
            return SHARED
        if missing.policy == "surrogate" and (missing.stays_in_growth or weights[0] == weights[1]):
            return STAYS
        return len(weights) - 1 if self._has_own_branch(best.table) else int(np.argmax(weights))

    def _surrogates(self, node: Samples, best: FeatureSplit) -> list[Surrogate]:
        """The surrogates of a split, where the recipe has any."""
        missing = self._recipe.missing
        if missing.policy != "surrogate" or missing.max_surrogates == 0:
            return []
        taken = SplitTaken(best.feature, self._branch_of_known(node, best), node.weight)
        return find_surrogates(self._features, node.rows, taken, missing, self._cut)

    def _branches(self, node: Samples, split: TableSplit) -> np.ndarray:
        """Branch of each sample; UNKNOWN = it is shared out, STAYS = it goes no further."""
        branch = self._branch_of_known(node, split.best)
        for surrogate in split.surrogates:
            branch = np.where(branch == UNKNOWN, surrogate.branch, branch)
        return branch if split.missing == SHARED else np.where(branch == UNKNOWN, split.missing, branch)

    def _used(self, node: Samples, best: FeatureSplit) -> frozenset[int]:
        """Features that the children may not test."""
        once = self._recipe.tests_once(self.schema[best.feature])
        return node.used | {best.feature} if once else node.used

    def _draft(self, found: FeatureSplit) -> Draft:
        """A candidate as data."""
        feature, codes, branch = self._features[found.feature], found.table.codes, found.branch
        if not feature.feature.type.has_cuts:
            size = len(feature.feature.levels)
            unlisted = found.n_branches - 1 if found.trials.kind in ("groups", "one level") else -1
            index = np.arange(size) if found.trials.kind == "levels" else np.full(size, unlisted)
            index[codes] = branch
            return Draft(found.feature, (), tuple(index.tolist()), heuristic=found.trials.heuristic)
        if found.trials.kind == "levels":
            size = len(feature.feature.levels)
            return Draft(found.feature, tuple((v + 0.5, 0.0) for v in range(size - 1)), tuple(range(size)))
        last = np.flatnonzero(np.diff(branch))  # the last value of every interval but the highest
        cuts = tuple(self._cut(found.feature, int(codes[v]), int(codes[v + 1])) for v in last)
        return Draft(found.feature, cuts, tuple(range(found.n_branches)))

    def _cut(self, j: int, below: int, above: int) -> Key:
        """The break between two neighbouring codes of a node."""
        feature, by_rank = self._features[j], self._recipe.rank_cuts
        cut = feature.cut(below, above, by_rank, self._recipe.has_short_cuts(j))
        in_data = self._recipe.criterion.data_cuts and feature.keys
        return feature.data_cut(cut, self._held[j], by_rank) if in_data else cut

    def _answer(self) -> LevelSplits:
        """The finds of the level as arrays."""
        found, is_test = self._found, self._recipe.criterion.is_test
        surrogates = [one for f in found if f for one in f.surrogates]
        return LevelSplits(
            splits=table_of([f.draft if f else None for f in found]),
            missing=np.array([f.missing if f else STAYS for f in found], dtype=np.int32),
            heuristic=np.array([f is not None and f.draft.heuristic for f in found], dtype=bool),
            score=np.array([f.best.score if f else np.nan for f in found], dtype=np.float64),
            surrogate_start=offsets([len(f.surrogates) if f else 0 for f in found]),
            surrogates=table_of([one.draft for one in surrogates]),
            agreement=np.array([one.agreement for one in surrogates], dtype=np.float64),
            adjusted=np.array([one.adjusted for one in surrogates], dtype=np.float64),
            competitor_start=offsets([len(f.others) if f else 0 for f in found]),
            competitors=table_of([self._draft(c) for f in found if f for c in f.others]),
            competitor_score=np.array([c.score for f in found if f for c in f.others], dtype=np.float64),
            log_p=np.array([f.best.best.log_p if f else np.nan for f in found]) if is_test else None,
        )
