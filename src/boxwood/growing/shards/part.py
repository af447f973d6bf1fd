"""The rows of one shard: exact values, coarse codes and the response, in arrays that may lie in a file."""

from __future__ import annotations

import mmap
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from ... import _kernel
from ...data.columns.columns import Columns
from ...data.columns.schema import Schema
from ...statistics.exact import Exact
from ..parts.part_file import mapped_files, release

#: Code of a missing number among the coarse codes.
MISSING_CODE = 65535
#: Most cuts a column may have.
MOST_CUTS = 4095


@dataclass(frozen=True, eq=False)
class Part:
    """Some rows of a learning set, none of weight 0.

    Attributes
    ----------
    schema : Schema
        Of the whole data: kinds and all levels, the same in all parts.
    n : int
        Number of rows, at least 1.
    values : tuple of ndarray, each of shape (n,)
        Numeric: float64 or float32, NaN = missing. Nominal and ordinal: int32 codes of levels, -1 = missing.
    codes : tuple of (ndarray or None), each of shape (n,)
        Numeric: uint16 coarse codes, the number of the column's cuts below the value; 65535 = missing. Levels: None.
    cuts : tuple of (ndarray or None)
        Numeric: ascending float64, at most 4095, the same in all parts. Any choice gives the same tree. Levels: None.
    exact : Exact
        Response of these rows, in the fixed point of the whole data.
    low : tuple of (ndarray or None)
        Numeric features with whole numbers beyond 2**53: what their float64 lack; empty = no feature has any.
    """

    missing_code: ClassVar[int] = MISSING_CODE

    schema: Schema
    n: int
    values: tuple[np.ndarray, ...]
    codes: tuple[np.ndarray | None, ...]
    cuts: tuple[np.ndarray | None, ...]
    exact: Exact
    low: tuple[np.ndarray | None, ...] = ()

    def low_of(self, j: int) -> np.ndarray | None:
        """Low parts of a feature, float64, shape (n,); None = it has none."""
        return self.low[j] if self.low else None

    def columns(self, rows: np.ndarray) -> Columns:
        """Some rows as columns that go down a tree."""
        taken = (values[rows] for values in self.values)
        values = tuple(v.astype(np.float64, copy=False) if v.dtype.kind == "f" else v for v in taken)
        low = tuple(None if self.low_of(j) is None else self.low_of(j)[rows] for j in range(len(self.schema)))
        return Columns(self.schema, len(rows), values, low, {})

    def spans(self, j: int, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Of each bin of a numeric feature: ``rows``, their ``weight``, ``least`` and ``greatest`` value, low parts.

        Parameters
        ----------
        j : int
        rows : intp
            Which rows count. Least and greatest of no row are infinite, in reverse.
        """
        size, rows = len(self.cuts[j]) + 1, rows[self.codes[j][rows] != MISSING_CODE]
        codes, low, weight = self.codes[j][rows], self.low_of(j), np.zeros(size, dtype=np.int64)
        np.add.at(weight, codes, 1 if self.exact.weight is None else self.exact.weight[rows])
        values = as_pairs(self.values[j][rows], None if low is None else low[rows])
        out = {"rows": np.bincount(codes, minlength=size), "weight": weight}
        for name, choose, none in (("least", np.minimum, np.inf), ("greatest", np.maximum, -np.inf)):
            ends = np.full(size, none, dtype=np.result_type(values, np.float64))
            choose.at(ends, codes, values)
            out |= {name: ends.real + 0.0, f"{name}_low": ends.imag + 0.0}
        return out

    def release(self) -> None:
        """Let the system drop the pages of arrays that lie in a file; they are read again on access."""
        release(self._files)

    @cached_property
    def _files(self) -> list[mmap.mmap]:
        """What arrays lie in: a part is released after every request, whatever the number of its columns."""
        exact = self.exact
        return mapped_files([*self.values, *self.codes, *self.low, exact.weight, exact.codes, exact.high, exact.low])


def coarse_codes(values: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """The number of cuts below each value (float64 or float32), uint16, shape (n,); :data:`MISSING_CODE` for NaN.

    Parameters
    ----------
    values : float64 or float32, shape (n,)
    cuts : float64
        Ascending, at most :data:`MOST_CUTS`.

    Examples
    --------
    >>> import numpy as np
    >>> coarse_codes(np.array([0.5, 1.0, 1.5, np.nan]), np.array([1.0])).tolist()
    [0, 0, 1, 65535]
    """
    return _kernel.coarse_codes(np.ascontiguousarray(values), np.ascontiguousarray(cuts))


def as_pairs(values: np.ndarray, low: np.ndarray | None) -> np.ndarray:
    """Values as they are ordered: with low parts, if there are any, as complex numbers, which are ordered as pairs."""
    return values if low is None or not len(low) else values + 1j * low


def pair_codes(values: np.ndarray, low: np.ndarray | None, cuts: np.ndarray, cuts_low: np.ndarray) -> np.ndarray:
    """As :func:`coarse_codes`; values and cuts may have low parts, and cuts of one value rise by these."""
    if low is None and not cuts_low.any():
        return coarse_codes(values, cuts)
    codes = np.searchsorted(as_pairs(cuts, cuts_low), as_pairs(values, low)).astype(np.uint16)
    return np.where(np.isnan(values), np.uint16(MISSING_CODE), codes)
