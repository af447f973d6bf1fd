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

    def add(self, values: np.ndarray) -> None:
        """Look at some values, float64 or float32, shape (n,); NaN is left out."""
        self._keep(*_kernel.small_hashes(np.ascontiguousarray(values), self.limit))

    def merge(self, other: Sample) -> None:
        """Look at what another sample kept."""
        self.limit = min(self.limit, other.limit)
        self._keep(other.hashes, other.values)

    def _keep(self, hashes: np.ndarray, values: np.ndarray) -> None:
        hashes, first = np.unique(np.concatenate([self.hashes, hashes]), return_index=True)
        values = np.concatenate([self.values, values])[first]
        if len(hashes) > SIZE:
            self.limit = min(self.limit, int(hashes[SIZE]))
        keep = hashes < np.uint64(self.limit)
        self.hashes, self.values = hashes[keep], values[keep]

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
        values = np.sort(self.values)
        if len(values) <= most:
            return values
        return values[np.linspace(0, len(values) - 1, most).astype(np.int64)]
