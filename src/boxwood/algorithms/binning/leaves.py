"""The leaves of a tree of one column as intervals or sets of levels, in order."""

from __future__ import annotations

import numpy as np

from ...tree.split import SplitTable
from ...tree.tree import Tree

#: A cut point, value and low part.
CutPoint = tuple[float, float]


def cuts_and_leaves(tree: Tree) -> tuple[list[CutPoint], list[int]]:
    """Where a tree of one column cuts its values, rising, and the leaf of each interval, or of each level.

    A level without a row in the fit has leaf -1.
    """
    feature, splits = tree.schema[0], tree.splits
    cuts = sorted(set(zip(splits.breaks.tolist(), splits.breaks_low.tolist(), strict=True)))
    if not feature.type.has_cuts:
        return [], [_leaf(tree, lambda _, code=code: code) for code in range(len(feature.levels))]
    upper_ends: list[CutPoint] = [*cuts, (np.inf, 0.0)]
    return cuts, [_leaf(tree, lambda own, end=end: sum(cut < end for cut in own)) for end in upper_ends]


def _leaf(tree: Tree, position_among) -> int:
    """The leaf of a value; ``position_among`` gives its position among the cuts of a node."""
    node, splits = 0, tree.splits
    while not tree.is_leaf[node]:
        own = slice(splits.breaks_start[node], splits.breaks_start[node + 1])
        cuts = list(zip(splits.breaks[own].tolist(), splits.breaks_low[own].tolist(), strict=True))
        branch = int(splits.index_of(node)[position_among(cuts)])
        if branch < 0:
            return -1
        node = int(tree.first_child[node]) + branch
    return node


def as_split(cuts: list[CutPoint], bins: list[int]) -> SplitTable:
    """One split with a branch for each bin; cuts within a bin are left out."""
    if not cuts:
        return SplitTable.of([0], [[]], [bins])
    kept = [i for i in range(len(cuts)) if bins[i] != bins[i + 1]]
    return SplitTable.of([0], [[cuts[i] for i in kept]], [[*(bins[i] for i in kept), bins[-1]]])
