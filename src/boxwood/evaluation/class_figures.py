"""Figures of predicted classes: overall, and for each class."""

from __future__ import annotations

import math

import numpy as np

from .calibration import calibration
from .figure import Figure
from .ranking import auc, ranked
from .rows import EvaluatedRows

#: Probabilities are not taken to be smaller than this in the log loss, as in scikit-learn.
LEAST_PROBABILITY = float(np.finfo(np.float64).eps)
#: What ranks the rows of one class.
RANKING = ("auc", "gini", "ks", "lift_10", "average_precision")


def wrong(truth: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """1 for each row whose class is not the predicted one."""
    return (truth != predicted).astype(np.float64)


def log_losses(truth: np.ndarray, probability: np.ndarray) -> np.ndarray:
    """- ln(probability of the true class) of each row."""
    of_truth = probability[np.arange(len(truth)), truth]
    return -np.log(np.clip(of_truth, LEAST_PROBABILITY, 1.0 - LEAST_PROBABILITY))


def brier_losses(truth: np.ndarray, probability: np.ndarray) -> np.ndarray:
    """Squared distance of the probabilities from the truth; of two classes half of it, as in scikit-learn."""
    right = np.zeros_like(probability)
    right[np.arange(len(truth)), truth] = 1.0
    return ((probability - right) ** 2).sum(axis=1) / (2.0 if probability.shape[1] == 2 else 1.0)


def auc_influence(truth: np.ndarray, probability: np.ndarray, weight: np.ndarray, fold: np.ndarray) -> np.ndarray:
    """AUC plus the influence of each row on it: the mean is the AUC, differences of models are compared row by row.

    Rows are ranked within their folds. Of more than two classes it is the mean of each class against all others.
    """
    k = probability.shape[1]
    rows = EvaluatedRows(tuple(range(k)), truth, truth, probability, weight, weight**2, len(truth), fold=fold)
    area, influence = auc(rows, (1,) if k == 2 else tuple(range(k)))
    return area + influence


def class_figures(rows: EvaluatedRows, target: int | None) -> list[Figure]:
    """Figures of all classes together; of two classes also how well the target class is ranked first."""
    share = rows.share
    constant = np.broadcast_to(share, (len(rows.truth), len(share)))
    hit = 1.0 - wrong(rows.truth, rows.predicted)
    found = [_mean("accuracy", rows, hit, float(share[rows.most_frequent])), _balanced(rows, hit, share)]
    if rows.costs is not None:
        found.insert(0, _mean("cost", rows, rows.losses(rows.predicted), rows.mean(rows.losses(rows.best_constant))))
    if rows.probability is None:
        return found
    for name, losses in (("log_loss", log_losses), ("brier", brier_losses)):
        baseline = rows.mean(losses(rows.truth, constant))
        found.append(_mean(name, rows, losses(rows.truth, rows.probability), baseline))
    found += calibration(rows, target)
    if target is not None:
        return found + ranked(rows, target, RANKING)
    area, influence = auc(rows, tuple(range(len(rows.labels))))
    se = rows.standard_error(influence) if area == area else math.nan
    return [*found, Figure("auc", area, se, 0.5), Figure("gini", 2.0 * area - 1.0, 2.0 * se, 0.0)]


def by_class(rows: EvaluatedRows) -> list[Figure]:
    """Precision, recall and F1 of each class, and of more than two how well each is ranked first."""
    found = []
    most = rows.most_frequent
    for k in range(len(rows.labels)):
        found += _one_class(rows, k, most)
        if len(rows.labels) > 2 and rows.probability is not None:
            found += ranked(rows, k, RANKING)
    return found


def _mean(name: str, rows: EvaluatedRows, values: np.ndarray, baseline: float) -> Figure:
    mean = rows.mean(values)
    return Figure(name, mean, rows.standard_error(values - mean), baseline)


def _balanced(rows: EvaluatedRows, hit: np.ndarray, share: np.ndarray) -> Figure:
    """Mean recall of the classes that have rows."""
    there = share > 0
    classes = int(there.sum())
    recall = np.bincount(rows.truth, rows.weight * hit, len(share)) / rows.weight.sum() / np.where(there, share, 1.0)
    influence = (hit - recall[rows.truth]) / share[rows.truth] / classes
    return Figure("balanced_accuracy", float(recall[there].mean()), rows.standard_error(influence), 1.0 / classes)


def _one_class(rows: EvaluatedRows, k: int, most: int) -> list[Figure]:
    actual, chosen = rows.truth == k, rows.predicted == k
    both = (actual & chosen).astype(np.float64)
    share, predicted, hits = rows.mean(actual), rows.mean(chosen), rows.mean(both)
    label, always = rows.labels[k], float(k == most)
    return [
        _ratio("precision", rows, (both, hits), (chosen, predicted), (share if k == most else math.nan, label)),
        _ratio("recall", rows, (both, hits), (actual, share), (always, label)),
        _ratio("f1", rows, (2 * both, 2 * hits), (chosen * 1.0 + actual, predicted + share),
               (always * 2 * share / (1 + share), label)),
    ]  # fmt: skip


def _ratio(name: str, rows: EvaluatedRows, upper: tuple, lower: tuple, baseline: tuple) -> Figure:
    """A ratio of two means, each given as values and mean; ``baseline``: that of the figure, and the class."""
    if not lower[1] > 0:
        return Figure(name, math.nan, math.nan, *baseline)
    value = upper[1] / lower[1]
    return Figure(name, value, rows.standard_error((upper[0] - value * lower[0]) / lower[1]), *baseline)
