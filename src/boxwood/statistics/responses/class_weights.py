"""Weights of classes: factors on the weights of rows, and how they are taken out again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

#: What fixed-point weights may lose, as a share: one class may weigh a million times another.
_ROUNDING = 1e-6
#: Powers of two of extreme class weights.
_EXTREME = 500


def class_weights(of_class: Sequence[float] | np.ndarray | None) -> tuple[float, ...]:
    """Factors on the weights of the rows of each class as a response records them: nothing where all are 1.

    As weights are, extreme ones are divided by a power of two; none is less than 2**-300 of the largest.
    """
    if of_class is None or all(factor == 1.0 for factor in of_class):
        return ()
    factors = np.asarray(of_class, dtype=np.float64)
    power = int(np.frexp(factors.max())[1])
    factors = np.ldexp(factors, -power) if abs(power) > _EXTREME else factors
    return tuple(np.where(factors > 0, np.maximum(factors, factors.max() * 2.0**-300), 0.0).tolist())


def without_class_weights(
    moments: np.ndarray, class_weights: tuple[float, ...], codes: np.ndarray | None = None
) -> np.ndarray:
    """Moments of classes over the weight of each, or weights of rows whose classes are ``codes``; 0 for a weight of 0.

    What is whole but for rounding is made whole.
    """
    if not class_weights:
        return moments
    weights = np.asarray(class_weights)
    weights = weights if codes is None else weights[codes]
    counts = np.divide(moments, weights, out=np.zeros_like(moments), where=weights > 0)
    whole = np.rint(counts)
    return np.where(np.abs(counts - whole) <= _ROUNDING * np.maximum(whole, 1.0), whole, counts)
