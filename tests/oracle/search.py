"""The reference search: every partition of every feature of a node is tried, in the order that breaks ties."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from boxwood.data.columns.schema import NOMINAL, NUMERIC, Schema
from boxwood.growing.draft import Draft, Key
from boxwood.growing.recipe import Recipe
from boxwood.growing.termination import SLIGHT
from boxwood.growing.ties import better
from boxwood.statistics.responses.registry import MEAN
from oracle.draws import draw_of, drawn_between, drawn_sides, inspected
from oracle.tally import NodeRows, Tally

#: Least and greatest mean that the rows of a node should have, in the units of Tally.
Limits = tuple
NO_LIMITS: Limits = (-math.inf, math.inf)
#: How much of what a split loses to limits counts (kernel/search/rules.hpp).
LIMITED = 0.75


@dataclass(frozen=True)
class Trial:
    """One cut of a node: the keys on branch 0, the rows of each part, the branch of missing values if chosen."""

    low: frozenset[Key]
    parts: tuple[NodeRows, ...]
    missing: int | None


@dataclass(frozen=True)
class Root:
    """What the root fixes for the whole tree: its rows, and its total impurity in the units of Tally."""

    rows: NodeRows
    impurity: float


class Search:
    """Best split of a node, and its runners-up.

    Parameters
    ----------
    data : the schema, and for each feature the key of every row, None = missing
    tally : Tally
    recipe : Recipe
    root : Root
    numbers : for each feature what random cuts are drawn between, by key
    """

    def __init__(self, data: tuple[Schema, list[list[Key | None]]], tally: Tally, recipe: Recipe, root: Root,
                 numbers: Sequence[dict[Key, float]]):  # fmt: skip
        self._schema, self._keys = data
        self._tally, self._recipe, self._root, self._numbers = tally, recipe, root, numbers

    def ranked(self, rows: NodeRows, path: int, limits: Limits) -> list[Draft]:
        """The best good enough split of every feature that a node inspects, best first."""
        found: list[Draft] = []
        for features in () if self._tally.is_pure(rows) else inspected(self._recipe.draws, path, len(self._schema)):
            found = found or self._ranked(rows, features, path, limits)
        return found

    def _ranked(self, rows: NodeRows, features: Sequence[int], path: int, limits: Limits) -> list[Draft]:
        """The best good enough split of some features, best first; an equal one comes behind the earlier column's."""
        ranked: list[Draft] = []
        for j in features:
            draft = self._best_of_feature(rows, j, draw_of(path, j), limits)
            if draft is None or not self._good_enough(draft.decrease):
                continue
            behind = [i for i, other in enumerate(ranked) if better(draft.compared, other.compared)]
            ranked.insert(behind[0] if behind else len(ranked), draft)
        return ranked

    def _good_enough(self, decrease: float) -> bool:
        """Gain against the root: more than a share of its impurity, and scikit-learn's minimum decrease."""
        share = self._recipe.criterion.min_share
        if share >= 0 and not decrease > share * self._root.impurity:
            return False
        least = self._recipe.termination.min_impurity_decrease
        return self._tally.per_weight(decrease, self._root.rows) + 1e-15 >= least

    def _best_of_feature(self, rows: NodeRows, j: int, draw: int, limits: Limits) -> Draft | None:
        """The winner among all admissible partitions of a node by feature ``j``, or the one that is drawn."""
        known = [r for r in rows if self._keys[j][r] is not None]
        missing = [r for r in rows if self._keys[j][r] is None]
        if not known:
            return None
        groups, is_random = self._groups(known, j), self._recipe.draws.random_cuts
        lows, heuristic = (self._random(known, j, draw), False) if is_random else self._partitions(known, j, groups)
        scale = self._tally.scale(rows)
        best, decrease = None, -math.inf
        for trial in self._trials(lows, known, missing, j):
            if not self._admits(
                trial.parts[:2], j if len(trial.low) < len({*map(self._keys[j].__getitem__, known)}) else None
            ):
                continue
            gain = self._tally.decrease(trial.parts) - LIMITED * self._lost(trial.parts[:2], limits)
            if best is None or better(gain / scale, decrease / scale):
                best, decrease = trial, gain
        if best is None:
            return None
        compared = self._compared(decrease / scale, rows, known, j, 2 if is_random else len(groups))
        return self._draft(best, known, j, (decrease, compared, heuristic), draw)

    def _random(self, known: NodeRows, j: int, draw: int) -> Iterator[frozenset[Key]]:
        """The partition that is drawn, if there is any."""
        if self._schema[j].kind == NOMINAL:
            groups = self._groups(known, j)
            sides = drawn_sides(len(groups), draw) if len(groups) > 1 else []
            low = [key for group, side in zip(groups, sides, strict=False) if side == 0 for key in group]
        else:
            of = {key: self._numbers[j][key] for key in {self._keys[j][r] for r in known}}
            cut = self._drawn(known, j, draw)
            low = [key for key, number in of.items() if number <= cut] if len(set(of.values())) > 1 else []
        if low:
            yield frozenset(low)

    def _drawn(self, known: NodeRows, j: int, draw: int) -> float:
        numbers = [self._numbers[j][self._keys[j][r]] for r in known]
        return drawn_between(min(numbers), max(numbers), draw)

    def _admits(self, parts: Sequence[NodeRows], j: int | None) -> bool:
        """Whether both sides have enough rows, enough of the root's weight, and means in the order of feature j."""
        signs = self._recipe.constraints.monotonic
        if j is not None and signs and signs[j] and all(parts):
            low, high = map(self._tally.mean, parts)
            if signs[j] * (low - high) > 0:
                return False
        if self._recipe.criterion.positive_rates and not all(part and self._tally.mean(part) > 0 for part in parts):
            return False
        limits = self._recipe.termination
        least = limits.min_weight_fraction_leaf * self._tally.weight(self._root.rows) * (1 - SLIGHT)
        return all(len(part) >= limits.min_samples_leaf and self._tally.weight(part) >= least for part in parts)

    def _lost(self, parts: Sequence[NodeRows], limits: Limits) -> float:
        """What both sides lose more than their rows together where means are drawn to a node's limits."""
        if limits == NO_LIMITS or not self._tally.has_limits:
            return 0.0
        drawn = []
        for rows in ([*parts[0], *parts[1]], *parts):
            mean = self._tally.mean(rows)
            to = min(max(mean, limits[0]), limits[1])
            drawn.append(0.0 if to == mean else self._tally.excess(rows, to))
        return max(0.0, drawn[1] + drawn[2] - drawn[0]) if math.isfinite(drawn[0]) else 0.0

    def _trials(self, lows: Iterator[frozenset[Key]], known: NodeRows, missing: NodeRows, j: int) -> Iterator[Trial]:
        """Every partition with every place of the missing rows that the policy allows (docs/rpart.md)."""
        policy = self._recipe.missing.policy if missing else None
        for low in lows:
            below = [r for r in known if self._keys[j][r] in low]
            above = [r for r in known if self._keys[j][r] not in low]
            if policy == "learned":
                yield Trial(low, (below, [*above, *missing]), 1)
                yield Trial(low, ([*below, *missing], above), 0)
            elif policy == "own_branch":
                yield Trial(low, (below, above, missing), 2)
            else:
                yield Trial(low, (below, above), None)
        if policy == "learned" and not self._recipe.draws.random_cuts:
            yield Trial(frozenset(self._keys[j][r] for r in known), (known, missing), 1)

    def _groups(self, known: NodeRows, j: int) -> list[list[Key]]:
        """Keys that stay together: one value or level each, rare levels pooled into a last group."""
        keys = sorted({self._keys[j][r] for r in known})
        branching = self._recipe.branching
        if self._schema[j].kind != NOMINAL or len(self._schema[j].levels) <= branching.pool_above:
            return [[key] for key in keys]
        least = branching.min_samples_level
        count = {key: sum(self._keys[j][r] == key for r in known) for key in keys}
        pool = [key for key in keys if count[key] < least]
        return [[key] for key in keys if count[key] >= least] + ([pool] if pool else [])

    def _partitions(self, known: NodeRows, j: int, groups: list[list[Key]]) -> tuple[Iterator[frozenset[Key]], bool]:
        """The sets of keys to try on branch 0, in order, and whether that leaves some out."""
        if self._schema[j].kind != NOMINAL:
            return _cuts(groups), False
        members = [[r for r in known if self._keys[j][r] in group] for group in groups]
        if self._tally.n_classes > 2:
            if len(groups) <= self._recipe.branching.exhaustive_levels:
                return _subsets(groups), False
            order = np.argsort(_principal_scores(self._tally, members), kind="stable").tolist()
            return _cuts([groups[g] for g in order]), True
        if not self._tally.orders_levels and len(groups) <= self._recipe.branching.exhaustive_levels:
            return _subsets(groups), False
        falling = self._recipe.criterion.order_by_mean and self._tally.kind != MEAN
        keys = [-self._tally.mean(m) if falling else self._tally.mean(m) for m in members]
        in_order = [groups[g] for g in sorted(range(len(groups)), key=keys.__getitem__)]
        return _cuts(in_order), not self._tally.orders_levels

    def _compared(self, score: float, rows: NodeRows, known: NodeRows, j: int, n_groups: int) -> float:
        """Score that features are ranked by: less what unrelated levels gain by chance, over the feature's cost."""
        if self._recipe.branching.correct_levels and self._schema[j].kind == NOMINAL and n_groups > 2:
            score -= (n_groups - 2) * (2 / math.pi) * self._tally.impurity_share(rows) / len(known)
        costs = self._recipe.criterion.feature_costs
        return score if costs is None else score / costs[j]

    def _draft(self, trial: Trial, known: NodeRows, j: int, found: tuple[float, float, bool], draw: int) -> Draft:
        """The winning partition as data, children in the order of the criterion."""
        decrease, compared, heuristic = found
        keys = self._keys[j]
        below = [r for r in known if keys[r] in trial.low]
        above = [r for r in known if keys[r] not in trial.low]
        ordered = self._recipe.criterion.order_by_mean and above
        swap = bool(ordered) and self._tally.mean(below) >= self._tally.mean(above)
        first, second = (1, 0) if swap else (0, 1)
        missing = 1 - trial.missing if swap and trial.missing in (0, 1) else trial.missing
        if self._schema[j].kind == NOMINAL:
            branch = {keys[r][0]: first if keys[r] in trial.low else second for r in known}
            index = tuple(branch.get(code, -1) for code in range(len(self._schema[j].levels)))
            return Draft(j, (), index, decrease, compared, missing, heuristic)
        top = max(trial.low)
        # With every known value below, the break is the largest value itself, or half a code above it.
        cut = self._schema[j].type.cut_between(
            top, min((keys[r] for r in above), default=top), bool(above) and self._recipe.has_short_cuts(j)
        )
        holds = all(number == key[0] for key, number in self._numbers[j].items())
        if self._recipe.draws.random_cuts and holds and self._schema[j].kind == NUMERIC and not self._recipe.rank_cuts:
            cut = (self._drawn(known, j, draw), 0.0)
        return Draft(j, (cut,), (first, second), decrease, compared, missing, heuristic)


def _cuts(groups: Sequence[list[Key]]) -> Iterator[frozenset[Key]]:
    """The first 1, 2, ... groups."""
    for i in range(1, len(groups)):
        yield frozenset(key for group in groups[:i] for key in group)


def _subsets(groups: Sequence[list[Key]]) -> Iterator[frozenset[Key]]:
    """Every cut of groups in two, the last one fixed on branch 1, neighbours one group apart (Gray code)."""
    for i in range(1, 2 ** (len(groups) - 1)):
        gray = i ^ (i >> 1)
        yield frozenset(key for g, group in enumerate(groups) if gray >> g & 1 for key in group)


def _principal_scores(tally: Tally, members: Sequence[NodeRows]) -> np.ndarray:
    """Class shares of each group along their first principal direction, shape (groups,) (Coppersmith et al. 1999).

    Of several equally long directions, the nearest to a class, or to a group where these are fewer, the first such one.
    Places that differ by rounding alone are equal.
    """
    masses, shares = zip(*(tally.shares(rows) for rows in members), strict=True)
    mass, share = np.array(masses), np.array(shares)
    off = share - mass @ share / mass.sum()
    lengths, directions = np.linalg.eigh((off * mass[:, None]).T @ off)
    equal = [v for length, v in zip(lengths, directions.T, strict=True) if length >= lengths[-1] * (1 - 1e-9)]
    is_short = np.count_nonzero(share.any(axis=0)) > len(mass)
    starts = off * np.sqrt(mass)[:, None] if is_short else np.eye(share.shape[1])
    near = [sum((start @ v) * v for v in equal) for start in starts]
    vector = near[_first_largest(np.array([v @ v for v in near]))]
    sign = np.sign(vector[_first_largest(np.abs(vector))])
    places = share @ vector * sign / max(np.linalg.norm(vector), 1e-300)
    rising = np.argsort(places, kind="stable").tolist()
    for lower, upper in pairwise(rising):
        if places[upper] - places[lower] < 1e-9:
            places[upper] = places[lower]
    return places


def _first_largest(sizes: np.ndarray) -> int:
    return int(np.flatnonzero(sizes * (1 + 1e-9) >= sizes.max())[0])
