"""Importance of features: in how many subsets of terms they are, and how much GCV and RSS fall (evimp)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .backward import Subsets
from .terms import Terms


@dataclass(frozen=True, eq=False)
class Importance:
    """Importance of p features (or of q design columns) by three criteria.

    Attributes
    ----------
    n_subsets : int64, shape (p,)
        Number of best subsets, from two terms to the selected size, that contain the feature.
    gcv, rss : float64, shape (p,)
        Decrease in GCV and in RSS from the next smaller subset, summed over these subsets: signed square roots, scaled
        so that the largest is 100 (docs/mars.md). They have no unit.

    Examples
    --------
    >>> from boxwood import MARSRegressor, datasets
    >>> X = datasets.load("trees")
    >>> y = X.pop("volume")
    >>> found = MARSRegressor().fit(X, y).model_.importance()
    >>> found.n_subsets.tolist(), found.gcv.round(1).tolist(), found.rss.round(1).tolist()
    ([3, 1], [100.0, 10.7], [100.0, 11.5])
    """

    n_subsets: np.ndarray
    gcv: np.ndarray
    rss: np.ndarray

    @property
    def order(self) -> np.ndarray:
        """Positions of the features from the most to the least important, int64, shape (p,).

        They are sorted by ``n_subsets``, then by ``gcv``.

        Examples
        --------
        >>> import numpy as np
        >>> from boxwood.mars.importance import Importance
        >>> Importance(np.array([1, 3, 3]), np.array([10.0, 60.0, 100.0]), np.array([12.0, 61.0, 100.0])).order.tolist()
        [2, 1, 0]
        """
        return np.lexsort((-self.gcv, -self.n_subsets))


def importance(terms: Terms, subsets: Subsets, gcv: np.ndarray, size: int, owner: np.ndarray) -> Importance:
    """Importance of features, or of single design columns.

    Parameters
    ----------
    terms : Terms
        All terms of the forward pass.
    subsets : Subsets
    gcv : float64, shape (S,)
    size : int
        Number of terms chosen.
    owner : int64, shape (p,)
        For each design column, the number of the feature (or column) it counts for.
    """
    n = int(owner.max(initial=-1)) + 1
    counts, fall_gcv, fall_rss = np.zeros(n, dtype=np.int64), np.zeros(n), np.zeros(n)
    used_by = np.zeros((len(terms), n), dtype=bool)
    for m in range(len(terms)):
        used_by[m, owner[np.flatnonzero(terms.directions[m])]] = True
    for k in range(2, size + 1):
        here = used_by[list(subsets.members[k - 1])].any(axis=0)
        counts += here
        fall_rss += here * (subsets.rss[k - 2] - subsets.rss[k - 1])
        with np.errstate(invalid="ignore"):
            fall = gcv[k - 2] - gcv[k - 1]
        fall_gcv += here * (fall if np.isfinite(fall) else 0.0)
    return Importance(counts, _scaled(fall_gcv), _scaled(fall_rss))


def _scaled(fall: np.ndarray) -> np.ndarray:
    """100 for the largest, square roots, signs kept."""
    top = float(np.abs(fall).max(initial=0.0))
    return np.zeros_like(fall) if top == 0.0 else 100.0 * np.sign(fall) * np.sqrt(np.abs(fall) / top)
