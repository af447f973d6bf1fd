"""Cuts moved to values of the data, over all rows: C4.5 reports the largest value that is not above a cut."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..data.columns.columns import Columns
from ..data.columns.distinct import distinct
from ..data.columns.schema import NUMERIC
from ..tree.split import SplitTable
from ..tree.tree import Tree

#: Cuts of each feature, rising, as pairs of value and low part (complex) -> the largest values not above them.
Floors = Callable[[dict[int, np.ndarray]], dict[int, np.ndarray]]


def with_data_cuts(tree: Tree, floors_of: Floors) -> Tree:
    """The same tree with every cut of a numeric feature moved down to a value that some row has."""
    tables = (tree.splits, tree.competitors)
    features = [j for j, feature in enumerate(tree.schema) if feature.kind == NUMERIC]
    cuts = _cuts_of(tables, features)
    if not cuts:
        return tree
    floors = floors_of(cuts)
    splits, competitors = (_moved(table, cuts, floors) for table in tables)
    return replace(tree, splits=splits, competitors=competitors)


def floors_in(columns: Columns, cuts: dict[int, np.ndarray]) -> dict[int, np.ndarray]:
    """The largest values in some columns that are not above cuts."""
    found = {}
    for j, limits in cuts.items():
        known = ~columns.missing(j)
        low = np.zeros(columns.n) if columns.low[j] is None else columns.low[j]
        values = np.sort(pairs(columns.values[j][known], low[known]))
        found[j] = values[np.searchsorted(values, limits, side="right") - 1]
    return found


def _cuts_of(tables: tuple[SplitTable, ...], features: list[int]) -> dict[int, np.ndarray]:
    """The different breaks of some features, rising, of those that have any."""
    cuts = {j: distinct(np.concatenate([_breaks(table)[_tested(table) == j] for table in tables])) for j in features}
    return {j: limits for j, limits in cuts.items() if len(limits)}


def pairs(value: np.ndarray, low: np.ndarray) -> np.ndarray:
    """Values with their low parts as complex numbers, which are ordered as pairs."""
    out = value.astype(np.complex128)
    out.imag = low
    return out


def _breaks(table: SplitTable) -> np.ndarray:
    return pairs(table.breaks, table.breaks_low)


def _tested(table: SplitTable) -> np.ndarray:
    """The feature behind each break, shape (B,)."""
    return np.repeat(table.feature, np.diff(table.breaks_start))


def _moved(table: SplitTable, cuts: dict[int, np.ndarray], floors: dict[int, np.ndarray]) -> SplitTable:
    breaks, tested = _breaks(table), _tested(table)
    for j, limits in cuts.items():
        of_feature = tested == j
        breaks[of_feature] = floors[j][np.searchsorted(limits, breaks[of_feature])]
    return replace(table, breaks=breaks.real.copy(), breaks_low=breaks.imag.copy())
