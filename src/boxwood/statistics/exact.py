"""y and weights as whole numbers, so that sums are exact and the same in any order: same data, same tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._fast_record import record
from .fixed_point import HIGH_BITS, LOW_BITS, MeanScale, Reach, logs_of, weight_scale

#: Fields of the terms of a row that are added up, and of their scales.
_TERMS, _SCALES = ("high", "low", "log"), ("scale", "low_scale", "log_scale")

#: Kinds of columns (those of features) and their values, shape (n,) each.
Content = list[tuple[str, np.ndarray]]


@dataclass(frozen=True)
class Exact:
    """The response of n rows of positive weight, in fixed point.

    Attributes
    ----------
    kind : str
        Of the response, see :mod:`boxwood.statistics.responses`.
    weight : int64, shape (n,) or None
        Weight of a row is ``weight * unit``; None = 1 for every row.
    unit : float
        A power of two, so that scaling never rounds; or the common measure of weights that are whole multiples of it.
    codes : int32, shape (n,), or None
        classes: class number of each row.
    high, low : int64, shape (n,), or None
        mean: y = center + (high + low * 2**-LOW_BITS) * scale.
        Other numbers: the first and the second term of each row over scale and low_scale (both whole numbers).
    log : int64, shape (n,), or None
        The third term over log_scale.
    y : float64, shape (n,), or None
        The target itself, where nodes predict one of its values.
    center, scale, low_scale, log_scale : float
        Powers of two, but for center.
    parts : tuple of Exact
        Of several responses: each.
    """

    kind: str
    n: int
    weight: np.ndarray | None = None
    unit: float = 1.0
    codes: np.ndarray | None = None
    high: np.ndarray | None = None
    low: np.ndarray | None = None
    log: np.ndarray | None = None
    y: np.ndarray | None = None
    center: float = 0.0
    scale: float = 1.0
    low_scale: float = 1.0
    log_scale: float = 1.0
    parts: tuple[Exact, ...] = ()

    def values(self) -> np.ndarray:
        """The target itself, float64, shape (n,); only for kind "mean"."""
        return self.center + (self.high + self.low * 2.0**-LOW_BITS) * self.scale

    @property
    def terms(self) -> list[tuple[np.ndarray, float]]:
        """What a row adds besides its weight, as whole numbers with their scales; not for classes and means."""
        terms = ((self.high, self.scale), (self.low, self.low_scale), (self.log, self.log_scale))
        return [(term, scale) for term, scale in terms if term is not None]

    def take(self, rows: np.ndarray) -> Exact:
        """The same fixed point for some rows (positions or mask)."""
        pick = lambda a: None if a is None else np.ascontiguousarray(a[rows])  # noqa: E731
        n = int(np.count_nonzero(rows)) if rows.dtype == bool else len(rows)
        return Exact(
            self.kind, n, pick(self.weight), self.unit, pick(self.codes), pick(self.high), pick(self.low),
            pick(self.log), pick(self.y), self.center, self.scale, self.low_scale, self.log_scale,
            tuple(part.take(rows) for part in self.parts),
        )  # fmt: skip


def exact_weights(weight: np.ndarray | None, most_bits: int = 40) -> tuple[np.ndarray | None, float]:
    """Positive weights as whole multiples of a unit; None when all are 1.

    Whole weights up to 2**40 are exact with unit 1, so a weight of 3 is the same as a row three times. Weights that
    are whole multiples of some number (0.3, 0.6, 0.9 ...) become these whole numbers, so the unit of weights changes
    nothing. Others are kept to 2**-most_bits of the largest, in a unit that is a power of two (fewer bits when
    the sum would not fit 62 bits); a positive weight never becomes 0.
    """
    if weight is None:
        return None, 1.0
    scale = weight_scale(weight, most_bits)
    return scale.whole(weight), scale.unit


def exact_classes(codes: np.ndarray, weight: np.ndarray | None) -> Exact:
    """Class numbers (int32, shape (n,)) with weights (float64 or None)."""
    whole, unit = exact_weights(weight, most_bits=53)
    codes = np.ascontiguousarray(codes, dtype=np.int32)
    return record(Exact, kind="classes", n=len(codes), weight=whole, unit=unit, codes=codes)


def exact_mean(y: np.ndarray, weight: np.ndarray | None, keeps_y: bool = False) -> Exact:
    """A finite float64 target, shape (n,), about a center that makes steps on a large offset exact."""
    whole, unit = exact_weights(weight)
    mean = MeanScale.of(float(y.min()), float(y.max()))
    high, low = mean.whole(y)
    kept = np.ascontiguousarray(y, dtype=np.float64) if keeps_y else None
    return Exact("mean", len(y), whole, unit, high=high, low=low, y=kept, center=mean.center, scale=mean.scale)


def exact_terms(kind: str, terms: Sequence[np.ndarray], weight: np.ndarray | None, bits: int = HIGH_BITS) -> Exact:
    """Up to three terms of each row, float64, shape (n,), whose weighted sums are moments, in fixed point.

    ``bits``: of all terms but the first.
    """
    whole, unit = exact_weights(weight)
    scales = [Reach.of(term).scale_of(bits if i else HIGH_BITS) for i, term in enumerate(terms)]
    arrays = [np.rint(term / scale).astype(np.int64) for term, scale in zip(terms, scales, strict=True)]
    return Exact(
        kind, len(terms[0]), whole, unit, **dict(zip(_TERMS, arrays, strict=False)),
        **dict(zip(_SCALES, scales, strict=False)),
    )  # fmt: skip


def exact_rate(exposure: np.ndarray, events: np.ndarray, weight: np.ndarray | None) -> Exact:
    """Exposure t > 0 and events d >= 0, float64, shape (n,): weighted sums of t, d and d ln(d/t) in fixed point."""
    return exact_terms("rate", (exposure, events, logs_of(exposure, events)), weight)
