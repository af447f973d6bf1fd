"""Criteria that are tests of partitions: -ln p as functions of the moments of children and parent."""

from __future__ import annotations

import numpy as np

from .. import _kernel

#: -ln p of a p of 0, in scores.
MOST_SIGNIFICANT = 1e6


def chi_squared(children: np.ndarray, parent: np.ndarray) -> np.ndarray:
    """-ln p of Pearson's test of branches and classes: (C, B, K) and (K,) -> (C,) (docs/chaid.md, nothing merged)."""
    weight = children.sum(axis=2, keepdims=True)
    expected = weight * parent / parent.sum()
    cells = np.divide((children - expected) ** 2, expected, out=np.zeros_like(children), where=expected > 0)
    branches, classes = np.count_nonzero(weight[:, :, 0], axis=1), np.count_nonzero(parent)
    return _minus(_kernel.log_chi2_tails(cells.sum(axis=(1, 2)), (branches - 1.0) * (classes - 1.0)))


def f_test(children: np.ndarray, parent: np.ndarray) -> np.ndarray:
    """-ln p of the F test of the branches' means: (C, B, 3) and (3,) -> (C,); NaN where nothing is left within."""
    groups = np.count_nonzero(children[..., 0], axis=1) - 1.0
    within = children[..., 2].sum(axis=1)
    between = np.maximum(parent[2] - within, 0.0)
    rest = parent[0] - groups - 1.0
    usable = (groups > 0) & (rest > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(between > 0, between / groups / (within / rest), 0.0)
    safe = np.where(usable, statistic, 0.0), np.where(usable, groups, 1.0), np.where(usable, rest, 1.0)
    return np.where(usable, _minus(_kernel.log_f_tails(*safe)), np.nan)


def _minus(log_p: np.ndarray) -> np.ndarray:
    """-ln p; a p of exactly 0 (branches without any spread) is the most significant there is."""
    return np.minimum(-np.asarray(log_p), MOST_SIGNIFICANT)
