"""Pruning with subtree raising by rows that stay in shards: they go down trial trees and reply with counts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

import numpy as np

from ..._messages import Message, Setting, remedy
from ...errors import ParameterError
from ...growing.shards.engine import Engine
from ...growing.shards.whole import Whole
from ...pruning.error_based import Pessimism
from ...pruning.raising import prune_and_raise_by_counts
from ...tree.tree import Tree

#: Nodes that one request may name.
_NODES = 30_000


class ShardedLearning(Protocol):
    """A learning set whose rows are in shards."""

    @property
    def shards(self) -> tuple[Engine, Whole]:
        """The rows, and what is known of all of them."""

    def with_weight_squares(self, tree: Tree) -> Tree:
        """The tree with the sums of squared weights in each node."""


class RaisingError(ParameterError):
    """Subtree raising needs something that rows in parts do not do."""


def raising_problem(settings: dict, has_missing: bool) -> str | None:
    """Why the requested subtree raising is not possible with rows in parts, with a remedy; None where it is."""
    if has_missing and settings.get("missing") == "fractional":
        return Message(
            "pruning with raising divides rows whose value is missing, and rows in parts are divided in growth only; ",
            remedy("choose ", Setting("raising", False), ", another pruner (docs/pruning.md), or another policy for "
            "missing values."),
        )  # fmt: skip
    if settings.get("max_bins") is not None:
        return Message(
            "pruning with raising needs exact values, and ", Setting("max_bins"), " replaces them by bins; ",
            remedy("choose ", Setting("raising", False), "."),
        )  # fmt: skip
    return None


def raised_in_shards(
    learning: ShardedLearning, tree: Tree, keep: None = None, by_rank: bool = False
) -> Callable[[Pessimism], Tree]:
    """Prunes a tree that was grown from all rows of a learning set in shards."""
    engine, whole = learning.shards
    counts = partial(_counts, engine)

    def raised(rule: Pessimism) -> Tree:
        return learning.with_weight_squares(prune_and_raise_by_counts(tree, rule, counts, whole.scaling.unit))

    return raised


def _counts(engine: Engine, tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Rows and class weights at the leaves of a tree."""
    engine.update(None)
    engine.update(tree)
    leaves = np.flatnonzero(tree.is_leaf)
    parts = np.split(leaves, range(_NODES, len(leaves), _NODES))
    words = [engine.request("stats", {"nodes": part})["words"].reshape(len(part), -1) for part in parts]
    found = np.concatenate(words)
    return found[:, 0], found[:, 1:]
