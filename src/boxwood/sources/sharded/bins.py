"""The bins of numeric features under CHAID, found from sums of shards: those of all rows in memory."""

from __future__ import annotations

import numpy as np

from ... import _kernel
from ...data.schema import NUMERIC
from ...growing.recipe import Recipe
from ...statistics.response import CLASSES
from .engine import Engine
from .split_protocol import SplitProtocol, Values, bins_to_open
from .whole import Whole

#: Greatest value in each bin of a feature, rising, and low parts of these; None for features that are not numeric.
BinEnds = tuple[tuple[np.ndarray, np.ndarray] | None, ...]


def whole_bins(engine: Engine, protocol: SplitProtocol, whole: Whole, recipe: Recipe) -> BinEnds:
    """Greatest value in each bin of every numeric feature.

    Coarse bins determine the ranks except where a boundary between bins may fall inside one. The exact values of those
    bins are requested, and all values of a feature that may have no more values than bins.

    Parameters
    ----------
    engine : Engine
    protocol : SplitProtocol
        Of the root.
    whole : Whole
    recipe : Recipe
        Of merged categories.
    """
    numeric = [j for j, feature in enumerate(whole.schema) if feature.kind == NUMERIC]
    ends: list[tuple | None] = [None] * len(whole.schema)
    if not numeric:
        return tuple(ends)
    by_rows = recipe.criterion.case_weights  # a case of any weight is one case
    reply = engine.request("spans", {"features": np.array(numeric, dtype=np.int64)})
    stop = np.cumsum([len(whole.cuts[j]) + 1 for j in numeric])
    spans = {name: dict(zip(numeric, np.split(each, stop[:-1]), strict=True)) for name, each in reply.items()}
    unit, frequency = (1.0, spans["rows"]) if by_rows else (whole.scaling.unit, spans["weight"])
    n_bins, kind = recipe.branching.n_bins, whole.response.kind
    search = {}
    for j in numeric:
        least, greatest = ((spans[name][j], spans[f"{name}_low"][j]) for name in ("least", "greatest"))
        search[j] = _kernel.BinSearch(frequency[j], least, greatest, unit, n_bins)
    rows = {(0, j): spans["rows"][j] for j in numeric}
    while True:
        edges = {(0, j): np.where(search[j].candidate_bins(), 0.0, -1.0) for j in numeric}
        chosen = bins_to_open(edges, rows)
        if not chosen:
            break
        for (_, j), found in protocol.values([0], chosen, {}):
            _add_values(search[j], found, whole.cuts[j], found.rows if by_rows else _weight(kind, found))
    for j in numeric:
        ends[j] = search[j].ends()
    return tuple(ends)


def _weight(kind: str, found: Values) -> np.ndarray:
    """Weight of each value, int64."""
    return found.words.sum(axis=1) if kind == CLASSES else np.ascontiguousarray(found.words[:, 0])


def _add_values(search, found: Values, cuts: np.ndarray, frequency: np.ndarray) -> None:
    """Pass on the values of each opened coarse bin."""
    bins = np.searchsorted(cuts, found.value)
    for b in np.unique(bins).tolist():
        inside = bins == b
        search.take_values(b, (found.value[inside], found.lows[inside]), frequency[inside])
