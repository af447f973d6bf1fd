"""Evaluated rows: their true and predicted values, and their weights."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .._messages import Message, Setting
from ..data.columns.distinct import distinct
from ..data.frames.class_labels import class_code, refuse_new
from ..data.frames.target import encode_classes, read_numbers
from ..data.frames.weights import RELATIVE, bounded_weights, bounding_power, check_lengths, relative_weights
from ..errors import DataError, ParameterError

#: What is done with rows of labels that no training row had.
NEW_LABELS = ("error", "drop")


@dataclass(frozen=True, eq=False)
class EvaluatedRows:
    """Rows with their response and their prediction.

    Attributes
    ----------
    labels : tuple of K labels
        Classes; empty for numbers.
    truth : ndarray, shape (n,)
        Class codes, or numbers.
    predicted : ndarray, shape (n,)
        Class codes, or numbers.
    probability : float64, shape (n, K), or None
    weight : float64, shape (n,)
        All above 0.
    square : float64, shape (n,)
        Square of the weight; of rows combined into one, the sum of their squares.
    count : int
        Number of rows.
    exposure : float64, shape (n,), or None
        Of counts or amounts that were predicted as rate times exposure.
    fold : int64, shape (n,), or None
        Of rows left out of folds, each predicted by a model of its own: they are ranked within their folds.
    costs : float64, shape (K, K), or None
        What the model minimises, actual class by predicted class; None = every error counts 1.
    power : float or None
        Of numbers, the power of the deviance that the model minimises: 1 Poisson, 2 gamma, between them Tweedie; None =
        the squared error.
    level : float or None
        Of numbers, the level of the quantile that the model predicts; None = none.
    position : int64, shape (n,), or None
        Of each row among those that were given; None of rows that were combined.
    amount : float64, shape (n,), or None
        An amount of money of each row, at least 0.
    """

    labels: tuple
    truth: np.ndarray
    predicted: np.ndarray
    probability: np.ndarray | None
    weight: np.ndarray
    square: np.ndarray
    count: int
    exposure: np.ndarray | None = None
    fold: np.ndarray | None = None
    costs: np.ndarray | None = None
    power: float | None = None
    level: float | None = None
    position: np.ndarray | None = None
    amount: np.ndarray | None = None

    def quantile(self, share: float) -> float:
        """The least y up to which the rows have a share of the weight."""
        order = np.argsort(self.truth, kind="stable")
        up_to = np.cumsum(self.weight[order])
        return float(self.truth[order[min(int(np.searchsorted(up_to, share * up_to[-1])), len(order) - 1)]])

    def mean(self, values: np.ndarray) -> float:
        """Weighted mean."""
        return float(self.weight @ values / self.weight.sum())

    def standard_error(self, influence: np.ndarray) -> float:
        """Standard error of a figure from the influence of each row on it, when rows are drawn independently.

        The influence is the derivative of the figure by the weight of the row, times the sum of weights. Of a mean it
        is the value less the mean; then this is the root of the sum of w² (value - mean)² over the sum of w.
        """
        return root_of_squares(self.square, influence) / float(self.weight.sum())

    @property
    def parts(self) -> list[np.ndarray]:
        """Positions of the rows whose scores can be compared: those of each fold, or all."""
        if self.fold is None:
            return [np.arange(len(self.truth))]
        return [np.flatnonzero(self.fold == f) for f in distinct(self.fold)]

    def averaged(self, found: list[tuple[np.ndarray, float, np.ndarray]]) -> tuple[float, np.ndarray]:
        """The mean of a figure over parts of the rows, and the influence of each row on this mean.

        Parameters
        ----------
        found : list of (int64 array, float, float64 array)
            Of each part where the figure is defined: its rows, the figure, and their influence on it there.
        """
        influence = np.zeros(len(self.truth))
        for where, _, of_part in found:
            influence[where] = of_part * (self.weight.sum() / self.weight[where].sum() / len(found))
        return (float(np.mean([value for _, value, _ in found])) if found else np.nan), influence

    @property
    def share(self) -> np.ndarray:
        """Share of each class in the weight, shape (K,)."""
        return np.bincount(self.truth, self.weight, len(self.labels)) / self.weight.sum()

    @property
    def most_frequent(self) -> int:
        """Position of the most frequent class."""
        return int(np.argmax(self.share))

    @property
    def best_constant(self) -> int:
        """Position of the class that is best predicted for all rows: of least cost, or the most frequent."""
        if self.costs is None:
            return self.most_frequent
        return int(np.argmin((self.share @ self.costs).round(12)))

    def losses(self, predicted) -> np.ndarray:
        """The cost of each row if these classes are predicted, without costs 1 for each error; shape (n,)."""
        return (self.truth != predicted) * 1.0 if self.costs is None else self.costs[self.truth, predicted]

    def with_costs(self, costs) -> EvaluatedRows:
        """The same rows with costs (K x K) of the classes of the model."""
        return replace(self, costs=np.asarray(costs, dtype=np.float64))


def root_of_squares(weight: np.ndarray, values: np.ndarray) -> float:
    """Root of the weighted sum of squares, of values of any size."""
    largest = float(np.abs(values).max(initial=0.0))
    power = int(np.frexp(largest)[1]) if np.isfinite(largest) else 0
    return float(np.ldexp(np.sqrt(weight @ np.ldexp(values, -power) ** 2), power))


def class_rows(labels: tuple, truth, predicted, probability, weight=None, new_labels: str = "error") -> EvaluatedRows:
    """Rows whose response is a class.

    Parameters
    ----------
    labels : tuple of K labels
        Classes of the model.
    truth : column of n labels
    predicted : column of n labels
    probability : float64, shape (n, K)
    weight : column of n numbers, optional
    new_labels : {"error", "drop"}
        What is done with rows of labels that no training row had.

    Raises
    ------
    DataError
        No rows, other lengths, missing or new labels, or weights that cannot be used.
    """
    rows = coded_rows(labels, encode_classes(truth, labels), encode_classes(predicted, labels), probability, weight)
    known = rows.truth >= 0
    if known.all():
        return rows
    if new_labels == "error" or not known.any():
        refuse_new(truth, labels, Message("leave such rows out: ", Setting("new_labels", "drop"), " of evaluate"))
    return taken(rows, known)


def counted_rows(labels: tuple, table: np.ndarray, weight: np.ndarray) -> EvaluatedRows:
    """Rows of which only a confusion matrix is left: what was predicted of how much weight, no probabilities.

    Parameters
    ----------
    labels : tuple of K labels
    table : float64, shape (K, K)
        Weights, actual by predicted class.
    weight : float64, shape (n,)
        Weights of the rows. How they differ inside the cells is taken to be as in all rows.
    """
    actual, predicted = np.nonzero(table)
    weight = bounded_weights(weight)  # as the fit did that counted the table
    power = bounding_power(weight, RELATIVE)
    held = float(np.sum(table)) / float(np.sum(weight))  # less than 1 where only some rows were held out
    each, weight = np.ldexp(np.asarray(table, dtype=np.float64)[actual, predicted], power), np.ldexp(weight, power)
    weight = weight[weight > 0]
    each = _moderate(each)
    square = each * (float(weight @ weight) / float(weight.sum()))
    n = round(len(weight) * min(held, 1.0))
    return EvaluatedRows(tuple(labels), actual, predicted, None, each, square, n)


def coded_rows(labels: tuple, truth: np.ndarray, predicted: np.ndarray, probability, weight) -> EvaluatedRows:
    """Rows whose classes are codes already; arguments as the attributes of :class:`EvaluatedRows`."""
    truth, predicted = truth.astype(np.int64), predicted.astype(np.int64)
    probability = np.asarray(probability, dtype=np.float64)
    return _weighted(EvaluatedRows(tuple(labels), truth, predicted, probability, *_EMPTY), weight)


def number_rows(truth, predicted, weight=None, exposure=None, power=None, level=None) -> EvaluatedRows:
    """Rows whose response is a number.

    Parameters
    ----------
    truth : column of n numbers
    predicted : float64, shape (n,)
        Of counts with ``exposure`` the rates.
    weight, exposure : column of n numbers, optional
    power : float, optional
        Of the deviance that the model minimises.
    level : float, optional
        Of the quantile that the model predicts.

    Raises
    ------
    DataError
        As for classes.
    """
    y, predicted = read_numbers(truth), np.asarray(predicted, dtype=np.float64)
    if exposure is not None:
        exposure = read_numbers(exposure, "exposure")
        check_lengths(len(exposure), len(y))
        predicted = predicted * exposure
    rows = EvaluatedRows((), y, predicted, None, *_EMPTY, exposure=exposure, power=power, level=level)
    return _weighted(rows, weight)


_EMPTY = (np.zeros(0), np.zeros(0), 0)


def _weighted(rows: EvaluatedRows, weight) -> EvaluatedRows:
    """The rows of weight with their weights."""
    n = len(rows.predicted)
    check_lengths(n, len(rows.truth))
    if n == 0:
        raise DataError("there are no rows to evaluate; give at least one.")
    found = relative_weights(weight, n)
    weight = np.ones(n) if found is None else found
    there, weight = weight > 0, _moderate(weight)
    rows = replace(rows, weight=weight, square=weight**2, count=n, position=np.arange(n))
    return rows if there.all() else taken(rows, there)


def _moderate(weight: np.ndarray) -> np.ndarray:
    """Weights of at least 1e-100 of the largest: shares of classes are divisors, and such quotients are squared."""
    return np.maximum(weight, 1e-100 * weight.max())


def taken(rows: EvaluatedRows, which: np.ndarray) -> EvaluatedRows:
    """Some of the rows."""
    parts = {
        name: None if getattr(rows, name) is None else getattr(rows, name)[which]
        for name in ("truth", "predicted", "probability", "weight", "square", "exposure", "fold", "position", "amount")
    }
    return replace(rows, **parts, count=int(np.count_nonzero(which)))


def target_code(labels: tuple, target_class) -> int:
    """Position of the class of interest.

    Raises
    ------
    ParameterError
        There is no such class, or none is given.
    """
    if target_class is None:
        known = ", ".join(map(repr, labels))
        raise ParameterError(
            Setting("target_class"), f" must be one of {known}: no class of interest was named at the fit."
        )
    return class_code(labels, target_class)
