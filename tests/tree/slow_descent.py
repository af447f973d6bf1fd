"""Rows down a tree one by one, in plain Python: what every fast descent must equal."""

import numpy as np

from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import NUMERIC
from boxwood.tree.tree import SHARED

LOST, NEW = -1, -2


def random_columns(schema, seed, n=200):
    """Values on, between and beyond the cuts of the random trees; every kind of value that can occur."""
    rng = np.random.default_rng(seed)
    values = []
    for feature in schema:
        if feature.kind == NUMERIC:
            x = rng.integers(-180, 860, n) / 8
            values.append(np.where(rng.random(n) < 0.2, np.nan, np.where(rng.random(n) < 0.05, np.inf, x)))
        else:
            values.append(rng.integers(NEW, len(feature.levels), n).astype(np.int32))
    return Columns(schema, n, tuple(values), (None,) * len(schema), {})


def branch_at(tree, table, s, columns, row):
    """Branch of a row at one split, LOST or NEW."""
    j = int(table.feature[s])
    value = columns.values[j][row]
    kind = tree.schema[j].kind
    if (kind == NUMERIC and np.isnan(value)) or (kind != NUMERIC and value == LOST):
        return LOST
    if kind != NUMERIC and value == NEW:
        return NEW
    at = int(value) if kind == "nominal" else int(np.searchsorted(table.breaks_of(s), value, side="left"))
    branch = int(table.index_of(s)[at])
    return NEW if branch < 0 else branch


def walk(tree, columns, row, unseen, node=0, share=1.0):
    """(node, share) of every part of a row, depth first, and the bits of what happened to it."""
    flags = 0
    while not tree.is_leaf[node]:
        branch = branch_at(tree, tree.splits, node, columns, row)
        if branch < 0:
            flags |= 1 if branch == LOST else 2
            branch, flags = surrogate_branch(tree, node, columns, row, unseen if branch == NEW else "missing", flags)
        if branch == SHARED:
            children = range(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
            total = sum(tree.weight[c] for c in children)
            below = [walk(tree, columns, row, unseen, c, share * (tree.weight[c] / total)) for c in children]
            below = [part for c, part in zip(children, below, strict=True) if tree.weight[c] > 0]
            return [end for ends, _ in below for end in ends], np.bitwise_or.reduce([m for _, m in below]) | flags | 16
        if branch < 0:
            return [(node, share)], flags | 8
        node = int(tree.first_child[node]) + branch
    return [(node, share)], flags


def surrogate_branch(tree, node, columns, row, policy, flags):
    """What decides when the split at a node does not."""
    if policy == "stay":
        return -2, flags
    if policy == "majority":
        children = slice(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
        return int(np.argmax(tree.weight[children])), flags
    for s in range(tree.surrogate_start[node], tree.surrogate_start[node + 1]):
        branch = branch_at(tree, tree.surrogates, s, columns, row)
        if branch >= 0:
            return branch, flags | 4
    return int(tree.missing[node]), flags
