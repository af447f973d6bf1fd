"""Draws folds and holdouts for the rows of all shards, as for rows in memory, from sums by hash."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...data.columns.distinct import distinct
from ...statistics.places import FoldDraw, HoldoutDraw, middles
from .engine import Engine

#: Bits of the hash by which rows are first counted; fewer for many classes.
_BITS, _CELLS = 16, 1 << 20


@dataclass(frozen=True, eq=False)
class Labelled:
    """What was drawn.

    Attributes
    ----------
    rows, weight : int64, shape (L,)
        Rows of each label, and their weight as whole numbers.
    """

    rows: np.ndarray
    weight: np.ndarray


@dataclass(frozen=True)
class Drawing:
    """Draws by the hashes that the shards have made (:class:`boxwood.growing.shards.row_hashes.RowHashes`).

    Attributes
    ----------
    engine : Engine
    classes : int
        Number of classes; 1 when there are none.
    salt : int or None
    """

    engine: Engine
    classes: int
    salt: int | None

    def assign(self, draw: FoldDraw | HoldoutDraw, labels: int) -> Labelled:
        """Have every row keep its label, below ``labels``."""
        bits = max(1, min(_BITS, (_CELLS // self.classes).bit_length() - 1))
        salt = np.array([] if self.salt is None else [self.salt], dtype=np.uint64)
        arguments = {"salt": salt, "bits": np.array(bits), "classes": np.array(self.classes)}
        strata = self.engine.request("strata", arguments)
        rows = strata["rows"].reshape(self.classes, -1)
        opened = np.array([_opened(r, draw.edges(first)) for r, first in zip(rows, strata["least"], strict=True)])
        groups = self._groups(arguments | {"opened": opened.ravel().astype(np.uint8)})
        start, since, label = [0], [], []
        for k in range(self.classes):
            stratum = _Stratum(rows[k], opened[k], strata["least"][k], bits)
            here = groups["stratum"] == k
            runs = stratum.runs(draw, groups["hash"][here], groups["rows"][here])
            since.append(runs[0])
            label.append(runs[1])
            start.append(start[-1] + len(runs[0]))
        runs_of = {"start": np.array(start), "since": np.concatenate(since), "label": np.concatenate(label)}
        found = self.engine.request("assign", {"salt": salt, "labels": np.array(labels), **runs_of})
        return Labelled(found["rows"], found["weight"])

    def _groups(self, arguments: dict) -> dict[str, np.ndarray]:
        """Hashes of the opened bins, by class and rising, each once with its rows: nearly always one."""
        found = self.engine.request("inside", arguments)
        order = np.lexsort((found["hash"], found["stratum"]))
        content, stratum = found["hash"][order], found["stratum"][order]
        fresh = (content[1:] != content[:-1]) | (stratum[1:] != stratum[:-1])
        at = np.flatnonzero(np.concatenate([[True], fresh])[: len(order)])
        return {"stratum": stratum[at], "hash": content[at], "rows": np.diff(np.append(at, len(order)))}


def _opened(rows: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """The bins in which a label may change; bool, one a bin."""
    out, total = np.zeros(len(rows), dtype=bool), int(rows.sum())
    if not total:
        return out
    stop = np.cumsum(rows)
    for edge in edges[(edges > -1e-9) & (edges < 1 + 1e-9)].tolist():
        low, high = ((edge + margin) * total for margin in (-1e-9, 1e-9))
        first, last = np.searchsorted(stop, low, "left"), np.searchsorted(stop - rows, high, "right")
        out[first:last] = True
    return out & (rows > 0)


@dataclass(frozen=True, eq=False)
class _Stratum:
    """A class: rows by bin, bins that were opened, its least hash."""

    rows: np.ndarray
    opened: np.ndarray
    least: np.uint64
    bits: int

    def runs(self, draw: FoldDraw | HoldoutDraw, content: np.ndarray, rows: np.ndarray) -> tuple:
        """From which hash on each label applies: hashes (uint64), the first 0, and labels (int16)."""
        total, shift = int(self.rows.sum()), 64 - self.bits
        if not total:
            return np.zeros(1, np.uint64), np.zeros(1, np.int16)
        closed = np.flatnonzero((self.rows > 0) & ~self.opened)
        before = np.cumsum(self.rows) - self.rows
        # in a closed bin no label changes: any place inside it will do
        middle = (2 * before[closed] + self.rows[closed]).astype(np.float64) / float(2 * total)
        since, labels = [closed.astype(np.uint64) << np.uint64(shift)], [draw.labels(middle, self.least)]
        of_bin = (content >> np.uint64(shift)).astype(np.int64)
        for b in distinct(of_bin).tolist():
            here = of_bin == b
            since.append(content[here])
            labels.append(draw.labels(middles(rows[here], int(before[b]), total), self.least))
        since, labels = np.concatenate(since), np.concatenate(labels)
        order = np.argsort(since, kind="stable")
        since, labels = since[order], labels[order]
        changes = np.concatenate([[True], labels[1:] != labels[:-1]])
        since = since[changes]
        since[0] = 0
        return since, labels[changes].astype(np.int16)
