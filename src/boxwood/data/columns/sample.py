"""A sample of the distinct values of a column that depends only on the values: those of the smallest hashes.

Samples of parts merge to the sample of the whole, whatever the parts. Source: Cohen & Kaplan, Summarizing data using
bottom-k sketches, 2007.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ... import _kernel

#: Values kept at most.
SIZE = 1 << 15
_NOTHING = (1 << 64) - 1


class Look(NamedTuple):
    """What a look at some values shows besides: how many are missing or infinite, and whether float32 holds all."""

    missing: int
    infinite: int
    is_short: bool


def _distinct(hashes: np.ndarray) -> np.ndarray:
    """Each hash once, ascending."""
    hashes = np.sort(hashes)
    return hashes[np.concatenate(([True], hashes[1:] != hashes[:-1]))] if len(hashes) > 1 else hashes


def _values_of(hashes: np.ndarray) -> np.ndarray:
    """The values whose hashes they are: every step of the hash (kernel/encode/value_hash.hpp) can be undone."""
    bits = (hashes ^ (hashes >> np.uint64(31)) ^ (hashes >> np.uint64(62))) * np.uint64(0x319642B2D24D8EC3)
    bits = (bits ^ (bits >> np.uint64(27)) ^ (bits >> np.uint64(54))) * np.uint64(0x96DE1B173F119089)
    return ((bits ^ (bits >> np.uint64(30)) ^ (bits >> np.uint64(60))) - np.uint64(0x9E3779B97F4A7C15)).view(np.float64)


@dataclass(eq=False)
class Sample:
    """The values with the smallest hashes seen so far.

    Attributes
    ----------
    hashes : uint64, ascending
        A hash can be undone, so nothing else is kept of a value.
    limit : int
        Hashes from here on are too large.
    """

    hashes: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.uint64))
    limit: int = _NOTHING
    _waiting: list = field(default_factory=list)
    _many: int = 0

    def add(self, values: np.ndarray) -> Look:
        """Look at some values, float64 or float32, shape (n,); NaN is left out."""
        hashes, *look = _kernel.look(np.ascontiguousarray(values), self.limit)
        self._wait(hashes)
        return Look(*look)

    def _wait(self, hashes: np.ndarray) -> None:
        self._waiting.append(hashes)
        self._many += len(hashes)
        if self._many > SIZE:
            self.merge_waiting()

    def merge(self, other: Sample) -> None:
        """Look at what another sample kept."""
        self.limit = min(self.limit, other.limit)
        for hashes in (other.hashes, *other._waiting):
            self._wait(hashes[hashes < np.uint64(self.limit)])

    def merge_waiting(self) -> None:
        """Merge the waiting hashes into the sorted ones; once there are many, since merging is expensive."""
        found = np.concatenate((self.hashes, *self._waiting))
        few = SIZE + SIZE // 4
        # most are too large, unless many are equal: those need not be sorted
        hashes = _distinct(np.partition(found, few)[:few] if len(found) > few else found)
        if len(found) > few and len(hashes) <= SIZE:
            hashes = _distinct(found)
        if len(hashes) > SIZE:
            self.limit = min(self.limit, int(hashes[SIZE]))
        self.hashes = hashes[hashes < np.uint64(self.limit)]
        self._waiting, self._many = [], 0

    @property
    def different(self) -> float:
        """How many different values were seen: exactly up to :data:`SIZE` of them, beyond that within about 2 %."""
        self.merge_waiting()
        return len(self.hashes) if self.limit == _NOTHING else len(self.hashes) * 2.0**64 / self.limit

    def cuts(self, most: int) -> np.ndarray:
        """At most ``most`` ascending cuts that part the values of the sample evenly, float64.

        Examples
        --------
        >>> import numpy as np
        >>> sample = Sample()
        >>> sample.add(np.array([3.0, 1.0, np.nan, 1.0])).missing
        1
        >>> sample.cuts(4095).tolist()
        [1.0, 3.0]
        """
        self.merge_waiting()
        values = np.sort(_values_of(self.hashes))
        if len(values) <= most:
            return values
        return values[np.linspace(0, len(values) - 1, most).astype(np.int64)]
