"""Impurity of validated counts and moments, and its decrease by a split."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..._messages import Setting
from ...errors import DataError
from .. import shares
from .tables import merge_moments


def shares_of(counts: np.ndarray) -> np.ndarray:
    """Counts divided by their sum over the last axis; all 0 where the sum is 0."""
    total = counts.sum(axis=-1, keepdims=True)
    return counts / np.where(total > 0, total, 1.0)


def variance(moments: np.ndarray) -> np.ndarray:
    """Squares by weight of moments in the last axis; 0 without weight."""
    weight = moments[..., 0]
    return np.where(weight > 0, moments[..., 2], 0.0) / np.where(weight > 0, weight, 1.0)


def split(cells: np.ndarray, measure: str | Callable[..., Any]) -> np.ndarray:
    """Weighted mean impurity of branches, shape (..., V, M) -> (...)."""
    weight = cells[..., 0] if measure == "variance" else cells.sum(axis=-1)
    each = impurity_of(cells, measure)
    if each.shape != weight.shape:
        raise DataError(
            Setting("measure"),
            f" gave shape {each.shape} for {weight.shape} distributions; it must reduce the last axis only.",
        )
    return np.einsum("...v,...v->...", shares_of(weight), each)


def decrease(cells: np.ndarray, measure: str | Callable[..., Any]) -> np.ndarray:
    """Impurity of the union of the branches less `split`, shape (..., V, M) -> (...)."""
    union = merge_moments(cells) if measure == "variance" else cells.sum(axis=-2)
    gained = impurity_of(union, measure) - split(cells, measure)
    return gained if callable(measure) else np.maximum(gained, 0.0)


#: Name of a measure -> the function of counts or moments in the last axis.
BY_NAME = {
    "entropy": lambda counts: shares.entropy(shares_of(counts)),
    "gini": lambda counts: np.where(counts.any(axis=-1), shares.gini(shares_of(counts)), 0.0),
    "error": lambda counts: np.where(counts.any(axis=-1), shares.classification_error(shares_of(counts)), 0.0),
    "variance": variance,
}


def impurity_of(cells: np.ndarray, measure: str | Callable[..., Any]) -> np.ndarray:
    """Impurity of each distribution or each row of moments in the last axis."""
    return np.asarray(measure(cells) if callable(measure) else BY_NAME[measure](cells), dtype=np.float64)
