"""A sample of the different values of a column that depends on the values alone: those of the smallest hashes.

Samples of parts merge to the sample of the whole, whatever the parts. Source: Cohen & Kaplan, Summarizing data using
bottom-k sketches, 2007.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .. import _kernel

#: Values kept at most.
SIZE = 1 << 15
_NOTHING = (1 << 64) - 1


@dataclass(eq=False)
class Sample:
    """The values with the smallest hashes seen so far.

    Attributes
    ----------
    hashes : uint64, ascending
    values : float64
        In the order of their hashes.
    limit : int
        Hashes from here on are too large.
    """

    hashes: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.uint64))
    values: np.ndarray = field(default_factory=lambda: np.empty(0))
    limit: int = _NOTHING
    _waiting: list = field(default_factory=list)
    _many: int = 0

    def add(self, values: np.ndarray) -> None:
        """Look at some values, float64 or float32, shape (n,); NaN is left out."""
        found = _kernel.small_hashes(np.ascontiguousarray(values), self.limit)
        self._waiting.append(found)
        self._many += len(found[0])
        if self._many > SIZE:
            self._settle()

    def merge(self, other: Sample) -> None:
        """Look at what another sample kept."""
        other._settle()
        self.limit = min(self.limit, other.limit)
        self._waiting.append((other.hashes, other.values))
        self._settle()

    def _settle(self) -> None:
        """Put what waits in its place; only then, since a place costs more than a look."""
        hashes, values = zip((self.hashes, self.values), *self._waiting, strict=True)
        hashes, first = np.unique(np.concatenate(hashes), return_index=True)
        values = np.concatenate(values)[first]
        if len(hashes) > SIZE:
            self.limit = min(self.limit, int(hashes[SIZE]))
        keep = hashes < np.uint64(self.limit)
        self.hashes, self.values = hashes[keep], values[keep]
        self._waiting, self._many = [], 0

    def cuts(self, most: int) -> np.ndarray:
        """At most ``most`` ascending cuts that part the values of the sample evenly, float64.

        Examples
        --------
        >>> import numpy as np
        >>> sample = Sample()
        >>> sample.add(np.array([3.0, 1.0, np.nan, 1.0]))
        >>> sample.cuts(4095).tolist()
        [1.0, 3.0]
        """
        self._settle()
        values = np.sort(self.values)
        if len(values) <= most:
            return values
        return values[np.linspace(0, len(values) - 1, most).astype(np.int64)]
