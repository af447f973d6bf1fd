"""Rows with known response that are given to a fitted model: to validate with, or those it was grown from."""

from __future__ import annotations

import numpy as np

from ..data.columns import Columns
from ..data.target import encode_classes, read_numbers
from ..data.weights import check_lengths, read_weights
from ..errors import ParameterError, ResponseError
from ..statistics.response import CLASSES, MEAN
from .held_out import Sample
from .learning_set import LearningSet, learning_set
from .model import TreeModel
from .parameters import shortened
from .pruners import Pruner
from .responses import read_exposure
from .target import Target


def given_rows(
    model: TreeModel, pruner: Pruner, columns: Columns, y, weight=None, exposure=None
) -> Sample | LearningSet:
    """Rows as the pruner wants them.

    Parameters
    ----------
    model : TreeModel
    pruner : Pruner
    columns : Columns
        Read with the model's schema.
    y : array-like of shape (n,)
    weight, exposure : array-like of shape (n,), optional
        Weights count as they are given: ``class_weight`` of the fit is not applied to them.

    Raises
    ------
    ResponseError, WeightError, ParameterError
    """
    target = _target(model, y, weight, exposure)
    check_lengths(columns.n, len(target.y))
    if pruner.rows == "learning":
        return learning_set(columns, target, model.threads)
    weights = np.ones(columns.n) if target.weight is None else target.weight
    truth = target.y
    if target.response.kind not in (CLASSES, MEAN):
        time = np.ones(columns.n) if target.exposure is None else target.exposure
        truth = np.column_stack((time, target.y))
    return Sample(columns, truth, weights, model.settings.get("unseen", "missing"), model.threads)


def _target(model: TreeModel, y, weight, exposure) -> Target:
    """The response in the model's own terms."""
    response = model.tree.response
    if exposure is not None and response.kind in (CLASSES, MEAN):
        raise ParameterError("exposure is for counts; this model was not fitted to any.")
    if response.kind == CLASSES:
        codes = encode_classes(y, response.labels)
        if (codes < 0).any():
            row = int(np.argmax(codes < 0))
            raise ResponseError(
                f"y, row {row} (counted from 0), holds the label {shortened(_at(y, row))}, which training did not "
                "have; leave such rows out."
            )
        return Target(response, codes, read_weights(weight, len(codes)))
    numbers = read_numbers(y)
    return Target(
        response, numbers, read_weights(weight, len(numbers)), read_exposure(exposure, len(numbers))
    )  # fmt: skip


def _at(y, row: int):
    """One value of any container."""
    value = y.iloc[row] if hasattr(y, "iloc") else y[row]
    return value.item() if hasattr(value, "item") else value
