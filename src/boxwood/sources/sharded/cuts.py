"""Cuts as C4.5 reports them: the largest value of all rows that is not above the midpoint."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...data.schema import NUMERIC
from ...tree.split import SplitTable
from ...tree.tree import Tree
from .engine import Engine


def with_data_cuts(tree: Tree, engine: Engine) -> Tree:
    """The same tree with every cut of a numeric feature moved down to a value that some row of some shard has."""
    tables = (tree.splits, tree.competitors)
    features = [j for j, feature in enumerate(tree.schema) if feature.kind == NUMERIC]
    cuts = {j: np.unique(np.concatenate([_breaks(table)[_tested(table) == j] for table in tables])) for j in features}
    cuts = {j: limits for j, limits in cuts.items() if len(limits)}
    if not cuts:
        return tree
    count, limits = np.array([len(each) for each in cuts.values()]), np.concatenate(list(cuts.values()))
    arguments = {"features": np.array(list(cuts)), "count": count, "limits": limits.real, "low": limits.imag}
    reply = engine.request("floors", {name: np.ascontiguousarray(array) for name, array in arguments.items()})
    found = _pairs(reply["floor"], reply["low"])
    floors = dict(zip(cuts, np.split(found, np.cumsum(count)[:-1]), strict=True))
    splits, competitors = (_moved(table, cuts, floors) for table in tables)
    return replace(tree, splits=splits, competitors=competitors)


def _pairs(value: np.ndarray, low: np.ndarray) -> np.ndarray:
    """Values with their low parts as complex numbers, which are ordered as pairs."""
    out = value.astype(np.complex128)
    out.imag = low
    return out


def _breaks(table: SplitTable) -> np.ndarray:
    return _pairs(table.breaks, table.breaks_low)


def _tested(table: SplitTable) -> np.ndarray:
    """The feature behind each break, shape (B,)."""
    return np.repeat(table.feature, np.diff(table.breaks_start))


def _moved(table: SplitTable, cuts: dict[int, np.ndarray], floors: dict[int, np.ndarray]) -> SplitTable:
    breaks, tested = _breaks(table), _tested(table)
    for j, limits in cuts.items():
        of_feature = tested == j
        breaks[of_feature] = floors[j][np.searchsorted(limits, breaks[of_feature])]
    return replace(table, breaks=breaks.real.copy(), breaks_low=breaks.imag.copy())
