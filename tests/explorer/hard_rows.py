"""Rows at the edges of a tree: on every cut and beside it, missing, infinite, with levels that were never seen."""

from __future__ import annotations

import numpy as np

from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import NUMERIC
from boxwood.tree.tree import Tree

#: The value of a level that training never had, in a column of codes.
UNSEEN = -2


def hard_rows(tree: Tree, n: int, seed: int, missing: bool = True) -> Columns:
    """``n`` rows whose values are the cuts of the tree, their neighbours, ends of the line, and every level.

    Whole numbers beyond 2**53 come with their rest where the tree cuts by one.
    """
    rng = np.random.default_rng(seed)
    values, lows = [], []
    for j, feature in enumerate(tree.schema):
        if feature.kind != NUMERIC:
            codes = rng.integers(UNSEEN if missing else 0, len(feature.levels), size=n).astype(np.int32)
            values.append(codes)
            lows.append(None)
            continue
        near, low = _around_cuts(tree, j)
        pick = rng.integers(0, len(near), size=n)
        column, rest = near[pick], low[pick]
        if missing:
            column = np.where(rng.random(n) < 0.2, np.nan, column)
        values.append(column)
        lows.append(rest if low.any() else None)
    return Columns(tree.schema, n, tuple(values), tuple(lows), {})


def _around_cuts(tree: Tree, j: int) -> tuple[np.ndarray, np.ndarray]:
    """Cuts of a feature in splits and surrogates, their neighbours, and the ends of the line; with their rests."""
    if tree.schema[j].temporal is not None:
        return _around_times(tree, j)
    pairs = {(0.0, 0.0), (-0.0, 0.0), (np.inf, 0.0), (-np.inf, 0.0), (1e300, 0.0)}
    for table in (tree.splits, tree.surrogates):
        for s in np.flatnonzero(table.feature == j):
            cuts = slice(table.breaks_start[s], table.breaks_start[s + 1])
            for cut, low in zip(table.breaks[cuts].tolist(), table.breaks_low[cuts].tolist(), strict=True):
                pairs |= {(cut, low), (cut, low + 1.0), (cut, low - 1.0)} if low else {(cut, 0.0)}
                pairs |= {(np.nextafter(cut, np.inf), 0.0), (np.nextafter(cut, -np.inf), 0.0)}
    found = np.array(sorted(pairs))
    return found[:, 0], found[:, 1]


def _around_times(tree: Tree, j: int) -> tuple[np.ndarray, np.ndarray]:
    """The whole numbers of the resolution at the cuts of a feature of dates or times, and their neighbours."""
    temporal, counts = tree.schema[j].temporal, {0}
    for table in (tree.splits, tree.surrogates):
        for s in np.flatnonzero(table.feature == j):
            cuts = slice(table.breaks_start[s], table.breaks_start[s + 1])
            for cut, low in zip(table.breaks[cuts].tolist(), table.breaks_low[cuts].tolist(), strict=True):
                counts |= {temporal.begun(cut, low) + step * temporal.step for step in (-1, 0, 1)}
    found = np.array([(float(count), float(count - int(float(count)))) for count in sorted(counts)])
    return found[:, 0], found[:, 1]


def plain_rows(columns: Columns) -> list[list]:
    """Rows as the page takes them: null is missing, infinities are words, a whole number beyond 2**53 is a pair."""
    return [[_plain(columns, j, i) for j in range(len(columns.schema))] for i in range(columns.n)]


def _plain(columns: Columns, j: int, i: int):
    value = columns.values[j][i].item()
    if columns.schema[j].kind != NUMERIC:
        return None if value == -1 else value
    if np.isnan(value):
        return None
    if np.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    rest = 0.0 if columns.low[j] is None else columns.low[j][i].item()
    if columns.schema[j].temporal is not None:
        count = (int(value) + int(rest)) // columns.schema[j].temporal.step
        value, rest = float(count), float(count - int(float(count)))
    return [value, rest] if rest else value
