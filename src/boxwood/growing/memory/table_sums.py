"""What samples of whole weight add to a table, in whole numbers, and moments from such sums."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ...statistics.exact import LOW_BITS, Exact
from ...statistics.response import CLASSES, MEAN, RATE, Response

#: Bits of the lower limb of a deviation: squares of both limbs, and their products, stay within 43 bits.
LIMB = 20


@dataclass(frozen=True)
class Addends:
    """The samples of one node as addends.

    Attributes
    ----------
    parts : int64 or object array, shape (n, S)
        What each sample adds to the sums of whichever branch it takes.
    moments : callable
        Sums (..., S) -> moments (..., M) in float64, each rounded after the sum; zeros where there is no sample.
    """

    parts: np.ndarray
    moments: Callable[[np.ndarray], np.ndarray]


class Sums:
    """The response of the rows of a learning set, ready to be added up with any whole weights.

    Parameters
    ----------
    response : Response
    exact : Exact
        Of the n rows.
    unit : float
        What a whole weight of 1 stands for.
    """

    def __init__(self, response: Response, exact: Exact, unit: float):
        self._response, self._exact, self._unit = response, exact, unit

    def of(self, rows: np.ndarray, weight: np.ndarray) -> Addends:
        """Addends of some samples: rows (int64, shape (n,)) with their whole weights (int64, shape (n,))."""
        if self._response.kind == CLASSES:
            return self._classes(rows, weight)
        return self._means(rows, weight) if self._response.kind == MEAN else self._rates(rows, weight)

    def moments(self, rows: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """Moments of a node, shape (M,), each rounded once."""
        if not len(rows):
            return np.zeros(self._response.width)
        if self._response.kind == MEAN:
            return np.array(self._exact_mean(rows, weight))
        node = self.of(rows, weight)
        return node.moments(node.parts.sum(axis=0))

    def all_equal(self, rows: np.ndarray) -> bool:
        """Whether y is the same in all rows, so that no split can help."""
        if self._response.kind == RATE:
            exposure, events = self._exact.high[rows].astype(object), self._exact.low[rows].astype(object)
            return bool((events * exposure[0] == events[0] * exposure).all())
        parts = (self._exact.codes,) if self._response.kind == CLASSES else (self._exact.high, self._exact.low)
        return all(bool((part[rows] == part[rows[0]]).all()) for part in parts)

    def _classes(self, rows: np.ndarray, weight: np.ndarray) -> Addends:
        parts = np.zeros((len(rows), self._response.width), dtype=np.int64)
        parts[np.arange(len(rows)), self._exact.codes[rows]] = weight
        return Addends(parts, lambda sums: sums.astype(np.float64) * self._unit)

    def _rates(self, rows: np.ndarray, weight: np.ndarray) -> Addends:
        e = self._exact
        w = _roomy(weight, max(_bits(part[rows]) for part in (e.high, e.low, e.log)))
        parts = np.column_stack((w, w * e.high[rows], w * e.low[rows], w * e.log[rows]))
        units = np.array([1.0, e.scale, e.low_scale, e.log_scale]) * self._unit
        return Addends(parts, lambda sums: sums.astype(np.float64) * units)

    def _means(self, rows: np.ndarray, weight: np.ndarray) -> Addends:
        """Deviations from the node's mean in two limbs: no square overflows, no difference cancels."""
        e = self._exact
        part, step, offset = e.high[rows], e.scale, Fraction(0)
        if (part == part[0]).all():  # the values of the node differ only in the fine half
            offset = Fraction(int(part[0])) * Fraction(e.scale)
            part, step = e.low[rows], e.scale * 2.0**-LOW_BITS
        middle = _rounded_mean(part, weight)
        upper, lower = (part - middle) >> LIMB, (part - middle) & (2**LIMB - 1)
        w = _roomy(weight, 2 * max(_bits(upper), LIMB))
        addends = (w, w * upper, w * lower, w * upper * upper, w * upper * lower, w * lower * lower)
        center = float(Fraction(e.center) + offset + middle * Fraction(step))

        def moments(sums: np.ndarray) -> np.ndarray:
            s = sums.astype(np.float64)
            w, first = s[..., 0], s[..., 1] * 2.0**LIMB + s[..., 2]
            mean = first / np.where(w > 0, w, 1.0)
            squares = s[..., 3] * 4.0**LIMB + s[..., 4] * 2.0 ** (LIMB + 1) + s[..., 5] - first * mean
            out = np.empty((*w.shape, 3))
            out[..., 0] = w * self._unit
            out[..., 1] = np.where(w > 0, center + mean * step, 0.0)
            out[..., 2] = np.maximum(squares, 0.0) * step * step * self._unit
            return out

        return Addends(np.column_stack(addends), moments)

    def _exact_mean(self, rows: np.ndarray, weight: np.ndarray) -> list[float]:
        """Weight, mean and sum of squares about it, without any rounding before the last step."""
        e, w = self._exact, weight.astype(object)
        total, high, low = w.sum(), (w * e.high[rows]).sum(), (w * e.low[rows]).sum()
        mean = Fraction(e.center) + (high + Fraction(low, 2**LOW_BITS)) / total * Fraction(e.scale)
        same = bool((e.high[rows] == e.high[rows[0]]).all())
        part = (e.low if same else e.high)[rows].astype(object)
        squares = (w * part * part).sum() - Fraction((w * part).sum() ** 2, total)
        fine = 4**LOW_BITS if same else 1
        return [total * self._unit, float(mean), float(squares / fine) * self._unit * e.scale * e.scale]


def _bits(part: np.ndarray) -> int:
    """Bits of the largest of some whole numbers."""
    return int(np.abs(part).max(initial=0)).bit_length()


def _roomy(weight: np.ndarray, bits: int) -> np.ndarray:
    """The weights in a type in which sums of weights times factors of so many bits cannot overflow."""
    fits = int(weight.sum()).bit_length() + bits < 63
    return weight if fits else weight.astype(object)


def _rounded_mean(part: np.ndarray, weight: np.ndarray) -> int:
    """Weighted mean of whole numbers, rounded to one, from exact sums."""
    total = int(weight.sum())
    return (2 * int((weight.astype(object) * part).sum()) + total) // (2 * total)
