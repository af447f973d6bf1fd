"""The bins of numeric features under CHAID, found from sums of shards: those of all rows in memory."""

from __future__ import annotations

import numpy as np

from ... import _kernel
from ..recipe import Recipe
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
    numeric = [j for j, cuts in enumerate(whole.cuts) if cuts is not None]
    ends: list[tuple | None] = [None] * len(whole.schema)
    if not numeric:
        return tuple(ends)
    by_rows = recipe.criterion.case_weights  # a case of any weight is one case
    reply = engine.request("spans", {"features": np.array(numeric, dtype=np.int64)})
    stop = np.cumsum([len(whole.cuts[j]) + 1 for j in numeric])
    spans = {name: dict(zip(numeric, np.split(each, stop[:-1]), strict=True)) for name, each in reply.items()}
    unit, frequency = (1.0, spans["rows"]) if by_rows else (whole.scaling.unit, spans["weight"])
    n_bins = recipe.branching.n_bins
    search = {}
    for j in numeric:
        least, greatest = ((spans[name][j], spans[f"{name}_low"][j]) for name in ("least", "greatest"))
        search[j] = _BinSearch(frequency[j], least, greatest, unit, n_bins)
    rows = {(0, j): spans["rows"][j] for j in numeric}
    while True:
        edges = {(0, j): np.where(search[j].candidate_bins(), 0.0, -1.0) for j in numeric}
        chosen = bins_to_open(edges, rows, protocol.entries)
        if not chosen:
            break
        for (_, j), found in protocol.values([0], chosen, {}):
            search[j].open(whole.cuts[j], found, found.rows if by_rows else whole.response.weight_of_words(found.words))
    for j in numeric:
        ends[j] = search[j].ends()
    return tuple(ends)


class _BinSearch:
    """The bins of one feature, from coarse bins first and from exact values where a boundary may fall.

    Parameters
    ----------
    frequency : int64, shape (b,)
        Of each coarse bin in all shards, in units of ``unit``.
    least, greatest : (float64, float64), shape (b,)
        Values and low parts.
    unit : float
    n_bins : int
    """

    def __init__(self, frequency: np.ndarray, least: tuple, greatest: tuple, unit: float, n_bins: int):
        seen = np.flatnonzero(frequency > 0)
        self._n_coarse, self._unit, self._n_bins = len(frequency), unit, n_bins
        is_closed = (least[0] != greatest[0]) | (least[1] != greatest[1])
        # Values, or the greatest one of a closed bin for all of them; their low parts, frequencies and coarse bins.
        self._known = (greatest[0][seen], greatest[1][seen], frequency[seen], seen, is_closed[seen])

    def candidate_bins(self) -> np.ndarray:
        """Coarse bins whose values must be known next, bool, shape (b,)."""
        _, _, frequency, coarse, is_closed = self._known
        below, above = self._below(), np.cumsum(frequency)
        slack = np.zeros_like(above) if self._unit == 1.0 else (above >> 50) + 1  # for rounding of large sums
        may_part = self._bins(below, np.zeros_like(below)) != self._bins(above, slack)
        out = np.zeros(self._n_coarse, dtype=bool)
        out[coarse[is_closed & (may_part | self._are_few())]] = True
        return out

    def open(self, cuts: np.ndarray, found: Values, frequency: np.ndarray) -> None:
        """All values of some coarse bins, with their frequencies."""
        coarse = np.searchsorted(cuts, found.value)
        more = (found.value, found.lows, frequency, coarse, np.zeros(len(coarse), dtype=bool))
        stays = ~np.isin(self._known[3], coarse)
        joined = [np.concatenate((known[stays], new)) for known, new in zip(self._known, more, strict=True)]
        order = np.lexsort((joined[1], joined[0]))
        self._known = tuple(values[order] for values in joined)

    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Greatest value of each bin, rising, and low parts."""
        value, low, frequency, *_ = self._known
        bins = np.arange(len(value)) if self._are_few() else self._bins(self._below(), frequency).astype(np.int64)
        last = np.flatnonzero(np.diff(bins, append=-1))
        return value[last], low[last]

    def _are_few(self) -> bool:
        """Whether each value is a bin; a closed bin has another value at least."""
        return len(self._known[0]) + int(self._known[4].sum()) <= self._n_bins

    def _below(self) -> np.ndarray:
        return np.cumsum(self._known[2]) - self._known[2]

    def _bins(self, below: np.ndarray, here: np.ndarray) -> np.ndarray:
        return _kernel.chaid_bins(below, here, int(self._known[2].sum()), self._unit, self._n_bins)
