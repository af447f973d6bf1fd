"""Quality of predictions of held-out rows: one loss per row, and the score computed from the mean loss."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..._messages import must_be
from ..._spelling import did_you_mean
from ...errors import ParameterError
from ...evaluation.class_figures import auc_influence, brier_losses, log_losses, wrong
from ...evaluation.rows import root_of_squares


@dataclass(frozen=True)
class Scoring:
    """A score of the registry.

    Attributes
    ----------
    name : str
    task : {"classification", "regression"}
    of_probability : bool
        It scores probabilities, not predictions.
    loss : callable
        (truth, predicted or probability, weight, fold) -> float64, shape (n,). Classes are codes, probabilities of
        shape (n, K). Of the AUC, the mean over folds: it plus the influence of each row on it.
    larger_is_better : bool
    """

    name: str
    task: str
    of_probability: bool
    loss: Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]
    larger_is_better: bool

    def summary(self, loss: np.ndarray, weight: np.ndarray, spread: float) -> tuple[float, float]:
        """Score and its standard error from the loss of each held-out row.

        Parameters
        ----------
        loss, weight : float64, shape (n,)
        spread : float
            Weighted variance of the response, for r2.
        """
        mean = float(np.average(loss, weights=weight))
        error = standard_error(loss, weight)
        if self.name == "accuracy":
            return 1.0 - mean, error
        if self.name == "r2":
            return (1.0 - mean / spread, error / spread) if spread > 0 else (np.nan, np.nan)
        return mean, error


def standard_error(loss: np.ndarray, weight: np.ndarray) -> float:
    """Standard error of a weighted mean over rows, as in an evaluation: root of sum w² (loss - mean)², over sum w."""
    mean = np.average(loss, weights=weight)
    return root_of_squares(weight**2, loss - mean) / float(weight.sum())


def _by_row(losses: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable:
    """A loss of each row that no other row enters."""
    return lambda truth, predicted, _weight, _fold: losses(truth, predicted)


def _squared(truth: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    return (truth - predicted) ** 2


def _absolute(truth: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    return np.abs(truth - predicted)


SCORINGS = {
    scoring.name: scoring
    for scoring in (
        Scoring("accuracy", "classification", False, _by_row(wrong), True),
        Scoring("error", "classification", False, _by_row(wrong), False),
        Scoring("log_loss", "classification", True, _by_row(log_losses), False),
        Scoring("auc", "classification", True, auc_influence, True),
        Scoring("brier", "classification", True, _by_row(brier_losses), False),
        Scoring("r2", "regression", False, _by_row(_squared), True),
        Scoring("mse", "regression", False, _by_row(_squared), False),
        Scoring("mae", "regression", False, _by_row(_absolute), False),
    )
}


def scoring_of(name: str | None, task: str) -> Scoring:
    """A scoring by its name; None is accuracy, or r2.

    Raises
    ------
    ParameterError
        There is none of this name for the task.
    """
    if name is None:
        return SCORINGS["accuracy" if task == "classification" else "r2"]
    found = SCORINGS.get(name) if isinstance(name, str) else None
    if found is None or found.task != task:
        fitting = [s.name for s in SCORINGS.values() if s.task == task]
        words = ", ".join(map(repr, fitting))
        raise ParameterError(must_be("scoring", f"one of {words} for {task}", name, did_you_mean(name, fitting)))
    return found
