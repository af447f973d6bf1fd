"""Columns as codes, and the table of one feature at one node: its values there with the sums of their samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..data.columns.columns import Columns
from ..data.columns.kinds.numeric import Numeric
from ..data.columns.schema import Feature
from .draft import Key

#: Code of a missing value.
UNKNOWN = -1


@dataclass(frozen=True, eq=False)
class CodedFeature:
    """One feature of a learning set.

    Attributes
    ----------
    feature : Feature
    codes : int64, shape (n,)
        Rank of a numeric value among the distinct ones, level code of others; -1 = missing.
    keys : tuple of Key
        Numeric: (value, low part) behind each rank.
    """

    feature: Feature
    codes: np.ndarray
    keys: tuple[Key, ...] = ()

    def cut(self, below: int, above: int, by_rank: bool, is_short: bool) -> Key:
        """The break between two neighbouring codes of a node."""
        if by_rank:
            return Numeric().cut_between((float(below), 0.0), (float(above), 0.0))
        a, b = (self.keys[code] if self.keys else (code, 0.0) for code in (below, above))
        return self.feature.type.cut_between(a, b, is_short)

    def apart(self, codes: np.ndarray, tolerance: float) -> np.ndarray:
        """Whether neighbours among rising codes may be cut apart, bool, shape (len(codes) - 1,)."""
        if tolerance == 0.0 or not self.keys:
            return np.ones(max(len(codes) - 1, 0), dtype=bool)
        values = np.array([self.keys[code][0] for code in codes.tolist()])
        return values[:-1] < values[1:] - tolerance

    def data_cut(self, cut: Key, known: Sequence[int], by_rank: bool) -> Key:
        """The largest value of the learning set (codes ``known``, rising) that is not above a cut."""
        values = [(float(code), 0.0) if by_rank else self.keys[code] for code in known]
        return max(value for value in values if value <= cut)


def coded(columns: Columns, j: int) -> CodedFeature:
    """Feature ``j`` as codes."""
    feature = columns.schema[j]
    return CodedFeature(feature, *feature.type.coded(columns.values[j], columns.low[j]))


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """The AVC set: values of one feature that occur in a node, and the sums of their samples.

    Attributes
    ----------
    codes : int64, shape (V,)
        Rising.
    sums : shape (V, S)
        Of the samples with each value, see Addends.
    rows : int64, shape (V,)
        Number of samples with each value.
    unknown : shape (S,)
        Sums of the samples whose value is missing.
    n_unknown : int
        Their number.
    """

    codes: np.ndarray
    sums: np.ndarray
    rows: np.ndarray
    unknown: np.ndarray
    n_unknown: int

    @property
    def known(self) -> np.ndarray:
        """Sums of the samples whose value is known, shape (S,)."""
        return self.sums.sum(axis=0)


def tabulate(codes: np.ndarray, parts: np.ndarray) -> FeatureTable:
    """The table of the samples of a node: their codes, shape (n,), and what they add, shape (n, S)."""
    order = np.argsort(codes, kind="stable")
    n_unknown = int(np.count_nonzero(codes == UNKNOWN))
    unknown = parts[order[:n_unknown]].sum(axis=0)
    order = order[n_unknown:]
    present, first = np.unique(codes[order], return_index=True)
    rows = np.diff(np.append(first, len(order)))
    sums = np.add.reduceat(parts[order], first, axis=0) if len(first) else parts[:0]
    return FeatureTable(present, sums, rows, unknown, n_unknown)
