"""Where columns of data in parts are cut into bins: where :mod:`boxwood.sources.binned` cuts them in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ... import _kernel
from .bin_counts import CELLS

#: Cells that hold too many rows are cut into smaller ones so often: keys of 64 bits, 8 bits a time, and one to spare.
_ROUNDS = 9
#: Pieces of a cell that is cut; fewer where many cells are.
_WIDE, _NARROW, _MANY = 256, 16, 1024

Ask = Callable[[str, dict], dict]


@dataclass(eq=False)
class _Cells:
    """Cells of a column that hold rows, ascending: stretches of keys, which have the order of the values."""

    start: np.ndarray
    last: np.ndarray
    rows: np.ndarray
    single: np.ndarray

    def heavy(self, most: int) -> np.ndarray:
        """Which hold more rows than a bin should have, and more values than one."""
        return (self.rows * most > self.rows.sum()) & ~self.single

    def cut(self, zones: np.ndarray, smaller: _Cells, counts: np.ndarray) -> _Cells:
        """The same with the cells ``zones`` (bool) replaced, each by so many smaller ones."""
        place = np.repeat(np.flatnonzero(zones), counts)
        order = np.argsort(np.concatenate([np.flatnonzero(~zones), place]), kind="stable")
        names = ("start", "last", "rows", "single")
        return _Cells(*(np.concatenate([getattr(self, n)[~zones], getattr(smaller, n)])[order] for n in names))

    def cuts(self, most: int) -> np.ndarray:
        """The least value of every bin but the first; a cell belongs to the bin of its middle row."""
        before, total = np.cumsum(self.rows) - self.rows, int(self.rows.sum())
        bins = [(2 * int(b) + int(r)) * most // (2 * total) for b, r in zip(before, self.rows, strict=True)]
        return _values(self.start[1:][np.diff(bins) != 0])


def thresholds_of(ask: Ask, features: Sequence[int], most: int) -> dict[int, np.ndarray]:
    """Feature that is binned -> the threshold behind each of its bins, float64.

    Parameters
    ----------
    ask : callable
        (question, asked) -> what all parts tell together (:mod:`.bin_counts`).
    features : sequence of int
        Numeric ones.
    most : int
        Bins a feature; features with no more values are not binned.
    """
    if not features:
        return {}
    cells = _counted(ask, features)
    few = [j for j in features if len(cells[j].rows) <= most]
    if few:
        found = ask("distinct", {"feature": np.array(few), "most": np.array([most])})["feature"]
        cells = {j: c for j, c in cells.items() if j not in few or np.count_nonzero(found == j) > most}
    for _ in range(_ROUNDS):
        if not _look_closer(ask, cells, most):
            break
    cuts = {j: c.cuts(most) for j, c in cells.items()}
    return _between_ends(ask, {j: limits for j, limits in cuts.items() if len(limits)})


def _counted(ask: Ask, features: Sequence[int]) -> dict[int, _Cells]:
    """The first cells of each feature."""
    answer = ask("cells", {"feature": np.array(features)})
    starts = _kernel.bin_cell_starts()
    lasts = np.concatenate([starts[1:] - np.uint64(1), [np.uint64(2**64 - 1)]])
    out = {}
    for j in features:
        mine = answer["key"] // CELLS == j
        cell = answer["key"][mine] % CELLS
        out[j] = _Cells(starts[cell], lasts[cell], answer["rows"][mine], np.zeros(len(cell), dtype=bool))
    return out


def _look_closer(ask: Ask, cells: dict[int, _Cells], most: int) -> bool:
    """Cut cells of more rows than a bin should have into smaller ones; False when there are none."""
    zones = {j: c.heavy(most) for j, c in cells.items()}
    zones = {j: heavy for j, heavy in zones.items() if heavy.any()}
    if not zones:
        return False
    count = [int(np.count_nonzero(heavy)) for heavy in zones.values()]
    feature = np.repeat(list(zones), count)
    ends = [
        np.concatenate([getattr(cells[j], name)[heavy] for j, heavy in zones.items()]) for name in ("start", "last")
    ]
    keys = ask("stretches", {"feature": feature, "start": ends[0], "last": ends[1]})
    width = np.repeat([_NARROW if n > _MANY else _WIDE for n in count], count)
    span = keys["most"] - keys["least"]
    bits = [max(0, int(s).bit_length() - int(w).bit_length() + 1) for s, w in zip(span, width, strict=True)]
    shift = np.array(bits, dtype=np.int32)
    asked = {"feature": feature, "start": keys["least"], "last": keys["most"], "shift": shift, "width": width}
    rows = np.split(ask("pieces", asked)["rows"], np.cumsum(width)[:-1])
    at = 0
    for (j, heavy), n in zip(zones.items(), count, strict=True):
        mine = slice(at, at + n)
        smaller, counts = _pieces(keys["least"][mine], keys["most"][mine], shift[mine], rows[mine])
        cells[j] = cells[j].cut(heavy, smaller, counts)
        at += n
    return True


def _pieces(
    least: np.ndarray, most: np.ndarray, shift: np.ndarray, rows: list[np.ndarray]
) -> tuple[_Cells, np.ndarray]:
    """The pieces of some cells that hold rows, and how many there are of each."""
    held = [np.flatnonzero(r) for r in rows]
    counts = np.array([len(h) for h in held])
    low, high, by = (np.repeat(a, counts) for a in (least, most, shift.astype(np.uint64)))
    start = low + (np.concatenate(held).astype(np.uint64) << by)
    last = np.minimum(start + ((np.uint64(1) << by) - np.uint64(1)), high)
    return _Cells(start, last, np.concatenate([r[h] for r, h in zip(rows, held, strict=True)]), by == 0), counts


def _values(keys: np.ndarray) -> np.ndarray:
    """The numbers behind some keys."""
    top = np.uint64(1 << 63)
    return np.where(keys >= top, keys ^ top, ~keys).view(np.float64)


def _between_ends(ask: Ask, cuts: dict[int, np.ndarray]) -> dict[int, np.ndarray]:
    """Thresholds in the middle between the values at the ends of neighbouring bins."""
    if not cuts:
        return {}
    feature = np.repeat(list(cuts), [len(c) for c in cuts.values()])
    ends = ask("ends", {"feature": feature, "cut": np.concatenate(list(cuts.values()))})
    at, out = 0, {}
    for j, limits in cuts.items():
        mine = slice(at, at + len(limits) + 1)
        below, above = ends["last"][mine][:-1], ends["first"][mine][1:]
        with np.errstate(over="ignore", invalid="ignore"):
            middle = below + (above - below) / 2
        between = np.isfinite(below) & np.isfinite(above) & (middle < above) & np.isfinite(middle)
        out[j] = np.append(np.where(between, middle, below), ends["last"][mine][-1])
        at = mine.stop
    return out
