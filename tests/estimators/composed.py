"""Criteria written in Python, and a comparison of trees, for tests of composed trees."""

from __future__ import annotations

import numpy as np

MERGED = {"branching": "merged", "criterion": "significance"}


def decrease_of_gini(children, parent):
    """What CART tests, in a person's own words."""
    mixed = 1 - (parent**2).sum() / parent.sum() ** 2
    weight = children.sum(axis=2)
    return mixed - (weight - (children**2).sum(axis=2) / weight).sum(axis=1) / parent.sum()


def squares_saved(children, parent):
    """Squared error that the branches take away."""
    return parent[2] - children[:, :, 2].sum(axis=1)


def same_tree(one, other) -> bool:
    """Whether two estimators hold the same splits and the same moments."""
    a, b = one.tree_, other.tree_
    pairs = [(a.splits.feature, b.splits.feature), (a.splits.breaks, b.splits.breaks), (a.moments, b.moments)]
    return all(np.array_equal(x, y) for x, y in pairs)
