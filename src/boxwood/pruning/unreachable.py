"""Removes levels that cannot reach a node from its split, and branches that nothing can reach from the tree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..tree.rebuild import take_nodes
from ..tree.split import SplitTable
from ..tree.tree import Tree


def drop_unreachable(tree: Tree) -> Tree:
    """The same tree without levels that the splits above keep from a node, and without empty branches left so.

    Where a nominal feature is tested again below one of its own splits (groups of levels, or a raised branch), some
    levels cannot occur again. C4.5 removes them after pruning. A branch is removed when it is an empty leaf
    to which no level, and no missing value, leads; two branches always stay. No training row changes its leaf.

    Parameters
    ----------
    tree : Tree

    Returns
    -------
    Tree
    """
    listed, kept = _reachable(tree)
    if listed.all() and kept.all():
        return tree
    first = np.maximum(tree.first_child, 0)
    count = np.concatenate([[0], np.cumsum(kept)])
    number = np.maximum(count[:-1] - count[first[tree.parent]], 0)
    inner = ~tree.is_leaf
    n_children = np.where(inner, count[first + tree.n_children] - count[first], 0).astype(np.int32)
    branch = tree.missing >= 0
    missing = np.where(branch, number[first + np.maximum(tree.missing, 0)], tree.missing).astype(np.int32)
    smaller = replace(tree, splits=_with_positions(tree, listed, number), n_children=n_children, missing=missing)
    old = np.flatnonzero(kept)
    return take_nodes(smaller, old, tree.is_leaf[old])


def _reachable(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Which listed positions are reachable, bool, one an entry of the index; and which nodes stay, bool, shape (T,)."""
    listed, kept = np.ones(len(tree.splits.index), dtype=bool), np.ones(tree.n_nodes, dtype=bool)
    # What may come to a node: for each nominal feature tested above, which of its levels.
    may_come: list[dict[int, np.ndarray]] = [{} for _ in range(tree.n_nodes)]
    for t in np.flatnonzero(~tree.is_leaf).tolist():
        j, here = int(tree.splits.feature[t]), may_come[t]
        children = range(int(tree.first_child[t]), int(tree.first_child[t] + tree.n_children[t]))
        for child in children:
            may_come[child] = here
        if tree.schema[j].type.has_cuts:
            continue
        index = tree.splits.index_of(t)
        levels = here.get(j, np.ones(len(index), dtype=bool))
        for branch, child in enumerate(children):
            # A level without a branch may be shared out, so it may come to each of them.
            may_come[child] = {**here, j: levels & ((index == branch) | (index < 0))}
        if tree.surrogate_start[t + 1] > tree.surrogate_start[t]:
            continue
        entries = slice(tree.splits.index_start[t], tree.splits.index_start[t + 1])
        listed[entries] = levels[tree.splits.position[entries]]
        useless = [c for c in children if _is_useless(tree, t, c, index[levels])]
        kept[useless[max(len(useless) + 2 - len(children), 0) :]] = False
    stays = kept[tree.first_child[_owner(tree.splits)] + tree.splits.index]
    return listed & stays, kept


def _is_useless(tree: Tree, t: int, child: int, reached: np.ndarray) -> bool:
    """Whether a child is an empty leaf to which no level that is reached leads, nor a missing value."""
    branch = child - int(tree.first_child[t])
    return bool(tree.rows[child] == 0 and tree.missing[t] != branch and not (reached == branch).any())


def _with_positions(tree: Tree, listed: np.ndarray, number: np.ndarray) -> SplitTable:
    """The splits restricted to some positions, with renumbered branches."""
    table, owner = tree.splits, _owner(tree.splits)
    sizes = np.bincount(owner[listed], minlength=len(table))
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    index = number[tree.first_child[owner] + table.index][listed].astype(np.int32)
    return replace(table, index_start=start, position=table.position[listed], index=index)


def _owner(table: SplitTable) -> np.ndarray:
    """The split that each entry of the index belongs to."""
    return np.repeat(np.arange(len(table)), np.diff(table.index_start))
