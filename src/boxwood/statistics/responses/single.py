"""What is otherwise where a row has several responses at once; the defaults are those of one."""

from __future__ import annotations

from typing import Any

import numpy as np

from .rows import ResponseRows


class OneResponse(ResponseRows):
    """The part of :class:`boxwood.statistics.responses.response.Response` that several responses have otherwise.

    Attributes
    ----------
    responses : tuple of Response
    weights : tuple of float
        As described at :class:`boxwood.statistics.responses.several.Several`; empty for one.
    """

    labels: tuple = ()
    responses: tuple = ()
    weights: tuple[float, ...] = ()

    @property
    def n_classes(self) -> int:
        """Number of classes, of several responses of all together; 0 for numbers."""
        return len(self.labels)

    def need_one(self, what: str) -> None:
        """Check that one response is predicted, which a view called ``what`` reads.

        Raises
        ------
        ParameterError
        """

    def predicts_of(self, moments: np.ndarray) -> np.ndarray:
        """What moments predict, shape (T, F): the value, or of classes the probability of each."""
        return self.value(moments)[:, None]

    def predicted_at(self, tree: Any, nodes: np.ndarray) -> np.ndarray:
        """The numbers, or numbers of classes, that some nodes predict, shape (n,); of several responses (n, q)."""
        return tree.value[nodes]

    def by_response(self, probability: np.ndarray) -> Any:
        """Probabilities of classes, shape (n, K), as users see them; of several responses a list of one array each."""
        return probability

    def value(self, moments: np.ndarray) -> np.ndarray:
        """The number that each node predicts; see :class:`boxwood.statistics.responses.response.Response`."""
        raise NotImplementedError
