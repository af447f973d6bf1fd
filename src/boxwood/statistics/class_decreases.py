"""Decreases of measures of classes: functions of the class weights of children and parent."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from .class_measures import of_shares


def gini(children: np.ndarray, parent: np.ndarray) -> np.ndarray:
    """Decrease of Gini impurity per unit of weight: (C, B, K) and (K,) -> (C,) (docs/measures.md)."""
    return (_square_share(children).sum(axis=1) - _square_share(parent)) / parent.sum()


def entropy(children: np.ndarray, parent: np.ndarray) -> np.ndarray:
    """Information gain in bits: (C, B, K) and (K,) -> (C,)."""
    return np.maximum(bits(parent) - bits(children).sum(axis=1), 0.0) / parent.sum()


def error(children: np.ndarray, parent: np.ndarray) -> np.ndarray:
    """Decrease of the share of wrong rows: (C, B, K) and (K,) -> (C,)."""
    return (children.max(axis=2).sum(axis=1) - parent.max()) / parent.sum()


def bits(classes: np.ndarray) -> np.ndarray:
    """Weight times entropy in bits of class weights in the last axis: -sum n log2(n / N), 0 where there is nothing."""
    whole = classes.sum(axis=-1, keepdims=True)
    share = np.divide(classes, whole, out=np.ones_like(classes), where=classes > 0)
    return -(classes * np.log2(share)).sum(axis=-1)


#: Measures of classes whose decrease is computed from the weights themselves.
DECREASE = {"gini": gini, "entropy": entropy, "error": error}


def decrease_of(measure: str) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """The decrease of a measure of classes as a function of children and parent."""
    return DECREASE.get(measure) or partial(_decrease_of_shares, of_shares(measure))


def _square_share(classes: np.ndarray) -> np.ndarray:
    """Sum of squares over sum, in the last axis; 0 where there is nothing."""
    whole = classes.sum(axis=-1)
    return np.divide((classes * classes).sum(axis=-1), whole, out=np.zeros_like(whole), where=whole > 0)


def _decrease_of_shares(measure: Callable, children: np.ndarray, parent: np.ndarray) -> np.ndarray:
    """Decrease of any measure of classes: (C, B, K) and (K,) -> (C,)."""
    weight = children.sum(axis=2, keepdims=True)
    share = np.divide(children, weight, out=np.zeros_like(children), where=weight > 0)
    left = (weight[..., 0] * measure(share)).sum(axis=1) / parent.sum()
    return np.maximum(measure(parent / parent.sum()) - left, 0.0)
