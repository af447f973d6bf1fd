"""Folds and holdouts drawn from the content of the data: no seed, no row order."""

from __future__ import annotations

import numpy as np

from ..statistics.places import FoldDraw, HoldoutDraw, drawn_by, middles
from ..statistics.response import CLASSES
from .learning_set import LearningSet

#: Fewer distinct rows than this many a fold make no sensible cross-validation.
LEAST_ROWS_A_FOLD = 2
#: Up to so many rows are counted one by one.
COUNTED = 1 << 14


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
    return _labels(learning, strata, FoldDraw(n_folds)).astype(np.int32)


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
    held_out = _labels(learning, strata, HoldoutDraw(share)).astype(bool)
    return held_out if held_out.any() and not held_out.all() else None


def distinct_rows(learning: LearningSet) -> int:
    """About how many rows have different features."""
    content, order = learning.fingerprints
    rising = content[order]
    return about_as_many(rising[np.concatenate(([True], rising[1:] != rising[:-1]))][:COUNTED])


def about_as_many(smallest: np.ndarray) -> int:
    """The number of different hashes, about, from the ``COUNTED`` smallest of them; exact where there are fewer.

    The share of all hashes that lies below the largest of these is about the share of the range below it, with a
    standard error of 0.8 % (Bar-Yossef et al. 2002, "Counting distinct elements in a data stream"). Hashes of shards
    need not be brought together for that.

    Examples
    --------
    >>> about_as_many(np.array([3, 8, 2**63], dtype=np.uint64))
    3
    >>> about_as_many(np.arange(COUNTED, dtype=np.uint64) * 2**44)
    1048576
    """
    if len(smallest) < COUNTED:
        return len(smallest)
    return round((COUNTED - 1) / (max(float(smallest[-1]), 1.0) / 2.0**64))


def _strata(learning: LearningSet, salt: int | None) -> list[tuple[np.ndarray, np.ndarray]]:
    """The rows of each class, or all rows when there are no classes, with their hashes, along the order of these."""
    content, order = learning.fingerprints
    if salt is not None:
        content = drawn_by(content, salt)
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


def _labels(learning: LearningSet, strata: list, draw: FoldDraw | HoldoutDraw) -> np.ndarray:
    """What is drawn for each row, int64; rows of equal hash count by their weight and are drawn together."""
    weight = learning.exact.weight
    out = np.empty(learning.n, dtype=np.int64)
    for rows, content in strata:
        starts = np.flatnonzero(np.concatenate(([True], content[1:] != content[:-1])))
        size = np.diff(np.append(starts, len(rows)))
        of_group = size if weight is None else np.add.reduceat(weight[rows], starts)
        labels = draw.labels(middles(of_group, 0, int(of_group.sum())), content[0])
        out[rows] = np.repeat(labels, size)
    return out
