"""Figures of a group of rows, with 95 % intervals that are wide, not empty, where there are few rows."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..statistics.intervals import mean_interval, rate_interval, wilson
from .class_figures import log_losses
from .figure import FIGURES
from .number_figures import deviance_name, deviances
from .ranking import auc
from .rows import EvaluatedRows, taken


class Estimate(NamedTuple):
    """A figure of a group and its 95 % interval; NaN where it is undefined."""

    value: float
    low: float
    high: float


UNDEFINED = Estimate(math.nan, math.nan, math.nan)


def effective_rows(rows: EvaluatedRows) -> float:
    """As how many rows of equal weight the rows count (Kish)."""
    return float(rows.weight.sum() ** 2 / rows.square.sum())


def group_figures(rows: EvaluatedRows, rest: EvaluatedRows | None, target: int | None) -> dict[str, Estimate]:
    """The figures of a group by name.

    Parameters
    ----------
    rows : EvaluatedRows
        Of the group.
    rest : EvaluatedRows or None
        All other rows, with which the recall is compared.
    target : int or None
        Number of the class of interest.
    """
    if not rows.labels:
        return _of_numbers(rows)
    if rows.costs is None:
        found = {"accuracy": _share(rows, rows.truth == rows.predicted)}
    else:
        found = {"cost": _mean("cost", rows, rows.losses(rows.predicted))}
    found["auc"] = _auc(rows, tuple(range(len(rows.labels))) if target is None else (target,))
    found["log_loss"] = _mean("log_loss", rows, log_losses(rows.truth, rows.probability))
    if target is None:
        return found
    observed, expected = _share(rows, rows.truth == target), rows.mean(rows.probability[:, target])
    recall = _recall(rows, target)
    other = UNDEFINED if rest is None else _recall(rest, target)
    return found | {
        "observed": observed,
        "predicted": Estimate(expected, math.nan, math.nan),
        "observed_to_predicted": _over(observed, expected),
        "selection_rate": _share(rows, rows.predicted == target),
        "recall": recall,
        "equal_opportunity": _difference(recall, other),
    }


def _of_numbers(rows: EvaluatedRows) -> dict[str, Estimate]:
    y, m = rows.truth, rows.predicted
    squared = _mean("mse", rows, (y - m) ** 2)
    found = {"rmse": Estimate(*map(math.sqrt, squared)), "mae": _mean("mae", rows, np.abs(y - m))}
    power = rows.power or (None if rows.exposure is None else 1.0)
    if power is not None and min(y.min(), m.min()) >= 0 and (power < 2.0 or y.min() > 0):
        name = deviance_name(power)
        found[name] = _mean(name, rows, deviances(y, m, power))
    per = 1.0 if rows.exposure is None else rows.mean(rows.exposure)
    observed, expected = rows.mean(y) / per, rows.mean(m) / per
    if power == 1.0:
        events = rows.weight @ y
        scale = events / (rows.square @ y) if events > 0 else rows.weight.sum() / rows.square.sum()
        ends = rate_interval(np.array([events * scale]), np.array([rows.weight.sum() * scale * per]))
        interval = Estimate(observed, *(float(end[0]) for end in ends))
    else:
        ratio = observed / expected if expected > 0 else 1.0
        around = _student(rows, y - ratio * m)
        interval = Estimate(observed, observed + around.low - around.value, observed + around.high - around.value)
    found |= {"observed": interval, "predicted": Estimate(expected, math.nan, math.nan)}
    return found | {"observed_to_predicted": _over(interval, expected)}


def _over(observed: Estimate, expected: float) -> Estimate:
    """The ratio to a known positive number."""
    return Estimate(*(part / expected for part in observed)) if expected > 0 else UNDEFINED


def _share(rows: EvaluatedRows, which: np.ndarray) -> Estimate:
    """A share with Wilson's interval."""
    value = rows.mean(which)
    low, high = wilson(np.array([value]), np.array([effective_rows(rows)]))
    return Estimate(value, float(low[0]), float(high[0]))


def _recall(rows: EvaluatedRows, target: int) -> Estimate:
    """The share of the class that is predicted."""
    of_class = rows.truth == target
    return _share(taken(rows, of_class), rows.predicted[of_class] == target) if of_class.any() else UNDEFINED


def _difference(one: Estimate, other: Estimate) -> Estimate:
    """The difference of two shares with Newcombe's interval, made of Wilson's."""
    value = one.value - other.value
    below = math.hypot(one.value - one.low, other.high - other.value)
    above = math.hypot(one.high - one.value, other.value - other.low)
    return Estimate(value, max(value - below, -1.0), min(value + above, 1.0))


def _student(rows: EvaluatedRows, values: np.ndarray) -> Estimate:
    """A mean with Student's interval; infinite of a single row, which has no spread to go by."""
    mean, n = rows.mean(values), effective_rows(rows)
    spread = rows.standard_error(values - mean) ** 2 * n * n
    low, high = mean_interval(np.array([[n, mean, spread]]))
    low, high = float(low[0]), float(high[0])
    return Estimate(mean, low if low == low else -math.inf, high if high == high else math.inf)


def _mean(name: str, rows: EvaluatedRows, values: np.ndarray) -> Estimate:
    """A mean with Student's interval, cut to the range of the figure."""
    found, (_, least, most) = _student(rows, values), FIGURES[name]
    return Estimate(found.value, max(found.low, least), min(found.high, most))


def _auc(rows: EvaluatedRows, classes: tuple[int, ...]) -> Estimate:
    """AUC with Wilson's interval for as many rows as its standard error tells.

    Where that is 0, for the rows of the rarest class: the variance is at most A (1 - A) / their number (van Dantzig).
    """
    area, influence = auc(rows, classes)
    if math.isnan(area):
        return UNDEFINED
    variance = rows.standard_error(influence) ** 2
    positive = np.bincount(rows.truth, minlength=len(rows.labels))
    if len(classes) == 1:
        positive = np.array([positive[classes[0]], rows.count - positive[classes[0]]])
    n = area * (1.0 - area) / variance if variance > 1e-12 else float(positive[positive > 0].min())
    low, high = wilson(np.array([area]), np.array([n]))
    return Estimate(area, float(low[0]), float(high[0]))


def without_intervals(figures: dict[str, Estimate]) -> dict[str, Estimate]:
    """Figures of the training set, whose intervals would be of no use for new rows."""
    return {name: Estimate(found.value, math.nan, math.nan) for name, found in figures.items()}
