"""Impurity of distributions that already add to 1: what trees ask for at every node, without a check."""

from __future__ import annotations

import numpy as np


def gini(p: np.ndarray) -> np.ndarray:
    """Gini impurity 1 - sum p_k^2 of distributions in the last axis."""
    return 1.0 - np.einsum("...k,...k->...", p, p)


def entropy(p: np.ndarray, base: float = 2.0) -> np.ndarray:
    """Entropy -sum p_k log p_k of distributions in the last axis, with 0 log 0 = 0; base 2 gives bits."""
    logs = np.log2(p, out=np.zeros_like(p, dtype=float), where=p > 0)
    return np.abs(np.einsum("...k,...k->...", p, logs)) / np.log2(base)


def classification_error(p: np.ndarray) -> np.ndarray:
    """Share of rows that the most common class gets wrong, 1 - max p_k, of distributions in the last axis."""
    return 1.0 - p.max(axis=-1)
