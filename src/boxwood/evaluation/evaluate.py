"""Evaluates predictions against the truth: classes, numbers and rates, or only a confusion matrix."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .evaluation import ROWS, Evaluation
from .rows import class_rows, counted_rows, number_rows, target_code


def evaluated_classes(labels: tuple, truth, predicted, probability, weight=None, *, of: str = ROWS[0],
                      target_class=None, response_name: str = "y") -> Evaluation:  # fmt: skip
    """The evaluation of predicted classes.

    Parameters
    ----------
    labels : tuple of K labels
    truth, predicted : column of n labels
    probability : float64, shape (n, K)
    weight : column of n numbers, optional
    of : str
        One of ``ROWS``.
    target_class : label, optional
        The target class; by default the second of two.
    response_name : str

    Raises
    ------
    DataError, ParameterError
    """
    rows = class_rows(labels, truth, predicted, probability, weight)
    target = None if target_class is None and rows.known != 2 else target_code(labels, rows.known, target_class)
    return Evaluation(rows, of, target, None, response_name)


def evaluated_counts(labels: tuple, table: np.ndarray, weight: np.ndarray, of: str, response_name: str) -> Evaluation:
    """The evaluation of which only the confusion matrix and the weights of the rows are left."""
    return Evaluation(counted_rows(labels, table, weight), of, None, None, response_name)


def evaluated_numbers(truth, predicted, weight=None, exposure=None, *, of: str = ROWS[0],
                      response_name: str = "y") -> Evaluation:  # fmt: skip
    """The evaluation of predicted numbers, or of rates and exposures.

    Parameters
    ----------
    truth : column of n numbers
    predicted : float64, shape (n,)
    weight, exposure : column of n numbers, optional
    of, response_name : str

    Raises
    ------
    DataError
    """
    return Evaluation(number_rows(truth, predicted, weight, exposure), of, None, None, response_name)


def judged_by_costs(found: Evaluation, model) -> Evaluation:
    """The evaluation of a fitted model with the costs that it minimises, if any: they are then its main figure."""
    costs = model.tree.response.costs if model.kind == "tree" else None
    return found if costs is None else replace(found, rows=found.rows.with_costs(costs))
