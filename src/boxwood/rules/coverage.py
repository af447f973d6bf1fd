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
        lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
        order = np.argsort(every, kind="stable")
        self._rules = np.repeat(np.arange(len(rows), dtype=np.int32), lengths)[order]
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
