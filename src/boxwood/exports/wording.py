"""The decision rule of exported programs for rows that are shared out."""

from __future__ import annotations

from ..statistics.responses.classes import EQUAL
from .model_plan import NodePlan


def decision_costs(plan: NodePlan) -> tuple[list[list[float]] | None, float]:
    """Costs (row = true class, column = predicted class; None = each error counts 1) and what counts as equal."""
    costs = plan.costs
    if costs is None:
        return None, EQUAL
    return [list(row) for row in costs], EQUAL * max(cost for row in costs for cost in row)
