"""Folds for cross-validation that come from the data alone: no seed, no row order."""

from __future__ import annotations

import numpy as np

from ..statistics.response import CLASSES
from .learning_set import LearningSet

#: Fewer distinct rows than this many a fold make no sensible cross-validation.
LEAST_ROWS_A_FOLD = 2


def content_folds(learning: LearningSet, n_folds: int, salt: int | None = None) -> np.ndarray | None:
    """A fold number for each row, from a hash of its content.

    Rows with equal features fall into the same fold and count by their weight, so a weight of 3 is the same as the row
    three times. Rows are cut into folds of equal weight along the order of their hashes, class by class (stratified).

    Parameters
    ----------
    learning : LearningSet
    n_folds : int
    salt : int, optional
        Another number gives other folds (``random_state``); None and the same data always give the same.

    Returns
    -------
    int32 array of shape (n,), or None
        None when there are too few distinct rows.
    """
    content = learning.encoded.fingerprints(np.arange(learning.n, dtype=np.uint32), learning.threads)
    if salt is not None:
        content = _mixed(_mixed(content) ^ _mixed(np.array([salt], dtype=np.uint64)))
    order = np.argsort(content)
    distinct = np.count_nonzero(np.diff(content[order])) + 1
    if distinct < n_folds * LEAST_ROWS_A_FOLD:
        return None
    strata = learning.exact.codes if learning.response.kind == CLASSES else np.zeros(learning.n, dtype=np.int32)
    fold = np.empty(learning.n, dtype=np.int32)
    whole = learning.exact.weight
    weight = np.ones(learning.n) if whole is None else whole.astype(np.float64)
    for stratum in np.unique(strata):
        rows = order[strata[order] == stratum]
        fold[rows] = _cut(content[rows], weight[rows], n_folds)
    return fold


def _cut(content: np.ndarray, weight: np.ndarray, n_folds: int) -> np.ndarray:
    """Folds of equal weight along sorted hashes; the first one is drawn by the stratum's own content."""
    new = np.concatenate(([True], content[1:] != content[:-1]))
    group = np.cumsum(new) - 1
    group_weight = np.bincount(group, weight)
    middle = np.cumsum(group_weight) - group_weight / 2
    fold = np.minimum((middle / group_weight.sum() * n_folds).astype(np.int64), n_folds - 1)
    first = int(content[0] % np.uint64(n_folds))
    return ((fold + first) % n_folds)[group].astype(np.int32)


def _mixed(x: np.ndarray) -> np.ndarray:
    """Scatters the bits of 64-bit numbers (finaliser of splitmix64, Steele et al. 2014): 1 and 2 share nothing."""
    with np.errstate(over="ignore"):
        x = x + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))
