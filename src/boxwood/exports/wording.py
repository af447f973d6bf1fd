"""The header comment of exported programs, and their decision rule."""

from __future__ import annotations

from .._version import __version__
from ..statistics.responses.classes import EQUAL
from ..views.words import plain
from .plan import ExportPlan


def heading(plan: ExportPlan) -> str:
    """One line: which tree this is and who wrote it."""
    tree = plan.tree
    algorithm = str(tree.made_by.get("algorithm", "tree"))
    size = f"{tree.n_nodes} nodes, {tree.n_leaves} leaves" if tree.n_nodes > 1 else "1 node"
    return (
        f"Decision tree ({plain(algorithm)}) for {plain(tree.response.name)}: {size}; written by boxwood {__version__}."
    )


def decision_costs(plan: ExportPlan) -> tuple[list[list[float]] | None, float]:
    """Costs (row = true class, column = predicted class; None = each error counts 1) and what counts as equal."""
    costs = plan.tree.response.costs
    if costs is None:
        return None, EQUAL
    return [list(row) for row in costs], EQUAL * max(cost for row in costs for cost in row)
