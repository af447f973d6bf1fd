"""Shapley values from their definition: every coalition of features is evaluated, in plain Python."""

from __future__ import annotations

from itertools import combinations
from math import factorial

import numpy as np

from boxwood.statistics.responses.registry import CLASSES
from boxwood.tree.tree import SHARED, STAYS
from tree.slow_descent import NEW, branch_at, surrogate_branch


def route(tree, t, columns, row, unseen):
    """Share of a row that goes down each branch of a node, and the share that stays: shape (branches + 1,)."""
    branch = branch_at(tree, tree.splits, t, columns, row)
    if branch < 0:
        branch, _ = surrogate_branch(tree, t, columns, row, unseen if branch == NEW else "missing", 0)
    count = int(tree.n_children[t])
    parts = np.zeros(count + 1)
    if branch == SHARED:
        weight = tree.weight[tree.first_child[t] : tree.first_child[t] + count]
        if weight.any():
            parts[:count] = weight / weight.sum()
            return parts
        branch = STAYS
    parts[count if branch == STAYS else branch] = 1.0
    return parts


def cover(tree, t):
    """The same for the training set, by weight."""
    count = int(tree.n_children[t])
    weight = tree.weight[tree.first_child[t] : tree.first_child[t] + count]
    stays = max(tree.weight[t] - weight.sum(), 0.0)
    parts = np.append(weight, stays if stays > 1e-9 * tree.weight[t] else 0.0)
    return parts / parts.sum()


def worth(tree, own, other, coalition, t=0):
    """The prediction when the features of a coalition take branch ``own(t)`` and the others ``other(t)``."""
    value = tree.probability[t] if tree.response.kind == CLASSES else tree.value[t : t + 1]
    if tree.is_leaf[t]:
        return value
    parts = own(t) if int(tree.splits.feature[t]) in coalition else other(t)
    total = parts[-1] * value
    for c, part in enumerate(parts[:-1]):
        if part > 0:
            total = total + part * worth(tree, own, other, coalition, int(tree.first_child[t]) + c)
    return total


def shapley(tree, own, other):
    """Shapley values of every feature, shape (p, K), and the worth of no feature at all."""
    p = len(tree.schema)
    worths = {
        frozenset(some): worth(tree, own, other, frozenset(some))
        for size in range(p + 1)
        for some in combinations(range(p), size)
    }
    values = np.zeros((p, len(worths[frozenset()])))
    for some, before in worths.items():
        chance = factorial(len(some)) * factorial(p - len(some) - 1) / factorial(p) if len(some) < p else 0.0
        for j in set(range(p)) - some:
            values[j] += chance * (worths[some | {j}] - before)
    return values, worths[frozenset()]
