"""Predictions of rows as named columns."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..statistics.responses.response import Response


@dataclass(frozen=True, eq=False)
class Predictions:
    """Predictions of rows.

    Attributes
    ----------
    values : ndarray, shape (n,)
        Class labels or numbers.
    probability : float64, shape (n, K), or None
        Class probabilities, if requested and the model has classes.
    met : dict of str to int
        How many rows had a missing value, an unseen level and similar on their path (``Routing.count`` of a tree).
        Empty for a model that is not a tree.
    further : dict of str to ndarray of shape (n,)
        What else was requested of each row, by name.
    responses : tuple of Response
        Of several responses: ``values`` has shape (n, q), ``probability`` the classes of all.
    """

    values: np.ndarray
    probability: np.ndarray | None = None
    met: dict[str, int] = field(default_factory=dict)
    further: dict[str, np.ndarray] = field(default_factory=dict)
    responses: tuple[Response, ...] = ()

    def named(self, response_name: str, labels: tuple) -> list[tuple[str, np.ndarray]]:
        """All columns with their names: the prediction, ``probability_<label>`` of every class, the further ones."""
        if self.responses:
            return [*self._of_each(), *self.further.items()]
        found = [(response_name, self.values)]
        if self.probability is not None:
            found += [(f"probability_{label}", self.probability[:, k]) for k, label in enumerate(labels)]
        return [*found, *self.further.items()]

    def _of_each(self) -> list[tuple[str, np.ndarray]]:
        """The prediction of each response, and its probabilities after it."""
        found, at = [], 0
        for r, one in enumerate(self.responses):
            found.append((one.name, self.values[:, r]))
            if self.probability is not None:
                names = [f"probability_{one.name}_{label}" for label in one.labels]
                found += zip(names, self.probability.T[at : at + len(names)], strict=True)
                at += len(names)
        return found
