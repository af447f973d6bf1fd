"""The terms of a model as two matrices, directions and cuts: one row per term, one column per design column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..statistics.overflow import may_overflow

#: Directions of a factor: max(0, x - cut), max(0, cut - x), x itself, and no factor of this column.
RIGHT, LEFT, LINEAR, ABSENT = 1, -1, 2, 0

#: Rows that are computed at once: what they need fits the cache.
_RUN = 16_384

#: A factor as the kernel takes it: design column, direction, cut.
Factor = tuple[int, int, float]


@dataclass(frozen=True, eq=False)
class Terms:
    """M basis functions on q design columns, each a product of factors; the first is the constant.

    Attributes
    ----------
    directions : int8, shape (M, q)
        The factor of each term in each column: 1 = max(0, x - cut), -1 = max(0, cut - x), 2 = x itself, 0 = none
        (Friedman 1991, equation 30, with linear factors added).
    cuts : float64, shape (M, q)
        The knot of a hinge, in units of its column; the minimum of the column for a linear factor; 0 where there is no
        factor.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.mars.terms import Terms
    >>> terms = Terms.of([[], [(0, 1, 2.0)], [(0, 1, 2.0), (1, 2, 0.0)]], 2)
    >>> terms.values([np.array([1.0, 5.0]), np.array([10.0, 20.0])], 2)
    array([[ 1.,  0.,  0.],
           [ 1.,  3., 60.]])
    """

    directions: np.ndarray
    cuts: np.ndarray

    @staticmethod
    def of(products: Sequence[Sequence[Factor]], n_columns: int) -> Terms:
        """Terms from one list of (column, direction, cut) per term."""
        directions = np.zeros((len(products), n_columns), dtype=np.int8)
        cuts = np.zeros((len(products), n_columns))
        for m, factors in enumerate(products):
            for column, direction, cut in factors:
                directions[m, column] = direction
                cuts[m, column] = cut + 0.0  # turns -0.0 into 0.0
        return Terms(directions, cuts)

    def __len__(self) -> int:
        return len(self.directions)

    def factors(self, m: int) -> list[Factor]:
        """The factors of term m in column order, each as (column, direction, cut); none for the constant.

        Examples
        --------
        >>> from boxwood.mars.terms import Terms
        >>> Terms.of([[], [(0, 1, 2.0)], [(1, 2, 0.0), (0, 1, 2.0)]], 2).factors(2)
        [(0, 1, 2.0), (1, 2, 0.0)]
        """
        return [
            (int(j), int(self.directions[m, j]), float(self.cuts[m, j])) for j in np.flatnonzero(self.directions[m])
        ]

    @cached_property
    def degree(self) -> np.ndarray:
        """Number of factors of each term, int64, shape (M,)."""
        return np.count_nonzero(self.directions, axis=1)

    def take(self, chosen: np.ndarray) -> Terms:
        """The terms at some positions, or where a mask is true, in that order."""
        return Terms(self.directions[chosen], self.cuts[chosen])

    @may_overflow  # products beyond float64 are infinite
    def values(self, columns: Sequence[np.ndarray], n: int) -> np.ndarray:
        """Values of all terms for n rows, float64, shape (n, M), from the q design columns of shape (n,)."""
        out = np.ones((len(self), n))
        for m in range(len(self)):
            for column, direction, cut in self.factors(m):
                out[m] *= factor_value(columns[column], direction, cut)
        return out.T

    @may_overflow
    def sums(self, columns: Sequence[np.ndarray], n: int, coefficients: np.ndarray) -> np.ndarray:
        """Sums of the terms times their coefficients, float64, shape (n, K); ``coefficients`` has shape (M, K).

        The prediction of a row does not depend on the rows around it, to the last bit.
        """
        out = np.empty((coefficients.shape[1], n))
        factors = [self.factors(m) for m in range(len(self))]
        for start in range(0, n, _RUN):
            rows = slice(start, start + _RUN)
            total = np.repeat(coefficients[0][:, None], len(out[0, rows]), axis=1)
            for m in range(1, len(self)):
                (column, direction, cut), *others = factors[m]
                term = factor_value(columns[column][rows], direction, cut)
                for column, direction, cut in others:
                    term = term * factor_value(columns[column][rows], direction, cut)
                total += coefficients[m][:, None] * term
            out[:, rows] = total
        return out.T


def factor_value(x: np.ndarray, direction: int, cut: float) -> np.ndarray:
    """One factor at every row."""
    if direction == LINEAR:
        return x
    return np.maximum(0.0, x - cut if direction == RIGHT else cut - x)
