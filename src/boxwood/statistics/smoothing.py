"""Smoothed probabilities of the classes in leaves: Laplace's rule and the m-estimate."""

from __future__ import annotations

import numpy as np

from .._fast_record import with_fields
from .response import CLASSES, Response

#: Rows of the root that the m-estimate adds to a leaf where nothing else is said.
M = 2.0


def smoothed(response: Response, root: np.ndarray, rows: int, how: str | float | None) -> Response:
    """A response whose probabilities are smoothed.

    Parameters
    ----------
    response : Response
        Of anything but classes, it stays as it is.
    root : float64, shape (K,)
        Weights of the classes in the root of the tree.
    rows : int
        Rows in the root.
    how : {"laplace"}, float or None
        Laplace's rule adds a weight of one to each class; a number m adds m rows of the average weight, divided among
        the classes as in the root: p_k = (n_k + m pi_k) / (n + m) (Cestnik 1990, "Estimating probabilities: a crucial
        task in machine learning"). None leaves the response as it is.

    Examples
    --------
    >>> response = Response(CLASSES, labels=("no", "yes"), factors=(1.0, 1.0))
    >>> m_estimate = smoothed(response, np.array([90.0, 10.0]), 100, 2.0)
    >>> m_estimate.probability(np.array([[0.0, 3.0]])).tolist()
    [[0.36, 0.64]]
    """
    if how is None or response.kind != CLASSES:
        return response
    if how == "laplace":
        added = (1.0,) * len(response.labels)
    else:
        added = tuple((float(how) * root / rows).tolist()) if how else ()
    return with_fields(Response, vars(response) | {"smoothing": added})
