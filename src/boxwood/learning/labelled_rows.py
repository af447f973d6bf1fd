"""Rows with a known response, read by the schema of a fitted tree."""

from __future__ import annotations

import numpy as np

from .._messages import Setting
from ..data.frames.weights import relative_weights
from ..errors import ParameterError
from ..statistics.responses.response import Response
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
    if exposure is not None and not response.takes_exposure:
        raise ParameterError(Setting("exposure"), " is for counts; this model was not fitted to any.")
    values = response.read(y)
    return Target(response, values, relative_weights(weight, len(values)), read_exposure(exposure, len(values)))


def truth_of(target: Target) -> np.ndarray:
    """y as losses read it: class codes, numbers, or exposure and events in two columns."""
    return target.response.with_exposure(target.y, target.exposure)
