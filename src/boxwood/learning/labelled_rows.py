"""Rows with a known response, read by the schema of a fitted tree."""

from __future__ import annotations

import numpy as np

from ..data.frames.class_labels import known_classes
from ..data.frames.target import read_numbers
from ..data.frames.weights import relative_weights
from ..errors import ParameterError
from ..statistics.response import CLASSES, MEAN, Response
from .responses import read_exposure
from .target import Target


def target_of(response: Response, y, weight=None, exposure=None) -> Target:
    """The response of some rows in a tree's own terms.

    Parameters
    ----------
    response : Response
        Of the tree.
    y : array-like of shape (n,)
    weight, exposure : array-like of shape (n,), optional

    Raises
    ------
    ResponseError, WeightError
        Values that cannot be read, or a label that did not occur in training.
    ParameterError
        Exposures for a tree that was not fitted to counts.
    """
    if exposure is not None and response.kind in (CLASSES, MEAN):
        raise ParameterError("exposure is for counts; this model was not fitted to any.")
    if response.kind == CLASSES:
        codes = known_classes(y, response.labels)
        return Target(response, codes, relative_weights(weight, len(codes)))
    numbers = read_numbers(y)
    return Target(
        response, numbers, relative_weights(weight, len(numbers)), read_exposure(exposure, len(numbers))
    )  # fmt: skip


def truth_of(target: Target, n: int) -> np.ndarray:
    """y as losses read it: class codes, numbers, or exposure and events in two columns."""
    if target.response.kind in (CLASSES, MEAN):
        return target.y
    time = np.ones(n) if target.exposure is None else target.exposure
    return np.column_stack((time, target.y))
