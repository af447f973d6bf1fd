"""Error-based pruning with subtree raising, for any kind of learning set."""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch

import numpy as np

from ..learning.learning_set import LearningSet
from ..tree.tree import Tree
from .error_based import Pessimism, prune_and_raise


@singledispatch
def raiser(
    learning: LearningSet, tree: Tree, keep: np.ndarray | None = None, by_rank: bool = False
) -> Callable[[Pessimism], Tree]:
    """Prunes a tree that was grown from these rows or those that stay; learning sets of shards register their own."""
    rows = np.arange(learning.n, dtype=np.uint32) if keep is None else np.flatnonzero(keep).astype(np.uint32)
    exact = learning.exact if keep is None else learning.exact.take(keep)
    encoded = learning.encoded if by_rank else learning.as_given

    def raised(rule: Pessimism) -> Tree:
        found = prune_and_raise(tree, rule, encoded, rows, exact, by_rank)
        return found if by_rank else learning.with_weight_squares(found, keep)

    return raised
