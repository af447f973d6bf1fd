"""Folds and holdouts drawn from the content of the data: no seed, no row order."""

from __future__ import annotations

import numpy as np

from ..statistics.places import FoldDraw, HoldoutDraw, drawn_by, middles
from .learning_set import LearningSet

#: Fewer rows than this a fold make no sensible cross-validation.
_LEAST_ROWS = 2


def enough_for_folds(n: int, n_folds: int) -> bool:
    """Whether n rows are enough for so many folds."""
    return n >= n_folds * _LEAST_ROWS


def enough_for_holdout(n: int, share: float) -> bool:
    """Whether n rows are enough to hold out a share of them."""
    return n * min(share, 1.0 - share) >= _LEAST_ROWS


def content_folds(learning: LearningSet, n_folds: int, salt: int | None = None) -> np.ndarray | None:
    """A fold number for each row, from a hash of its content: features, response and weight.

    Rows are cut into folds of equal size along the order of their hashes, class by class (stratified). A row counts as
    one, whatever its weight; rows of equal content are dealt out like others.

    Parameters
    ----------
    learning : LearningSet
    n_folds : int
    salt : int, optional
        Another number gives other folds (``random_state``); None and the same data always give the same.

    Returns
    -------
    int32 array of shape (n,), or None
        None when there are too few rows.
    """
    if not enough_for_folds(learning.n, n_folds):
        return None
    return _labels(learning, FoldDraw(n_folds), salt).astype(np.int32)


def dealt_folds(learning: LearningSet, n_folds: int, salt: int | None = None) -> np.ndarray:
    """A fold number for each of few rows, int64, shape (n,): dealt out in the order of their hashes, class by class."""
    _, order = _numbered(learning, salt)
    order = order[np.argsort(learning.response.strata(learning.exact)[order], kind="stable")]
    out = np.empty(learning.n, dtype=np.int64)
    out[order] = np.arange(learning.n) % n_folds
    return out


def content_holdout(learning: LearningSet, share: float, salt: int | None = None) -> np.ndarray | None:
    """Whether each row is held out, drawn like the folds: by content, class by class.

    Parameters
    ----------
    learning : LearningSet
    share : float
        About this share of the rows of each class is held out.
    salt : int, optional
        As for :func:`content_folds`.

    Returns
    -------
    bool array of shape (n,), or None
        None when there are too few rows for both parts.
    """
    if not enough_for_holdout(learning.n, share):
        return None
    held_out = _labels(learning, HoldoutDraw(share), salt).astype(bool)
    return held_out if held_out.any() and not held_out.all() else None


def _numbered(learning: LearningSet, salt: int | None) -> tuple[np.ndarray, np.ndarray]:
    """The number of each row, and the rows by rising number."""
    number, order = learning.row_numbers
    if salt is None:
        return number, order
    number = drawn_by(number, salt)
    return number, np.argsort(number)


def _labels(learning: LearningSet, draw: FoldDraw | HoldoutDraw, salt: int | None) -> np.ndarray:
    """What is drawn for each row, int64; should two rows have one number, they are drawn together."""
    number, order = _numbered(learning, salt)
    stratum = learning.response.strata(learning.exact)[order]
    parts = [order[stratum == s] for s in np.flatnonzero(np.bincount(stratum))]
    out = np.empty(learning.n, dtype=np.int64)
    for rows in parts:
        rising = number[rows]
        starts = np.flatnonzero(np.concatenate(([True], rising[1:] != rising[:-1])))
        size = np.diff(np.append(starts, len(rows)))
        out[rows] = np.repeat(draw.labels(middles(size, 0, len(rows)), rising[0]), size)
    return out
