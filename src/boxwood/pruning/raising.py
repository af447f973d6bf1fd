"""Error-based pruning with subtree raising from counts at leaves: for rows that lie in parts or on a cluster.

The decisions are those of :func:`boxwood.pruning.error_based.prune_and_raise`, in its order of sums. Only what a node's
largest branch would hold if it had all rows of the node is not known from the tree: a *trial* tree, in which the branch
has taken the node's place, is given to whoever holds the rows, and the counts at its leaves come back. Nodes of one
depth do not overlap, so one trial tree serves all of them; a round tries every depth at once, as if no branch was
raised. A raised branch is pruned again, which tries it and its ancestors in the next round.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .._messages import Setting, remedy
from ..errors import ParameterError
from ..tree.rebuild import take_nodes
from ..tree.tree import SHARED, Tree
from .error_based import SLACK, Pessimism, check_countable

log = logging.getLogger("boxwood")
#: Numbers that the counts of one round may take.
_AT_ONCE = 1 << 24

#: Tree -> rows, int64 (L,), and class weights, int64 (L, K), of its leaves in order.
LeafCounts = Callable[[Tree], tuple[np.ndarray, np.ndarray]]


def prune_and_raise_by_counts(tree: Tree, rule: Pessimism, counts: LeafCounts, unit: float) -> Tree:
    """Error-based pruning with subtree raising, for rows that are counted elsewhere.

    Parameters
    ----------
    tree : Tree
        Of classes, without priors or costs.
    rule : Pessimism
    counts : callable
        Tree -> rows and class weights at its leaves.
    unit : float
        The unit of class weights.

    Raises
    ------
    ParameterError
        The tree predicts a number, has priors or costs, a row stays at an inner node, or rows would be divided.
    """
    check_countable(tree)
    lists_all = np.diff(tree.splits.index_start) == tree.splits.n_positions
    if ((tree.missing == SHARED) & ~tree.is_leaf & ~lists_all).any():
        raise ParameterError(
            "raising divides rows whose level a split does not list, and rows in parts are not divided again; ",
            remedy("use ", Setting("raising", False), ", or another policy for missing values."),
        )  # fmt: skip
    return _Raising(tree, rule, counts, unit).pruned()


class _Raising:
    """What is known of places and nodes: ``at[place]`` is the node that is now at the place of node ``place``."""

    def __init__(self, tree: Tree, rule: Pessimism, counts: LeafCounts, unit: float):
        self._tree, self._rule, self._counts, self._unit = tree, rule, counts, unit
        self._first, self._branches = tree.first_child.tolist(), tree.n_children.tolist()
        self._at, self._leaf = list(range(tree.n_nodes)), tree.is_leaf.tolist()
        self._parent = tree.parent.tolist()
        self._rows, self._classes = self._counted(*self._structure(frozenset())[:2])
        self._weight = self._classes.sum(axis=1).tolist()
        self._limit, self._leaf_limit = [0.0] * tree.n_nodes, [0.0] * tree.n_nodes
        self._open: set[int] = set()
        self._trials: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def pruned(self) -> Tree:
        """The pruned tree with the counts of this pass."""
        self._enter(0)
        rounds = 0
        while self._open:
            if not self._decide_all():
                rounds += 1
                self._find_candidates()
        log.info("pruned: branches were tried in %d rounds", rounds)
        nodes, leaf, _, _ = self._structure(frozenset())
        small = take_nodes(self._tree, np.array(nodes), np.array(leaf))
        return replace(small, moments=self._classes[nodes] * self._unit, rows=self._rows[nodes])

    def _children(self, node: int) -> range:
        return range(self._first[node], self._first[node] + self._branches[node])

    def _limits(self, classes: np.ndarray) -> list[float]:
        total, most = classes.sum(axis=1), classes.max(axis=1)
        return self._rule.limits(total * self._unit, (total - most) * self._unit).tolist()

    def _enter(self, place: int) -> None:
        """Begin to prune what is at a place, whose counts are known."""
        stack, places = [place], []
        while stack:
            here = stack.pop()
            places.append(here)
            node = self._at[here]
            self._leaf[node] = self._leaf[node] or not self._rows[node]
            if not self._leaf[node]:
                for child in self._children(node):
                    self._parent[child] = here
                    stack.append(child)
        nodes = [self._at[here] for here in places]
        for here, node, limit in zip(places, nodes, self._limits(self._classes[nodes]), strict=True):
            self._limit[node] = self._leaf_limit[node] = limit
            self._trials.pop(here, None)
            if not self._leaf[node]:
                self._open.add(here)

    def _decide_all(self) -> bool:
        """Decide about places whose branches are pruned, as far as trials are known; whether any was."""
        any_was = False
        for place in sorted(self._open, reverse=True):
            if not any(child in self._open for child in self._children(self._at[place])):
                any_was |= self._decide(place)
        return any_was

    def _decide(self, place: int) -> bool:
        """The leaf, the largest branch or all branches at a place; False while a trial is wanting."""
        node = self._at[place]
        largest, leaf_limit = self._largest(node), self._leaf_limit[node]
        raised = leaf_limit
        if not self._leaf[self._at[largest]]:
            if place not in self._trials:
                return False
            raised = self._limit_if_raised(largest, *self._trials[place])
        below = 0.0
        for child in self._children(node):
            below += self._limit[self._at[child]]
        self._open.discard(place)
        if leaf_limit <= raised + SLACK and leaf_limit <= below + SLACK:
            self._leaf[node] = True
        elif raised <= below + SLACK:
            self._raise(place, largest)
        else:
            self._limit[node] = below
        return True

    def _largest(self, node: int) -> int:
        """The child with the largest weight."""
        weight = [self._weight[self._at[child]] for child in self._children(node)]
        order = range(len(weight) - 1, -1, -1) if self._rule.largest == "last" else range(len(weight))
        return self._first[node] + max(order, key=weight.__getitem__)

    def _limit_if_raised(self, largest: int, rows: np.ndarray, classes: np.ndarray) -> float:
        """Estimated errors of the largest branch with the counts of a trial, summed as the kernel does."""
        stack, ends = [largest], []
        while stack:
            node = self._at[stack.pop()]
            if rows[node] == self._rows[node] or self._leaf[node]:
                ends.append(node)
            else:
                stack.extend(self._children(node))
        limit = 0.0
        for node, found in zip(ends, self._limits(classes[ends]), strict=True):
            limit += self._limit[node] if rows[node] == self._rows[node] else found
        return limit

    def _raise(self, place: int, largest: int) -> None:
        """The largest branch takes a place with all its rows, and is pruned again."""
        rows, classes = self._trials[place]
        self._at[place] = self._at[largest]
        stack = [self._at[place]]
        while stack:
            node = stack.pop()
            self._rows[node], self._classes[node] = rows[node], classes[node]
            self._weight[node] = int(classes[node].sum())
            if not self._leaf[node]:
                stack.extend(self._at[child] for child in self._children(node))
        below, above = place, self._parent[place]
        while above >= 0:
            if below == self._largest(self._at[above]):
                self._trials.pop(above, None)
            below, above = above, self._parent[above]
        self._enter(place)

    def _find_candidates(self) -> None:
        """Try the largest branch at every place where that is not known, the deepest first."""
        nodes, _, places, depths = self._structure(frozenset())
        wanting: dict[int, list[int]] = {}
        for node, place, depth in zip(nodes, places, depths, strict=True):
            if place in self._open and place not in self._trials and not self._leaf[self._at[self._largest(node)]]:
                wanting.setdefault(depth, []).append(place)
        at_once = max(1, _AT_ONCE // (self._tree.n_nodes * (1 + self._classes.shape[1])))
        for depth in sorted(wanting, reverse=True)[:at_once]:
            found = self._counted(*self._structure(frozenset(wanting[depth]))[:2])
            self._trials |= dict.fromkeys(wanting[depth], found)

    def _structure(self, raised: frozenset[int]) -> tuple[list[int], list[bool], list[int], list[int]]:
        """Nodes of the tree as it is now, in level order, whether each is a leaf, its place and its depth.

        The largest branch is at the ``raised`` places.
        """
        places, depths, nodes = [0], [0], []
        for place, depth in zip(places, depths, strict=False):  # both grow meanwhile
            node = self._at[place]
            node = self._at[self._largest(node)] if place in raised else node
            nodes.append(node)
            if not self._leaf[node]:
                children = self._children(node)
                places.extend(children)
                depths.extend([depth + 1] * len(children))
        return nodes, [self._leaf[node] for node in nodes], places, depths

    def _counted(self, nodes: list[int], leaf: list[bool]) -> tuple[np.ndarray, np.ndarray]:
        """Rows and class weights of nodes of a tree, int64, shape (T,) and (T, K)."""
        trial = take_nodes(self._tree, np.array(nodes), np.array(leaf))
        held, weights = self._counts(trial)
        rows = np.zeros(trial.n_nodes, dtype=np.int64)
        classes = np.zeros((trial.n_nodes, weights.shape[1]), dtype=np.int64)
        rows[trial.is_leaf], classes[trial.is_leaf] = held, weights
        for t, parent in zip(range(trial.n_nodes - 1, 0, -1), trial.parent[:0:-1].tolist(), strict=True):
            rows[parent] += rows[t]
            classes[parent] += classes[t]
        if rows[0] != self._tree.rows[0]:
            raise ParameterError(
                "raising needs rows that all reach a leaf, but one stays above; ",
                remedy("use ", Setting("raising", False), "."),
            )  # fmt: skip
        out = np.zeros(self._tree.n_nodes, dtype=np.int64), np.zeros((self._tree.n_nodes, weights.shape[1]), np.int64)
        out[0][nodes], out[1][nodes] = rows, classes
        return out
