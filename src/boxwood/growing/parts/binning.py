"""Cuts columns of data in parts into the same bins as :mod:`boxwood.growing.memory.binned` does in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ... import _kernel
from ...data.columns.kinds.numeric import Numeric
from ..memory.binned import MOST_BINS
from .bin_counts import CELLS

#: How often ranges of too many rows are refined (as in kernel/encode/bin_cuts.hpp).
_ROUNDS = 12
#: A range is refined into 2 to the power of so many parts: for columns of at most 8 of them, at most 1024, more.
_FEW, _SOME, _MANY = (8, 8), (1024, 5), 4

Request = Callable[[str, dict], dict]


@dataclass(eq=False)
class _Cells:
    """Ranges of a column that hold rows, ascending; of keys, which have the order of the values."""

    start: np.ndarray
    last: np.ndarray
    rows: np.ndarray

    def heavy(self, most: int) -> np.ndarray:
        """Which hold more rows than a bin should have, and more values than one."""
        return (self.rows * most > self.rows.sum()) & (self.start < self.last)

    def cut(self, zones: np.ndarray, smaller: _Cells, counts: np.ndarray) -> _Cells:
        """The same with the cells ``zones`` (bool) replaced, each by so many smaller ones."""
        place = np.repeat(np.flatnonzero(zones), counts)
        order = np.argsort(np.concatenate([np.flatnonzero(~zones), place]), kind="stable")
        names = ("start", "last", "rows")
        return _Cells(*(np.concatenate([getattr(self, n)[~zones], getattr(smaller, n)])[order] for n in names))

    def cuts(self, most: int) -> np.ndarray:
        """The least value of every bin but the first; a cell belongs to the bin of its middle row."""
        before, total = np.cumsum(self.rows) - self.rows, int(self.rows.sum())
        bins = [(2 * int(b) + int(r)) * most // (2 * total) for b, r in zip(before, self.rows, strict=True)]
        return _values(self.start[1:][np.diff(bins) != 0])


def thresholds_of(request: Request, features: Sequence[int], most: int) -> dict[int, np.ndarray]:
    """Feature that is binned -> the threshold behind each of its bins, float64.

    Parameters
    ----------
    request : callable
        (name, arguments) -> the counts of all parts (:mod:`.bin_counts`).
    features : sequence of int
        Numeric ones.
    most : int
        Bins a feature, at most MOST_BINS; features with no more values are not binned.
    """
    if not features:
        return {}
    most = min(most, MOST_BINS)
    cells = _counted(request, features)
    few = [j for j in features if len(cells[j].rows) <= most]
    if few:
        found = request("distinct", {"feature": np.array(few), "most": np.array([most])})["feature"]
        cells = {j: c for j, c in cells.items() if j not in few or np.count_nonzero(found == j) > most}
    for _ in range(_ROUNDS):
        if not _refine(request, cells, most):
            break
    cuts = {j: c.cuts(most) for j, c in cells.items()}
    return _between_ends(request, {j: limits for j, limits in cuts.items() if len(limits)})


def _counted(request: Request, features: Sequence[int]) -> dict[int, _Cells]:
    """The first cells of each feature."""
    reply = request("cells", {"feature": np.array(features)})
    starts, lasts = _kernel.bin_cell_ends()
    out = {}
    for j in features:
        mine = reply["key"] // CELLS == j
        cell = reply["key"][mine] % CELLS
        out[j] = _Cells(starts[cell], lasts[cell], reply["rows"][mine])
    return out


def _refine(request: Request, cells: dict[int, _Cells], most: int) -> bool:
    """Cut cells of more rows than a bin should have into smaller ones; False when there are none."""
    zones = {j: c.heavy(most) for j, c in cells.items()}
    zones = {j: heavy for j, heavy in zones.items() if heavy.any()}
    if not zones:
        return False
    count = [int(np.count_nonzero(heavy)) for heavy in zones.values()]
    feature = np.repeat(list(zones), count)
    start, last = (
        np.concatenate([getattr(cells[j], n)[heavy] for j, heavy in zones.items()]) for n in ("start", "last")
    )
    bits = np.repeat([_bits(n) for n in count], count)
    span = [int(s).bit_length() for s in last - start]
    shift = np.maximum(np.array(span, dtype=np.int32) - bits, 0).astype(np.int32)
    arguments = {"feature": feature, "start": start, "last": last, "shift": shift, "width": 1 << bits}
    found = request("parts", arguments)
    of_range = np.repeat(np.arange(len(bits)), 1 << bits)
    filled = found["rows"] > 0
    at = 0
    for (j, heavy), n in zip(zones.items(), count, strict=True):
        mine = filled & (of_range >= at) & (of_range < at + n)
        smaller = _Cells(found["least"][mine], found["most"][mine], found["rows"][mine])
        cells[j] = cells[j].cut(heavy, smaller, np.bincount(of_range[mine] - at, minlength=n))
        at += n
    return True


def _bits(heavy: int) -> int:
    """The power of 2 into which each of so many ranges is divided."""
    return next((bits for most, bits in (_FEW, _SOME) if heavy <= most), _MANY)


def _values(keys: np.ndarray) -> np.ndarray:
    """The numbers behind some keys."""
    top = np.uint64(1 << 63)
    return np.where(keys >= top, keys ^ top, ~keys).view(np.float64)


def _between_ends(request: Request, cuts: dict[int, np.ndarray]) -> dict[int, np.ndarray]:
    """Thresholds between the values at the ends of neighbouring bins."""
    if not cuts:
        return {}
    feature = np.repeat(list(cuts), [len(c) for c in cuts.values()])
    ends = request("ends", {"feature": feature, "cut": np.concatenate(list(cuts.values()))})
    at, out = 0, {}
    for j, limits in cuts.items():
        mine = slice(at, at + len(limits) + 1)
        last = ends["last"][mine].tolist()
        sides = zip(last[:-1], ends["first"][mine][1:].tolist(), strict=True)
        out[j] = np.array([*(Numeric().cut_between((a, 0.0), (b, 0.0), True)[0] for a, b in sides), last[-1]])
        at = mine.stop
    return out
