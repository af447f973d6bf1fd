"""The model during the forward pass: products in slots, and the least-squares problem in triangular form."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .terms import Factor


@dataclass(eq=False)
class GrowingModel:
    """What the forward pass builds: products in slots, and the least-squares problem in triangular form.

    Attributes
    ----------
    products : list of (list of Factor, or None)
        Slot -> factors; None where a slot stays empty.
    slots : list of int
        Slots of the independent terms, in the order in which they came.
    triangle : list of ndarray
        Column m of R in B = Q R, of length m + 1.
    with_y : list of ndarray of shape (K,)
        Row m of Q'y.
    rss : float
        Of the terms so far, over all responses.
    uncounted : int
        Products that earth does not count as terms.
    """

    products: list[list[Factor] | None] = field(default_factory=list)
    slots: list[int] = field(default_factory=list)
    triangle: list[np.ndarray] = field(default_factory=list)
    with_y: list[np.ndarray] = field(default_factory=list)
    rss: float = 0.0
    uncounted: int = 0

    @property
    def n_used(self) -> int:
        """Number of terms."""
        return sum(p is not None for p in self.products) - self.uncounted

    def forms(self) -> list[tuple[int, ...]]:
        """Columns of each term but the constant."""
        return [tuple(f[0] for f in product) for product in self.products[1:] if product is not None]

    def state(self) -> tuple[int, int, float]:
        """The state that ``forget`` restores."""
        return len(self.products), len(self.slots), self.rss

    def forget(self, before: tuple[int, int, float]) -> None:
        """Takes away the terms that came since."""
        n_products, n_terms, self.rss = before
        del self.products[n_products:]
        del self.slots[n_terms:], self.triangle[n_terms:], self.with_y[n_terms:]

    def triangular(self) -> tuple[np.ndarray, np.ndarray]:
        """R of shape (M, M), and Q'y of shape (M, K)."""
        size = len(self.slots)
        triangle = np.zeros((size, size))
        for j, column in enumerate(self.triangle):
            triangle[: j + 1, j] = column
        return triangle, np.array(self.with_y)
