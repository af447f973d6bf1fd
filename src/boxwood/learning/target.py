"""y as read from the user, and its conversion to exact numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data.frames.weights import bounded_weights
from ..statistics.exact import Exact
from ..statistics.exact_sums import masses
from ..statistics.responses.response import Response


@dataclass(frozen=True, eq=False)
class Target:
    """y as read, before it is put into exact numbers.

    Attributes
    ----------
    response : Response
        Kind, name, labels, costs; priors are put in by :meth:`in_exact_numbers`.
    y : ndarray, shape (n,)
        Class codes (int32), or numbers (float64).
    weight : float64, shape (n,), optional
    exposure : float64, shape (n,), optional
        Of kinds that have them; None = 1.
    priors : float64, shape (K,), optional
        Classes only; they add to 1. None = the shares in the data.
    """

    response: Response
    y: np.ndarray
    weight: np.ndarray | None = None
    exposure: np.ndarray | None = None
    priors: np.ndarray | None = None

    def in_exact_numbers(self, rows: np.ndarray) -> tuple[Response, Exact]:
        """The response and its fixed-point numbers for some rows."""
        y = self.y if len(rows) == len(self.y) else self.y[rows]
        weight = None if self.weight is None else bounded_weights(self.weight[rows])
        exposure = None if self.exposure is None else self.exposure[rows]
        k = len(self.response.labels)
        response = self.response.with_priors(self.priors, lambda: masses(y, weight, k))
        return response, self.response.exact(y, weight, exposure)
