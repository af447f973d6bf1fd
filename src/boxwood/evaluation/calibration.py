"""Whether predicted probabilities are right: on average, and where they are high or low."""

from __future__ import annotations

import math

import numpy as np

from .figure import Figure
from .rows import EvaluatedRows

#: Smaller variances of probabilities are rounding errors of 0.
_NOISE = 1e-24


def calibration(rows: EvaluatedRows, target: int | None) -> list[Figure]:
    """The mean probability of the target class less its share, and the slope of all classes if there is no target.

    The slope is that of the line by least squares from the probability to what happened (1 or 0): 1 where
    probabilities are right, less where high ones are too high and low ones too low. Rows of different folds have
    different models, so each fold has an intercept of its own.
    """
    found = []
    happened = (rows.truth[:, None] == np.arange(len(rows.labels))).astype(np.float64)
    probability = rows.probability
    if target is not None:
        happened, probability = happened[:, [target]], probability[:, [target]]
        excess = (probability - happened)[:, 0]
        mean = rows.mean(excess)
        mean = mean if abs(mean) > 1e-15 else 0.0
        found.append(Figure("calibration", mean, rows.standard_error(excess - mean), 0.0, rows.labels[target]))
    happened, probability = _centred(rows, happened), _centred(rows, probability)
    spread = rows.mean((probability**2).sum(axis=1))
    if not spread > _NOISE:
        return [*found, Figure("calibration_slope", math.nan, math.nan, math.nan)]
    slope = rows.mean((probability * happened).sum(axis=1)) / spread
    influence = (probability * (happened - slope * probability)).sum(axis=1) / spread
    return [*found, Figure("calibration_slope", slope, rows.standard_error(influence), math.nan)]


def _centred(rows: EvaluatedRows, values: np.ndarray) -> np.ndarray:
    """Values less their mean within the fold, shape (n, C)."""
    out = np.empty_like(values)
    for at in rows.parts:
        out[at] = values[at] - rows.weight[at] @ values[at] / rows.weight[at].sum()
    return out
