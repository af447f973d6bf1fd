"""Numbers by their quantiles: a node predicts the median, or quantiles of given shares, measured by distances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ..class_measures import measure_name
from ..exact import Exact, exact_mean
from ..quantile import Quantile
from .addends import Addends
from .means import check_spread
from .response import NEGATIVE, Response

#: Sums of weights this near to a share of all of them, in units of all, are that share (kernel/response/quantiles.hpp).
_SLACK = 1e-12


@dataclass(frozen=True)
class Quantiles(Response):
    """Numbers; moments are (sum w, the quantile of each share, sum w loss about the first of them).

    They do not add up: moments of a node are found from its rows.

    Attributes
    ----------
    name : str
    levels : tuple of float
        The shares; the first is that of the loss.
    """

    kind = "quantile"
    measures = ("quantile",)
    losses = MappingProxyType({"pinball": "mean pinball loss"})
    risks = MappingProxyType({"quantile": "quantile", "pinball": "quantile"})
    in_kernel = True
    adds_up = False
    has_interval = False
    least = -np.inf
    predicts = "quantile of"
    moment_names = ("weight", "quantile")
    spread_words = "quantile ± mean loss"

    name: str = "y"
    levels: tuple[float, ...] = (0.5,)

    def __post_init__(self) -> None:
        object.__setattr__(self, "levels", Quantile(tuple(self.levels)).levels)

    @classmethod
    def from_settings(cls, name: str, settings: Mapping) -> Response:
        shares = measure_name(settings["criterion"]).partition(":")[2]
        return cls(name, tuple(map(float, shares.split(","))))

    def fits(self, measure: str | None) -> bool:
        return super().fits(measure) or measure == str(Quantile(self.levels))

    @property
    def value_name(self) -> str:
        return f"{self.levels[0]:g} quantile"

    @property
    def of_name(self) -> str:
        return self.value_name

    @property
    def further(self) -> tuple[str, ...]:
        """The quantiles in per cent: "q90", "q97.5"."""
        return tuple(f"q{100 * level:.10g}" for level in self.levels[1:])

    @property
    def level(self) -> float:
        return self.levels[0]

    @property
    def sides(self) -> tuple[float, float]:
        """What distances of rows above and below the quantile count."""
        return self.levels[0], 1.0 - self.levels[0]

    # Rows.

    def check(self, y: np.ndarray) -> None:
        check_spread(y)

    @property
    def width(self) -> int:
        return 2 + len(self.levels)

    def exact(self, y: np.ndarray, weight: np.ndarray | None, exposure: np.ndarray | None) -> Exact:
        return exact_mean(y, weight, keeps_y=True)

    def for_kernel(self) -> dict:
        above, below = self.sides
        levels = np.array(self.levels)
        return {"kind": Quantiles.kind, "power": 1.0, "levels": levels, "n_levels": len(levels), "above": above,
                "below": below}  # fmt: skip

    def rows_for_kernel(self, exact: Exact) -> dict:
        return {"values": exact.y}

    def as_columns(self, exact: Exact) -> list[np.ndarray]:
        return [exact.y]

    def truth(self, exact: Exact) -> np.ndarray:
        return exact.y

    def addends(self, exact: Exact, unit: float, rows: np.ndarray, weight: np.ndarray) -> Addends:
        self.need_sums("This tree")

    def node_moments(self, exact: Exact, unit: float, rows: np.ndarray, weight: np.ndarray) -> np.ndarray:
        return self.moments_of(exact.y[rows], weight) * [unit, *[1.0] * len(self.levels), unit]

    def all_equal(self, exact: Exact, rows: np.ndarray) -> bool:
        return bool((exact.y[rows] == exact.y[rows[0]]).all())

    # Moments of nodes.

    def moments_of(self, y: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
        """Moments of a node with these rows, shape (M,); weights of None are 1."""
        if not len(y):
            return np.zeros(self.width)
        order = np.argsort(y, kind="stable")
        weight = np.ones(len(y), dtype=np.int64) if weight is None else weight[order]
        y, up_to = y[order], np.cumsum(weight).astype(np.float64)
        found = np.array([_quantile(y, up_to, level) for level in self.levels])
        return np.concatenate(([up_to[-1]], found, [float(weight @ self.row_losses(y, found[0]))]))

    def amounts(self, moments: np.ndarray, target: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        return moments[..., 0] * moments[..., 1], moments[..., 0]

    def union(self, parts: np.ndarray) -> np.ndarray:
        self.need_sums("Merging nodes")

    def rest(self, whole: np.ndarray, parts: np.ndarray) -> np.ndarray:
        left = np.maximum(whole - parts.sum(axis=0), 0.0)
        return np.concatenate((left[:1], whole[1:-1], left[-1:]))

    def is_mixed(self, moments: np.ndarray) -> np.ndarray:
        return moments[:, -1] > 0

    def value(self, moments: np.ndarray) -> np.ndarray:
        return moments[:, 1]

    def further_of(self, moments: np.ndarray) -> np.ndarray:
        return moments[:, 2:-1]

    def deviance(self, moments: np.ndarray) -> np.ndarray:
        return moments[:, -1]

    def spread(self, moments: np.ndarray) -> np.ndarray:
        """Mean distance from the quantile, weighed; shape (T,)."""
        return moments[:, -1] / np.maximum(moments[:, 0], 1e-300)

    def row_losses(self, y: np.ndarray, predicted: np.ndarray) -> np.ndarray:
        above, below = self.sides
        off = y - predicted
        return np.where(off > 0, above * off, -below * off)

    def check_moments(self, moments: np.ndarray, empty: np.ndarray) -> Iterator[tuple[np.ndarray, str]]:
        yield moments[:, 0] < 0, NEGATIVE
        yield moments[:, -1] < 0, "a loss is negative"
        rising = moments[:, 1:-1][:, np.argsort(self.levels)]
        yield (np.diff(rising, axis=1) < 0).any(axis=1) & ~empty, "quantiles must not cross"


@dataclass(frozen=True)
class Medians(Quantiles):
    """Numbers about their median; moments are (sum w, median, sum w |y - median|)."""

    kind = "median"
    measures = ("absolute_error",)
    losses = MappingProxyType({"absolute_error": "mean absolute error"})
    risks = MappingProxyType({"absolute_error": "absolute_error"})
    predicts = "median of"
    moment_names = ("weight", "median")
    spread_words = "median ± mean distance"
    value_name = "median"
    of_name = "median"
    sides = (1.0, 1.0)

    name: str = "y"
    levels: tuple[float, ...] = (0.5,)

    @classmethod
    def from_settings(cls, name: str, settings: Mapping) -> Response:
        return cls(name)


def _quantile(y: np.ndarray, up_to: np.ndarray, level: float) -> float:
    """The quantile of sorted y, of which those up to each have so much weight."""
    share, slack = level * up_to[-1], _SLACK * up_to[-1]
    k = min(int(np.searchsorted(up_to, share - slack)), len(y) - 1)
    halfway = k + 1 < len(y) and up_to[k] <= share + slack
    return float(y[k] / 2 + y[k + 1] / 2) if halfway else float(y[k])
