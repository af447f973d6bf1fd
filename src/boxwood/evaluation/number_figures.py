"""Figures of predicted numbers."""

from __future__ import annotations

import math

import numpy as np

from .figure import Figure
from .rows import EvaluatedRows


def baseline_of(rows: EvaluatedRows) -> np.ndarray:
    """What always predicting the mean predicts, shape (n,); of counts with exposure the mean rate times exposure."""
    if rows.exposure is None:
        return np.full(len(rows.truth), rows.mean(rows.truth))
    return rows.exposure * (rows.mean(rows.truth) / rows.mean(rows.exposure))


def poisson_deviances(truth: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """Poisson deviance of each row: 2 (y ln(y / m) - y + m); infinite where m is 0 and y is not."""
    y, m = np.asarray(truth, np.float64), np.asarray(predicted, np.float64)
    some = y > 0
    with np.errstate(divide="ignore"):
        logs = np.where(some, np.log(np.where(some, y, 1.0)) - np.log(np.where(some, m, 1.0)), 0.0)
    return 2.0 * (np.where(some, y * logs, 0.0) - y + m)


def number_figures(rows: EvaluatedRows) -> list[Figure]:
    """R², root mean squared error, mean absolute error, mean squared error; of counts the Poisson deviance."""
    y, m, b = rows.truth, rows.predicted, baseline_of(rows)
    squared, of_baseline = (y - m) ** 2, (y - b) ** 2
    from_mean = (y - rows.mean(y)) ** 2
    mse = _mean("mse", rows, squared, of_baseline)
    root, base = math.sqrt(mse.value), math.sqrt(mse.baseline)
    found = [
        _explained("r2", rows, squared, from_mean, of_baseline),
        Figure("rmse", root, mse.se / (2.0 * root) if root > 0 else 0.0, base),
        _mean("mae", rows, np.abs(y - m), np.abs(y - b)),
        mse,
    ]
    if (y >= 0).all() and (m >= 0).all() and y.any() and (rows.exposure is not None or _whole(y)):
        deviance, null = poisson_deviances(y, m), poisson_deviances(y, b)
        found.append(_mean("poisson_deviance", rows, deviance, null))
        found.append(_explained("d2", rows, deviance, null, null))
    return found


def _whole(y: np.ndarray) -> bool:
    """Whether numbers are counts."""
    return bool((y == np.floor(y)).all())


def _mean(name: str, rows: EvaluatedRows, values: np.ndarray, of_baseline: np.ndarray) -> Figure:
    mean = rows.mean(values)
    se = rows.standard_error(values - mean) if math.isfinite(mean) else math.inf
    return Figure(name, mean, se, rows.mean(of_baseline))


def _explained(name: str, rows: EvaluatedRows, loss: np.ndarray, null: np.ndarray, of_baseline: np.ndarray) -> Figure:
    """1 - mean loss / mean loss without a model; NaN where the latter is 0."""
    mean, whole = rows.mean(loss), rows.mean(null)
    if not 0 < whole < math.inf:
        return Figure(name, math.nan, math.nan, math.nan)
    if not math.isfinite(mean):
        return Figure(name, -math.inf, math.inf, 1.0 - rows.mean(of_baseline) / whole)
    influence = -(loss - mean) / whole + mean / whole * ((null - whole) / whole)
    return Figure(name, 1.0 - mean / whole, rows.standard_error(influence), 1.0 - rows.mean(of_baseline) / whole)
