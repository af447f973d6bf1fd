"""Criteria as functions of the moments of children and parent: the form in which users write their own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from .. import _kernel
from ..statistics.class_measures import of_shares

#: -ln p of a p of 0, in scores.
MOST_SIGNIFICANT = 1e6


def gini(children: np.ndarray, parent: np.ndarray) -> np.ndarray:
    """Decrease of Gini impurity per unit of weight: (C, B, K) and (K,) -> (C,) (docs/measures.md)."""
    return (_square_share(children).sum(axis=1) - _square_share(parent)) / parent.sum()


def entropy(children: np.ndarray, parent: np.ndarray) -> np.ndarray:
    """Information gain in bits: (C, B, K) and (K,) -> (C,)."""
    return np.maximum(bits(parent) - bits(children).sum(axis=1), 0.0) / parent.sum()


def error(children: np.ndarray, parent: np.ndarray) -> np.ndarray:
    """Decrease of the share of wrong rows: (C, B, K) and (K,) -> (C,)."""
    return (children.max(axis=2).sum(axis=1) - parent.max()) / parent.sum()


def variance(children: np.ndarray, parent: np.ndarray) -> np.ndarray:
    """Decrease of variance: (C, B, 3) and (3,) -> (C,), from sums of squares, because means may lie far from zero."""
    return np.maximum(parent[2] - children[..., 2].sum(axis=1), 0.0) / parent[0]


def poisson(children: np.ndarray, parent: np.ndarray) -> np.ndarray:
    """Decrease of the mean Poisson deviance 2 sum d ln(rate_c / rate): (C, B, 4) and (4,) -> (C,) (docs/rpart.md)."""
    exposure, events = children[..., 1], children[..., 2]
    ratio = np.divide(events * parent[1], exposure * parent[2], out=np.ones_like(events), where=events > 0)
    return np.maximum(2.0 * (events * np.log(ratio)).sum(axis=1) / parent[0], 0.0)


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


#: Measure of ``ImpurityDecrease`` -> its decrease as a function.
DECREASE = {"gini": gini, "entropy": entropy, "error": error, "variance": variance, "poisson": poisson}


def decrease_of(measure: str) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """The decrease by a measure of ``ImpurityDecrease`` as a function of children and parent."""
    return DECREASE.get(measure) or partial(_decrease_of_shares, of_shares(measure))


def _decrease_of_shares(measure: Callable, children: np.ndarray, parent: np.ndarray) -> np.ndarray:
    """Decrease of any measure of classes: (C, B, K) and (K,) -> (C,)."""
    weight = children.sum(axis=2, keepdims=True)
    share = np.divide(children, weight, out=np.zeros_like(children), where=weight > 0)
    left = (weight[..., 0] * measure(share)).sum(axis=1) / parent.sum()
    return np.maximum(measure(parent / parent.sum()) - left, 0.0)


def bits(classes: np.ndarray) -> np.ndarray:
    """Weight times entropy in bits of class weights in the last axis: -sum n log2(n / N), 0 where there is nothing."""
    whole = classes.sum(axis=-1, keepdims=True)
    share = np.divide(classes, whole, out=np.ones_like(classes), where=classes > 0)
    return -(classes * np.log2(share)).sum(axis=-1)


def _square_share(classes: np.ndarray) -> np.ndarray:
    """Sum of squares over sum, in the last axis; 0 where there is nothing."""
    whole = classes.sum(axis=-1)
    return np.divide((classes * classes).sum(axis=-1), whole, out=np.zeros_like(whole), where=whole > 0)
