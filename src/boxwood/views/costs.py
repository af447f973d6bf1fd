"""What a missed row of a class costs, and what a false alarm costs: the same for all rows, or by an amount of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._messages import Setting, must_be, remedy
from ..errors import ParameterError


@dataclass(frozen=True)
class Costs:
    """Costs of a miss and of a false alarm: of a row, and for each unit of the amount of a row.

    Attributes
    ----------
    of_row : (float, float)
    of_amount : (float, float) or None
        None without amounts.
    """

    of_row: tuple[float, float]
    of_amount: tuple[float, float] | None = None

    def __str__(self) -> str:
        parts = zip(self.of_row, self.of_amount or (0.0, 0.0), strict=True)
        each = [" + ".join([f"{cost:g}"] * bool(cost or not part) + [f"{part:g} x amount"] * bool(part))
                for cost, part in parts]  # fmt: skip
        return f"cost of a miss {each[0]}, of a false alarm {each[1]}"

    def of_rows(self, n: int, amount: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """What each of ``n`` rows costs if it is missed, and if it is a false alarm."""
        miss, alarm = np.full(n, self.of_row[0]), np.full(n, self.of_row[1])
        if self.of_amount is None:
            return miss, alarm
        return miss + self.of_amount[0] * amount, alarm + self.of_amount[1] * amount


def checked_costs(costs: Any, name: str = "costs") -> tuple[float, float]:
    """A pair of costs, of a miss and of a false alarm.

    Raises
    ------
    ParameterError
        They are not two numbers of at least 0, not both 0.
    """
    try:
        missed, alarm = (float(cost) for cost in costs)
    except (TypeError, ValueError):
        missed = alarm = np.nan
    if not (np.isfinite([missed, alarm]).all() and min(missed, alarm) >= 0 and max(missed, alarm) > 0):
        allowed = "two numbers of at least 0, not both 0: of a miss and of a false alarm"
        raise ParameterError(must_be(name, allowed, costs))
    return missed, alarm


def all_costs(costs: Any, amount_costs: Any, has_amounts: bool) -> Costs:
    """The costs of a row and of a unit of its amount, by default 1 for the amount that is missed.

    Raises
    ------
    ParameterError
        Costs that are not a pair of numbers of at least 0, not both 0; amounts without costs, or costs of amounts
        without amounts.
    """
    if not has_amounts:
        if amount_costs is not None:
            raise ParameterError(Setting("amount_costs"), " goes with ", Setting("amount"), " of evaluate.")
        return Costs(checked_costs((1.0, 1.0) if costs is None else costs))
    per_unit = checked_costs((1.0, 0.0) if amount_costs is None else amount_costs, "amount_costs")
    costs = (0.0, 0.0) if costs is None else checked_costs(costs)
    if costs[1] + per_unit[1] == 0.0:
        raise ParameterError(
            "rows have amounts, but a false alarm has no cost; ", remedy("give ", Setting("costs"), ", such as 0,10."),
        )  # fmt: skip
    return Costs(costs, per_unit)
