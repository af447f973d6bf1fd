"""The backward pass: the best subset of terms for every size, and the selected size (docs/mars.md)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._messages import Setting, remedy
from ..errors import ParameterError

#: Terms up to which all subsets are tried.
MOST_EXHAUSTIVE = 25


@dataclass(frozen=True, eq=False)
class LeastSquares:
    """The problem min |y - B beta|^2 in triangular form: B = Q R, z = Q'y.

    Attributes
    ----------
    triangle : float64, shape (M, M)
        R, upper triangular, columns in forward order.
    with_y : float64, shape (M, K)
        z.
    rss : float
        Of all M terms.
    """

    triangle: np.ndarray
    with_y: np.ndarray
    rss: float

    @property
    def size(self) -> int:
        """M."""
        return len(self.triangle)

    def prefix_rss(self, order: list[int]) -> np.ndarray:
        """RSS of the first k terms of an order, k = 1 .. len(order), as sums of what later terms add."""
        _, parts = self._rotated(order)
        outside = float(np.sum(self.with_y**2) - np.sum(parts**2)) if len(order) < self.size else 0.0
        added = np.sum(parts**2, axis=1)
        later = np.append(np.cumsum(added[::-1])[::-1][1:], 0.0)
        return self.rss + max(outside, 0.0) + later

    def coefficients(self, chosen: list[int]) -> np.ndarray:
        """Least-squares coefficients of some terms, shape (len(chosen), K)."""
        rotated, parts = self._rotated(chosen)
        return np.linalg.solve(rotated, parts)

    def increases(self, chosen: list[int]) -> np.ndarray:
        """How much RSS rises when each of the chosen terms is taken away: beta^2 / (R'R)^-1 on the diagonal."""
        rotated, parts = self._rotated(chosen)
        inverse = np.linalg.inv(rotated)
        beta = inverse @ parts
        return np.sum(beta**2, axis=1) / np.sum(inverse**2, axis=1)

    def _rotated(self, chosen: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """R and z of some columns."""
        q, r = np.linalg.qr(self.triangle[:, chosen])
        return r, q.T @ self.with_y


@dataclass(frozen=True, eq=False)
class Subsets:
    """The best subset of terms of each size that the backward pass has found.

    Attributes
    ----------
    members : tuple of tuple of int
        At position k - 1, the best subset of k terms: their positions in ascending order. The constant, position 0, is
        always a member.
    rss : float64, shape (M,)
        Residual sum of squares of each subset, in squared units of y.

    Examples
    --------
    >>> from boxwood import MARSRegressor, datasets
    >>> X = datasets.load("trees")
    >>> y = X.pop("volume")
    >>> subsets = MARSRegressor().fit(X, y).model_.subsets
    >>> subsets.members[2], subsets.rss.round(1).tolist()
    ((0, 1, 2), [8106.1, 1224.4, 312.7, 209.1, 199.1])
    """

    members: tuple[tuple[int, ...], ...]
    rss: np.ndarray


def best_subsets(problem: LeastSquares, method: str) -> Subsets:
    """The best subset of every size.

    Parameters
    ----------
    problem : LeastSquares
    method : {"exchange", "plain", "exhaustive"}
        "exchange": the sequence earth returns: an order of terms in which the least useful of the first P moves to
        place P, for P from M down to 2; every prefix of every order is tried. "plain": the least useful term is
        removed, one by one; also used for several responses. "exhaustive": all subsets, by branch and bound.

    Returns
    -------
    Subsets

    Raises
    ------
    ParameterError
        Too many terms to try all subsets.
    """
    if method == "exhaustive":
        return _exhaustive(problem)
    if method != "plain" and problem.with_y.shape[1] == 1:
        return _exchange(problem)
    return _plain(problem)


def _plain(problem: LeastSquares) -> Subsets:
    left, removed = list(range(problem.size)), []
    while len(left) > 1:
        at = 1 + int(np.argmin(problem.increases(left)[1:]))
        removed.append(left.pop(at))
    order = left + removed[::-1]
    members = tuple(tuple(sorted(order[:k])) for k in range(1, len(order) + 1))
    return Subsets(members, problem.prefix_rss(order))


def _exchange(problem: LeastSquares) -> Subsets:
    order = list(range(problem.size))
    rss = problem.prefix_rss(order)
    members = [tuple(order[:k]) for k in range(1, problem.size + 1)]
    for place in range(problem.size, 1, -1):
        worst = 1 + int(np.argmin(problem.increases(order[:place])[1:]))
        order.insert(place - 1, order.pop(worst))
        tried = problem.prefix_rss(order)
        for k in range(worst, place - 1):  # prefixes of length worst + 1 .. place - 1 hold other terms now
            if tried[k] < rss[k]:
                rss[k], members[k] = tried[k], tuple(order[: k + 1])
    return Subsets(tuple(tuple(sorted(m)) for m in members), rss)


def _exhaustive(problem: LeastSquares) -> Subsets:
    if problem.size > MOST_EXHAUSTIVE:
        raise ParameterError(
            Setting("backward", "exhaustive"), f" tries all subsets of at most {MOST_EXHAUSTIVE} terms and the forward "
            f"pass made {problem.size}; ",
            remedy("lower ", Setting("max_terms"), " or choose ", Setting("backward", "exchange")), ".",
        )  # fmt: skip
    start = _exchange(problem) if problem.with_y.shape[1] == 1 else _plain(problem)
    rss, members = start.rss.copy(), list(start.members)

    def visit(chosen: list[int], error: float, first: int) -> None:
        """All subsets that lack one of the terms from position ``first`` on; RSS only rises as terms are removed."""
        rises = problem.increases(chosen)
        for at in range(first, len(chosen)):
            fewer, worse = chosen[:at] + chosen[at + 1 :], error + float(rises[at])
            k = len(fewer)
            if worse < rss[k - 1] * (1.0 - 1e-12):
                rss[k - 1], members[k - 1] = worse, tuple(fewer)
            # below this set lie sets that keep the terms before `at`
            if at < k and worse < rss[max(at - 1, 0) : k - 1].max(initial=0.0):
                visit(fewer, worse, at)

    visit(list(range(problem.size)), problem.rss, 1)
    return Subsets(tuple(members), rss)
