"""Several responses in the reference source: what each response's own tally finds, added up by weights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from boxwood.statistics.exact import Exact
from boxwood.statistics.responses.response import Response
from oracle.quantile_tally import QuantileTally
from oracle.tally import NodeRows, Tally


def tally_of(response: Response, exact: Exact, measure: str) -> Tally | SeveralTally:
    """The sums of a response of rows."""
    if response.responses:
        return SeveralTally(response, exact, measure)
    return (Tally if response.adds_up else QuantileTally)(response, exact, measure)


class SeveralTally:
    """The same as a :class:`Tally`, for several responses; a decrease is in true units of weight 1."""

    n_classes = 3  # no order of levels is known to be enough
    has_limits = False

    def __init__(self, response: Response, exact: Exact, measure: str):
        self.kind = response.kind
        self._each = [Tally(one, part, measure) for one, part in zip(response.responses, exact.parts, strict=True)]
        self._units = [
            weight * part.scale * part.scale for weight, part in zip(response.weights, exact.parts, strict=True)
        ]

    def _sum(self, found: list[float]) -> float:
        return math.fsum(unit * value for unit, value in zip(self._units, found, strict=True))

    def weight(self, rows: NodeRows) -> int:
        return self._each[0].weight(rows)

    def decrease(self, parts: Sequence[NodeRows]) -> float:
        return self._sum([one.decrease(parts) for one in self._each])

    def impurity(self, rows: NodeRows) -> float:
        return self._sum([one.impurity(rows) for one in self._each])

    scale = impurity

    def impurity_share(self, rows: NodeRows) -> float:
        return 1.0

    def is_pure(self, rows: NodeRows) -> bool:
        found = [one.is_pure(rows) for one in self._each]  # each notes the half of y that counts
        return all(found)

    def per_weight(self, decrease: float, rows: NodeRows) -> float:
        return decrease / self.weight(rows)

    def mean(self, rows: NodeRows) -> Fraction:
        return self._each[0].mean(rows)

    def shares(self, rows: NodeRows) -> tuple[float, np.ndarray]:
        """Mass of some rows, and the means or shares of all responses, each times the root of its weight."""
        found = [one.shares(rows)[1] if one.kind == "classes" else [float(one.mean(rows))] for one in self._each]
        weighed = [math.sqrt(unit) * np.asarray(values) for unit, values in zip(self._units, found, strict=True)]
        return float(self.weight(rows)), np.concatenate(weighed)

    def moments(self, rows: NodeRows) -> list[float]:
        return [moment for one in self._each for moment in one.moments(rows)]
