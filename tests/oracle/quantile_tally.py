"""The response of quantiles in the reference source: losses of rows, found anew from all of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from boxwood.statistics.exact import LOW_BITS, Exact
from boxwood.statistics.responses.quantiles import Quantiles
from oracle.tally import NodeRows, Tally

#: Shares of weight that are this near count as equal.
_SLACK = Fraction(1, 10**12)


class QuantileTally(Tally):
    """Weighed distances from a quantile, never rounded, in whole weights times ``Exact.scale``."""

    has_limits = False
    orders_levels = False

    def __init__(self, response: Quantiles, exact: Exact, measure: str):
        self.kind, self.n_classes = response.kind, 0
        self._exact, self._levels = exact, response.levels
        self._above, self._below = map(Fraction, response.sides)
        self._weight = [1] * exact.n if exact.weight is None else exact.weight.tolist()
        self._y = [
            Fraction(h) + Fraction(low, 2**LOW_BITS)
            for h, low in zip(exact.high.tolist(), exact.low.tolist(), strict=True)
        ]

    def mean(self, rows: NodeRows) -> Fraction:
        return self._y[self._first(rows, float(self._above / (self._above + self._below)))[0]]

    def _first(self, rows: NodeRows, level: float) -> tuple[int, int]:
        """The first row by y up to which the rows have a share of the weight; the next if it is exactly that."""
        rows = sorted(rows, key=lambda r: self._exact.y[r])
        total, up_to = self.weight(rows), 0
        for at, row in enumerate(rows):
            up_to += self._weight[row]
            if up_to >= (Fraction(level) - _SLACK) * total:
                halfway = up_to <= (Fraction(level) + _SLACK) * total and at + 1 < len(rows)
                return row, rows[at + halfway]
        raise AssertionError("a share is at most 1")

    def impurity(self, rows: NodeRows) -> float:
        return float(self._loss(rows))

    def _loss(self, rows: NodeRows) -> Fraction:
        middle = self.mean(rows)
        off = ((self._weight[r], self._y[r] - middle) for r in rows)
        return sum((w * (self._above * d if d > 0 else -self._below * d) for w, d in off), Fraction(0))

    def decrease(self, parts: Sequence[NodeRows]) -> float:
        whole = [r for part in parts for r in part]
        return float(self._loss(whole) - sum(map(self._loss, parts)))

    def is_pure(self, rows: NodeRows) -> bool:
        return len({self._y[r] for r in rows}) < 2

    def scale(self, rows: NodeRows) -> float:
        return self.impurity(rows)

    def per_weight(self, decrease: float, rows: NodeRows) -> float:
        return decrease / self.weight(rows) * self._exact.scale

    def moments(self, rows: NodeRows) -> list[float]:
        e, ends = self._exact, [self._first(rows, level) for level in self._levels]
        values = [float(e.y[a] / 2 + e.y[b] / 2) if a != b else float(e.y[a]) for a, b in ends]
        return [self.weight(rows) * e.unit, *values, self.impurity(rows) * e.scale * e.unit]
