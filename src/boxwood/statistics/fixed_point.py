"""The fixed point of a response: what must be known of all values, and how values become whole numbers.

What must be known is small and merges: parts of the data are looked at one by one, in any order, and give the same
fixed point as the whole.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .exact_sums import SHIFT, exact_sums

#: Bits of the coarse part of a centred target, and of the low part below it.
HIGH_BITS, LOW_BITS = 40, 30
#: Bits of amounts whose logarithms count, so that small ones beside large ones keep many digits.
AMOUNT_BITS = 62
#: Values worked on at a time: few enough for the cache.
_AT_ONCE = 1 << 14
#: So many weights suffice to exclude most units.
_HEAD = 1024


@dataclass(frozen=True)
class WeightSummary:
    """What is known of some positive weights.

    Attributes
    ----------
    least, most : float
    ones, whole : bool
        Whether all are 1, all whole numbers.
    """

    least: float
    most: float
    ones: bool
    whole: bool

    @classmethod
    def of(cls, weight: np.ndarray) -> WeightSummary:
        """Of at least one weight, float64, shape (n,)."""
        least, most = float(weight.min()), float(weight.max())
        ones = least == most == 1.0
        return cls(least, most, ones, ones or bool(np.all(weight == np.floor(weight))))

    def merged(self, other: WeightSummary) -> WeightSummary:
        """Of both sets of weights."""
        return WeightSummary(
            min(self.least, other.least), max(self.most, other.most), self.ones and other.ones,
            self.whole and other.whole,
        )  # fmt: skip

    @property
    def unit_known(self) -> WeightScale | None:
        """The scale, where the extremes and these two flags determine it; else None."""
        if self.ones:
            return WeightScale(ones=True)
        return WeightScale() if self.whole and self.most <= 2.0**40 else None

    @property
    def candidates(self) -> list[float]:
        """Numbers of which all weights may be whole multiples: the least weight, and small parts of it."""
        found = []
        for part in range(1, 13):
            unit = self.least / part
            if unit == 0.0 or not self.most / unit <= 2.0**20:
                break
            found.append(unit)
        return found

    def by_bits(self, total: int, most_bits: int) -> WeightScale:
        """The scale that keeps 2**-most_bits of the largest weight, fewer when the exact sum would not fit 62 bits."""
        numerator, denominator = self.most.as_integer_ratio()
        ratio = (total * denominator) / (numerator << SHIFT)
        bits = min(most_bits, 61 - math.ceil(math.log2(max(ratio, 1.0))))
        return WeightScale(2.0 ** (math.frexp(self.most)[1] - bits), rounds=True)


def multiples(weight: np.ndarray, units: Sequence[float]) -> list[bool]:
    """Whether all weights are whole multiples of each unit, up to rounding."""
    return [is_multiple(weight, unit) for unit in units]


def is_multiple(weight: np.ndarray, unit: float) -> bool:
    """Whether all weights are whole multiples of a unit, up to rounding; the first exclude most units."""
    if len(weight) > 2 * _HEAD and not is_multiple(weight[:_HEAD], unit):
        return False
    times = weight / unit
    return bool(np.all(np.abs(times - np.rint(times)) <= 1e-12 * times))


@dataclass(frozen=True)
class WeightScale:
    """How weights become whole numbers.

    Attributes
    ----------
    unit : float
    rounds : bool
        Weights are not multiples of the unit; a positive weight never becomes 0.
    ones : bool
        All weights are 1 and need not be kept.
    """

    unit: float = 1.0
    rounds: bool = False
    ones: bool = False

    def whole(self, weight: np.ndarray) -> np.ndarray | None:
        """Weights as int64; None when all are 1."""
        if self.ones:
            return None
        if self.rounds:
            return np.maximum(np.rint(weight / self.unit), 1.0).astype(np.int64)
        return weight.astype(np.int64) if self.unit == 1.0 else np.rint(weight / self.unit).astype(np.int64)


def weight_scale(weight: np.ndarray, most_bits: int) -> WeightScale:
    """The scale of weights in memory."""
    summary = WeightSummary.of(weight)
    if summary.unit_known is not None:
        return summary.unit_known
    for unit in summary.candidates:
        if is_multiple(weight, unit):
            return WeightScale(unit)
    return summary.by_bits(exact_sums(weight)[0], most_bits)


@dataclass(frozen=True)
class MeanScale:
    """How a numeric target becomes whole numbers: y = center + (high + low * 2**-LOW_BITS) * scale."""

    power: ClassVar[None] = None

    center: float
    scale: float

    @classmethod
    def of(cls, low_end: float, high_end: float) -> MeanScale:
        """From the least and the largest value, both finite."""
        center = _center(low_end, high_end)
        largest = max(abs(low_end - center), abs(high_end - center))
        return cls(center, 2.0 ** max(math.frexp(largest)[1] - HIGH_BITS, -1022) if largest > 0 else 1.0)

    def whole(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """High and low, both int64, shape (n,)."""
        high, low = np.empty(len(y), dtype=np.int64), np.empty(len(y), dtype=np.int64)
        for first in range(0, len(y), _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            scaled = (np.asarray(y[part], dtype=np.float64) - self.center) / self.scale
            whole = np.rint(scaled)
            high[part], low[part] = whole, np.rint((scaled - whole) * 2.0**LOW_BITS)
        return high, low

    @property
    def scales(self) -> dict[str, float]:
        """The same as fields of :class:`boxwood.statistics.exact.Exact`."""
        return {"center": self.center, "scale": self.scale}

    def arrays(self, y: np.ndarray) -> dict[str, np.ndarray]:
        """Whole numbers, by field of the same."""
        return dict(zip(("high", "low"), self.whole(y), strict=True))


@dataclass(frozen=True)
class Reach:
    """What is known of some numbers that become whole multiples of a power of two.

    Attributes
    ----------
    top : float
        The largest amount.
    whole : bool
        Whether all are whole numbers.
    """

    top: float = 0.0
    whole: bool = True

    @classmethod
    def of(cls, x: np.ndarray) -> Reach:
        """Of finite numbers, shape (n,), perhaps none."""
        return cls(float(np.abs(x).max(initial=0.0)), bool(np.all(x == np.floor(x))))

    def merged(self, other: Reach) -> Reach:
        """Of both."""
        return Reach(max(self.top, other.top), self.whole and other.whole)

    @property
    def scale(self) -> float:
        """The power of two that leaves HIGH_BITS bits; whole numbers keep the unit 1."""
        return self.scale_of(HIGH_BITS)

    def scale_of(self, bits: int) -> float:
        """The power of two that leaves so many bits; whole numbers of up to HIGH_BITS bits keep the unit 1."""
        if self.top <= 2.0**HIGH_BITS and self.whole:
            return 1.0
        return 2.0 ** (math.frexp(self.top)[1] - bits)


#: Of no numbers.
NOTHING = Reach()


@dataclass(frozen=True)
class RateScale:
    """How exposure t, events d and t psi(d / t) become whole numbers: each is a multiple of its scale.

    ``power``: of the deviance, see :func:`rate_terms`.
    """

    exposure: float
    events: float
    log: float
    power: float = 1.0

    @classmethod
    def of(cls, reaches: Sequence[Reach], power: float) -> RateScale:
        """From what is known of the terms of all rows."""
        bits = HIGH_BITS if power == 1.0 else AMOUNT_BITS
        return cls(reaches[0].scale, *(reach.scale_of(bits) for reach in reaches[1:]), power)

    @property
    def scales(self) -> dict[str, float]:
        """The same as fields of :class:`boxwood.statistics.exact.Exact`."""
        return {"scale": self.exposure, "low_scale": self.events, "log_scale": self.log}

    def arrays(self, exposure: np.ndarray, events: np.ndarray) -> dict[str, np.ndarray]:
        """Whole numbers, by field of the same."""
        terms = rate_terms(exposure, events, self.power)
        whole = [term / scale for term, scale in zip(terms, (self.exposure, self.events, self.log), strict=True)]
        return {name: np.rint(term).astype(np.int64) for name, term in zip(("high", "low", "log"), whole, strict=True)}


def logs_of(exposure: np.ndarray, events: np.ndarray) -> np.ndarray:
    """d ln(d / t) of each row, 0 where there are no events."""
    return events * np.log(np.where(events > 0, events, 1.0) / exposure)


def rate_terms(exposure: np.ndarray, y: np.ndarray, power: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What a row of exposure e adds to the sums of a deviance of power p: t = e^(2 - p), t y / e and t psi(y / e).

    psi(y) is y ln y for p = 1 (Poisson), -ln y for p = 2 (gamma), and y^(2 - p) / ((1 - p) (2 - p)) between them.
    """
    if power == 1.0:
        return exposure, y, logs_of(exposure, y)
    time = exposure ** (2.0 - power)
    return time, y * exposure ** (1.0 - power), time * psi_of(y / exposure, power)


def psi_of(y: np.ndarray, power: float) -> np.ndarray:
    """psi of amounts y for a power above 1, see :func:`rate_terms`."""
    return -np.log(y) if power == 2.0 else y ** (2.0 - power) / ((1.0 - power) * (2.0 - power))


def target_scale_to_json(scale: MeanScale | RateScale | None) -> list | None:
    """How a numeric target or a rate becomes whole numbers, as plain values that lose no bit."""
    return None if scale is None else [type(scale).__name__, *(value.hex() for value in vars(scale).values())]


def target_scale_from_json(plain: list | None) -> MeanScale | RateScale | None:
    """The same back."""
    if plain is None:
        return None
    return {kind.__name__: kind for kind in (MeanScale, RateScale)}[plain[0]](*map(float.fromhex, plain[1:]))


def _center(low_end: float, high_end: float) -> float:
    """0 unless all values lie far from it; then a coarse multiple of a power of two, so y - center does not round."""
    largest = max(abs(low_end), abs(high_end))
    spread = high_end / 2 - low_end / 2
    if spread == 0.0:
        return low_end
    if largest <= 8 * spread:
        return 0.0
    grid = 2.0 ** math.frexp(2 * spread)[1]
    return round((low_end / 2 + high_end / 2) / grid) * grid
