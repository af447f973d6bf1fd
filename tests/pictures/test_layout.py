"""Places of nodes: no overlap, parents in the middle, mirrored trees mirrored, in linear time."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.pictures import layout
from boxwood.pictures.layout import Gaps, centres, level_tops

GAPS = Gaps(3.0, 7.0)


@st.composite
def trees(draw):
    """Parents in level order, and a size for each node."""
    parent, at = [-1], 0
    while at < len(parent) and len(parent) < 60:
        parent += [at] * draw(st.sampled_from([0, 0, 1, 2, 2, 3, 5]))
        at += 1
    sizes = draw(st.lists(st.integers(1, 40), min_size=len(parent), max_size=len(parent)))
    return parent, [float(size) for size in sizes]


def depths(parent):
    depth = [0]
    for above in parent[1:]:
        depth.append(depth[above] + 1)
    return depth


def children(parent, node):
    return [child for child, above in enumerate(parent) if above == node]


@settings(deadline=None)
@given(trees())
def test_neighbours_on_a_level_keep_their_order_and_their_distance(tree):
    parent, size = tree
    middle, depth = centres(parent, size, GAPS), depths(parent)
    for level in range(max(depth) + 1):
        row = [node for node in range(len(parent)) if depth[node] == level]
        for a, b in pairwise(row):
            gap = GAPS.siblings if parent[a] == parent[b] else GAPS.cousins
            free = (middle[b] - size[b] / 2) - (middle[a] + size[a] / 2)
            # Siblings whose descendants are far apart are wider apart; cousins are never nearer than their gap.
            assert free >= gap - 1e-9


@settings(deadline=None)
@given(trees())
def test_a_parent_is_over_the_middle_of_its_children(tree):
    parent, size = tree
    middle = centres(parent, size, GAPS)
    for node in range(len(parent)):
        below = children(parent, node)
        if below:
            assert middle[node] == pytest.approx((middle[below[0]] + middle[below[-1]]) / 2)
    assert min(m - s / 2 for m, s in zip(middle, size, strict=True)) == pytest.approx(0.0, abs=1e-9)


@settings(deadline=None)
@given(trees())
def test_a_mirrored_tree_gives_the_mirrored_picture(tree):
    parent, size = tree
    order = [0]
    for node in order:
        order += children(parent, node)[::-1]
    new = {node: at for at, node in enumerate(order)}
    mirrored = centres([-1] + [new[parent[node]] for node in order[1:]], [size[node] for node in order], GAPS)
    middle = centres(parent, size, GAPS)
    width = max(m + s / 2 for m, s in zip(middle, size, strict=True))
    for node in range(len(parent)):
        assert mirrored[new[node]] == pytest.approx(width - middle[node], abs=1e-6)


def test_a_subtree_looks_the_same_wherever_it_is():
    inner = [(1, 10.0), (1, 30.0), (2, 5.0)]  # children of a node, and sizes, below two different roots
    parent = [-1, 0, 0, 1, 1, 2, 2, 2]
    twice = centres([-1, 0, 0, 1, 1, 2, 2], [9.0, 8.0, 8.0, *[s for _, s in inner[:2]], 10.0, 30.0], GAPS)
    assert twice[3] - twice[1] == pytest.approx(twice[5] - twice[2])
    assert twice[4] - twice[1] == pytest.approx(twice[6] - twice[2])
    assert len(centres(parent, [1.0] * 8, GAPS)) == 8


def test_inner_children_are_spread_evenly_between_wide_outer_ones():
    # Five children; the outer ones have wide children of their own, so that there is room between them.
    parent = [-1, 0, 0, 0, 0, 0, 1, 1, 5, 5]
    middle = centres(parent, [4.0] * 6 + [100.0] * 4, GAPS)
    steps = [b - a for a, b in pairwise(middle[1:6])]
    assert max(steps) == pytest.approx(min(steps))
    assert steps[0] > 4.0 + GAPS.siblings


def test_narrow_trees_are_as_narrow_as_possible():
    assert centres([-1, 0, 0], [10.0, 20.0, 30.0], Gaps(5.0, 5.0)) == [25.0, 10.0, 40.0]
    assert centres([-1], [8.0]) == [4.0]
    # A small subtree slips under a wide cousin.
    middle = centres([-1, 0, 0, 1], [2.0, 2.0, 50.0, 40.0], Gaps(1.0, 1.0))
    assert middle[2] - middle[1] == pytest.approx(27.0)


@pytest.mark.parametrize("shape", ["chain", "comb", "twins", "broom"])
def test_the_work_is_linear(shape, monkeypatch):
    def count(n):
        looked = [0]
        monkeypatch.setattr(
            layout._Outline, "reach_left", lambda self, i: (looked.__setitem__(0, looked[0] + 1), _left(self, i))[1]
        )
        parent = {
            "chain": [-1, *range(n)],
            "comb": [-1, *[2 * (i // 2) - (1 if i else 0) if i > 1 else 0 for i in range(2 * n)]],
            "twins": [-1, 0, 0, *range(1, 2 * n)],
            "broom": [-1, *[0] * n],
        }[shape]
        parent = [-1] + [max(0, min(p, i)) for i, p in enumerate(parent[1:])]
        centres(parent, [1.0] * len(parent), GAPS)
        return looked[0], len(parent)

    def _left(self, level):
        return self.left[-1 - level] + self.left_shift

    looks, size = count(3000)
    assert looks <= 3 * size


def test_levels_are_as_large_as_their_largest_node():
    begin, end = level_tops([0, 1, 1, 2], [5.0, 7.0, 3.0, 1.0], [10.0, 20.0, 0.0])
    assert begin == [0.0, 15.0, 42.0]
    assert end == [5.0, 22.0, 43.0]
