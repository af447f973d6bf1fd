"""Binary trees in memory, by the kernel's grower (kernel/grow/): whole, several at once, or level by level."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ... import _kernel
from ...statistics.exact import Exact
from ...statistics.responses.response import Response
from ...tree.builder import join_splits
from ...tree.lazy_arrays import LazyArrays, lazy_record
from ...tree.shares import parts_of
from ...tree.split import SplitTable
from ...tree.tree import STAYS, Tree
from ..protocol import Level, LevelSplits
from ..recipe import Recipe
from ..value_limits import NO_LIMITS, limits_below
from .kernel_form import kernel_response, kernel_settings


def read_settings(recipe: Recipe):
    """A recipe as the kernel has read it; remembered with the recipe, because many fits use the same."""
    known = recipe.remembered
    if "settings" not in known:
        known["settings"] = _kernel.Settings(kernel_settings(recipe))
    return known["settings"]


def over_all_rows(exact: Exact, rows: np.ndarray, n: int) -> Exact:
    """The response of some of n rows as one of all of them; the others repeat the first of these rows."""
    place = np.zeros(n, dtype=np.int64)
    place[rows] = np.arange(len(rows))
    return exact.take(place)


class BinaryGrower:
    """Grows trees of binary splits from coded columns.

    Level by level every open node is grown as a tree of one split, so both use the same search.

    Parameters
    ----------
    encoded : EncodedColumns
    rows : uint32 array
        The rows to learn from, ascending.
    response : Response
    exact : Exact
        Of those rows.
    recipe : Recipe
    above : (float, float), optional
        Weight and risk of the root of the tree that this one will be part of.
    threads : int
    """

    def __init__(self, encoded, rows, response: Response, exact: Exact, recipe: Recipe, above=None, threads: int = 1):
        self._encoded, self._rows, self._response, self._recipe = encoded, rows, response, recipe
        self._above, self._threads = above, threads
        encoded.check(recipe)
        self._exact = exact if len(rows) == encoded.n else over_all_rows(exact, rows, encoded.n)

    def finish(self, keeps: list[np.ndarray] | None = None) -> list[Tree]:
        """A whole tree from each choice of rows (bool, shape (n,)), side by side; None = one of all rows."""
        if keeps is not None:
            rows = [np.flatnonzero(keep).astype(np.uint32) for keep in keeps]
        else:
            rows = None if len(self._rows) == self._encoded.n else [self._rows]
        settings = kernel_settings(self._recipe, self._above) if self._above else read_settings(self._recipe)
        return [self._tree(nodes) for nodes in self._grown(rows, settings)]

    def root(self) -> Level:
        """One node of all rows."""
        settings = kernel_settings(self._recipe, self._above) | {"max_depth": 0}
        (nodes,) = self._grown([self._rows], settings)
        self._nodes, self._above = [self._rows], nodes.root
        self._paths = [self._recipe.draws.branches_above]
        self._limits = np.array([self._recipe.constraints.value_limits or NO_LIMITS])
        root = self._tree(nodes)
        return Level(root.moments, root.rows, 0)

    @property
    def root_sums(self) -> tuple[float, float]:
        """Weight and risk of the root, with which decreases are compared."""
        return self._above

    def best_splits(self, level: Level, is_open: np.ndarray) -> LevelSplits:
        """Grow every open node of the level by one split."""
        limit = self._recipe.termination.max_depth
        is_open = is_open & (level.rows > 0) & (limit is None or level.depth < limit)
        chosen = np.flatnonzero(is_open)
        self._trees = [None] * len(level.rows)
        for t, nodes in zip(chosen, self._split(chosen), strict=True):
            self._trees[t] = self._tree(nodes)
        return _joined(self._trees)

    def _split(self, chosen: np.ndarray) -> list:
        """Some nodes of the level, each grown by one split; those that draw have a path each."""
        limits = self._limits[chosen]
        settings = kernel_settings(self._recipe, self._above) | {
            "max_depth": 1,
            "value_limits": limits.ravel().tolist(),
        }
        if not self._recipe.draws.is_random:
            return self._grown([self._nodes[t] for t in chosen], settings) if len(chosen) else []
        return [
            self._grown(
                [self._nodes[t]], settings | {"branches_above": list(self._paths[t]), "value_limits": here.tolist()}
            )[0]
            for t, here in zip(chosen, limits, strict=True)
        ]

    def route(self, level: Level) -> Level:
        """The children become the level."""
        nodes, moments, rows = [], [np.zeros((0, self._response.width))], [np.zeros(0, dtype=np.int64)]
        limits, paths = [np.zeros((0, 2))], []
        for t, (here, tree) in enumerate(zip(self._nodes, self._trees, strict=True)):
            if tree is None or tree.n_nodes == 1:
                continue
            ends = self._ends(tree, here)
            nodes += [here[ends == child] for child in range(1, tree.n_nodes)]
            paths += [(*self._paths[t], branch) for branch in range(tree.n_nodes - 1)]
            moments.append(tree.moments[1:])
            rows.append(tree.rows[1:])
            signs, split = self._recipe.constraints.monotonic, tree.splits.take(np.zeros(1, dtype=np.int64))
            limits.append(
                limits_below(self._limits[[t]], signs, split, tree.n_children[:1], self._response, tree.moments[1:])
            )
        self._nodes, self._limits, self._paths = nodes, np.concatenate(limits), paths
        return Level(np.concatenate(moments), np.concatenate(rows), level.depth + 1)

    def _grown(self, rows: list[np.ndarray] | None, settings) -> list:
        """What the kernel grows from each choice of rows."""
        response = kernel_response(self._response, self._exact)
        settings = _kernel.Settings(settings) if isinstance(settings, dict) else settings
        return self._encoded.grow(response, settings, rows, self._recipe.rank_cuts, self._threads)

    def _tree(self, nodes) -> Tree:
        arrays = LazyArrays(nodes, self._response.width)
        return lazy_record(Tree, arrays, schema=self._encoded.schema, response=self._response, made_by={}, log_p=None)

    def _ends(self, tree: Tree, rows: np.ndarray) -> np.ndarray:
        """Node of a tree of one split in which each of some rows ends in growth."""
        missing = self._recipe.missing
        if missing.rpart_quirk and missing.policy == "surrogate":  # growth goes by weights, prediction by rows
            tree = replace(tree, missing=np.append(self._heavier(tree, rows), tree.missing[1:]))
        return self._routed(tree, rows)

    def _routed(self, tree: Tree, rows: np.ndarray) -> np.ndarray:
        """Node in which each of some rows ends."""
        encoded = self._encoded
        if self._recipe.rank_cuts:
            return encoded.parts(tree, rows, self._threads).node
        return parts_of(tree, encoded.grown_from.for_kernel(), rows, threads=self._threads).node

    def _heavier(self, tree: Tree, rows: np.ndarray) -> np.int32:
        """The branch to which the values of a split send more weight, STAYS where both get the same or rows stay."""
        if self._recipe.missing.stays_in_growth:
            return np.int32(STAYS)
        alone = {"surrogates": SplitTable.empty(0), "surrogate_start": np.zeros(tree.n_nodes + 1, dtype=np.int32)}
        known = replace(tree, missing=np.full(tree.n_nodes, STAYS, dtype=np.int32), **alone)
        ends = self._routed(known, rows)
        weight = np.ones(len(ends), dtype=np.int64) if self._exact.weight is None else self._exact.weight[rows]
        first, second = (int(weight[ends == child].sum()) for child in (1, 2))
        return np.int32(STAYS if first == second else second > first)


def _joined(trees: list[Tree | None]) -> LevelSplits:
    """The splits of the roots of some trees; of None, no split."""
    split = [tree is not None and tree.n_nodes > 1 for tree in trees]
    roots = [tree for tree, is_split in zip(trees, split, strict=True) if is_split]
    at = np.cumsum(split) - 1

    def of_roots(name: str, none, dtype) -> np.ndarray:
        found = np.array([getattr(tree, name)[0] for tree in roots], dtype=dtype)
        return np.array([found[at[i]] if is_split else none for i, is_split in enumerate(split)], dtype=dtype)

    def starts(name: str) -> np.ndarray:
        sizes = [getattr(trees[i], name)[1] if is_split else 0 for i, is_split in enumerate(split)]
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)

    def values(name: str) -> np.ndarray:
        return np.concatenate([np.zeros(0), *(getattr(tree, name) for tree in roots)])

    empty = SplitTable.empty(0)
    return LevelSplits(
        splits=join_splits(
            [
                trees[i].splits.take(np.array([0])) if is_split else SplitTable.empty(1)
                for i, is_split in enumerate(split)
            ]
            or [empty]
        ),
        missing=of_roots("missing", STAYS, np.int32),
        heuristic=of_roots("heuristic", False, bool),
        score=of_roots("score", np.nan, np.float64),
        surrogate_start=starts("surrogate_start"),
        surrogates=join_splits([empty, *(tree.surrogates for tree in roots)]),
        agreement=values("agreement"),
        adjusted=values("adjusted"),
        competitor_start=starts("competitor_start"),
        competitors=join_splits([empty, *(tree.competitors for tree in roots)]),
        competitor_score=values("competitor_score"),
    )
