"""Which rows rules cover, and which rules cover a row: lists in both directions."""

from __future__ import annotations

import numpy as np


class Coverage:
    """The rows of each rule and the rules of each row, as lists one behind the other.

    Cost: the number of (rule, row) pairs to build; a question about some rows costs the pairs of these rows.

    Attributes
    ----------
    rows : list of int array
        Of each rule, the rows that it covers, rising.
    n : int
        Number of rows.
    """

    def __init__(self, rows: list[np.ndarray], n: int):
        self.rows, self.n = rows, n
        every = np.concatenate([np.empty(0, dtype=np.int32), *rows])
        # Row and rule as one number: numpy sorts these several times as fast as it finds a stable order.
        pairs = every * np.int64(max(len(rows), 1))
        pairs += np.repeat(np.arange(len(rows)), np.fromiter(map(len, rows), dtype=np.int64, count=len(rows)))
        pairs.sort()
        self._rules = (pairs % max(len(rows), 1)).astype(np.int32)
        self._counts = np.bincount(every, minlength=n)
        self._ends = np.cumsum(self._counts)

    @property
    def times(self) -> np.ndarray:
        """By how many rules each row is covered, shape (n,)."""
        return self._counts.copy()

    def rules_of(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The rules of some rows: (place in ``rows``, rule), each row's rules together and rising."""
        counts = self._counts[rows]
        place = np.repeat(np.arange(len(rows)), counts)
        within = np.arange(len(place)) - (np.cumsum(counts) - counts)[place]
        return place, self._rules[(self._ends - self._counts)[rows][place] + within]
