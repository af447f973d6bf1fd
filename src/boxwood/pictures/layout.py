"""Tidy places for the nodes of a tree: any number of children, any size of node, no overlap, in linear time.

The rules are those of Reingold and Tilford (Tidier drawings of trees, IEEE Trans. Software Eng. 1981): levels are
straight, a parent is over the middle of its children, a subtree looks the same wherever it is, and a mirrored
tree gives the mirrored picture. Sizes may differ from node to node, and inner children are spread evenly between the
outer ones.

Every subtree carries its outline: how far it reaches to either side on each of its levels. Neighbours are compared
only on levels that both have, and the longer outline is kept and overwritten where the shorter one covers it, so that
a level of an outline is looked at once before it disappears: O(n) in all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Gaps:
    """Free space between neighbours on a level: of the same parent, and of different ones."""

    siblings: float = 10.0
    cousins: float = 18.0


class _Outline:
    """How far a subtree reaches on each level; the lists begin with the deepest level, places count from its root."""

    __slots__ = ("left", "left_shift", "right", "right_shift")

    def __init__(self, half: float, levels: int = 1) -> None:
        self.left, self.left_shift = [-half] * levels, 0.0
        self.right, self.right_shift = [half] * levels, 0.0

    @property
    def depth(self) -> int:
        return len(self.left)

    def reach_left(self, level: int) -> float:
        return self.left[-1 - level] + self.left_shift

    def reach_right(self, level: int) -> float:
        return self.right[-1 - level] + self.right_shift

    def move(self, by: float) -> None:
        self.left_shift += by
        self.right_shift += by

    def grow(self, half: float) -> None:
        """Put a root of this half size above."""
        self.left.append(-half - self.left_shift)
        self.right.append(half - self.right_shift)

    def join(self, other: _Outline) -> None:
        """Take in an outline that is to the right on the same level."""
        own, common = self.depth, min(self.depth, other.depth)
        if other.depth > own:
            for level in range(own):
                other.left[-1 - level] = self.reach_left(level) - other.left_shift
            self.left, self.left_shift = other.left, other.left_shift
        if other.depth >= own:
            self.right, self.right_shift = other.right, other.right_shift
        else:
            for level in range(common):
                self.right[-1 - level] = other.reach_right(level) - self.right_shift


def centres(
    parent: Sequence[int], size: Sequence[float], gaps: Gaps | None = None, levels: Sequence[int] | None = None
) -> list[float]:
    """Where the middle of each node is along its level.

    Parameters
    ----------
    parent : sequence of int, length n
        In level order: parent < child, children of a node next to each other, -1 at the root (node 0).
    size : sequence of float, length n
        Extent of each node along its level.
    gaps : Gaps, optional
    levels : sequence of int, length n, optional
        How many levels a node without children keeps free of others, its own included: more than one where leaves of
        all depths are in one row. Without it, one each.

    Returns
    -------
    list of float, length n
        The leftmost edge of all nodes is at 0.

    Examples
    --------
    >>> from boxwood.pictures.layout import Gaps, centres
    >>> centres([-1, 0, 0, 0], [10, 10, 30, 10], Gaps(5, 5))
    [30.0, 5.0, 30.0, 55.0]
    """
    gaps = gaps or Gaps()
    children: list[list[int]] = [[] for _ in parent]
    for node in range(1, len(parent)):
        children[parent[node]].append(node)
    from_parent = [0.0] * len(parent)
    outlines: list[_Outline | None] = [None] * len(parent)
    for node in range(len(parent) - 1, -1, -1):
        half = size[node] / 2
        if not children[node]:
            outlines[node] = _Outline(half, levels[node] if levels else 1)
            continue
        below = [outlines[child] for child in children[node]]
        places = _places(below, gaps)
        middle = (places[0] + places[-1]) / 2
        whole = None
        for child, outline, place in zip(children[node], below, places, strict=True):
            from_parent[child] = place - middle
            outline.move(place - middle)
            outlines[child] = None
            if whole is None:
                whole = outline
            else:
                whole.join(outline)
        whole.grow(half)
        outlines[node] = whole
    root = outlines[0]
    found = [-(min(root.left) + root.left_shift)] * len(parent)
    for node in range(1, len(parent)):
        found[node] = found[parent[node]] + from_parent[node]
    return found


def _places(outlines: list[_Outline], gaps: Gaps) -> list[float]:
    """Places of the roots of neighbouring subtrees, the first at 0: as close as they fit, inner ones spread evenly.

    Packed from the left and packed from the right are both without overlap, and so is any mixture of the two whose
    share of the second rises from left to right.
    """
    pairs = _least_distances(outlines, gaps)
    count = len(outlines)
    from_left = [0.0] * count
    for j, before in enumerate(pairs):
        from_left[j] = max((from_left[i] + least for i, least in before), default=0.0)
    if count <= 2:
        return from_left
    from_right = [from_left[-1]] * count
    for j in range(count - 1, 0, -1):
        for i, least in pairs[j]:
            from_right[i] = min(from_right[i], from_right[j] - least)
    shares = [j / (count - 1) for j in range(count)]
    return [a + s * (b - a) for a, b, s in zip(from_left, from_right, shares, strict=True)]


def _least_distances(outlines: list[_Outline], gaps: Gaps) -> list[list[tuple[int, float]]]:
    """For each subtree those to its left that are its neighbours on some level, with the distance their roots need."""
    pairs: list[list[tuple[int, float]]] = [[] for _ in outlines]
    reaching, level = list(range(len(outlines))), 0
    while len(reaching) > 1:
        gap = gaps.cousins if level else gaps.siblings
        for i, j in pairwise(reaching):
            pairs[j].append((i, outlines[i].reach_right(level) - outlines[j].reach_left(level) + gap))
        level += 1
        reaching = [i for i in reaching if outlines[i].depth > level]
    return pairs


def level_tops(depth: Sequence[int], size: Sequence[float], gap: Sequence[float]) -> tuple[list[float], list[float]]:
    """Where each level begins and ends across the levels.

    Parameters
    ----------
    depth : sequence of int, length n
    size : sequence of float, length n
        Extent of each node across its level; a level is as large as its largest node.
    gap : sequence of float
        Free space below each level.

    Returns
    -------
    begin, end : list of float, one entry per level
    """
    extent = [0.0] * (max(depth) + 1)
    for level, own in zip(depth, size, strict=True):
        extent[level] = max(extent[level], own)
    begin = [0.0]
    for level in range(len(extent) - 1):
        begin.append(begin[-1] + extent[level] + gap[level])
    return begin, [b + e for b, e in zip(begin, extent, strict=True)]
