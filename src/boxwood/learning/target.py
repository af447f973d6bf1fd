"""y as read from the user, and its conversion to exact numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..data.frames.weights import tamed
from ..statistics.exact import Exact, exact_classes, exact_mean, exact_rate
from ..statistics.exact_sums import masses
from ..statistics.response import CLASSES, MEAN, Response


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
        Rates only; None = 1.
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
        weight = None if self.weight is None else tamed(self.weight[rows])
        if self.response.kind == CLASSES:
            k = len(self.response.labels)
            return with_factors(self.response, self.priors, lambda: masses(y, weight, k)), exact_classes(y, weight)
        if self.response.kind == MEAN:
            return self.response, exact_mean(y, weight)
        exposure = np.ones(len(y)) if self.exposure is None else self.exposure[rows]
        return self.response, exact_rate(exposure, y, weight)


def with_factors(response: Response, priors: np.ndarray | None, masses_of: Callable[[], np.ndarray]) -> Response:
    """Prior over share of each class, and the altered priors that also hold the costs (docs/rpart.md).

    ``masses_of`` gives the sum of weights of each class; it is asked only if there are priors or costs.
    """
    if priors is None and response.costs is None and response.factors:
        return response
    k = len(response.labels)
    share = masses_of()
    share = share / share.sum()
    prior = share if priors is None else priors
    factors = np.divide(prior, share, out=np.ones(k), where=share > 0) if priors is not None else np.ones(k)
    altered = ()
    if response.costs is not None:
        of_class = response.cost_matrix().sum(axis=1)
        altered = tuple((factors * of_class / (prior @ of_class)).tolist())
    return replace(response, factors=tuple(factors.tolist()), altered=altered)
