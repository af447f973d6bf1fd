"""Error, log loss and AUC of predicted probabilities, alike for every method."""

from __future__ import annotations

import numpy as np
from sklearn.metrics import roc_auc_score

#: Probabilities are at least this in the log loss.
LEAST = 1e-15


def scores(y: np.ndarray, proba: np.ndarray, weight: np.ndarray | None = None) -> dict[str, float]:
    """Figures of predictions.

    Parameters
    ----------
    y : int64, shape (n,)
        Classes from 0.
    proba : float64, shape (n, K)
    weight : float64, shape (n,), or None

    Returns
    -------
    dict
        error: share of rows whose most probable class, the first of equal ones, is another. log_loss. auc: for more
        than two classes the mean over the classes that have rows here, each against the others.
    """
    weight = np.ones(len(y)) if weight is None else weight
    own = np.maximum(proba[np.arange(len(y)), y], LEAST)
    figures = {
        "error": np.average(proba.argmax(axis=1) != y, weights=weight),
        "log_loss": np.average(-np.log(own), weights=weight),
        "auc": _auc(y, proba, weight),
    }
    return {name: float(value) for name, value in figures.items()}


def _auc(y: np.ndarray, proba: np.ndarray, weight: np.ndarray) -> float:
    n_classes = proba.shape[1]
    codes = [1] if n_classes == 2 else [k for k in range(n_classes) if 0 < (y == k).sum() < len(y)]
    return float(np.mean([roc_auc_score(y == k, proba[:, k], sample_weight=weight) for k in codes]))


def expected_scores(p: np.ndarray, proba: np.ndarray) -> dict[str, float]:
    """The expectation of the figures where the probability ``p`` of class 1 is known for every row."""
    n = len(p)
    return scores(np.repeat([0, 1], n), np.vstack((proba, proba)), np.concatenate((1.0 - p, p)))
