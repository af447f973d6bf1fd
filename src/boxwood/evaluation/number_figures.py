"""Figures of predicted numbers."""

from __future__ import annotations

import math

import numpy as np

from .figure import Figure
from .rows import EvaluatedRows


def baseline_of(rows: EvaluatedRows) -> np.ndarray:
    """What always predicting the mean predicts, shape (n,); of counts with exposure the mean rate times exposure.

    Of a predicted quantile, that of all rows.
    """
    if rows.level is not None:
        return np.full(len(rows.truth), rows.quantile(rows.level))
    if rows.exposure is None:
        return np.full(len(rows.truth), rows.mean(rows.truth))
    return rows.exposure * (rows.mean(rows.truth) / rows.mean(rows.exposure))


def deviances(truth: np.ndarray, predicted: np.ndarray, power: float = 1.0) -> np.ndarray:
    """Deviance of each row: 2 (psi(y) - psi(m) - psi'(m) (y - m)); infinite where m is 0 and y is not.

    psi(y) is y ln y for counts (power 1), -ln y for the gamma deviance (2), and y^(2 - p) / ((1 - p) (2 - p)) for other
    powers p.
    """
    y, m = np.asarray(truth, np.float64), np.asarray(predicted, np.float64)
    some = y > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        if power in (1.0, 2.0):
            logs = np.where(some, np.log(np.where(some, y, 1.0)) - np.log(np.where(some, m, 1.0)), 0.0)
            found = np.where(some, y * logs, 0.0) - y + m if power == 1.0 else y / m - 1.0 - logs
        else:
            left, right = 2.0 - power, 1.0 - power
            slope = np.where(some, y * np.where(some, m, 1.0) ** right, 0.0) / right
            found = y**left / (left * right) - slope + m**left / left
    return 2.0 * np.maximum(found, 0.0)


#: Power of a deviance -> the name of its mean; other powers are Tweedie's.
_DEVIANCES = {1.0: "poisson_deviance", 2.0: "gamma_deviance"}


def deviance_name(power: float) -> str:
    """The name of the figure of a mean deviance."""
    return _DEVIANCES.get(power, "tweedie_deviance")


def number_figures(rows: EvaluatedRows) -> list[Figure]:
    """R², root mean squared error, mean absolute error, mean squared error; of counts and amounts their deviance."""
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
    if rows.level is not None:
        found = [*_of_quantile(rows, rows.level), *found]
    power, least = rows.power or 1.0, min(y.min(), m.min())
    is_measured = rows.exposure is not None or power > 1.0 or _whole(y)
    if is_measured and y.any() and (least > 0 if power == 2.0 else least >= 0):
        deviance, null = deviances(y, m, power), deviances(y, b, power)
        found.append(_mean(deviance_name(power), rows, deviance, null))
        found.append(_explained("d2", rows, deviance, null, null))
    return found


def _of_quantile(rows: EvaluatedRows, share: float) -> list[Figure]:
    """The pinball loss of a predicted quantile, and the share of the rows that are at most as large."""
    both = rows.predicted, baseline_of(rows)
    covered = [(rows.truth <= predicted).astype(np.float64) for predicted in both]
    losses = [pinball_losses(rows.truth, predicted, share) for predicted in both]
    return [_mean("pinball", rows, *losses), _mean("coverage", rows, *covered)]


def constant_of(rows: EvaluatedRows) -> float:
    """The mean of the rows, or their quantile."""
    return rows.mean(rows.truth) if rows.level is None else rows.quantile(rows.level)


def saved_losses(rows: EvaluatedRows) -> np.ndarray:
    """By how much the loss of each row is less than that of the baseline: squares, or pinball losses."""
    if rows.level is None:
        return (rows.truth - baseline_of(rows)) ** 2 - (rows.truth - rows.predicted) ** 2
    base, found = (pinball_losses(rows.truth, m, rows.level) for m in (baseline_of(rows), rows.predicted))
    return base - found


def pinball_losses(truth: np.ndarray, predicted: np.ndarray, share: float) -> np.ndarray:
    """Distance of each row from a predicted quantile: above it times its share, below it times the rest."""
    off = truth - predicted
    return np.where(off > 0, share * off, (share - 1.0) * off)


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
