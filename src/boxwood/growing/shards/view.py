"""The values, and the rows left out, with which a tree is grown from shards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class View:
    """The view that shards take of their rows.

    Attributes
    ----------
    by_rank : bool
        Numbers are their ranks among all values of all shards: trees of folds, whose choice no monotone map may change.
    without : int
        Label of rows that are left out (:mod:`boxwood.growing.shards.drawing`); -1 = all rows are there.
    """

    by_rank: bool = False
    without: int = -1

    def to_array(self) -> np.ndarray:
        """As two numbers, for requests."""
        return np.array([self.by_rank, self.without], dtype=np.int64)

    @classmethod
    def from_array(cls, numbers: np.ndarray | None) -> View:
        """From such two numbers; None = everything as it is."""
        return cls() if numbers is None else cls(bool(numbers[0]), int(numbers[1]))


EVERYTHING = View()
