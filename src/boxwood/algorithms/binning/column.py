"""How the bins of one column are found: leaves of a tree, with special and missing values apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data.columns.columns import Columns
from ...data.columns.kinds.kind import ByKind
from ...data.columns.levels import LevelCodes
from ...data.columns.missing_codes import matcher, numbers_of
from ...data.columns.schema import NAMES_ROWS, Feature, Schema
from ...data.columns.time_texts import instants_in
from ...tree.split import SplitTable
from ...tree.tree import Tree
from ...views.intervals import End
from ...views.value_ranges import RANGES
from ..cart import CART
from .evidence import Totals
from .leaves import as_split, cuts_and_leaves
from .monotone import monotone_groups
from .partition import ColumnPartition, joined

#: Leaves of the tree whose neighbours are merged until the event rate is monotone.
FINE = 20


@dataclass(frozen=True)
class BinRule:
    """How columns are binned.

    Attributes
    ----------
    max_bins : int
        Bins of values at most; special and missing values have bins of their own.
    min_samples_leaf : int or float
        Rows, or share of the rows with a value, in each bin.
    monotone : {"auto", "increasing", "decreasing"} or None
        Direction of the event rate over the values of a numeric, temporal or ordinal column; None allows any order.
    special : dict of str to tuple
        Column -> its special values.
    """

    max_bins: int
    min_samples_leaf: int | float
    monotone: str | None
    special: dict[str, tuple]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What the bins separate.

    Attributes
    ----------
    is_event : bool, shape (n,)
    weight : float64, shape (n,)
    """

    is_event: np.ndarray
    weight: np.ndarray

    def cells(self, number: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Weight of the events and of the non-events in each of ``count`` bins, by the bin of each row; -1 is none."""
        kept = number >= 0
        event = kept & self.is_event
        other = kept & ~self.is_event
        return (
            np.bincount(number[event], self.weight[event], count),
            np.bincount(number[other], self.weight[other], count),
        )

    @property
    def totals(self) -> Totals:
        """Sums over all rows."""
        events, others = self.cells(np.zeros(len(self.weight), dtype=np.int64), 1)
        return Totals(float(events[0]), float(others[0]), float(self.weight[self.weight > 0].mean()))


def partition(columns: Columns, j: int, outcome: Outcome, rule: BinRule) -> tuple[ColumnPartition, str]:
    """The bins of one column, and a note about it; "" for none.

    The values are those of the leaves of a CART tree of this column alone (entropy, not pruned). Sets of levels are
    sorted by event rate.
    """
    feature, values, low = columns.schema[j], columns.values[j], columns.low[j]
    apart = _special_splits(feature, values, rule.special.get(feature.name, ()))
    special = ColumnPartition(feature, joined([SplitTable.of([0], [[]], [[-1] * max(len(feature.levels), 1)]), *apart]))
    ordinary = feature.type.known(values) & (special.bins_of(values, low) < 0) & (outcome.weight > 0)
    if not ordinary.any():
        return special, ""
    one = Columns(Schema((feature,), columns.schema.named), columns.n, (values,), (low,), {}).take(ordinary)
    inside = Outcome(outcome.is_event[ordinary], outcome.weight[ordinary])
    tree = _tree(one, inside, rule)
    note = "names the rows" if tree.schema[0].why == NAMES_ROWS else ""
    return ColumnPartition(feature, joined([_bins(tree, one, inside, outcome.totals, rule), *apart])), note


def _special_splits(feature: Feature, values: np.ndarray, codes: tuple) -> list[SplitTable]:
    """A split for each special value that the column holds: branch 0 is that value."""
    kind, found = RANGES.of(feature), []
    for end in _SPECIAL.of(feature)(feature, codes):
        cuts, branch = kind.as_split(kind.compared(0, feature, "=", end), feature)
        split = SplitTable.of([0], [cuts], [[-outside for outside in branch]])
        if (ColumnPartition(feature, split).bins_of(values, None) == 0).any():
            found.append(split)
    return found


def _tree(one: Columns, inside: Outcome, rule: BinRule) -> Tree:
    """The tree whose leaves are the bins, or the bins from which monotone ones are merged."""
    merges = rule.monotone is not None and one.schema[0].type.has_cuts
    settings = {
        "max_leaf_nodes": max(FINE, rule.max_bins) if merges else rule.max_bins, "criterion": "entropy",
        "min_samples_leaf": rule.min_samples_leaf, "pruning": None, "max_surrogates": 0, "n_jobs": 1,
    }  # fmt: skip
    y = LevelCodes(inside.is_event.astype(np.int64), (False, True))
    return CART.fit(one, y, task="classification", settings=settings, weight=inside.weight).tree


def _bins(tree: Tree, one: Columns, inside: Outcome, totals: Totals, rule: BinRule) -> SplitTable:
    """The bins of values: leaves in order, merged if the event rate must be monotone; sets of levels by event rate."""
    is_ordered, values = one.schema[0].type.has_cuts, one.values[0]
    cuts, leaves = cuts_and_leaves(tree)
    if not is_ordered:
        occurs = np.bincount(values, minlength=len(leaves)) > 0
        leaves = [leaf if there else -1 for leaf, there in zip(leaves, occurs.tolist(), strict=True)]
    first = [leaf for leaf in dict.fromkeys(leaves) if leaf >= 0]
    number = [first.index(leaf) if leaf >= 0 else -1 for leaf in leaves]
    fine = ColumnPartition(one.schema[0], as_split(cuts, number))
    events, others = inside.cells(fine.bins_of(values, one.low[0]), len(first))
    place = list(range(len(first)))
    if not is_ordered:
        place = np.argsort(np.argsort(events / (events + others), kind="stable")).tolist()
    elif rule.monotone is not None:
        place = monotone_groups(events, others, totals, rule.max_bins, rule.monotone)
    return as_split(cuts, [place[b] if b >= 0 else -1 for b in number])


def _numbers(_feature: Feature, codes: tuple) -> list[End]:
    return [(float(number), 0.0) for number in dict.fromkeys(numbers_of(codes))]


def _instants(feature: Feature, codes: tuple) -> list[End]:
    return [(float(count), 0.0) for count in sorted(instants_in(feature.temporal, codes))]


def _levels(feature: Feature, codes: tuple) -> list[int]:
    is_special = matcher(codes)
    return [code for code, level in enumerate(feature.levels) if is_special(level)]


#: The special values of a column as its kind stores them.
_SPECIAL: ByKind[Any] = ByKind(numeric=_numbers, ordinal=_levels, nominal=_levels, temporal=_instants)
