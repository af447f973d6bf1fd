"""Tsallis entropy, a measure of impurity with an order q."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass

import numpy as np

from .._messages import Setting, Value
from ..errors import ParameterError

#: Orders nearer to 1 are 1.
_NEAR = 1e-8


@dataclass(frozen=True)
class Tsallis:
    """Tsallis entropy (1 - sum p_k^q) / (q - 1) of order q > 0: a family of measures that includes Gini and entropy.

    Small orders favour pure branches with rare classes, large orders the most frequent class. q = 2 is the Gini
    impurity and q = 1 the entropy in nats, that is, ln 2 times the entropy in bits; their trees are those of
    ``criterion="gini"`` and ``criterion="entropy"``. A limit such as ``min_impurity_decrease`` is in units of the
    measure, so at q = 1 it is ln 2 times that of "entropy".

    Parameters
    ----------
    q : float
        The order, a positive number.

    Raises
    ------
    ParameterError
        q is not a positive number.

    References
    ----------
    C. Tsallis, "Possible generalization of Boltzmann-Gibbs statistics", Journal of Statistical Physics 52 (1988),
    479-487, eq. 1. Y. Wang, C. Song and S.-T. Xia, "Improving decision trees by Tsallis entropy information metric
    method", IJCNN (2016).

    Examples
    --------
    >>> from boxwood import CARTClassifier, Tsallis
    >>> model = CARTClassifier(criterion=Tsallis(q=1.5), pruning=None).fit([[1], [2], [3], [4]], ["a", "a", "b", "b"])
    >>> model.tree_.impurity().round(4).tolist(), model.tree_.made_by["measure"]
    ([0.5858, 0.0, 0.0], 'tsallis:1.5')
    """

    q: float

    def __post_init__(self) -> None:
        real = isinstance(self.q, numbers.Real) and not isinstance(self.q, bool)
        if not real or not 0.0 < float(self.q) < math.inf:
            raise ParameterError(Setting("q"), " of Tsallis must be a positive number; got ", Value(self.q), ".")
        object.__setattr__(self, "q", float(self.q))

    def __str__(self) -> str:
        return f"tsallis:{self.q!r}"

    def of_shares(self, p: np.ndarray) -> np.ndarray:
        """The impurity of distributions along the last axis, with 0^q = 0.

        Parameters
        ----------
        p : float64, shape (..., K)

        Returns
        -------
        float64, shape (...)

        Examples
        --------
        >>> from boxwood import Tsallis
        >>> import numpy as np
        >>> Tsallis(2.0).of_shares(np.array([[0.5, 0.5], [0.0, 1.0]])).tolist()
        [0.5, 0.0]
        """
        logs = np.log(p, out=np.zeros_like(p, dtype=float), where=p > 0)
        order = self.q - 1.0
        deformed = logs if abs(order) < _NEAR else np.expm1(order * logs) / order
        return np.abs(np.einsum("...k,...k->...", p, deformed))
