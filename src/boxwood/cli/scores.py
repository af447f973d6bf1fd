"""How well predictions agree with the truth: error and confusion of classes, errors of numbers."""

from __future__ import annotations

import math

import numpy as np

from ..data.target import encode_classes, read_numbers


def class_scores(truth, said, labels: tuple, weight: np.ndarray | None = None) -> dict:
    """Error rate and confusion matrix.

    Parameters
    ----------
    truth, said : column of n labels
        Labels of ``truth`` that the model does not know are counted as errors, in a row of their own.
    labels : tuple of K labels
    weight : float64, shape (n,), optional

    Returns
    -------
    dict
        rows; error and accuracy (shares of weight); se, the standard error of the error; labels; confusion, K lists of
        K sums (row = true, column = said); unknown, K sums for rows whose true label the model does not know.
    """
    true, answer = encode_classes(truth, labels), encode_classes(said, labels)
    w = np.ones(len(true)) if weight is None else weight
    k = len(labels)
    table = np.zeros((k + 1, k))
    np.add.at(table, (true, answer), w)
    error = 1.0 - float(np.trace(table[:k])) / float(w.sum())
    counts = table.astype(int) if weight is None else table
    return {
        "rows": len(true),
        "error": error,
        "se": math.sqrt(max(error * (1.0 - error), 0.0) / len(true)),
        "accuracy": 1.0 - error,
        "labels": list(labels),
        "confusion": counts[:k].tolist(),
        "unknown": counts[k].tolist(),
    }


def number_scores(truth, said: np.ndarray, weight: np.ndarray | None = None) -> dict:
    """Root mean squared error, mean absolute error and R².

    Parameters
    ----------
    truth : column of n numbers
    said : float64, shape (n,)
    weight : float64, shape (n,), optional

    Returns
    -------
    dict
        rows; mse, its standard error se; rmse and mae in units of the response; r2, nan when the truth is constant.
    """
    y = read_numbers(truth)
    w = np.ones(len(y)) if weight is None else weight
    squared = (y - said) ** 2
    mse = float(np.average(squared, weights=w))
    variance = float(np.average((y - np.average(y, weights=w)) ** 2, weights=w))
    return {
        "rows": len(y),
        "mse": mse,
        "se": math.sqrt(float(np.average((squared - mse) ** 2, weights=w)) / len(y)),
        "rmse": math.sqrt(mse),
        "mae": float(np.average(np.abs(y - said), weights=w)),
        "r2": 1.0 - mse / variance if variance > 0 else math.nan,
    }
