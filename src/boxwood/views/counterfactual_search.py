"""The search for counterfactuals: the nearest point of every suitable box, so no smaller change is missed.

Lower bounds of all boxes come first, in arrays; boxes are then opened in order of their bounds, until the points found
are no larger than the bound of any box left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import islice

import numpy as np

from .._messages import Setting, remedy
from ..data.columns.columns import Columns
from ..errors import DataError
from ..tree.descend import route
from ..tree.tree import STAYS, Tree
from .box_bounds import RowFacts, box_bounds
from .boxes import COMES, FeatureRange, path_ranges
from .constraints import DOWN, ORDERS, UP, Constraints, Limits, read_constraints
from .counterfactual import Change, Counterfactual, Counterfactuals
from .nearest import Number, exact, is_inside, nearest_step
from .target import RangeTarget, target_of

#: Part of the scale within which a rounder number is taken.
_SLACK = 0.01


def counterfactuals(
    tree: Tree, columns: Columns, target, constraints: Constraints, unseen: str = "missing"
) -> Counterfactuals:
    """The smallest changes of a row that lead to another prediction.

    Every leaf with the target prediction is a box; its point nearest to the row is found feature by feature, so the
    search is exact. The changed row is then routed down the tree, and only rows with the target prediction are
    reported. Features without a condition on the path do not change. A missing value stays missing if the path accepts
    missing values, and is filled in otherwise.

    Parameters
    ----------
    tree : Tree
    columns : Columns of one row
    target : label, or pair (low, high), or None
        See :func:`boxwood.views.target.RangeTarget.read`.
    constraints : Constraints
    unseen : {"missing", "majority", "stay"}
        As in :func:`boxwood.tree.descend.route`.

    Raises
    ------
    DataError
        There is not exactly one row.
    ParameterError, ParameterTypeError
        What is requested cannot be; the message names it.
    """
    if columns.n != 1:
        raise DataError(
            Setting("x"), f" has {columns.n} rows; ",
            remedy("give one row, for example a dictionary of feature and value"), ".",
        )  # fmt: skip
    limits = read_constraints(tree, constraints)
    now, sure = _answers(tree, columns, unseen)
    target = target_of(tree.response).read(tree, target, now[0])
    present = tree.response.label(now[0]), None if sure is None else sure[0]
    if target.is_reached_by(now)[0]:
        return Counterfactuals((), *present, True, target.words(tree.response), tree)
    search = _Search(tree, columns, limits, constraints.rounded)
    candidates, found, size = search.candidates(target, constraints.by), [], constraints.n
    # Most candidates lead where they should; where they do not, ever more of them are tried at a time.
    while len(found) < constraints.n and (some := list(islice(candidates, size))):
        found += _verified(tree, columns, some, target, unseen)
        size *= 2
    return Counterfactuals(tuple(found[: constraints.n]), *present, False, target.words(tree.response), tree)


@dataclass(frozen=True, eq=False)
class _Candidate:
    """Changes that lead into a box: feature -> (new value, its code or itself, cost, other levels)."""

    node: int
    changes: dict[int, tuple[Number, float, tuple]]

    @property
    def distance(self) -> float:
        return sum(cost for _, cost, _ in self.changes.values())


_KEYS = {
    ORDERS[0]: lambda candidate: (len(candidate.changes), candidate.distance, candidate.node),
    ORDERS[1]: lambda candidate: (candidate.distance, len(candidate.changes), candidate.node),
}


@dataclass(frozen=True, eq=False)
class _Search:
    """The row, and what may change in it."""

    tree: Tree
    columns: Columns
    limits: Limits
    rounded: bool

    def candidates(self, target: RangeTarget, by: str) -> Iterator[_Candidate]:
        """The cheapest point of every box that gives the answer, the smallest first."""
        key, found = _KEYS[by], []
        for bound, node, fills in self._boxes(target, by):
            while found and found[0][0][:2] < bound:
                yield heappop(found)[-1]
            changes = self._changes(path_ranges(self.tree, node), fills)
            if changes is not None:
                candidate = _Candidate(node, changes)
                heappush(found, (key(candidate), fills, candidate))
        while found:
            yield heappop(found)[-1]

    def _boxes(self, target: RangeTarget, by: str) -> Iterator[tuple[tuple, int, bool]]:
        """The boxes that give the answer and can be reached: lower bound, node, and whether missing values are filled.

        In rising order of the bounds, which are the first two parts of the candidates' keys.
        """
        tree, row = self.tree, self._facts()
        tested, inner = tree.splits.feature, ~tree.is_leaf
        suits = (inner & (tree.missing == STAYS) & np.isnan(row.value)[tested]) | tree.is_leaf
        suits &= target.is_reached_by(tree.value)
        bounds = box_bounds(tree).of(row, False)
        found = [(bounds, np.flatnonzero(suits & ~bounds.closed), False)]
        if (optional := suits & bounds.optional).any():
            bounds = box_bounds(tree).of(row, True)
            found.append((bounds, np.flatnonzero(optional & ~bounds.closed), True))
        changes, distance = (
            np.concatenate([getattr(bounds, name)[nodes] for bounds, nodes, _ in found]) for name in ORDERS
        )
        nodes = np.concatenate([nodes for _, nodes, _ in found])
        fills = np.repeat([fills for *_, fills in found], [len(nodes) for _, nodes, _ in found])
        first, second = (changes, distance) if by == ORDERS[0] else (distance, changes)
        order = np.lexsort((second, first))
        first, second, nodes, fills = (part[order].tolist() for part in (first, second, nodes, fills))
        return zip(zip(first, second, strict=True), nodes, fills, strict=True)

    def _facts(self) -> RowFacts:
        """The row and the limits as arrays."""
        schema, limits, p = self.columns.schema, self.limits, len(self.columns.schema)
        value, scale = np.full(p, np.nan), limits.scale.astype(np.float64)
        lowest, highest, levels = np.full(p, -np.inf), np.full(p, np.inf), {}
        for j, feature in enumerate(schema):
            if feature.type.known(self.columns.values[j][:1])[0]:
                value[j] = self.columns.values[j][0]
            if feature.levels:
                scale[j] = max(len(feature.levels) - 1, 1)
        for j, ends in limits.ranges.items():
            low, high = ends
            lowest[j] = -np.inf if low is None else np.nextafter(float(low), -np.inf)
            highest[j] = np.inf if high is None else np.nextafter(float(high), np.inf)
        for j, direction in limits.directions.items():
            if not np.isnan(value[j]):
                (lowest if direction == UP else highest)[j] = value[j]
        for j, codes in limits.levels.items():
            levels[j] = np.isin(np.arange(len(schema[j].levels)), list(codes))
            lowest[j], highest[j] = schema[j].type.bounds(codes)
        fixed = np.isin(np.arange(p), list(limits.fixed))
        return RowFacts(value, fixed, lowest, highest, scale, levels)

    def _changes(self, parts: tuple[FeatureRange, ...], fills: bool) -> dict | None:
        """The cheapest changes into a box; None when they are not allowed."""
        changes = {}
        for part in parts:
            x = _known(self.columns, part.feature, 0)
            if x is None and (part.missing == COMES or part.has_surrogates) and not (fills and part.has_surrogates):
                continue
            found = self._level(part, x) if part.levels else self._number(part, x)
            if found is None:
                return None
            if found[1] is not None:
                if part.feature in self.limits.fixed:
                    return None
                changes[part.feature] = found
        return changes

    def _number(self, part: FeatureRange, x: Number | None) -> tuple | None:
        """The nearest number of a range: (new, cost, ()); cost None = as it is."""
        j, feature = part.feature, self.columns.schema[part.feature]
        if x is not None and any(is_inside(x, interval) for interval in part.intervals):
            return x, None, ()
        low, high = self.limits.ranges.get(j, (None, None))
        direction = self.limits.directions.get(j)
        if x is not None and direction is not None:
            low, high = (x, high) if direction == UP else (low, x)
        scale, step = float(self.limits.scale[j]), feature.type.step
        slack = _SLACK * scale if self.rounded else 0.0
        tried = [nearest_step(x, interval, (low, high), feature.integer, slack, step) for interval in part.intervals]
        tried = [new for new in tried if new is not None]
        if not tried:
            return None
        if x is None or not np.isfinite(float(x)):
            return tried[0], 1.0, ()
        new = min(tried, key=lambda y: (abs(y - x), y))
        return new, float(abs(new - x)) / scale, ()

    def _level(self, part: FeatureRange, x: int | None) -> tuple | None:
        """The nearest level of a set."""
        j = part.feature
        if x in part.levels:
            return x, None, ()
        allowed = [code for code in part.levels if j not in self.limits.levels or code in self.limits.levels[j]]
        direction = self.limits.directions.get(j)
        if direction is not None and x is not None:
            allowed = [code for code in allowed if (code > x if direction != DOWN else code < x)]
        if not allowed:
            return None
        feature = self.columns.schema[j]
        return feature.type.nearest(x, allowed, len(feature.levels))


def _verified(
    tree: Tree, columns: Columns, candidates: list[_Candidate], target: RangeTarget, unseen: str
) -> list[Counterfactual]:
    """The candidates whose changed rows do get the answer."""
    rows = _changed(columns, candidates)
    routing = route(tree, rows, unseen)
    value, sure = _answers(tree, rows, unseen)
    good = target.is_reached_by(value)
    found = []
    for i in np.flatnonzero(good).tolist():
        changes = tuple(_change(columns, j, *made) for j, made in sorted(candidates[i].changes.items()))
        found.append(
            Counterfactual(
                changes, candidates[i].distance, int(routing.node[i]), tree.response.label(value[i]),
                None if sure is None else sure[i], _row(rows, i),
            )
        )  # fmt: skip
    return found


def _answers(tree: Tree, columns: Columns, unseen: str) -> tuple[np.ndarray, np.ndarray | None]:
    """Predictions for rows (class numbers or numbers), and the probabilities of the classes."""
    routing = route(tree, columns, unseen)
    return routing.value(tree), tree.response.as_probability(routing.columns(tree))


def _changed(columns: Columns, candidates: list[_Candidate]) -> Columns:
    """The row once for every candidate, with its changes made."""
    rows = columns.take(np.zeros(len(candidates), dtype=np.int64))
    values, low = [v.copy() for v in rows.values], [None if v is None else v.copy() for v in rows.low]
    for i, candidate in enumerate(candidates):
        for j, (new, _, _) in candidate.changes.items():
            values[j][i] = new
            if isinstance(new, int) and new != int(float(new)):
                low[j] = np.zeros(len(candidates)) if low[j] is None else low[j]
                low[j][i] = float(new - int(float(new)))
            elif low[j] is not None:
                low[j][i] = 0.0
    return rows.with_fields(values=tuple(values), low=tuple(low))


def _change(columns: Columns, j: int, new: Number, cost: float, others: tuple) -> Change:
    """A change in the words of the data."""
    feature = columns.schema[j]
    value = feature.type.original(new, feature.levels)
    return Change(feature.name, _value(columns, j, 0), value, cost, tuple(feature.levels[code] for code in others))


def _row(columns: Columns, i: int) -> dict:
    """A row as plain values by name."""
    return {feature.name: _value(columns, j, i) for j, feature in enumerate(columns.schema)}


def _value(columns: Columns, j: int, i: int) -> object:
    """One value as it is in the data; None = missing, and where a level is not one of training."""
    feature, number = columns.schema[j], _known(columns, j, i)
    return None if number is None else feature.type.original(number, feature.levels)


def _known(columns: Columns, j: int, i: int) -> Number | None:
    """A number, or the code of a level; None when it is missing or no level of training."""
    feature, value = columns.schema[j], columns.values[j][i]
    if not feature.type.known(value):
        return None
    low = 0.0 if columns.low[j] is None else float(columns.low[j][i])
    return exact(float(value), low, feature.integer or bool(feature.levels))
