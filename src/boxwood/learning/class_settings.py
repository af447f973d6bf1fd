"""Settings that name classes, once the classes are known: the class of interest, and costs by labels."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..data.frames.class_labels import class_code, rarer
from ..statistics.responses.response import Response


def settings_of_classes(settings: dict, response: Response, rows: Callable[[], np.ndarray]) -> dict:
    """Settings whose ``target_class`` is a label, or None where there is no class of interest, and costs a table.

    Parameters
    ----------
    settings : dict
    response : Response
    rows : callable
        () -> number of rows of each class, shape (K,).

    Raises
    ------
    ParameterError
        There is no such class.
    """
    labels = response.labels
    if not labels:
        return settings
    given = settings["target_class"]
    found = {"target_class": rarer(labels, rows) if given is None else labels[class_code(labels, given)]}
    if isinstance(settings.get("costs"), dict):
        found["costs"] = [list(row) for row in response.costs]
    return settings | found
