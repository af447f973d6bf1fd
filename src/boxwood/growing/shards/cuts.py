"""The values on either side of the cuts of a tree, over all rows: C4.5 reports the lower one as the cut."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...data.columns.distinct import distinct
from ...data.columns.schema import NUMERIC
from ...tree.split import SplitTable
from ...tree.tree import Tree
from .engine import Engine


def with_data_cuts(tree: Tree, engine: Engine) -> Tree:
    """The same tree with every cut of a numeric feature moved down to a value that some row of some shard has."""
    tables = (tree.splits, tree.competitors)
    features = [j for j, feature in enumerate(tree.schema) if feature.kind == NUMERIC]
    cuts = _cuts_of(tables, features)
    if not cuts:
        return tree
    reply = _about(cuts, engine)
    floors = _by_feature(cuts, _pairs(reply["floor"], reply["low"]))
    splits, competitors = (_moved(table, cuts, floors) for table in tables)
    return replace(tree, splits=splits, competitors=competitors)


def _cuts_of(tables: tuple[SplitTable, ...], features: list[int]) -> dict[int, np.ndarray]:
    """The different breaks of some features, rising, of those that have any."""
    cuts = {j: distinct(np.concatenate([_breaks(table)[_tested(table) == j] for table in tables])) for j in features}
    return {j: limits for j, limits in cuts.items() if len(limits)}


def _about(cuts: dict[int, np.ndarray], engine: Engine) -> dict[str, np.ndarray]:
    """The values of all rows on either side of cuts."""
    limits = np.concatenate(list(cuts.values()))
    arguments = {
        "features": np.array(list(cuts)), "count": np.array([len(each) for each in cuts.values()]),
        "limits": limits.real, "low": limits.imag,
    }  # fmt: skip
    return engine.request("floors", {name: np.ascontiguousarray(array) for name, array in arguments.items()})


def _by_feature(cuts: dict[int, np.ndarray], found: np.ndarray) -> dict[int, np.ndarray]:
    """What was found of cuts, one array for each feature."""
    ends = np.cumsum([len(each) for each in cuts.values()])[:-1]
    return dict(zip(cuts, np.split(found, ends), strict=True))


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
