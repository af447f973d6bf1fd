"""Folds for cross-validation, and rows to hold out, that come from the data alone: no seed, no row order."""

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
    strata = _strata(learning, salt)
    if _distinct(strata) < n_folds * LEAST_ROWS_A_FOLD:
        return None
    fold = np.empty(learning.n, dtype=np.int32)
    for rows, content in strata:
        group, middle = _places(content, _weights(learning)[rows])
        of_group = np.minimum((middle * n_folds).astype(np.int64), n_folds - 1)
        # The first fold is drawn by the stratum's own content.
        first = int(content[0] % np.uint64(n_folds))
        fold[rows] = ((of_group + first) % n_folds)[group]
    return fold


def content_holdout(learning: LearningSet, share: float, salt: int | None = None) -> np.ndarray | None:
    """Whether each row is held out, drawn like the folds: by content, class by class, equal rows together.

    Parameters
    ----------
    learning : LearningSet
    share : float
        About this share of the weight of each class is held out.
    salt : int, optional
        As for :func:`content_folds`.

    Returns
    -------
    bool array of shape (n,), or None
        None when there are too few distinct rows for both parts.
    """
    strata = _strata(learning, salt)
    if _distinct(strata) * min(share, 1.0 - share) < LEAST_ROWS_A_FOLD:
        return None
    held_out = np.zeros(learning.n, dtype=bool)
    for rows, content in strata:
        group, middle = _places(content, _weights(learning)[rows])
        first = float(content[0]) / 2.0**64
        held_out[rows] = ((middle + first) % 1.0 < share)[group]
    return held_out if held_out.any() and not held_out.all() else None


def _strata(learning: LearningSet, salt: int | None) -> list[tuple[np.ndarray, np.ndarray]]:
    """The rows of each class, or all rows when there are no classes, with their hashes, along the order of these."""
    content, order = learning.encoded.fingerprints(learning.threads)
    if salt is not None:
        content = _mixed(_mixed(content) ^ _mixed(np.array([salt], dtype=np.uint64)))
        order = np.argsort(content)
    if learning.response.kind != CLASSES:
        return [(order, content[order])]
    stratum = learning.exact.codes[order]
    parts = [order[stratum == s] for s in np.flatnonzero(np.bincount(stratum))]
    return [(rows, content[rows]) for rows in parts]


def _distinct(strata: list[tuple[np.ndarray, np.ndarray]]) -> int:
    """Number of rows with different features."""
    content = np.sort(np.concatenate([content for _, content in strata]), kind="stable")
    return 1 + int(np.count_nonzero(content[1:] != content[:-1]))


def _weights(learning: LearningSet) -> np.ndarray:
    """Weights as whole multiples of their unit, shape (n,)."""
    whole = learning.exact.weight
    return np.ones(learning.n) if whole is None else whole.astype(np.float64)


def _places(content: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Group of equal hashes of each row, and where the middle of each group lies, from 0 to 1 of the weight."""
    new = np.concatenate(([True], content[1:] != content[:-1]))
    group = np.cumsum(new) - 1
    group_weight = np.bincount(group, weight)
    return group, (np.cumsum(group_weight) - group_weight / 2) / group_weight.sum()


def _mixed(x: np.ndarray) -> np.ndarray:
    """Scatters the bits of 64-bit numbers (finaliser of splitmix64, Steele et al. 2014): 1 and 2 share nothing."""
    with np.errstate(over="ignore"):
        x = x + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))
