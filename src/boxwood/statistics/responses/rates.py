"""Counts of events in exposure: a node predicts their rate, measured by the Poisson deviance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ...data.frames.target import check_counts
from ..fixed_point import logs_of
from ..intervals import rate_interval
from .response import Response


@dataclass(frozen=True)
class Rates(Response):
    """Counts d of events in exposures t; moments are (sum w, sum w t, sum w d, sum w d ln(d/t)).

    Attributes
    ----------
    name : str
    shrink : float
        rpart's shrinkage (coefficient of variation of the prior on rates); 0 = none.
    """

    kind = "rate"
    measures = ("poisson",)
    losses = MappingProxyType({"poisson": "mean Poisson deviance"})
    risks = MappingProxyType({"poisson": "poisson", "deviance": "poisson"})
    n_terms = 3
    takes_exposure = True
    in_kernel = True
    predicts = "events per exposure of"
    value_name = "rate"
    before_value = "rate "
    of_value = "a rate of "
    described = "a rate"
    evaluated = "counts"
    moment_names = ("weight", "exposure", "events")
    spread_words = "rate ± its standard error"

    name: str = "y"
    shrink: float = 0.0

    @classmethod
    def from_settings(cls, name: str, settings: Mapping) -> Rates:
        return cls(name, settings.get("shrink", 0.0))

    def check(self, y: np.ndarray) -> None:
        check_counts(y)

    def terms(self, y: np.ndarray, exposure: np.ndarray) -> tuple[np.ndarray, ...]:
        return exposure, y, logs_of(exposure, y)

    @staticmethod
    def joined_ends(ends: tuple[np.ndarray, np.ndarray], words: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        """First exposure and events of each node, and whether all its rows have one rate."""
        one, other = (end.reshape(-1, 3) for end in ends)
        rows = [each.reshape(len(one), -1)[:, 0] for each in words]
        first = np.where((rows[0] > 0)[:, None], one, other)
        crossed = [int(a[0]) * int(b[1]) == int(a[1]) * int(b[0]) for a, b in zip(one, other, strict=True)]
        both = (rows[0] > 0) & (rows[1] > 0)
        same = (one[:, 2] & other[:, 2]).astype(bool) & np.array(crossed, dtype=bool)
        first[:, 2] = np.where(both, same, first[:, 2])
        return first.ravel()

    def is_mixed(self, moments: np.ndarray) -> np.ndarray:
        return moments[:, 2] > 0  # so it is with equal and nearly equal rates; without events there is one rate

    def value(self, moments: np.ndarray) -> np.ndarray:
        """Events per exposure, shrunk towards the root's rate when ``shrink`` > 0 (docs/rpart.md)."""
        exposure, events = moments[:, 1], moments[:, 2]
        if self.shrink == 0.0:
            return events / exposure
        prior = 1.0 / self.shrink**2
        overall = events[0] / exposure[0]
        return (events + prior) / (exposure + prior / overall) if overall > 0 else np.zeros(len(moments))

    def place(self, moments: np.ndarray) -> np.ndarray:
        return moments[:, 2] / moments[:, 1]

    def interval(self, moments: np.ndarray, scale: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
        return rate_interval(moments[:, 2] * scale, moments[:, 1] * scale, level)

    def spread(self, moments: np.ndarray) -> np.ndarray:
        return np.sqrt(np.maximum(moments[:, 2], 0.0)) / np.maximum(moments[:, 1], 1e-300)

    def deviance(self, moments: np.ndarray) -> np.ndarray:
        """Poisson deviance 2 sum w (d ln(d / (rate t)) - (d - rate t)) of each node about its own rate."""
        exposure, events, d_log = moments[:, 1], moments[:, 2], moments[:, 3]
        rate = self.value(moments)
        logs = np.log(rate, out=np.zeros_like(rate), where=rate > 0)
        return 2.0 * np.maximum(d_log - events * logs - events + rate * exposure, 0.0)

    def row_losses(self, y: np.ndarray, predicted: np.ndarray) -> np.ndarray:
        exposure, events = y[:, 0], y[:, 1]
        expected = predicted * exposure
        with np.errstate(divide="ignore"):
            logs = np.log(np.where(events > 0, events, 1.0)) - np.log(np.where(events > 0, expected, 1.0))
        return 2.0 * np.where(events > 0, np.maximum(events * logs - (events - expected), 0.0), expected)

    def decrease(self, measure: str, children: np.ndarray, parent: np.ndarray) -> np.ndarray:
        """2 sum d ln(rate_c / rate) per unit of weight (docs/rpart.md)."""
        exposure, events = children[..., 1], children[..., 2]
        ratio = np.divide(events * parent[1], exposure * parent[2], out=np.ones_like(events), where=events > 0)
        return np.maximum(2.0 * (events * np.log(ratio)).sum(axis=1) / parent[0], 0.0)

    def unit_of_scores(self, node: np.ndarray) -> float:
        logs = node[2] * math.log(node[2] / node[1]) if node[2] > 0 else 0.0
        return float(2.0 * (node[3] - logs) / node[0])
