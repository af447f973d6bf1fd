"""The reference source in plain Python, simple and slow, with which the kernel is compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import Schema
from boxwood.growing.draft import Draft, Key, table_of
from boxwood.growing.protocol import Level, LevelSplits
from boxwood.growing.recipe import Recipe
from boxwood.statistics.exact import Exact
from boxwood.statistics.responses.response import Response
from boxwood.tree.split import offsets
from boxwood.tree.tree import STAYS, Tree
from oracle.draws import path_below, root_path
from oracle.keys import by_rank, keys_of, numbers_of
from oracle.search import NO_LIMITS, Limits, Root, Search
from oracle.several_tally import tally_of
from oracle.surrogates import Sent, Surrogate, find_surrogates
from oracle.tally import NodeRows, Tally


@dataclass(frozen=True)
class NodeSplit:
    """What was found for one node; ``branch`` is where each of its rows goes, a row left out stays."""

    split: Draft
    missing: int
    score: float
    surrogates: list[Surrogate]
    competitors: list[Draft]
    competitor_scores: list[float]
    branch: dict[int, int]


@dataclass(frozen=True)
class ReferenceGrowth:
    """What stays the same while one tree grows."""

    recipe: Recipe
    schema: Schema
    keys: list[list[Key | None]]
    tally: Tally
    search: Search


class ReferenceSource:
    """A learning set in memory that grows trees by definition rather than by algorithm.

    Every candidate's sums are taken again over its rows, in whole numbers or fractions, and rounded once. Meant for
    some dozens of rows: a node of n rows costs about n^2 a feature.

    Parameters
    ----------
    columns : Columns
        n rows.
    response : Response
    exact : Exact
        y and weights of the same n rows, all of positive weight.
    """

    def __init__(self, columns: Columns, response: Response, exact: Exact):
        self.schema, self.response = columns.schema, response
        self._exact = exact
        self._keys = [keys_of(columns, j) for j in range(len(columns.schema))]
        self._numbers = numbers_of(columns, self._keys)
        self._growth: ReferenceGrowth
        self._nodes: list[NodeRows] = []
        self._paths: list[int] = []
        self._limits: list[Limits] = []
        self._found: list[NodeSplit | None] = []

    def root(self, recipe: Recipe) -> Level:
        """One node with all rows; starts the growth of a tree by this recipe."""
        tally = tally_of(self.response, self._exact, recipe.criterion.measure)
        rows = list(range(self._exact.n))
        data = by_rank(self.schema, self._keys) if recipe.rank_cuts else (self.schema, self._keys)
        numbers = (
            [{key: key[0] for key in column if key is not None} for column in data[1]]
            if recipe.rank_cuts
            else self._numbers
        )
        search = Search(data, tally, recipe, Root(rows, tally.impurity(rows)), numbers)
        self._growth = ReferenceGrowth(recipe, *data, tally, search)
        self._nodes, self._limits, self._paths = [rows], [NO_LIMITS], [root_path(recipe.draws)]
        return self._level(0)

    def best_splits(self, level: Level, is_open: np.ndarray) -> LevelSplits:
        """The best admissible split of every open node (bool, shape (L,)) of the current level."""
        self._found = [
            self._split(rows, path, limits) if opened else None
            for rows, path, limits, opened in zip(self._nodes, self._paths, self._limits, is_open.tolist(), strict=True)
        ]
        return _answer(self._found)

    def route(self, level: Level, found: LevelSplits) -> Level:
        """Send the rows of the nodes that ``found`` splits down, as the last ``best_splits`` decided."""
        children, paths, limits = [], [], []
        features = found.splits.feature.tolist()
        each = zip(self._nodes, self._paths, self._limits, self._found, features, strict=True)
        for rows, path, above, split, feature in each:
            if split is not None and feature >= 0:
                n_branches = max(*split.split.index, split.missing) + 1
                parts = [[r for r in rows if split.branch.get(r) == c] for c in range(n_branches)]
                children += parts
                paths += [path_below(path, c) for c in range(n_branches)]
                limits += self._below(above, split.split, parts)
        self._nodes, self._paths, self._limits, self._found = children, paths, limits, []
        return self._level(level.depth + 1)

    def complete(self, top: Tree) -> Tree:
        """Nothing was put aside."""
        return top

    def finish(self, recipe: Recipe) -> None:
        """This source has no short cut: the loop grows the tree."""

    def _level(self, depth: int) -> Level:
        moments = [self._growth.tally.moments(rows) for rows in self._nodes]
        shape = (len(self._nodes), self.response.width)
        rows = np.array([len(r) for r in self._nodes], dtype=np.int64)
        return Level(np.array(moments, dtype=np.float64).reshape(shape), rows, depth)

    def _below(self, limits: Limits, split: Draft, parts: list[NodeRows]) -> list[Limits]:
        """Limits of the branches of a split: the mean of the other side where they have an order."""
        signs, out = self._growth.recipe.constraints.monotonic, [limits] * len(parts)
        sign = signs[split.feature] if signs else 0
        if sign != 0 and self._growth.tally.has_limits:
            low, high = limits
            means = [min(max(self._growth.tally.noted_mean(part), low), high) for part in parts[:2]]
            smaller, larger = split.index[::sign]
            out[smaller], out[larger] = (low, means[larger]), (means[smaller], high)
        return out

    def _split(self, rows: NodeRows, path: int, limits: Limits) -> NodeSplit | None:
        """The best split of one node with its surrogates, runners-up, and the branch of every row."""
        recipe, keys, tally = self._growth.recipe, self._growth.keys, self._growth.tally
        ranked = self._growth.search.ranked(rows, path, limits)
        if not ranked:
            return None
        best, others = ranked[0], ranked[1 : 1 + recipe.max_competitors]
        policy = recipe.missing
        branch = {r: best.branch(keys[best.feature][r]) for r in rows}
        sent = Sent([r for r in rows if branch[r] is not None], branch, tally.weight)
        surrogates = []
        if policy.policy == "surrogate" and policy.max_surrogates > 0:
            surrogates = find_surrogates(self._growth.schema, keys, best, sent, recipe)
        otherwise = _otherwise(best, sent, recipe)
        for r in set(rows) - set(sent.rows):
            branch[r] = self._surrogate_branch(r, surrogates, otherwise)
        taken = {r: c for r, c in branch.items() if c != STAYS}
        missing = otherwise
        if policy.predicts_by_rows:
            zero, one = (sum(c == side for c in taken.values()) for side in (0, 1))
            missing = STAYS if zero == one else int(one > zero)
        scores = [tally.per_weight(d.decrease, rows) for d in (best, *others)]
        return NodeSplit(best, missing, scores[0], surrogates, others, scores[1:], taken)

    def _surrogate_branch(self, row: int, surrogates: list[Surrogate], otherwise: int) -> int:
        """Branch of a row whose primary value is missing: by the first surrogate that knows it (docs/rpart.md)."""
        for surrogate in surrogates:
            branch = surrogate.split.branch(self._growth.keys[surrogate.split.feature][row])
            if branch is not None:
                return branch
        return otherwise


def _otherwise(best: Draft, sent: Sent, recipe: Recipe) -> int:
    """Branch of a missing value that no surrogate decides, as training uses it."""
    if best.missing is not None:
        return best.missing
    heavier = sent.heavier(sent.rows)
    if recipe.missing.policy == "surrogate":
        if heavier is None and recipe.constraints.monotonic:
            return 0  # only leaves predict
        return STAYS if recipe.missing.stays_in_growth or heavier is None else heavier
    return 0 if heavier is None else heavier


def _answer(found: list[NodeSplit | None]) -> LevelSplits:
    """The finds of a level as arrays."""
    surrogates = [s for f in found if f for s in f.surrogates]
    return LevelSplits(
        splits=table_of([f.split if f else None for f in found]),
        missing=np.array([f.missing if f else STAYS for f in found], dtype=np.int32),
        heuristic=np.array([f is not None and f.split.heuristic for f in found], dtype=bool),
        score=np.array([f.score if f else np.nan for f in found], dtype=np.float64),
        surrogate_start=offsets([len(f.surrogates) if f else 0 for f in found]),
        surrogates=table_of([s.split for s in surrogates]),
        agreement=np.array([float(s.agreement) for s in surrogates], dtype=np.float64),
        adjusted=np.array([float(s.adjusted) for s in surrogates], dtype=np.float64),
        competitor_start=offsets([len(f.competitors) if f else 0 for f in found]),
        competitors=table_of([c for f in found if f for c in f.competitors]),
        competitor_score=np.array([s for f in found if f for s in f.competitor_scores], dtype=np.float64),
    )
