"""The samples of one node as tables: moments of every part of a feature, summed in whole numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...data.columns.columns import Columns
from ...data.columns.distinct import distinct
from ...statistics.exact import Exact
from ...statistics.responses.response import Response
from ...tree.split import SplitTable
from ...tree.trace import branch_of
from ..draft import Draft, Key, table_of
from ..partitions import Partitions
from ..recipe import Recipe
from ..tables import UNKNOWN, CodedFeature, coded, tabulate
from ..trials import NodeTable, cuts
from .table_samples import share_shift
from .table_surrogates import SplitTaken, Surrogate, find_surrogates


@dataclass(frozen=True, eq=False)
class NodePart:
    """The samples on one side of a feature: how many, and their moments, float64, shape (M,)."""

    rows: int
    moments: np.ndarray


@dataclass(frozen=True, eq=False)
class Cut:
    """The best cut of an ordered feature by a recipe: as a table of one split, with its score."""

    table: SplitTable
    value: float


class NodeTables:
    """Rows of a learning set that came to one node, with their shares.

    Parameters
    ----------
    columns : Columns
        Of the whole learning set.
    response : Response
    exact : Exact
        Of the whole learning set.
    rows : int64, shape (n,)
        Rows in the node, ascending.
    share : float64, shape (n,)
        Share of each row that is in the node.
    raised : bool
        Weights are in the fixed point of shares although all rows are whole: growth below may divide them.
    """

    def __init__(
        self, columns: Columns, response: Response, exact: Exact, rows: np.ndarray, share: np.ndarray,
        raised: bool = False,
    ):  # fmt: skip
        self.columns, self.response, self.rows = columns, response, rows
        self._exact, self._share = exact, share
        weight = np.ones(exact.n, dtype=np.int64) if exact.weight is None else exact.weight.astype(np.int64)
        self.is_raised = raised or bool((share != 1.0).any())
        shift = share_shift(int(weight.sum())) if self.is_raised else 0
        self._weight = weight[rows] << shift
        if shift:
            self._weight = np.rint(self._weight * share).astype(np.int64)
        self._unit = exact.unit * 2.0**-shift
        self._exact = exact

    def below(self, at: np.ndarray, share: np.ndarray) -> NodeTables:
        """The rows at some positions, in shares, as those of a node below."""
        rows, share = self.rows[at], self._share[at] * share
        return NodeTables(self.columns, self.response, self._exact, rows, share, self.is_raised)

    @property
    def whole(self) -> NodePart:
        """All samples."""
        return self.part(np.ones(len(self.rows), dtype=bool))

    def alone(self, exact: Exact) -> Exact:
        """The learning set's exact numbers with the shares of these rows as their weights; other rows keep any."""
        weight = np.ones(exact.n, dtype=np.int64)
        weight[self.rows] = np.maximum(self._weight, 1)
        return replace(exact, weight=weight, unit=self._unit)

    def by_value(self, j: int) -> tuple[list[int], list[NodePart], NodePart]:
        """Level codes of a nominal or ordinal feature that occur here, their samples, and those without a value."""
        values = self.columns.values[j][self.rows]
        present = distinct(values[values >= 0]).tolist()
        return present, [self.part(values == code) for code in present], self.part(values < 0)

    def by_split(self, table: SplitTable, s: int, n_branches: int) -> tuple[list[NodePart], NodePart]:
        """The samples of each branch of a split, and those whose value has none."""
        branch = branch_of(table, s, self.columns, self.rows)
        return [self.part(branch == c) for c in range(n_branches)], self.part(branch < 0)

    def taken(self, table: SplitTable) -> SplitTaken:
        """The branch that each sample takes by the value of a split."""
        branch = branch_of(table, 0, self.columns, self.rows)
        return SplitTaken(int(table.feature[0]), np.where(branch < 0, UNKNOWN, branch), self._weight)

    def surrogates(self, table: SplitTable, recipe: Recipe) -> list[Surrogate]:
        """Those of a split in two, by a recipe."""
        here = self.columns.take(self.rows)
        features = [coded(here, j) for j in range(len(here.schema))]

        def cut(j: int, below: int, above: int) -> Key:
            return features[j].cut(below, above, recipe.rank_cuts, recipe.has_short_cuts(j))

        all_of_them = replace(recipe.missing, max_surrogates=len(features))
        found = find_surrogates(features, np.arange(here.n), self.taken(table), all_of_them, cut)
        split = int(table.feature[0])
        allowed = [one for one in found if recipe.constraints.may_replace(split, int(one.draft.feature))]
        return allowed[: recipe.missing.max_surrogates]

    def by_known(self, j: int) -> tuple[NodePart, NodePart]:
        """The samples that have a value, and those that have none."""
        missing = self.columns.missing(j)[self.rows]
        return self.part(~missing), self.part(missing)

    def codes(self, j: int, ends: tuple[np.ndarray, np.ndarray] | None) -> np.ndarray:
        """Level codes, or bins of a numeric feature by their greatest values (values, low parts); -1 = missing."""
        values = self.columns.values[j][self.rows]
        if ends is None:
            return np.maximum(values, -1)
        low = np.zeros(len(values)) if self.columns.low[j] is None else self.columns.low[j][self.rows]
        above = [(values > end) | ((values == end) & (low > rest)) for end, rest in zip(*ends, strict=True)]
        return np.where(np.isnan(values), -1, np.sum(above, axis=0, dtype=np.int64))

    def n_values(self, j: int) -> int:
        """Number of different values that occur here; 0 when all are missing."""
        return len(tabulate(coded(self.columns, j).codes[self.rows], np.zeros((len(self.rows), 1))).codes)

    def best_cut(self, j: int, recipe: Recipe) -> Cut | None:
        """The best cut of an ordered feature by a recipe of cuts; None when it allows none."""
        if not len(self.rows):
            return None
        feature = coded(self.columns, j)
        codes = feature.codes[self.rows]
        sums = self.response.addends(self._exact, self._unit, self.rows, self._weight)
        table = tabulate(codes, sums.parts)
        trials = cuts(table)
        if not len(trials.rows):
            return None
        moments = sums.moments(trials.sums)
        weight = self.response.weight(moments)
        node = sums.moments(table.known + table.unknown)
        total = float(self.response.weight(node))
        at = NodeTable(feature, table, sums.moments, total, self.response)
        partitions = Partitions(at, trials, moments, sums.moments(table.known), weight, node, total)
        best = recipe.criterion.best(partitions, recipe.termination)
        if best is None:
            return None
        draft = self._draft(j, feature, recipe, (int(table.codes[best.number]), int(table.codes[best.number + 1])))
        return Cut(table_of([draft]), best.value)

    def _draft(self, j: int, feature: CodedFeature, recipe: Recipe, between: tuple[int, int]) -> Draft:
        """A cut between two neighbouring codes as data."""
        cut = feature.cut(*between, by_rank=False, is_short=recipe.has_short_cuts(j))
        if recipe.criterion.data_cuts and feature.keys:
            cut = feature.data_cut(cut, distinct(feature.codes[feature.codes >= 0]).tolist(), by_rank=False)
        return Draft(j, (cut,), (0, 1))

    def part(self, chosen: np.ndarray) -> NodePart:
        """The samples for which ``chosen`` (bool, shape (n,)) is true."""
        there = self.rows[chosen], self._weight[chosen]
        return NodePart(len(there[0]), self.response.node_moments(self._exact, self._unit, *there))
