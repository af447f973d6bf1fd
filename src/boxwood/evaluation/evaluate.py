"""Evaluates predictions against the truth: classes, numbers and rates, or only a confusion matrix."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._messages import FromZero, Row, Setting, Value
from ..data.frames.target import read_numbers
from ..data.frames.weights import check_lengths
from ..errors import DataError, check_one_of
from .evaluation import ROWS, Evaluation
from .rows import NEW_LABELS, class_rows, counted_rows, number_rows, target_code


def evaluated_classes(
    labels: tuple, truth, predicted, probability, weight=None, *, of: str = ROWS[0], target_class=None,
    new_labels: str = NEW_LABELS[0], response_name: str = "y",
) -> Evaluation:  # fmt: skip
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
        The class of interest; by default the second of two.
    new_labels : {"error", "drop"}
        What is done with rows of labels that no training row had.
    response_name : str

    Raises
    ------
    DataError, ParameterError
    """
    check_one_of("new_labels", new_labels, NEW_LABELS)
    rows = class_rows(labels, truth, predicted, probability, weight, new_labels)
    return Evaluation(rows, of, target_of(labels, target_class), None, response_name)


def target_of(labels: tuple, target_class) -> int | None:
    """Position of the class of interest, by default the second of two; None for more where none is given."""
    if target_class is None:
        return 1 if len(labels) == 2 else None
    return target_code(labels, target_class)


def evaluated_counts(labels: tuple, table: np.ndarray, weight: np.ndarray, of: str, response_name: str) -> Evaluation:
    """The evaluation of which only the confusion matrix and the weights of the rows are left."""
    return Evaluation(counted_rows(labels, table, weight), of, None, None, response_name)


def evaluated_numbers(truth, predicted, weight=None, exposure=None, *, of: str = ROWS[0], response_name: str = "y",
                      power: float | None = None, level: float | None = None) -> Evaluation:  # fmt: skip
    """The evaluation of predicted numbers, or of rates and exposures.

    Parameters
    ----------
    truth : column of n numbers
    predicted : float64, shape (n,)
    weight, exposure : column of n numbers, optional
    of, response_name : str
    power : float, optional
        Of the deviance that the model minimises: 1 Poisson, 2 gamma, between them Tweedie.
    level : float, optional
        Of the quantile that the model predicts.

    Raises
    ------
    DataError
    """
    return Evaluation(number_rows(truth, predicted, weight, exposure, power, level), of, None, None, response_name)


def judged_by_costs(found: Evaluation, costs) -> Evaluation:
    """The evaluation with the costs that a model minimises, if any: they are then its main figure."""
    return found if costs is None else replace(found, rows=found.rows.with_costs(costs))


def with_amounts(found: Evaluation, amount, n: int) -> Evaluation:
    """The evaluation with the amount of each of the ``n`` given rows, if any, for the costs of its thresholds.

    Raises
    ------
    DataError
        An amount is negative or missing, or there is not one for each row.
    """
    if amount is None:
        return found
    values = read_numbers(amount, "amount")
    check_lengths(n, len(values))
    if (values < 0).any():
        row = int(np.argmax(values < 0))
        wrong = Row(row), FromZero(), " holds ", Value(float(values[row]))
        raise DataError(Setting("amount"), " must not be negative; ", *wrong, ".")
    return replace(found, rows=replace(found.rows, amount=values[found.rows.position]))
