"""The bins of numeric features under CHAID, found from sums of shards: those of all rows in memory."""

from __future__ import annotations

import numpy as np

from ... import _kernel
from ...data.schema import NUMERIC
from ...growing.recipe import Recipe
from ...statistics.response import CLASSES
from .dialogue import Dialogue, Values, most_promising
from .engine import Engine
from .whole import Whole

#: Greatest value in each bin of a feature, rising, and low parts of these; None for features that are not numeric.
Ends = tuple[tuple[np.ndarray, np.ndarray] | None, ...]


def whole_bins(engine: Engine, dialogue: Dialogue, whole: Whole, recipe: Recipe) -> Ends:
    """Greatest value in each bin of every numeric feature.

    Coarse bins tell ranks well enough but where a boundary between bins may fall inside one: there the exact values are
    asked for, as they are where the whole feature may have no more values than bins.

    Parameters
    ----------
    engine : Engine
    dialogue : Dialogue
        About the root.
    whole : Whole
    recipe : Recipe
        Of merged categories.
    """
    numeric = [j for j, feature in enumerate(whole.schema) if feature.kind == NUMERIC]
    ends: list[tuple | None] = [None] * len(whole.schema)
    if not numeric:
        return tuple(ends)
    by_rows = recipe.criterion.case_weights  # a case of any weight is one case
    answer = engine.ask("spans", {"features": np.array(numeric, dtype=np.int64)})
    stop = np.cumsum([len(whole.cuts[j]) + 1 for j in numeric])
    spans = {name: dict(zip(numeric, np.split(each, stop[:-1]), strict=True)) for name, each in answer.items()}
    unit, frequency = (1.0, spans["rows"]) if by_rows else (whole.scaling.unit, spans["weight"])
    n_bins, kind = recipe.branching.n_bins, whole.response.kind
    search = {}
    for j in numeric:
        least, greatest = ((spans[name][j], spans[f"{name}_low"][j]) for name in ("least", "greatest"))
        search[j] = _kernel.BinSearch(frequency[j], least, greatest, unit, n_bins)
    rows = {(0, j): spans["rows"][j] for j in numeric}
    while True:
        wanted = {(0, j): np.where(search[j].wanted(), 0.0, -1.0) for j in numeric}
        chosen = most_promising(wanted, rows)
        if not chosen:
            break
        for (_, j), found in dialogue.values([0], chosen, {}):
            _tell(search[j], found, whole.cuts[j], found.rows if by_rows else _weight(kind, found))
    for j in numeric:
        ends[j] = search[j].ends()
    return tuple(ends)


def _weight(kind: str, found: Values) -> np.ndarray:
    """Weight of each value, int64."""
    return found.words.sum(axis=1) if kind == CLASSES else np.ascontiguousarray(found.words[:, 0])


def _tell(search, found: Values, cuts: np.ndarray, frequency: np.ndarray) -> None:
    """Hand the values of each opened coarse bin over."""
    bins = np.searchsorted(cuts, found.value)
    for b in np.unique(bins).tolist():
        inside = bins == b
        search.take_values(b, (found.value[inside], found.lows[inside]), frequency[inside])
