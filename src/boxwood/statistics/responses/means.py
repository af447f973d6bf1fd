"""Numbers about their mean: a node predicts the mean, measured by the variance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

import numpy as np

from ..._messages import FromZero, Message, Row, Value, remedy
from ...data.frames.target import LARGEST, TINIEST
from ...errors import ResponseError
from ..exact import Exact, exact_mean
from ..fixed_point import LOW_BITS
from ..intervals import mean_interval
from .addends import Addends, bits, roomy
from .response import NEGATIVE, Response

#: Bits of the lower limb of a deviation: squares of both limbs, and their products, stay within 43 bits.
LIMB = 20
#: Means further from that of the root than this have squares beyond a float.
FARTHEST_MEAN = 1e150
#: Weight left by rounding where the parts of a node hold all its rows, as a share of the node's weight.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Means(Response):
    """Numbers; moments are (sum w, weighted mean, sum w (y - mean)^2)."""

    kind = "mean"
    measures = ("variance",)
    losses = MappingProxyType({"squared_error": "mean squared error"})
    risks = MappingProxyType({"variance": "variance", "squared_error": "variance"})
    in_kernel = True
    test = "f"
    least = -np.inf
    moment_names = ("weight", "mean", "squares")
    sections = ("variance", "f")

    name: str = "y"

    def check(self, y: np.ndarray) -> None:
        check_spread(y)

    def exact(self, y: np.ndarray, weight: np.ndarray | None, exposure: np.ndarray | None) -> Exact:
        return exact_mean(y, weight)

    def as_columns(self, exact: Exact) -> list[np.ndarray]:
        return [exact.values()]

    def truth(self, exact: Exact) -> np.ndarray:
        return exact.values()

    def addends(self, exact: Exact, unit: float, rows: np.ndarray, weight: np.ndarray) -> Addends:
        """Deviations from the node's mean in two limbs: no square overflows, no difference cancels."""
        part, step, offset = exact.high[rows], exact.scale, Fraction(0)
        if (part == part[0]).all():  # the values of the node differ only in the low part
            offset = Fraction(int(part[0])) * Fraction(exact.scale)
            part, step = exact.low[rows], exact.scale * 2.0**-LOW_BITS
        middle = _rounded_mean(part, weight)
        upper, lower = (part - middle) >> LIMB, (part - middle) & (2**LIMB - 1)
        w = roomy(weight, 2 * max(bits(upper), LIMB))
        addends = (w, w * upper, w * lower, w * upper * upper, w * upper * lower, w * lower * lower)
        center = float(Fraction(exact.center) + offset + middle * Fraction(step))

        def moments(sums: np.ndarray) -> np.ndarray:
            s = sums.astype(np.float64)
            w, first = s[..., 0], s[..., 1] * 2.0**LIMB + s[..., 2]
            mean = first / np.where(w > 0, w, 1.0)
            squares = s[..., 3] * 4.0**LIMB + s[..., 4] * 2.0 ** (LIMB + 1) + s[..., 5] - first * mean
            out = np.empty((*w.shape, 3))
            out[..., 0] = w * unit
            out[..., 1] = np.where(w > 0, center + mean * step, 0.0)
            out[..., 2] = np.maximum(squares, 0.0) * step * step * unit
            return out

        return Addends(np.column_stack(addends), moments)

    def node_moments(self, exact: Exact, unit: float, rows: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """Weight, mean and sum of squares about it, without any rounding before the last step."""
        if not len(rows):
            return np.zeros(self.width)
        w = weight.astype(object)
        total, high, low = w.sum(), (w * exact.high[rows]).sum(), (w * exact.low[rows]).sum()
        mean = Fraction(exact.center) + (high + Fraction(low, 2**LOW_BITS)) / total * Fraction(exact.scale)
        same = bool((exact.high[rows] == exact.high[rows[0]]).all())
        part = (exact.low if same else exact.high)[rows].astype(object)
        squares = (w * part * part).sum() - Fraction((w * part).sum() ** 2, total)
        unit_share = 4**LOW_BITS if same else 1
        return np.array([total * unit, float(mean), float(squares / unit_share) * unit * exact.scale * exact.scale])

    def all_equal(self, exact: Exact, rows: np.ndarray) -> bool:
        return all(bool((part[rows] == part[rows[0]]).all()) for part in (exact.high, exact.low))

    @staticmethod
    def joined_ends(ends: tuple[np.ndarray, np.ndarray], words: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        """Least and greatest of both limbs."""
        low, high = np.minimum(*ends), np.maximum(*ends)
        return np.where(np.arange(len(low)) % 2 == 0, low, high)

    def amounts(self, moments: np.ndarray, target: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        return moments[..., 0] * moments[..., 1], moments[..., 0]

    def union(self, parts: np.ndarray) -> np.ndarray:
        weight = parts[:, 0]
        mean = float(weight @ parts[:, 1]) / float(weight.sum())
        return np.array([weight.sum(), mean, parts[:, 2].sum() + weight @ (parts[:, 1] - mean) ** 2])

    def rest(self, whole: np.ndarray, parts: np.ndarray) -> np.ndarray:
        weight = whole[0] - parts[:, 0].sum()
        if weight <= _ROUNDING * whole[0]:
            return np.zeros(3)
        mean = whole[1] - (parts[:, 0] * (parts[:, 1] - whole[1])).sum() / weight
        about = parts[:, 2] + parts[:, 0] * (parts[:, 1] - whole[1]) ** 2
        squares = whole[2] - about.sum() - weight * (mean - whole[1]) ** 2
        return np.array([weight, mean, max(squares, 0.0)])

    def value(self, moments: np.ndarray) -> np.ndarray:
        return moments[:, 1]

    def interval(self, moments: np.ndarray, scale: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
        return mean_interval(moments * np.column_stack([scale, np.ones_like(scale), scale]), level)

    def spread(self, moments: np.ndarray) -> np.ndarray:
        return np.sqrt(np.maximum(moments[:, 2], 0.0) / np.maximum(moments[:, 0], 1e-300))

    def deviance(self, moments: np.ndarray) -> np.ndarray:
        return moments[:, 2]

    def row_losses(self, y: np.ndarray, predicted: np.ndarray) -> np.ndarray:
        return (y - predicted) ** 2

    def decrease(self, measure: str, children: np.ndarray, parent: np.ndarray) -> np.ndarray:
        """From sums of squares, because means may lie far from zero."""
        return np.maximum(parent[2] - children[..., 2].sum(axis=1), 0.0) / parent[0]

    def unit_of_scores(self, node: np.ndarray) -> float:
        return float(node[2] / node[0])

    def check_moments(self, moments: np.ndarray, empty: np.ndarray) -> Iterator[tuple[np.ndarray, str]]:
        yield moments[:, 0] < 0, NEGATIVE
        mean = moments[:, 1]
        far = ~empty & (np.abs(mean / 2 - mean[0] / 2) > FARTHEST_MEAN / 2)
        yield far, f"the mean is more than {FARTHEST_MEAN:g} away from that of the root"


def _rounded_mean(part: np.ndarray, weight: np.ndarray) -> int:
    """Weighted mean of whole numbers, rounded to one, from exact sums."""
    total = int(weight.sum())
    return (2 * int((weight.astype(object) * part).sum()) + total) // (2 * total)


def check_spread(y: np.ndarray) -> None:
    """Refuse numbers whose squares about their mean overflow or vanish in float64.

    Raises
    ------
    ResponseError
    """
    low, high = float(y.min()), float(y.max())

    def where() -> Message:
        row = int(np.argmax(np.abs(y)))
        return Message(" (", Row(row), FromZero(", counted from 0"), ", holds ", Value(y[row].item()), ")")

    check_range(low, high, where)


def check_range(low: float, high: float, where: Callable[[], str] = str) -> None:
    """Squares of y about its mean must neither overflow nor vanish in float64."""
    spread = high / 2 - low / 2
    if spread == 0.0 or TINIEST <= spread <= LARGEST:
        return
    raise ResponseError(
        f"y spreads too {'widely' if spread > LARGEST else 'little'} for its squares to fit a float: from {low!r} to "
        f"{high!r}", where(), "; ", remedy("rescale it, for example divide it by that"), ".",
    )  # fmt: skip
