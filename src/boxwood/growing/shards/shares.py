"""Fractional rows in shards (C4.5): the weights by which they are divided among branches."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...statistics.exact import Exact

#: Sums of raised weights stay below 2**62, and more bits than these change nothing: kernel/bindings/multiway.cpp.
_ROOM, _MOST = 62, 40


@dataclass(frozen=True, eq=False)
class Shares:
    """How rows of unknown value are shared out in a tree.

    Attributes
    ----------
    shift : int
        Bits by which whole weights are raised, so that shares hardly round.
    known : int64, shape (T,)
        Raised weight of the rows that go to each node of the tree because their value is known at its parent.
    """

    shift: int
    known: np.ndarray

    @classmethod
    def of_root(cls, weight: int) -> Shares:
        """For a tree that begins with rows of this whole weight together."""
        return cls(max(0, min(_ROOM - int(weight).bit_length(), _MOST)), np.array([weight], dtype=np.int64))

    def below(self, known: np.ndarray) -> Shares:
        """The same with the nodes of another level."""
        return replace(self, known=np.concatenate([self.known, known]))

    def raised(self, scaling: Exact) -> Exact:
        """The fixed point of raised weights."""
        return replace(scaling, unit=float(np.ldexp(scaling.unit, -self.shift)))
