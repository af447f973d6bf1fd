"""The training rows of a MARS model: design columns, responses, weights, and an order derived from the data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .. import _kernel

#: Memory limit of the search, columns included, in sizes of the data, and the bytes that it may take in any case: sums
#: are kept between steps within it.
_MEMORY, _LEAST_MEMORY = 2.8, 40 << 20


@dataclass(frozen=True, eq=False)
class LearningRows:
    """n rows of p design columns with K responses.

    Attributes
    ----------
    columns : tuple of float64 arrays of shape (n,)
        Design columns, finite and contiguous, rows in the order in which sums are taken.
    y : float64, shape (n, K)
        Responses, centred by weight, divided by ``scale``, times the root of the weight.
    center : float64, shape (K,)
    scale : float
        Standard deviation of the responses (docs/mars.md).
    root_weight : float64, shape (n,), or None
    """

    columns: tuple[np.ndarray, ...]
    y: np.ndarray
    center: np.ndarray
    scale: float
    root_weight: np.ndarray | None = None

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.y)

    @property
    def p(self) -> int:
        """Number of design columns."""
        return len(self.columns)

    @cached_property
    def total_weight(self) -> float:
        """Sum of the weights."""
        return float(self.n) if self.root_weight is None else float(np.sum(self.root_weight**2))

    def count(self, as_earth: bool) -> float:
        """Rows that GCV counts: a weight of 3 is three rows, but earth counts rows."""
        return float(self.n) if as_earth else self.total_weight

    def variances(self) -> np.ndarray:
        """Variance of every design column by weight, 1 for a constant one."""
        w = None if self.root_weight is None else self.root_weight**2
        out = np.array([float(np.average((x - np.average(x, weights=w)) ** 2, weights=w)) for x in self.columns])
        return np.where(out > 0.0, out, 1.0)

    def search(self, spans: tuple[int, int, float, bool], threads: int):
        """The kernel's search over these rows; ``spans``: minspan, endspan, how much products widen it, by weight."""
        memory = max(int(_MEMORY * 8 * self.n * self.p), _LEAST_MEMORY)
        return _kernel.MarsSearch(list(self.columns), self.y, self.root_weight, spans, memory, threads)


def learning_rows(columns, y: np.ndarray, weight: np.ndarray | None, rows: np.ndarray | None) -> LearningRows:
    """Prepare rows for learning.

    Parameters
    ----------
    columns : sequence of float64 arrays of shape (n,)
    y : float64, shape (n, K)
    weight : float64, shape (n,), or None
        Above 0.
    rows : int64, shape (m,), or None
        The rows to learn from in the order in which sums are taken (see ``content_order``); None = all as they came.

    Returns
    -------
    LearningRows
    """
    taken, root = _taken(y, rows), None
    if weight is None:
        center = taken.mean(axis=0)
    else:
        w = _taken(weight, rows)
        center = (w[:, None] * taken).sum(axis=0) / w.sum()
        root = np.sqrt(w)
    centred = taken - center
    scale = _spread(centred)
    centred /= scale
    if root is not None:
        centred *= root[:, None]
    return LearningRows(tuple(_taken(x, rows) for x in columns), centred, center, scale, root)


def _taken(values: np.ndarray, rows: np.ndarray | None) -> np.ndarray:
    """A copy: what is read again and again must not change."""
    return np.array(values, order="C") if rows is None else np.ascontiguousarray(values[rows])


def _spread(centred: np.ndarray) -> float:
    """Standard deviation, over all responses, of numbers however large; 1 for constants."""
    largest = float(np.abs(centred).max(initial=0.0))
    if largest == 0.0:
        return 1.0
    whole = float(2.0 ** np.frexp(largest)[1])
    return whole * float(np.sqrt(np.sum((centred / whole) ** 2) / max(centred.size - 1, 1)))


def content_order(columns, y: np.ndarray, weight: np.ndarray | None, rows: np.ndarray | None = None) -> np.ndarray:
    """Rows, all or those named, in the order of a hash of what they hold: the same for any order in which they come."""
    mixed = np.zeros(len(y) if rows is None else len(rows), dtype=np.uint64)
    for values in (*columns, *y.T):
        bits = (_taken(values, rows) + 0.0).view(np.uint64)  # + 0.0 turns -0.0 into 0.0
        mixed = _mix(mixed ^ bits)
    order = np.argsort(mixed, kind="stable") if weight is None else np.lexsort((_taken(weight, rows), mixed))
    return order if rows is None else rows[order]


def _mix(x: np.ndarray) -> np.ndarray:
    """A bijection of whole numbers that spreads every bit (splitmix64, Steele et al. 2014)."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
