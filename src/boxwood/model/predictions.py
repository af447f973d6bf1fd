"""Predictions of rows as named columns."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


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
    """

    values: np.ndarray
    probability: np.ndarray | None = None
    met: dict[str, int] = field(default_factory=dict)
    further: dict[str, np.ndarray] = field(default_factory=dict)

    def named(self, response_name: str, labels: tuple) -> list[tuple[str, np.ndarray]]:
        """All columns with their names: the prediction, ``probability_<label>`` of every class, the further ones."""
        found = [(response_name, self.values)]
        if self.probability is not None:
            found += [(f"probability_{label}", self.probability[:, k]) for k, label in enumerate(labels)]
        return [*found, *self.further.items()]
