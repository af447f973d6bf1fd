"""The response in the reference source: sums as whole numbers, and decrease, moments and means from them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from boxwood.statistics.class_measures import of_shares
from boxwood.statistics.exact import LOW_BITS, Exact
from boxwood.statistics.responses.registry import CLASSES, MEAN
from boxwood.statistics.responses.response import Response

NodeRows = Sequence[int]


class Tally:
    """Sums over rows of the response, never rounded, and what the criterion makes of them.

    Weights are the whole numbers of ``Exact.weight``. A decrease is in these weights times: 1 for classes,
    ``Exact.scale**2`` for means, 1 for rates.

    Parameters
    ----------
    response : Response
    exact : Exact
        Rows of positive weight.
    measure : str
        As in ``ImpurityDecrease.measure``; only classes have a choice.
    """

    #: Whether the best set of levels is a cut of their order by mean.
    orders_levels = True

    def __init__(self, response: Response, exact: Exact, measure: str):
        self.kind, self._measure, self._power = response.kind, measure, response.for_kernel()["power"]
        self._exact = exact
        self._weight = [1] * exact.n if exact.weight is None else exact.weight.tolist()
        pick = (exact.codes,) if response.kind == CLASSES else (exact.high, exact.low)
        self._y = list(zip(*(a.tolist() for a in pick), strict=True))
        self._logs = [] if exact.log is None else exact.log.tolist()
        self.n_classes = len(response.labels)
        self._part = 0  # the half of y in which the rows of the node differ; is_pure finds it
        self._factors = [Fraction(f) for f in response.search_factors]

    def weight(self, rows: NodeRows) -> int:
        """Sum of whole weights, without factors."""
        return sum(self._weight[r] for r in rows)

    def _class_sums(self, rows: NodeRows) -> list[int]:
        sums = [0] * self.n_classes
        for r in rows:
            sums[self._y[r][0]] += self._weight[r]
        return sums

    def _masses(self, rows: NodeRows) -> list[Fraction]:
        """Class weights with priors and costs in them (docs/rpart.md)."""
        return [f * n for f, n in zip(self._factors, self._class_sums(rows), strict=True)]

    def _sum(self, rows: NodeRows, part: int) -> int:
        """Weighted sum of the high (0) or low (1) half of y; of exposure (0) or events (1) for rates."""
        return sum(self._weight[r] * self._y[r][part] for r in rows)

    def decrease(self, parts: Sequence[NodeRows]) -> float:
        """Impurity taken away by cutting the union of ``parts`` (none of them empty) into ``parts``; never negative."""
        whole = [r for part in parts for r in part]
        if self.kind == CLASSES:
            return _class_decrease([self._masses(p) for p in parts], self._masses(whole), self._measure)
        if self.kind == MEAN:
            squares = [Fraction(self._sum(rows, self._part) ** 2, self.weight(rows)) for rows in (*parts, whole)]
            return float((sum(squares[:-1]) - squares[-1]) / _unit(self._part) ** 2)
        rate = self._rate(whole)
        gain = sum(_psi(self._sum(p, 1), self._sum(p, 0), rate, self._power) for p in parts)
        return max(0.0, 2.0 * gain * self._deviance_unit(rate))

    def impurity(self, rows: NodeRows) -> float:
        """Impurity of a node, total, in the units of ``decrease``."""
        if self.kind == CLASSES:
            return _class_impurity(self._masses(rows), self._measure)
        if self.kind == MEAN:
            return float(self._squares(rows))
        rate = self._rate(rows)
        terms = [self._weight[r] * _psi(self._y[r][1], self._y[r][0], rate, self._power) for r in rows]
        return max(0.0, 2.0 * math.fsum(terms) * self._deviance_unit(rate))

    def is_pure(self, rows: NodeRows) -> bool:
        """Whether y is the same in all rows, so that no split can help."""
        if self.kind == CLASSES:
            return len({self._y[r] for r in rows}) < 2
        if self.kind == MEAN:
            self._part = self._part_of(rows)
            return len({self._y[r] for r in rows}) < 2
        exposure, events = self._y[rows[0]]
        same_rate = all(d * exposure == events * t for t, d in (self._y[r] for r in rows))
        return same_rate or self.impurity(rows) <= self._noise(rows)

    def scale(self, rows: NodeRows) -> float:
        """What a decrease is divided by to become a score: mass of the node for classes, else its impurity."""
        return float(sum(self._masses(rows))) if self.kind == CLASSES else self.impurity(rows)

    def impurity_share(self, rows: NodeRows) -> float:
        """Impurity of the node in units of score; 1 for means and rates."""
        return self.impurity(rows) / self.scale(rows)

    def per_weight(self, decrease: float, rows: NodeRows) -> float:
        """Decrease in units of y per unit of plain weight of ``rows``."""
        share = decrease / self.weight(rows)
        return share * self._exact.scale * self._exact.scale if self.kind == MEAN else share

    def mean(self, rows: NodeRows) -> Fraction:
        """Mean class number, mean or rate, for ordering only: with two classes the share of the second."""
        if self.kind == CLASSES:
            masses = self._masses(rows)
            return sum(k * m for k, m in enumerate(masses)) / sum(masses)
        return Fraction(self._sum(rows, self._part), self.weight(rows)) if self.kind == MEAN else self._rate(rows)

    @property
    def has_limits(self) -> bool:
        """Whether limits of means count in the node: not where the low half of y alone tells its rows apart."""
        return self._part == 0

    def noted_mean(self, rows: NodeRows) -> Fraction:
        """The mean as the moments of a node hold it: of both halves of y, rounded where it is far from 0."""
        if self.kind != MEAN:
            return self.mean(rows)
        weight, mean, _ = self.moments(rows)
        return (Fraction(weight * mean / weight) - Fraction(self._exact.center)) / Fraction(self._exact.scale)

    def excess(self, rows: NodeRows, to: Fraction) -> float:
        """How much more a group loses by another mean than its own, in the units of ``decrease``."""
        if self.kind == MEAN:
            return float(self.weight(rows) * (self.mean(rows) - to) ** 2)
        if self.kind == CLASSES:
            first, second = self._masses(rows)
            costs = _cost(self._measure, 1 - to), _cost(self._measure, to)
            return float(first) * costs[0] + float(second) * costs[1] - self.impurity(rows)
        if to == 0:
            return math.inf
        exposure, events = self._sum(rows, 0), self._sum(rows, 1)
        tangent = float(events - exposure * to) if self._power == 1.0 else 0.0
        return 2.0 * (_psi(events, exposure, to, self._power) - tangent) * self._deviance_unit(to)

    def _rate(self, rows: NodeRows) -> Fraction:
        """Events per exposure, both in their whole units."""
        return Fraction(self._sum(rows, 1), self._sum(rows, 0))

    def _deviance_unit(self, rate: Fraction) -> float:
        """What a deviance of expected events is multiplied with, about a rate in whole units."""
        e = self._exact
        return e.low_scale * (float(rate) * e.low_scale / e.scale) ** (1.0 - self._power) if rate > 0 else 1.0

    def _noise(self, rows: NodeRows) -> float:
        """A deviance up to this is rounding."""
        if self._power == 1.0:
            return 0.0
        expected = float(self._sum(rows, 1)) * self._deviance_unit(self._rate(rows))
        return 1e-12 * (expected if self._power == 2.0 else expected / abs((1.0 - self._power) * (2.0 - self._power)))

    def shares(self, rows: NodeRows) -> tuple[float, np.ndarray]:
        """Mass of some rows and the share of each class in it, shape (K,)."""
        masses = self._masses(rows)
        return float(sum(masses)), np.array([float(m / sum(masses)) for m in masses])

    def _squares(self, rows: NodeRows) -> Fraction:
        """Sum of w (y - mean)^2 in the half of y in which the rows differ, in units of ``scale**2``."""
        part = self._part_of(rows)
        second = sum(self._weight[r] * self._y[r][part] ** 2 for r in rows)
        return (second - Fraction(self._sum(rows, part) ** 2, self.weight(rows))) / _unit(part) ** 2

    def _part_of(self, rows: NodeRows) -> int:
        """0, the high half of y, unless it is the same in all rows of the node; then 1, the low half."""
        return int(len({self._y[r][0] for r in rows}) == 1)

    def moments(self, rows: NodeRows) -> list[float]:
        """Moments of a node as Response.kind describes them, each rounded once."""
        e, weight = self._exact, self.weight(rows)
        if self.kind == CLASSES:
            return [n * e.unit for n in self._class_sums(rows)]
        if self.kind == MEAN:
            low = self._sum(rows, 0) + Fraction(self._sum(rows, 1), 2**LOW_BITS)
            mean = float(Fraction(e.center) + low / weight * Fraction(e.scale))
            return [weight * e.unit, mean, float(self._squares(rows)) * e.unit * e.scale * e.scale]
        logs = sum(self._weight[r] * self._logs[r] for r in rows)
        sums = self._sum(rows, 0) * e.scale, self._sum(rows, 1) * e.low_scale, logs * e.log_scale
        return [weight * e.unit, *(s * e.unit for s in sums)]


def _unit(part: int) -> int:
    """Steps of a half of y in one step of the high half."""
    return 2**LOW_BITS if part else 1


def _class_decrease(parts: list[list[Fraction]], whole: list[Fraction], measure: str) -> float:
    """Decrease of a measure when class masses ``whole`` fall into ``parts`` (docs/measures.md)."""
    if measure == "gini":  # the impurities' difference, in which n cancels
        return float(sum(_square_share(p) for p in parts) - _square_share(whole))
    if measure == "error":
        return float(sum(max(p) for p in parts) - max(whole))
    return max(0.0, _class_impurity(whole, measure) - sum(_class_impurity(p, measure) for p in parts))


def _square_share(masses: list[Fraction]) -> Fraction:
    return sum(m * m for m in masses) / sum(masses)


def _class_impurity(masses: list[Fraction], measure: str) -> float:
    """Mass times impurity per unit of mass."""
    total = sum(masses)
    if measure == "gini":
        return float(total - _square_share(masses))
    if measure == "error":
        return float(total - max(masses))
    if measure == "entropy":
        return float(total) * -math.fsum(float(m / total) * math.log2(m / total) for m in masses if m > 0)
    return float(total) * float(of_shares(measure)(np.array([float(m / total) for m in masses])))


def _cost(measure: str, share: Fraction) -> float:
    """What a row of one of two classes costs that is predicted by a share: on average least where it is its own."""
    if measure == "gini":
        return float(2 * (1 - share) ** 2)
    if measure == "error":
        return 0.5 if share == Fraction(1, 2) else float(share < Fraction(1, 2))
    if measure == "entropy":
        return -math.log2(share) if share > 0 else math.inf
    q, own = float(measure.removeprefix("tsallis:")), float(share)
    if q == 1.0:
        return -math.log(own) if own > 0 else math.inf
    if own == 0 and q < 1.0:
        return math.inf
    return (1.0 + (q - 1.0) * (own**q + (1.0 - own) ** q) - q * own ** (q - 1.0)) / (q - 1.0)


def _psi(events: int, exposure: int, rate: Fraction, power: float) -> float:
    """What a part adds to the deviance explained, over 2, by the events that the rate expects: no large terms cancel.

    Relative to the rate, psi(x) = x ln x (Poisson), -ln x (gamma) or (x^(2 - p) - 1) / ((1 - p) (2 - p)), the last two
    less their tangents at 1.
    """
    if power == 1.0:
        return events * math.log(Fraction(events, exposure) / rate) if events > 0 else 0.0
    if rate == 0:
        return 0.0
    off = float(Fraction(events, exposure) / rate - 1)
    log = math.log1p(off) if events > 0 else -math.inf
    left = 2.0 - power
    psi = off - log if power == 2.0 else (math.expm1(left * log) - left * off) / ((1.0 - power) * left)
    return float(exposure * rate) * psi
